// The style of what watchers do, loaded with the first of it.
import { stylesheet } from "../common/stylesheet.js";

stylesheet(new URL("crowd.css", import.meta.url));
