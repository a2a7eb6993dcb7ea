// What everything is made to. All lengths in mm. Measure your own boards, stickers and magnets: cheap reader boards
// differ by a millimetre or two, and every size below can be set with openscad -D. hardware/sizes.py reads this file
// too: magnets, coils and plugs are computed from the same sizes.

nozzle = 0.4;            // walls are whole numbers of these
play = 0.3;              // between a printed part and what goes into it
seam = 0.1;              // left free at each end of a tile, so that a track closes although prints grow

// The reader board: its coil lies at one end, the row of pins at the other.
board_long = 60;         // across the track
board_wide = 40;         // along the track
board_thick = 1.6;
coil_from_end = 20;      // middle of the coil from the end of the board without pins
pins_deep = 13;          // room below the board: parts, and the plug with its wires, or the carrier with its cable

// The plug of eight wires, on angled pins below the board: it points outwards.
plug_wide = 20.32;
plug_thick = 2.54;
plug_out = 17;           // from the end of the board to the end of the plug
plug_long = 14;          // the plug alone
plug_base = 2.54;        // of the pins, on which it ends
plug_axis = 1.5;         // middle of the pins below the board
wire = 1.2;              // diameter of a wire
wire_bend = 3.6;         // the least radius that its inner side may have: three diameters

// Instead of that plug: the carrier, upright on the same pins, with a box for the plug of a flat cable of ten wires.
carrier_long = 25.4;     // along the track: hardware/board/reader.py
carrier_high = 13.6;
carrier_thick = 1.6;
carrier_pins = 2.54;     // from its upper edge to the middle of the pins
carrier_box = 8.89;      // and to the middle of the box
carrier_out = 3;         // from the end of the board: the base of the angled pins
box_long = 20.32;
box_thick = 9.1;
box_deep = 8.9;          // from the carrier to the mouth of the box
idc_long = 17.3;         // the plug of the cable
idc_thick = 6.1;
idc_out = 7;             // from the mouth of the box to the back of the plug
cable_wide = 12.7;
cable_thick = 0.9;
cable_bend = 1.5;        // the radius that the cable turns with, out of the plug

// The sticker and the magnet in the base of a piece.
tag = 25;                // diameter
tag_thick = 0.3;
magnet = 12;             // diameter
magnet_thick = 2;

// The space and the piece on it.
pitch = 60;              // from space to space, measured from coil to coil, in bends too
skin = 3;                // between board and piece, where there is no dish
switch_skin = 5;         // the same over a switch: nearer to it the field of a magnet is too narrow
switch_deep = 7;         // room below the switch's little board
dish_deep = 0.6;
base = 28;               // diameter of a piece's base with a sticker
magnet_base = 32;        // the same with a magnet: closer together they would move each other
floor_thick = 1;         // below the sticker
near = 9;                // so far along the track a piece may stand from the middle of the coil
near_across = 15;        // and across it, where two pieces stand side by side
switch_near = 8;         // the same for a switch

// How far sticker and coil are apart. The coil may be on either side of the board.
function coil_to_tag(coil_below) = skin - dish_deep + floor_thick + (coil_below ? board_thick : 0);

// Assumed until somebody has measured it (wiring.md, "What the bench must settle").
reads_from = 3;
reads_to = 12;
reads_aside = 10;
reads_across = 15.3;     // at the height of a tile, by a reader that reads 20 mm above its middle (hardware/coils.py)

assert(coil_to_tag(false) >= reads_from, "the sticker comes too near to the coil: make skin or floor_thick thicker");
assert(coil_to_tag(true) + tag_thick <= reads_to, "the sticker is too far from the coil: make skin or floor_thick thinner");
assert(near + play <= reads_aside, "a piece may stand beside the coil: make near smaller");
assert(near_across + play <= reads_across, "two pieces may stand beside the coil: make near_across smaller");
assert(near_across >= base / 2 + play, "two pieces do not fit side by side: make near_across larger or base smaller");
assert(magnet_base >= base, "the base is too small for its magnet");
assert(base >= tag + 2 * play + 4 * nozzle, "the base is too small for its sticker");
assert(tag >= magnet + play + 4 * nozzle, "the cover is too small for its magnet");
assert(pins_deep >= plug_axis + 2 * wire_bend + 1.5 * wire, "the wires of the plug cannot turn back: make pins_deep larger");
assert(pins_deep >= plug_axis + carrier_high - carrier_pins + play, "the carrier of a reader touches the table: make pins_deep larger");

$fa = 6;
$fs = 0.4;
