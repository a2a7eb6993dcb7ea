// The card pad: a tray for one card over the reader, the three buttons, the lamp and the buzzer in front of it.
// "lid", "frame" and "box" are printed as they stand; four screws M3 × 12 hold lid and box together.

include <sizes.scad>

part = "lid";

card_wide = 66;          // with its sleeve
card_long = 91;
card = [card_wide, card_long];
card_skin = 1.6;         // between card and board
tray_deep = 1.6;
finger = 22;             // to pick the card up
wall = 2.4;
deep = 26;               // room below the board: no metal within 10 mm of the coil
// A push button for a panel: its threaded neck goes through the lid, a nut holds it from above, two lugs are below.
button_neck = 12;
button_nut = 16;         // diameter, over its corners
button_deep = 22;        // from the lid's upper side to the ends of its lugs
button_grip = 5;         // the thickest lid that its nut holds
button = button_neck + 0.2;
lamp = 5.2;
sound = 2;               // diameter of the buzzer's holes
front = 34;              // the strip with the buttons
screw = 3.4;
post = 9;

assert(card_skin + board_thick + tag_thick <= reads_to, "the card lies too far from the coil: make card_skin thinner");
assert(deep >= pins_deep + 10, "metal under the pad may come nearer than 10 mm to the coil: make it deeper");

assert(card_skin + tray_deep <= button_grip, "the nut of a button does not reach through the lid: make tray_deep less");
assert(deep - wall + card_skin + tray_deep >= button_deep + 1, "the lugs of a button touch the floor: make deep larger");

assert(deep - wall - board_thick >= plug_base + plug_long + wire_bend + wire, "the wires of the plug touch the floor: make deep larger");

long = card_long + 2 * 12;
wide = card_wide + 2 * 14 + front;
middle = [long / 2, front + (wide - front) / 2];
roof = card_skin + tray_deep;

module corners() {
  for (x = [post, long - post], y = [post, wide - post]) translate([x, y, 0]) children();
}

module lid() {
  difference() {
    cube([long, wide, roof]);
    translate([0, 0, card_skin]) translate([middle[0] - card[1] / 2, middle[1] - card[0] / 2, 0])
      cube([card[1], card[0], tray_deep + 1]);
    for (y = [-1, 1]) translate([middle[0], middle[1] + y * card[0] / 2, card_skin])
      cylinder(d = finger, h = tray_deep + 1);
    for (n = [0:2]) translate([long * (n + 1) / 5, front / 2, -1]) cylinder(d = button, h = roof + 2);
    translate([long * 4 / 5, front / 2 + 6, -1]) cylinder(d = lamp, h = roof + 2);
    for (n = [-1:1]) translate([long * 4 / 5 + 4 * n, front / 2 - 6, -1]) cylinder(d = sound, h = roof + 2);
    corners() translate([0, 0, -1]) cylinder(d = screw, h = roof + 2);
    // the frame's marks come through here: the middle of the card
    for (y = [-1, 1]) translate([middle[0] - 0.7, middle[1] + y * (board_wide / 2 + play + wall / 2) - wall / 2 - 0.3, -1])
      cube([1.4, wall + 0.6, 1.8]);
  }
}

// Glued below the lid around the board: it keeps the middle of the coil under the middle of the card.
module frame() {
  linear_extrude(2.5) difference() {
    translate([-play - wall, -play - wall]) square([board_long + 2 * (play + wall), board_wide + 2 * (play + wall)]);
    translate([-play, -play]) square([board_long + 2 * play, board_wide + 2 * play]);
  }
  // how far it is from the frame's inner end to the middle of the card
  translate([coil_from_end - 0.4, -play - wall]) cube([0.8, wall, 3.2]);
  translate([coil_from_end - 0.4, board_wide + play]) cube([0.8, wall, 3.2]);
}

module box() {
  difference() {
    cube([long, wide, deep]);
    translate([wall, wall, wall]) cube([long - 2 * wall, wide - 2 * wall, deep]);
    translate([long / 2 - 7, wide - wall - 1, wall + 4]) cube([14, wall + 2, 8]); // the cable
  }
  corners() difference() {
    translate([-post / 2, -post / 2, 0]) cube([post, post, deep]);
    translate([0, 0, wall]) cylinder(d = 2.6, h = deep);
  }
}

if (part == "lid") lid(); else if (part == "frame") frame(); else box();
