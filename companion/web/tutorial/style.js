// The style of a part of a page that is loaded only once it is needed.
import { stylesheet } from "../common/stylesheet.js";

stylesheet(new URL("explain.css", import.meta.url));
