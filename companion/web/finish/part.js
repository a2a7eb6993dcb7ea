// What a page needs from the first move on: the order in which things are shown, and a round's last card.
export { Director, keyOf } from "./director.js";
export { gamble, gambled } from "./gamble.js";
export { styled } from "./style.js";
