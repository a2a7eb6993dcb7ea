// The style of a finish and of a last card: loaded when there is one.
const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: new URL("finish.css", import.meta.url) });
document.head.append(style);
/** Fulfilled once what is measured has the size that its style gives it. */
export const styled = new Promise(done => {
  style.onload = done;
  style.onerror = done;
});
