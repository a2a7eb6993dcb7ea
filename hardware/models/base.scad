// The base of a piece: a pocket from above for the sticker, a deeper one in its middle for the magnet of a presence
// track, and a slot for a figure of card or wood. Glue the magnet in: never loose near small children.

include <sizes.scad>

figure_thick = 2.2;
figure_wide = 24;
lid = 4;

module foot() {
  difference() {
    cylinder(d = base, h = floor_thick + tag_thick + magnet_thick);
    translate([0, 0, floor_thick]) cylinder(d = tag + 2 * play, h = 10);
  }
}

// Covers the sticker and holds the figure; the magnet sits in its underside.
module cover() {
  difference() {
    union() {
      cylinder(d = tag, h = magnet_thick + tag_thick);
      translate([0, 0, magnet_thick]) cylinder(d = base, h = lid);
    }
    translate([0, 0, -1]) cylinder(d = magnet + play, h = magnet_thick + 1);
    translate([-figure_wide / 2, -figure_thick / 2, magnet_thick + 1.2]) cube([figure_wide, figure_thick, 10]);
  }
}

part = "foot";
// The cover is printed upside down, its wide side on the bed: nothing hangs in free air.
if (part == "foot") foot(); else translate([0, 0, magnet_thick + lid]) rotate([180, 0, 0]) cover();
