// Holds the tablet at the end of the table, leaning back so that lamps do not mirror in it. Print it on its side.

include <sizes.scad>

tablet_thick = 10;       // with its cover
lean = 20;               // degrees from upright
width = 90;
lip = 14;                // in front of the tablet: lower than its frame is wide
back = 75;
foot = 95;               // so deep that it does not fall over
wall = 5;

assert(foot > back * sin(lean) + 40, "it would fall over backwards: make foot longer");

module side() {
  slot = tablet_thick + 2 * play;
  square([foot, wall]);
  square([wall, lip + wall]);
  translate([wall + slot / cos(lean), 0]) rotate(-lean) {
    square([wall, back]);
  }
  // the strut behind
  hull() {
    translate([wall + slot / cos(lean) + back * sin(lean) * 0.8, back * cos(lean) * 0.8]) circle(d = wall);
    translate([foot - wall / 2, wall / 2]) circle(d = wall);
  }
}

linear_extrude(width) difference() {
  side();
  translate([-1, -10]) square([foot + 10, 10]);
}
