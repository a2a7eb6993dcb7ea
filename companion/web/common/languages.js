// The language of this device: stored in a cookie for a year, used by the page and its stream at once.
const YEAR = 365 * 24 * 60 * 60;
const page = document.documentElement.lang;
const chosen = () => document.cookie.match(/(?:^|; )language=(\w+)/)?.[1] ?? page;

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-language]"))) {
  button.addEventListener("click", () => {
    const path = new URL(".", document.baseURI).pathname;
    document.cookie = `language=${button.dataset.language}; path=${path}; max-age=${YEAR}; samesite=lax`;
    location.reload();
  });
}
addEventListener("pageshow", event => {
  if (event.persisted && chosen() !== page) location.reload();
}); // back to a page from before
