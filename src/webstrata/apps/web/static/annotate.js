// The view in which a page is marked. Every change is saved at once; undo and redo are changes as well.
import { Frame, ask, inWords, notice } from "./frames.js";

const { name, by } = document.getElementById("marking").dataset;
const url = `/api/annotation/pages/${name}/sheets/${encodeURIComponent(by)}`;
const place = (id) => document.getElementById(id);
const COLOURS = { 1: "#0072B2", 2: "#00805C" };

let marks = [], version = 0, active = -1, selection = { rows: [], name: "", text: "" };
let last = null;
// Commands that the frame has not answered yet, and keys that wait for its answers: they apply to the new selection.
let asked = 0;
const pressed = [];
const [past, future] = [[], []];

const frame = new Frame(place("frame"), {
  ready: () => { frame.element.removeAttribute("aria-busy"); frame.send({ mark: true }); show(); },
  selection: (value) => {
    selection = value;
    place("chosen").textContent = value.rows.length ? `${value.name} ${value.text}` : "Click an element, or press an arrow key";
    active = marks.findIndex((mark) => same(mark.rows, value.rows));
    show();
    asked = Math.max(0, asked - 1);
    while (pressed.length && !asked) press(pressed.shift());
  },
  key: (value) => press(value),
});
const same = (one, other) => one.length > 0 && one.length === other.length && one.every((row, i) => row === other[i]);

// Display

function show() {
  frame.send({
    draw: marks.map((mark, number) => ({
      rows: mark.rows, ranges: mark.rows.length ? [] : [[mark.start, mark.stop]], start: mark.start, stop: mark.stop,
      colour: COLOURS[mark.level] ?? "#555555", dashed: mark.level > 1, fill: number === active ? 0.14 : 0.1,
      thick: number === active ? 3 : 1.5, label: inWords(mark.kind) || "?",
    })),
  });
  const step = place("done").checked ? 2 : marks.length ? 1 : 0;
  [...place("tour").children].forEach((item, number) => {
    if (number === step) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  place("count").textContent = marks.length;
  place("undo").disabled = !past.length;
  place("redo").disabled = !future.length;
  place("marks").replaceChildren(...order().map((number) => row(marks[number], number)));
}

// The marks in document order; one that is not saved yet comes last.
const order = () => marks.map((_, number) => number).sort((one, other) => {
  const [left, right] = [marks[one], marks[other]];
  return (left.start ?? Infinity) - (right.start ?? Infinity) || left.level - right.level || one - other;
});

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function row(mark, number) {
  const item = element("li", { className: `level-${mark.level}${number === active ? " active" : ""}` });
  const go = element("button", { type: "button", className: "go", textContent: mark.text || "(no text)" });
  go.addEventListener("click", () => choose(number));
  item.append(element("span", { className: "kind", textContent: inWords(mark.kind) || "?" }), go);
  if (number !== active) return item;
  const level = element("select", { ariaLabel: "Level" }, ...[1, 2].map((value) => element("option", { value, textContent: `Level ${value}`, selected: value === mark.level })));
  const kinds = [...document.querySelectorAll("[data-type]")].map((each) => each.dataset.type);
  const kind = element("select", { ariaLabel: "Type" }, ...[...new Set([mark.kind, ...kinds])].map((value) => element("option", { value, textContent: inWords(value) || "?", selected: value === mark.kind })));
  const remove = element("button", { type: "button", textContent: "Delete" });
  level.addEventListener("change", () => alter(number, { level: Number(level.value) }));
  kind.addEventListener("change", () => alter(number, { kind: kind.value }));
  remove.addEventListener("click", () => drop(number));
  item.append(element("div", { className: "row" }, level, kind, remove));
  return item;
}

function choose(number) {
  active = number;
  const mark = marks[number];
  if (mark?.rows.length) frame.send({ select: mark.rows });
  else frame.send({ scrollBlock: mark.start });
  show();
}

function go(step) {
  const numbers = order();
  const here = numbers.indexOf(active);
  choose(numbers[here < 0 ? (step > 0 ? 0 : numbers.length - 1) : (here + step + numbers.length) % numbers.length]);
}

// Changes

function change(next, now = -1) {
  past.push(marks);
  future.length = 0;
  marks = next;
  active = now;
  show();
  save();
}
const alter = (number, values) => change(marks.map((mark, i) => (i === number ? { ...mark, ...values } : mark)), number);
const drop = (number) => change(marks.filter((_, i) => i !== number));

function mark(level, kind) {
  if (!selection.rows.length) { notice("Select an element first: click it, or press an arrow key."); return; }
  notice("");
  last = { level, kind };
  const known = marks.findIndex((each) => same(each.rows, selection.rows));
  if (known >= 0) alter(known, { level, kind });
  else change([...marks, { rows: selection.rows, level, kind, text: selection.text }], marks.length);
}

function undo() { if (past.length) { future.push(marks); marks = past.pop(); active = -1; show(); save(); } }
function redo() { if (future.length) { past.push(marks); marks = future.pop(); active = -1; show(); save(); } }

// Changes are sent one after the other; of those that wait, only the last is sent.
let sending = false, waiting = false;
async function save() {
  place("saved").textContent = "saving …";
  if (sending) { waiting = true; return; }
  sending = true;
  try {
    do {
      waiting = false;
      const body = JSON.stringify({
        version, notes: place("notes").value, done: place("done").checked,
        marks: marks.map(({ rows, start, stop, level, kind }) => ({ rows, start, stop, level, kind })),
      });
      const kept = await ask(url, { method: "PUT", headers: { "Content-Type": "application/json" }, body });
      version = kept.version;
      if (kept.warning) notice(kept.warning, "error");
      // The server computes the blocks of each mark. With another change waiting, the marks may have changed.
      if (!waiting) kept.marks.forEach(({ start, stop }, number) => Object.assign(marks[number], { start, stop }));
    } while (waiting);
    show();
    place("saved").textContent = `saved, version ${version}`;
  } catch (error) {
    place("saved").textContent = "not saved";
    notice(`Not saved: ${error.message}`, "error");
  } finally {
    sending = false;
  }
}

// Keys, from this page and from the frame

const KEYS = { ArrowUp: "widen", ArrowDown: "narrow", ArrowLeft: "previous", ArrowRight: "next" };
function command(name) {
  asked += 1;
  frame.send({ command: name });
}

function press(event) {
  const { key, shiftKey, ctrlKey, altKey } = event;
  if (altKey) return false;
  if (asked && !(key in KEYS && !pressed.length)) { pressed.push(event); return true; }
  if (ctrlKey) {
    if (key.toLowerCase() === "z") { (shiftKey ? redo : undo)(); return true; }
    if (key.toLowerCase() === "y") { redo(); return true; }
    return false;
  }
  if (key in KEYS) {
    const joins = { ArrowRight: "join", ArrowLeft: "part" };
    command((shiftKey && joins[key]) || KEYS[key]);
    return true;
  }
  const type = document.querySelector(`[data-key="${CSS.escape(key.toLowerCase())}"]`);
  if (type) mark(Number(type.dataset.level), type.dataset.type);
  else if (key === "Enter" && last) mark(last.level, last.kind);
  else if (key === "z") undo();
  else if (key === "y") redo();
  else if ((key === "x" || key === "Delete" || key === "Backspace") && active >= 0) drop(active);
  else if ((key === "j" || key === "k") && marks.length) go(key === "j" ? 1 : -1);
  else if ((key === "1" || key === "2") && active >= 0) alter(active, { level: Number(key) });
  else if (key === "Escape") command("clear");
  else return false;
  return true;
}
document.addEventListener("keydown", (event) => {
  if (event.target.closest("textarea, select, input, summary, a")) return;
  if (event.target.closest("button") && ["Enter", " "].includes(event.key)) return;
  if (press({ key: event.key, shiftKey: event.shiftKey, ctrlKey: event.ctrlKey || event.metaKey, altKey: event.altKey })) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const { command: name, type, level } = event.target.closest("[data-command], [data-type]")?.dataset ?? {};
  if (name) command(name);
  if (type) mark(Number(level), type);
});
place("undo").addEventListener("click", undo);
place("redo").addEventListener("click", redo);
place("done").addEventListener("change", () => { show(); save(); });
let typing = 0;
place("notes").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(save, 400); });
place("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const found = await ask(`/api/annotation/pages/${name}/start?algorithm=${encodeURIComponent(place("algorithm").value)}`);
    change(found);
    notice(`${found.length} segments added as marks. Undo restores the marks before.`);
  } catch (error) {
    notice(error.message, "error");
  }
});

try {
  const sheet = await ask(url);
  ({ marks, version } = sheet);
  place("notes").value = sheet.notes;
  place("done").checked = sheet.done;
  place("saved").textContent = version ? `saved, version ${version}` : "nothing marked yet";
  show();
} catch (error) {
  notice(error.message, "error");
}
