// The page around a frame: sends commands to the script in the frame, and calls handlers for its messages.

export class Frame {
  // `handlers` has a function for each message: ready, hover, click, view, key, selection.
  constructor(element, handlers) {
    this.element = element;
    this.ready = false;
    this.waiting = {};
    window.addEventListener("message", (event) => {
      // The origin of a sandboxed frame is "null"; its window cannot be forged.
      if (event.source !== element.contentWindow || event.origin !== "null" || !event.data?.webstrata) return;
      for (const [name, value] of Object.entries(event.data.webstrata)) {
        if (name === "ready") {
          if (this.ready) continue;
          this.ready = true;
          this.send(this.waiting);
          this.waiting = {};
        }
        handlers[name]?.(value, this);
      }
    });
    // The frame may have been ready before this page listened.
    element.contentWindow?.postMessage({ webstrata: { hello: true } }, "*");
  }

  send(commands) {
    if (!this.ready) Object.assign(this.waiting, commands);
    else this.element.contentWindow.postMessage({ webstrata: commands }, "*");
  }
}

export const PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B37400", "#2C8FC9"];

// The kind of a segment as a label, as kind_in_words does on the server: "LinkList" is "Link list".
export function inWords(kind) {
  const words = kind.replace(/[-_]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").split(" ").filter(Boolean);
  const label = words.map((word) => (word === word.toUpperCase() ? word : word.toLowerCase())).join(" ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

// Items to draw for the segments of a segmentation: a colour for each segment, finer levels dashed.
export function drawn(found) {
  const coarsest = Math.min(...found.levels, 1);
  return found.segments.map((segment, number) => ({
    rows: segment.rows,
    ranges: segment.ranges,
    start: segment.start,
    stop: segment.stop,
    colour: PALETTE[number % PALETTE.length],
    dashed: segment.level > coarsest,
    label: `${number}${segment.kind ? ` ${inWords(segment.kind)}` : ""}`,
  }));
}

// Items to draw for the decisions of an extractor: one for each block.
export function decided(found) {
  const runs = [];
  found.keep.forEach((keep, block) => {
    const last = runs.at(-1);
    const kind = found.kind[block];
    if (last && last.keep === keep && last.kind === kind) last.stop = block + 1;
    else runs.push({ keep, kind, start: block, stop: block + 1 });
  });
  return runs.flatMap((run) => Array.from({ length: run.stop - run.start }, (_, i) => ({
    ranges: [[run.start + i, run.start + i + 1]],
    start: run.start + i,
    stop: run.start + i + 1,
    colour: run.keep ? "#0072B2" : "#D55E00",
    fill: run.keep ? 0.1 + 0.16 * found.score[run.start + i] : 0.14,
    bare: true,
    label: `${found.kinds[run.kind]} ${found.score[run.start + i].toFixed(2)}`,
  })));
}

export async function ask(url, options = {}) {
  const response = await fetch(url, options);
  if (!response.ok) {
    let message = `${response.status} ${response.statusText}`;
    try {
      const detail = (await response.json()).detail;
      message = typeof detail === "string" ? detail : message;
    } catch { /* not JSON: show the status */ }
    const error = new Error(message);
    error.status = response.status;
    throw error;
  }
  return response.json();
}

// Show a message to the user; screen readers read it out.
export function notice(text, kind = "note") {
  const place = document.getElementById("notice");
  place.textContent = text;
  place.dataset.kind = kind;
  place.hidden = !text;
}
