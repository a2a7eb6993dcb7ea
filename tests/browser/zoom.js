// What is wrong with a page at 200 %: it scrolls down and sideways, or text is cut.
() => {
  const wrong = [];
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) wrong.push(`the page is ${page.scrollWidth - page.clientWidth} px too wide`);
  const called = el => el.id || el.dataset.action || String(el.getAttribute("class") ?? el.tagName).trim();
  const down = page.scrollHeight > page.clientHeight + 1;
  for (const el of document.querySelectorAll("body *")) {
    if (!el.checkVisibility({ visibilityProperty: true }) || el.closest("svg, .sr")) continue;
    const style = getComputedStyle(el);
    const scrolls = (way, over) => /auto|scroll/.test(way) && over > 1;
    const wide = scrolls(style.overflowX, el.scrollWidth - el.clientWidth);
    const high = scrolls(style.overflowY, el.scrollHeight - el.clientHeight);
    if (wide && (high || down) && !el.matches(":has(table), table")) wrong.push(`${called(el)} scrolls sideways too`);
    // what is set in the middle of a box that scrolls may begin above it, which no one can reach
    const begins = Math.min(...[...el.children].map(one => one.getBoundingClientRect().top));
    if (high && el.scrollTop === 0 && begins < el.getBoundingClientRect().top - 1) wrong.push(`${called(el)} begins above its box`);
    if (style.textOverflow === "ellipsis" && /hidden|clip/.test(style.overflowX) && el.scrollWidth > el.clientWidth + 1) wrong.push(`“${el.textContent.trim()}” is cut in ${called(el)}`);
  }
  return [...new Set(wrong)];
}
