// What a page needs from the first move on: what is shown in turn, and the last card of a round.
export { Director, keyOf } from "./director.js";
export { gamble, gambled } from "./gamble.js";
export { styled } from "./style.js";
