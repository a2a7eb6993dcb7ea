// The layout law: what is over the course covers nothing of it, numbers stay in their boxes, nothing is
// cut off. Gives the faults found, each a line.
() => {
  const faults = [];
  const LONG_WORD = 20; // letters: such a word may be torn
  const track = document.querySelector("#track");
  const seen = el => {
    if (!el?.isConnected || !el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = el.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
  };
  const all = (what, root = document) => [...root.querySelectorAll(what)].filter(seen);
  const called = el => el.id || el.dataset?.action || String(el.getAttribute("class") ?? el.tagName).trim();

  // --- shapes, as polygons on the screen -------------------------------------------------------
  const corners = ({ left, top, right, bottom }, off = 0) => [
    [left + off, top + off], [right - off, top + off], [right - off, bottom - off], [left + off, bottom - off],
  ];
  const onScreen = (el, points) => {
    const m = el.getScreenCTM();
    return points.map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
  };
  const outline = path => onScreen(path, pairs(path.getAttribute("d")));
  const pairs = d => {
    const numbers = d.match(/-?\d+(\.\d+)?/g).map(Number);
    return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
  };
  const inside = ([x, y], polygon) => {
    let within = false;
    polygon.forEach(([ax, ay], i) => {
      const [bx, by] = polygon[(i + 1) % polygon.length];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
    });
    return within;
  };
  const crosses = ([ax, ay], [bx, by], [cx, cy], [dx, dy]) => {
    const side = (px, py, qx, qy, rx, ry) => Math.sign((qx - px) * (ry - py) - (qy - py) * (rx - px));
    return (
      side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0 &&
      side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
    );
  };
  const meet = (p, q) =>
    p.some(point => inside(point, q)) ||
    q.some(point => inside(point, p)) ||
    p.some((a, i) => q.some((b, j) => crosses(a, p[(i + 1) % p.length], b, q[(j + 1) % q.length])));
  const round = (el, off) => {
    // a box with round corners: what is cut off at them covers nothing
    const box = el.getBoundingClientRect();
    const { borderTopLeftRadius, transform } = getComputedStyle(el);
    const r = borderTopLeftRadius.includes("%") ? Math.min(box.width, box.height) / 2 : Math.min(parseFloat(borderTopLeftRadius) || 0, box.width / 2, box.height / 2);
    if (r < 4) return corners(box, off);
    const out = [];
    for (const [cx, cy, from] of [
      [box.right - r, box.top + r, -Math.PI / 2], [box.right - r, box.bottom - r, 0],
      [box.left + r, box.bottom - r, Math.PI / 2], [box.left + r, box.top + r, Math.PI],
    ]) {
      for (let i = 0; i <= 4; i++) {
        const a = from + (i * Math.PI) / 8;
        out.push([cx + (r - off) * Math.cos(a), cy + (r - off) * Math.sin(a)]);
      }
    }
    return out;
  };

  if (seen(track)) {
    const stage = document.querySelector("#stage");
    const size = stage ? stage.getBoundingClientRect().width / stage.offsetWidth : 1;
    const shrunk = (el, by) => {
      const box = el.getBoundingClientRect();
      return corners({
        left: box.left + box.width * by, right: box.right - box.width * by,
        top: box.top + box.height * by, bottom: box.bottom - box.height * by,
      });
    };
    const bodies = [
      ...all(".layer-ground .cell", track).map((el, i) => [`space ${i}`, outline(el)]),
      ...all(".layer-pieces .piece", track).map(el => [`the ${el.dataset.piece} piece`, shrunk(el.querySelector(".bobber"), 0.12)]),
      ...all(".layer-ways .hop", track).map(el => ["a way", way(el)]),
      ...all(".flag .flagbox", track).map(el => ["a flag", shrunk(el, 0.04)]),
      ...all(".fence", track).map(el => [`the obstacle on ${el.dataset.obstacle}`, shrunk(el, 0.06)]),
      ...all(".gatepost", track).map(el => ["the gate", shrunk(el, 0.04)]),
      ...all(".signpost", track).map(el => ["a sign", shrunk(el, 0.04)]),
    ];
    function way(el) {
      const n = 24, length = el.getTotalLength();
      const points = Array.from({ length: n + 1 }, (_, i) => el.getPointAtLength((length * i) / n)).map(p => [p.x, p.y]);
      return onScreen(el, [...points, ...points.toReversed().map(([x, y]) => [x + 0.1, y + 0.1])]);
    }
    const covers = [
      ...all("#board > *"), ...all("#placeholder, .explain, .toside, .corner > *, .mockribbon, #stale, #toast, #reveal"),
      ...all("[data-action=rules], [data-action=cheers], [data-action=doubt], .closepanel"),
    ].filter(el => !el.closest("#side") && !el.closest("#dock"));
    for (const cover of covers) {
      const shape = cover.matches(".mockribbon") ? null : round(cover, 1.5 * size);
      if (!shape) continue;
      for (const [what, polygon] of bodies) {
        if (meet(shape, polygon)) faults.push(`${called(cover)} covers ${what}`);
      }
    }
    const over = ["ways", "flags"].flatMap(layer => all(`.layer-${layer} :is(.flagbox, .flagpole)`, track));
    for (const flag of over) {
      for (const el of all(".layer-pieces .piece, .fence", track)) {
        // drawn after it, it is over it
        const covers = el.compareDocumentPosition(flag) & Node.DOCUMENT_POSITION_FOLLOWING;
        if (covers && meet(shrunk(flag, 0.04), shrunk(el, 0.1))) faults.push(`a flag covers ${called(el)}`);
      }
    }
  }

  // --- texts -----------------------------------------------------------------------------------
  const painted = style =>
    (parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none") ||
    !/rgba\(.*, 0\)|transparent/.test(style.backgroundColor);
  // a word or a number that stands in two lines, though it has no place to be parted at
  function tornWords(node) {
    const torn = [];
    for (const { 0: word, index } of node.textContent.matchAll(/[^\s\-–—/·\u00ad]+/gu)) {
      if (word.length > LONG_WORD) continue;
      const part = document.createRange();
      part.setStart(node, index);
      part.setEnd(node, index + word.length);
      const lines = [...part.getClientRects()].filter(r => r.width > 0.5).sort((a, b) => a.top - b.top);
      if (lines.length > 1 && lines[lines.length - 1].top > lines[0].bottom - 2) torn.push(word);
    }
    return torn;
  }
  // boxes next to a text, in its row, that cover some of it
  function beside(el, rect) {
    const found = [];
    for (let at = el, up = 0; up < 3 && at.parentElement && at !== document.body; at = at.parentElement, up++) {
      if (getComputedStyle(at).position === "absolute") break;
      for (const other of at.parentElement.children) {
        if (other === at || other instanceof SVGElement || !seen(other)) continue;
        const style = getComputedStyle(other);
        if (!painted(style) || /absolute|fixed|sticky/.test(style.position)) continue;
        const box = other.getBoundingClientRect();
        const wide = Math.min(rect.right, box.right) - Math.max(rect.left, box.left);
        const high = Math.min(rect.bottom, box.bottom) - Math.max(rect.top, box.top);
        if (wide > 3 && high > 6) found.push(other);
      }
    }
    return found;
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const el = node.parentElement;
    const text = node.textContent.trim();
    if (!text || !seen(el) || el.closest(".sr, svg, script, style, option, .mockribbon")) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(r => r.width > 0.5);
    if (!rects.length) continue;
    const rect = {
      left: Math.min(...rects.map(r => r.left)), right: Math.max(...rects.map(r => r.right)),
      top: Math.min(...rects.map(r => r.top)), bottom: Math.max(...rects.map(r => r.bottom)),
    };
    const item = el.closest("#story-list li");
    if (item && item.getBoundingClientRect().bottom > document.querySelector("#story-list").getBoundingClientRect().bottom + 1) continue;
    if (item && item.getBoundingClientRect().left > document.querySelector("#story-list").getBoundingClientRect().right - 2) continue;
    for (const torn of tornWords(node)) faults.push(`"${torn}" is torn in ${called(el)}`);
    for (const other of beside(el, rect)) faults.push(`"${text}" is under ${called(other)}`);
    const slack = (rect.bottom - rect.top) * 0.2; // the line's own height is more than its letters
    for (let at = el; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const clips = /hidden|clip/.test(style.overflowX + style.overflowY);
      const first = at === el || painted(style) || clips;
      if (!first) continue;
      if (style.display === "inline") continue;
      const scrolls = /auto|scroll/.test(style.overflowY) && at.scrollHeight > at.clientHeight + 1;
      const out = rect.left < box.left - 1.5 || rect.right > box.right + 1.5 ||
        (!scrolls && (rect.top + slack < box.top - 1 || rect.bottom - slack > box.bottom + 1));
      if (out && (painted(style) || clips)) {
        faults.push(`"${text}" does not fit ${called(at)}`);
        break;
      }
      if (clips && style.textOverflow === "ellipsis" && at.scrollWidth > at.clientWidth + 1) {
        faults.push(`"${text}" is cut by ${called(at)}`);
        break;
      }
      if (painted(style) || scrolls) break;
    }
  }
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth + 1) faults.push(`the page is ${page.scrollWidth - innerWidth} px too wide`);
  return [...new Set(faults)];
}
