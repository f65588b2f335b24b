// Runs in the frame that shows a page: measures its blocks, draws over it, and reports where the user points.
//
// The page is hostile. Its own scripts do not run, but elements with the names of functions shadow those of the document
// and of forms (<img name="querySelector">). So functions are read before the page has elements, and functions of
// elements are read from the prototypes.
(() => {
  "use strict";
  const token = document.currentScript.getAttribute("data-ws-token");
  const ROW = `data-ws-${token}`;
  const [OPEN, CLOSE] = [`ws-${token}:`, `ws-${token}/`];
  const root = document.documentElement;
  const walkerOver = document.createTreeWalker.bind(document);
  const newRange = document.createRange.bind(document);
  const newElement = document.createElement.bind(document);
  const atPoint = document.elementFromPoint.bind(document);
  const listen = document.addEventListener.bind(document);
  const around = window.parent;
  const method = (prototype, name) => Function.prototype.call.bind(prototype[name]);
  const getter = (prototype, name) => Function.prototype.call.bind(
    Object.getOwnPropertyDescriptor(prototype, name).get);
  const attribute = method(Element.prototype, "getAttribute");
  const boxOf = method(Element.prototype, "getBoundingClientRect");
  const parentOf = getter(Node.prototype, "parentElement");
  const textOf = getter(Node.prototype, "textContent");
  const nextOf = getter(Element.prototype, "nextElementSibling");
  const previousOf = getter(Element.prototype, "previousElementSibling");
  const firstOf = getter(Element.prototype, "firstElementChild");
  const nameOf = getter(Element.prototype, "localName");
  const append = method(Node.prototype, "appendChild");

  const byRow = new Map();
  let opens = [], closes = [];
  let left, top, right, bottom;
  let items = [], highlighted = -1, marked = null;
  let marking = false, hovered = null, selection = [], trail = [];
  let expected = -1;

  const say = (message) => around.postMessage({ webstrata: message }, "*");
  const rowOf = (element) => {
    const value = element ? attribute(element, ROW) : null;
    return value === null ? -1 : Number(value);
  };

  // The layer to draw on is as large as the window, for pages of any size.
  const layer = newElement("webstrata-layer");
  const canvas = newElement("canvas");
  const ink = canvas.getContext("2d");
  function addLayer() {
    const style = "all:initial!important;position:fixed!important;inset:0!important;z-index:2147483647!important;" +
      "pointer-events:none!important;display:block!important;visibility:visible!important;opacity:1!important";
    layer.setAttribute("style", style);
    layer.setAttribute("aria-hidden", "true");
    layer.attachShadow({ mode: "closed" }).appendChild(canvas);
    append(root, layer);
  }

  function collect() {
    const walker = walkerOver(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === 8) {
        const data = node.data;
        if (data.startsWith(OPEN)) opens[Number(data.slice(OPEN.length))] = node;
        else if (data.startsWith(CLOSE)) closes[Number(data.slice(CLOSE.length))] = node;
      } else {
        const row = rowOf(node);
        if (row >= 0 && !byRow.has(row)) byRow.set(row, node);
      }
    }
  }

  function measure() {
    const count = opens.length;
    [left, top, right, bottom] = [0, 1, 2, 3].map(() => new Float32Array(count));
    const range = newRange();
    const [x, y] = [window.scrollX, window.scrollY];
    for (let i = 0; i < count; i++) {
      if (!opens[i] || !closes[i]) continue;
      range.setStartAfter(opens[i]);
      range.setEndBefore(closes[i]);
      const box = range.getBoundingClientRect();
      left[i] = box.left + x; top[i] = box.top + y; right[i] = box.right + x; bottom[i] = box.bottom + y;
    }
    items.forEach(place);
  }

  const union = (start, stop) => {
    let found = null;
    for (let i = Math.max(start, 0); i < stop && i < top.length; i++) {
      if (right[i] <= left[i] || bottom[i] <= top[i]) continue;
      found = found ?? [Infinity, Infinity, -Infinity, -Infinity];
      found[0] = Math.min(found[0], left[i]); found[1] = Math.min(found[1], top[i]);
      found[2] = Math.max(found[2], right[i]); found[3] = Math.max(found[3], bottom[i]);
    }
    return found;
  };

  const elementBox = (element) => {
    const box = boxOf(element);
    if (box.width < 1 || box.height < 1) return null;
    return [box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY];
  };

  // Set the boxes of an item: those of its elements, and the rectangles around its other blocks.
  function place(item) {
    const boxes = (item.rows ?? []).map((row) => byRow.get(row)).filter(Boolean).map(elementBox);
    for (const [start, stop] of item.ranges ?? []) boxes.push(union(start, stop));
    item.boxes = boxes.filter(Boolean);
    if (!item.boxes.length && item.stop > item.start) item.boxes = [union(item.start, item.stop)].filter(Boolean);
  }

  // The height of a label; the rectangles of the labels and of the texts in sight, in the window.
  const HIGH = 16;
  let labels = [], texts = [];
  let waiting = false;
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };

  function draw() {
    const [wide, high, scale] = [innerWidth, innerHeight, devicePixelRatio || 1];
    if (canvas.width !== Math.round(wide * scale) || canvas.height !== Math.round(high * scale)) {
      canvas.width = Math.round(wide * scale); canvas.height = Math.round(high * scale);
      canvas.style.width = `${wide}px`; canvas.style.height = `${high}px`;
    }
    ink.setTransform(scale, 0, 0, scale, 0, 0);
    ink.clearRect(0, 0, wide, high);
    labels = [];
    texts = [];
    for (let i = 0; i < (items.length ? opens.length : 0); i++) {
      if (right[i] <= left[i] || bottom[i] < scrollY || top[i] > scrollY + high) continue;
      texts.push([left[i] - scrollX, top[i] - scrollY, right[i] - scrollX, bottom[i] - scrollY]);
    }
    for (const item of items) {
      const active = highlighted >= item.start && highlighted < item.stop;
      const boxes = item.bare && item.boxes.length && inSight(item.boxes[0]) ? linesOf(item.start) : item.boxes;
      boxes.forEach((box, number) => drawBox(box, item, active, number === 0));
    }
    if (marked) drawBox(marked, { colour: "#111111", fill: 0, thick: 2 }, true, false);
    if (hovered && !selection.includes(hovered)) {
      const box = elementBox(hovered);
      if (box) drawBox(box, { colour: "#D55E00", fill: 0.04, dashed: true, label: nameOf(hovered) }, true, true);
    }
    for (const [number, element] of selection.entries()) {
      const box = elementBox(element);
      const label = number ? "" : selection.length > 1 ? `${selection.length} elements` : nameOf(element);
      const known = items.some((item) => item.rows?.includes(rowOf(element)));
      if (box) drawBox(box, { colour: "#D55E00", fill: 0.05, thick: 3, label: known ? "" : label }, true, true);
    }
  }

  const inSight = (box) => box[1] < scrollY + innerHeight && box[3] > scrollY;

  // The lines of one block; the rectangle around it would cover other blocks on the same lines.
  function linesOf(block) {
    const range = newRange();
    range.setStartAfter(opens[block]);
    range.setEndBefore(closes[block]);
    return [...range.getClientRects()].filter((box) => box.width >= 1).map((box) => [
      box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY]);
  }

  function drawBox(box, item, active, labelled) {
    const x = box[0] - scrollX, y = box[1] - scrollY, wide = box[2] - box[0], high = box[3] - box[1];
    if (y > innerHeight || y + high < 0 || x > innerWidth || x + wide < 0) return;
    ink.globalAlpha = active ? Math.min((item.fill ?? 0.12) * 2.2, 0.5) : item.fill ?? 0.12;
    ink.fillStyle = item.colour;
    ink.fillRect(x, y, wide, high);
    ink.globalAlpha = 1;
    ink.strokeStyle = item.colour;
    ink.lineWidth = item.thick ?? (active ? 2.5 : 1.5);
    ink.setLineDash(item.dashed ? [6, 4] : []);
    if (!item.bare || active) ink.strokeRect(x + 0.75, y + 0.75, Math.max(wide - 1.5, 1), Math.max(high - 1.5, 1));
    if (!labelled || !item.label || (item.bare && !active)) return;
    ink.font = "600 11px system-ui, sans-serif";
    ink.setLineDash([]);
    const [at, over] = beside(x, y, wide, high, ink.measureText(item.label).width + 10);
    ink.fillRect(at, over, labels.at(-1)[2] - at, HIGH);
    ink.fillStyle = "#ffffff";
    ink.fillText(item.label, at + 5, over + 12);
  }

  // The place of a label at its box that covers the least of the text and of the labels before it.
  function beside(x, y, wide, high, width) {
    const [rightmost, lowest] = [innerWidth - width, innerHeight - HIGH];
    let best = null;
    for (const [at, over] of [
      [x, y - HIGH + 1], [x + wide - width, y - HIGH + 1], [x + wide - width, y], [x + wide + 1, y], [x - width - 1, y],
      [x + wide - width, y + high - HIGH], [x, y + high], [x + wide / 2 - width / 2, y - HIGH + 1],
    ]) {
      const place = [Math.min(Math.max(at, 0), rightmost), Math.min(Math.max(over, 0), lowest)];
      place.push(place[0] + width, place[1] + HIGH);
      const cover = covered(place, texts) + 2 * covered(place, labels);
      if (!best || cover < best.cover) best = { place, cover };
      if (!cover) break;
    }
    labels.push(best.place);
    return best.place;
  }

  // The area of a rectangle that is covered by others.
  const covered = ([left, top, right, bottom], others) => others.reduce((area, other) => area +
    Math.max(0, Math.min(right, other[2]) - Math.max(left, other[0])) *
    Math.max(0, Math.min(bottom, other[3]) - Math.max(top, other[1])), 0);

  // Pointing

  function blockAt(x, y) {
    let found = -1, smallest = Infinity;
    for (let i = 0; i < top.length; i++) {
      if (y < top[i] || y > bottom[i] || x < left[i] || x > right[i]) continue;
      const area = (right[i] - left[i]) * (bottom[i] - top[i]);
      if (area < smallest) { smallest = area; found = i; }
    }
    return found;
  }

  const numbered = (element) => {
    while (element && rowOf(element) < 0) element = parentOf(element);
    return element;
  };

  let pointer = null;
  listen("mousemove", (event) => {
    if (pointer === null) requestAnimationFrame(() => { point(pointer); pointer = null; });
    pointer = [event.clientX, event.clientY];
  }, true);
  listen("mouseleave", () => { hovered = null; say({ hover: -1 }); redraw(); });

  function point([x, y]) {
    if (!top) return;
    if (marking) {
      hovered = numbered(atPoint(x, y));
      redraw();
    }
    say({ hover: blockAt(x + scrollX, y + scrollY) });
  }

  listen("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (!top) return;
    if (marking) select(numbered(atPoint(event.clientX, event.clientY)), event.shiftKey);
    else say({ click: blockAt(event.pageX, event.pageY) });
  }, true);
  for (const name of ["auxclick", "submit", "dragstart", "contextmenu", "mousedown"]) {
    listen(name, (event) => {
      if (name !== "mousedown" || marking) event.preventDefault();
      if (name === "mousedown") window.focus();
    }, true);
  }
  listen("keydown", (event) => {
    if (event.key === "Tab") return;
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (marking) event.preventDefault();
    say({ key: { key, shiftKey, ctrlKey: ctrlKey || metaKey, altKey } });
  }, true);

  // Selecting elements to mark

  const chain = (element) => {
    const found = [];
    for (; element; element = parentOf(element)) found.unshift(element);
    return found;
  };
  const siblings = (first, last) => {
    const found = [];
    for (let each = first; each; each = nextOf(each)) {
      if (rowOf(each) >= 0) found.push(each);
      if (each === last) return found;
    }
    return null;
  };

  // The siblings that contain the two elements, and those between them.
  function joined(one, other) {
    const [left, right] = [chain(one), chain(other)];
    let depth = 0;
    while (left[depth] && left[depth] === right[depth]) depth++;
    if (!left[depth] || !right[depth]) return [left[depth - 1]];
    return siblings(left[depth], right[depth]) ?? siblings(right[depth], left[depth]) ?? [one];
  }

  function select(element, extend) {
    if (!element || element === root) return;
    selection = extend && selection.length ? joined(selection[0], element) : [element];
    trail = [];
    report();
  }

  const step = (element, move) => {
    for (let each = move(element); each; each = move(each)) if (rowOf(each) >= 0 && elementBox(each)) return each;
    return null;
  };
  const inside = (element) => {
    let child = firstOf(element);
    while (child && !(rowOf(child) >= 0 && elementBox(child))) child = nextOf(child);
    return child;
  };
  const commands = {
    begin: () => {
      const walker = walkerOver(root, NodeFilter.SHOW_ELEMENT);
      let element = walker.nextNode();
      while (element && (nameOf(element) === "head" || nameOf(element) === "body" || rowOf(element) < 0 ||
        !elementBox(element))) element = walker.nextNode();
      if (element) selection = [element];
    },
    widen: () => {
      const above = numbered(parentOf(selection[0]));
      if (above && above !== root) { trail.push(selection); selection = [above]; }
    },
    narrow: () => {
      const child = inside(selection[0]);
      if (trail.length) selection = trail.pop();
      else if (child) selection = [child];
    },
    next: () => { trail = []; selection = [step(selection.at(-1), nextOf) ?? selection.at(-1)]; },
    previous: () => { trail = []; selection = [step(selection[0], previousOf) ?? selection[0]]; },
    join: () => {
      const more = step(selection.at(-1), nextOf);
      if (more) selection = siblings(selection[0], more) ?? selection;
    },
    part: () => { if (selection.length > 1) selection = selection.slice(0, -1); },
    clear: () => { selection = []; },
  };

  function report() {
    const rows = selection.map(rowOf);
    const name = selection.map((element) => `<${nameOf(element)}>`).slice(0, 4).join(" ");
    const text = selection.map((element) => textOf(element).slice(0, 400)).join(" ").replace(/\s+/g, " ").slice(0, 200);
    say({ selection: { rows, name, text: text.trim() } });
    if (selection.length) show(elementBox(selection[0]));
    redraw();
  }

  function show(box) {
    if (!box) return;
    if (box[1] < scrollY || box[3] > scrollY + innerHeight) scrollTo(scrollX, Math.max(box[1] - 60, 0));
  }

  // Messages of the page around

  const ready = () => say({ ready: { blocks: opens.length, elements: byRow.size } });
  const messages = {
    // The page around may listen only after this one was ready.
    hello: () => { if (top) { ready(); view(); } },
    draw: (wanted) => { items = wanted; if (top) items.forEach(place); redraw(); },
    highlight: (block) => { highlighted = block; marked = block >= 0 && top ? union(block, block + 1) : null; redraw(); },
    scrollBlock: (block) => { const box = top && union(block, block + 1); if (box) scrollTo(scrollX, box[1] - 80); },
    scrollRows: (rows) => show(rows.map((row) => byRow.get(row)).filter(Boolean).map(elementBox).find(Boolean)),
    scrollShare: (share) => {
      expected = Math.round(share * Math.max(root.scrollHeight - innerHeight, 0));
      scrollTo(scrollX, expected);
    },
    mark: (on) => { marking = on; root.style.cursor = on ? "crosshair" : ""; if (!on) { hovered = null; selection = []; } redraw(); },
    select: (rows) => {
      selection = rows.map((row) => byRow.get(row)).filter(Boolean);
      trail = [];
      report();
    },
    command: (name) => {
      if (!selection.length && name !== "clear") commands.begin();
      else commands[name]();
      report();
    },
  };
  window.addEventListener("message", (event) => {
    if (event.source !== around || !event.data || !event.data.webstrata) return;
    for (const [name, value] of Object.entries(event.data.webstrata)) if (Object.hasOwn(messages, name)) messages[name](value);
  });

  function view() {
    if (!top) return;
    const [from, to] = [scrollY, scrollY + innerHeight];
    let first = -1, last = -1;
    for (let i = 0; i < top.length; i++) {
      if (bottom[i] < from || top[i] > to || bottom[i] <= top[i]) continue;
      if (first < 0) first = i;
      last = i;
    }
    const reach = Math.max(root.scrollHeight - innerHeight, 1);
    say({ view: { first, last, share: scrollY / reach, own: Math.abs(scrollY - expected) > 2 } });
    expected = -1;
  }

  let later = 0;
  window.addEventListener("scroll", (event) => {
    redraw();
    clearTimeout(later);
    // An element that scrolls has moved its blocks.
    later = setTimeout(() => { if (event.target !== document) { measure(); redraw(); } view(); }, 30);
  }, { capture: true, passive: true });
  const refresh = () => { measure(); redraw(); view(); };

  window.addEventListener("DOMContentLoaded", () => {
    addLayer();
    collect();
    refresh();
    ready();
    window.addEventListener("resize", refresh);
    // A frame that is not laid out yet has no boxes, and what loads late, such as a font, moves them.
    // A page that moves all the time is measured ten times a second.
    let due = 0;
    new ResizeObserver(() => { due ||= setTimeout(() => { due = 0; refresh(); }, 100); }).observe(root);
  });
})();
