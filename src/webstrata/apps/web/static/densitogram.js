// The densitogram beside a page: a bar for each block; its height is the number of lines, its length the text density.
// It is also a map of the page: the visible part is shaded, the block under the pointer is lit, a click scrolls there.

export class Densitogram {
  // `handlers`: hover(block) and choose(block).
  constructor(canvas, handlers) {
    this.canvas = canvas;
    this.handlers = handlers;
    this.lit = -1;
    this.view = [0, 0];
    this.bounds = [];
    this.scores = null;
    canvas.addEventListener("mousemove", (event) => handlers.hover(this.blockAt(event)));
    canvas.addEventListener("mouseleave", () => handlers.hover(-1));
    canvas.addEventListener("click", (event) => handlers.choose(this.blockAt(event)));
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
    for (const media of ["(prefers-color-scheme: dark)"]) matchMedia(media).addEventListener("change", () => this.draw());
    document.addEventListener("theme", () => this.draw());
  }

  load(columns) {
    const hidden = new Set(columns.hidden);
    this.density = columns.density;
    this.edges = [0];
    columns.lines.forEach((lines, block) => this.edges.push(this.edges[block] + (hidden.has(block) ? 0 : lines)));
    this.top = Math.max(10, ...chunks(columns.density));
    this.canvas.setAttribute("aria-valuemax", Math.max(columns.density.length - 1, 0));
    this.draw();
  }

  segments(found) { this.bounds = found ? [...new Set(found.segments.flatMap((item) => [item.start, item.stop]))] : []; this.draw(); }
  decisions(found) { this.scores = found?.score ?? null; this.draw(); }
  light(block) { if (block !== this.lit) { this.lit = block; this.draw(); } }
  seen(first, last) { this.view = [first, last]; this.canvas.setAttribute("aria-valuenow", Math.max(first, 0)); this.draw(); }

  blockAt(event) {
    if (!this.edges) return -1;
    const box = this.canvas.getBoundingClientRect();
    const line = ((event.clientY - box.top) / box.height) * this.edges.at(-1);
    let [low, high] = [0, this.edges.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.edges[middle + 1] <= line) low = middle + 1; else high = middle;
    }
    return Math.min(low, this.density.length - 1);
  }

  key(event) {
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };
    if (!(event.key in moves) || !this.density) return;
    event.preventDefault();
    const from = this.lit < 0 ? Math.max(this.view[0], 0) : this.lit;
    const block = Math.min(Math.max(from + moves[event.key], 0), this.density.length - 1);
    this.handlers.hover(block);
    this.handlers.choose(block);
    this.canvas.setAttribute("aria-valuenow", block);
  }

  draw() {
    if (!this.edges) return;
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    if (!wide || !high) return;
    canvas.width = wide * scale;
    canvas.height = high * scale;
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const ink = canvas.getContext("2d");
    ink.scale(scale, scale);
    const y = (block) => (this.edges[block] / Math.max(this.edges.at(-1), 1)) * high;
    if (this.view[0] >= 0 && this.view[1] >= 0) {
      ink.fillStyle = colour("--view");
      ink.fillRect(0, y(this.view[0]), wide, Math.max(y(this.view[1] + 1) - y(this.view[0]), 2));
    }
    const [bar, kept, left] = [colour("--bar"), colour("--kept"), colour("--left")];
    this.density.forEach((value, block) => {
      const [from, to] = [y(block), y(block + 1)];
      if (to <= from) return;
      const stripe = Math.min(1, (to - from) / 4);
      ink.fillStyle = this.scores ? (this.scores[block] >= 0.5 ? kept : left) : bar;
      ink.fillRect(0, from + stripe / 2, (wide * Math.min(value, this.top)) / this.top, Math.max(to - from - stripe, 0.3));
    });
    ink.fillStyle = colour("--bound");
    for (const block of this.bounds) ink.fillRect(0, y(Math.min(block, this.edges.length - 1)) - 0.5, wide, 1);
    if (this.lit >= 0) {
      ink.fillStyle = colour("--lit");
      ink.fillRect(0, y(this.lit) - 1, wide, Math.max(y(this.lit + 1) - y(this.lit), 3) + 1);
    }
  }
}

// The maximum of each 10,000 values: a call can have only so many arguments.
function* chunks(values) {
  for (let i = 0; i < values.length; i += 10000) yield Math.max(0, ...values.slice(i, i + 10000));
}
