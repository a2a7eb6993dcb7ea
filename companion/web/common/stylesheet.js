// The style of a part that is loaded only once it is needed.

/**
 * Add a style to this page; fulfilled once what is measured has the size that it gives.
 * @param {URL} url
 */
export function stylesheet(url) {
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: url });
  document.head.append(link);
  return new Promise(done => {
    link.onload = done;
    link.onerror = done; // unstyled, but there
  });
}
