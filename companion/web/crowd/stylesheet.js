// The style of what watchers do, loaded with the first of it.
const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: new URL("crowd.css", import.meta.url) });
document.head.append(style);
