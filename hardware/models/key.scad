// Holds two tiles together from below.

use <tile.scad>

linear_extrude(3.6) key_shape(0);
