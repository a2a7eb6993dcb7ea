// What everything is made to. All lengths in mm. Measure your own boards, stickers and magnets: cheap reader boards
// differ by a millimetre or two, and every size below can be set with openscad -D.

nozzle = 0.4;            // walls are whole numbers of these
play = 0.3;              // between a printed part and what goes into it

// The reader board: its coil lies at one end, the row of pins at the other.
board_long = 60;         // across the track
board_wide = 40;         // along the track
board_thick = 1.6;
coil_from_end = 20;      // middle of the coil from the end of the board without pins
pins_deep = 9;           // what stands out below the board: parts, pins and plugs

// The sticker and the magnet in the base of a piece.
tag = 25;                // diameter
tag_thick = 0.3;
magnet = 5;              // diameter
magnet_thick = 2;

// The space and the piece on it.
pitch = 60;              // from space to space
skin = 3;                // between board and piece, where there is no dish
dish_deep = 0.6;
base = 32;               // diameter of a piece's base
floor_thick = 1;         // below the sticker
near = 9;                // so far a piece may stand from the middle of the coil: less than reads for certain

// How far sticker and coil are apart. The coil may be on either side of the board.
function coil_to_tag(coil_below) = skin - dish_deep + floor_thick + (coil_below ? board_thick : 0);

// Assumed until somebody has measured it (wiring.md, "What the bench must settle").
reads_from = 3;
reads_to = 12;
reads_aside = 10;

assert(coil_to_tag(false) >= reads_from, "the sticker comes too near to the coil: make skin or floor_thick thicker");
assert(coil_to_tag(true) + tag_thick <= reads_to, "the sticker is too far from the coil: make skin or floor_thick thinner");
assert(near + play <= reads_aside, "a piece may stand beside the coil: make near smaller");
assert(base >= tag + 2 * play + 4 * nozzle, "the base is too small for its sticker");

$fn = $preview ? 32 : 96;
