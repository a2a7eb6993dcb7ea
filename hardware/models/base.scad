// The base of a piece: a pocket from above for the sticker, or for the magnet of a presence track, and a slot for a
// figure of card or wood. Glue the magnet in: never loose near small children.

include <sizes.scad>

part = "foot";
holds = "sticker";       // or "magnet"

figure_thick = 2.2;
figure_wide = 24;
lid = 4;
plug = magnet_thick + tag_thick;
round_base = holds == "magnet" ? magnet_base : base;

module foot() {
  difference() {
    cylinder(d = round_base, h = floor_thick + plug);
    translate([0, 0, floor_thick]) cylinder(d = tag + 2 * play, h = 10);
  }
}

// Covers the sticker and holds the figure; the magnet sits in its underside.
module cover() {
  difference() {
    union() {
      cylinder(d = tag, h = plug);
      translate([0, 0, magnet_thick]) cylinder(d = round_base, h = lid);
    }
    if (holds == "magnet") translate([0, 0, -1]) cylinder(d = magnet + play, h = magnet_thick + 1);
    translate([-figure_wide / 2, -figure_thick / 2, magnet_thick + 1.2]) cube([figure_wide, figure_thick, 10]);
  }
}

// The cover is printed upside down, its wide side on the bed: nothing hangs in free air.
if (part == "foot") foot(); else translate([0, 0, magnet_thick + lid]) rotate([180, 0, 0]) cover();
