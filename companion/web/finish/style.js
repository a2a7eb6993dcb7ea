// The style of a finish and of a last card: loaded when there is one.
import { stylesheet } from "../common/stylesheet.js";

export const styled = stylesheet(new URL("finish.css", import.meta.url));
