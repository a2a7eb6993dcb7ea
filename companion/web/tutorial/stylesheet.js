// The style of a part of a page that is loaded only once it is needed.
const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: new URL("explain.css", import.meta.url) });
document.head.append(style);
