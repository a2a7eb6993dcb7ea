// A space of the track: a reader board or a switch below, a shallow dish above that keeps a piece over the coil.
// Straight by itself; with `bend` it is a part of a bend of so many degrees. x runs along the track, y outwards.
// All tiles have the same cross-section where they meet, so that any two can be keyed together.

include <sizes.scad>

bend = 0;                // degrees that this space turns the track
sensor = "reader";       // "reader", or "switch" for a presence track

reader = sensor == "reader";
wall = 6 * nozzle;
stop_thick = 2;          // holds the end of the board
stop_gap = 26.4;         // between the two stops: room for the pins
bay_long = plug_out + wire_bend + wire;  // the plug, and its wires as they turn back

inner = 32;              // from the middle of the space to the infield
outer_reader = board_long - coil_from_end + 2 * play + bay_long + wall; // and to the outside
outer_switch = 50;       // so far that a second piece stands outside of the dish
outer = reader ? outer_reader : outer_switch;
roof = reader ? skin : switch_skin;
high = roof + board_thick + (reader ? pins_deep : switch_deep);
// A piece anywhere in the dish is over the sensor; a reader's is longer across the track, for two pieces.
dish = reader ? base + 2 * near : magnet_base + 2 * switch_near;
dish_across = reader ? near_across - near : 0;
way = reader ? 16 : 12;   // of the cable
key_long = 14;
key_wide = 6;
key_waist = 3;
key_high = 4;
key_play = 0.2;          // around a key
key_in = 8;              // how far outwards the first key is, along the seam
key_out = 12;            // and the second from the outer edge
keys = [key_in, outer - key_out];

// The coils are on a circle around the middle of the bend, `pitch` apart; that circle goes on as the straight's line.
radius = bend == 0 ? 0 : pitch / 2 / sin(bend / 2);

assert(dish <= pitch - 4 * nozzle, "dishes of neighbours touch: make base or near smaller");
assert(dish / 2 + dish_across <= inner - 4 * nozzle, "the dish breaks through the inner edge: make inner larger");
assert(bend == 0 || radius * cos(bend / 2) > inner + board_wide / 4, "the bend is too tight for its inner edge");

// An arc of the bend from seam to seam, `out` mm outside of the coils; its ends leave the seam free.
function arc(out, steps = 24) = let (r = radius + out, half = bend / 2 - asin(seam / r))
  [for (n = [0:steps]) let (a = half * (2 * n / steps - 1)) [r * sin(a), r * cos(a) - radius]];

module outline() {
  if (bend == 0) translate([-pitch / 2 + seam, -inner]) square([pitch - 2 * seam, inner + outer]);
  else polygon(concat(arc(outer), [for (n = [24:-1:0]) arc(-inner)[n]]));
}

module board(extra) {
  translate([-board_wide / 2 - extra, -coil_from_end - extra])
    square([board_wide + 2 * extra, board_long + 2 * extra]);
}

// Outside of the board: the plug and the bend of its wires.
module bay() {
  end = board_long - coil_from_end + play;
  translate([-stop_gap / 2, end - 1]) square([stop_gap, stop_thick + 2]);
  translate([-board_wide / 2 - play, end + stop_thick]) square([board_wide + 2 * play, bay_long + play - stop_thick]);
}

// A hall switch on a bit of perforated board, its middle under the middle of the space.
module little_board(extra) {
  square([12 + 2 * extra, 15 + 2 * extra], center = true);
}

// Half of a key's hole, at the edge towards the next space; the other half is in the next tile.
module key_hole(side, y) {
  if (bend == 0) translate([side * pitch / 2, y]) key_shape(key_play);
  else translate([0, -radius]) rotate(-side * bend / 2) translate([0, radius + y]) key_shape(key_play);
}

module key_shape(extra) {
  half = key_long / 2 + extra;
  wide = key_wide / 2 + extra;
  waist = key_waist / 2 + extra;
  polygon([[-half, -wide], [0, -waist], [half, -wide], [half, wide], [0, waist], [-half, wide]]);
}

module tile() {
  difference() {
    linear_extrude(high) outline();
    // above: the dish
    translate([0, 0, high - dish_deep]) hull() for (side = [-1, 1])
      translate([0, side * dish_across, 0]) cylinder(d = dish, h = 1);
    // below: what is under the space, flush with the roof
    translate([0, 0, -1]) linear_extrude(high - roof + 1) if (reader) { board(play); bay(); } else little_board(play);
    // the way of the cable to the infield
    translate([-way / 2, -inner - 1, -1]) cube([way, inner + 1, (reader ? 7 : 5) + 1]);
    for (side = [-1, 1], y = keys) translate([0, 0, -1]) linear_extrude(key_high + 1) key_hole(side, y);
  }
}

tile();
