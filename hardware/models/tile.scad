// A space of the track: a reader board or a switch below, a shallow dish above that keeps a piece over the coil.
// Straight by itself; with `bend` it is a part of a bend of so many degrees. x runs along the track, y outwards.

include <sizes.scad>

bend = 0;                // degrees that this space turns the track
sensor = "reader";       // "reader", or "switch" for a presence track

inner = 30;              // from the middle of the space to the infield
outer = 46;              // and to the outside: the pins of the board lie there
high = skin + board_thick + pins_deep;
dish = base + 2 * near;  // a piece anywhere in it is over the coil
key_long = 14;
key_wide = 6;
key_waist = 3;
key_high = 4;
keys = [12, 36];         // how far outwards they lie: where a bend is wide enough

// The middle of the bend, below the space.
radius = bend == 0 ? 0 : pitch / 2 / tan(bend / 2);

assert(dish <= pitch - 4 * nozzle, "dishes of neighbours touch: make base or near smaller");
assert(bend == 0 || radius > inner, "the bend is too tight for its inner edge");

function turned(x, y) = bend == 0 ? x : x * (radius + y) / radius;

module outline() {
  polygon([
    [turned(-pitch / 2, -inner), -inner],
    [turned(pitch / 2, -inner), -inner],
    [turned(pitch / 2, outer), outer],
    [turned(-pitch / 2, outer), outer],
  ]);
}

module board(extra) {
  translate([-board_wide / 2 - extra, -coil_from_end - extra])
    square([board_wide + 2 * extra, board_long + 2 * extra]);
}

// A hall switch on a bit of perforated board, its middle under the middle of the space.
module little_board(extra) {
  square([12 + 2 * extra, 15 + 2 * extra], center = true);
}

// Half of a key's hole, at the edge towards the next space; the other half is in the next tile.
module key_hole(side, y) {
  translate([turned(side * pitch / 2, y), y]) rotate(-side * bend / 2) key_shape(play);
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
    translate([0, 0, high - dish_deep]) cylinder(d = dish, h = 1);
    // below: what is under the space, flush with the skin
    translate([0, 0, -1]) linear_extrude(high - skin + 1)
      if (sensor == "reader") board(play); else little_board(play);
    // the way of the cable to the infield
    translate([-8, -inner - 1, -1]) cube([16, inner + 1, 7 + 1]);
    for (side = [-1, 1], y = keys) translate([0, 0, -1]) linear_extrude(key_high + 1) key_hole(side, y);
  }
}

tile();
