// The viewer: frames with the segments of one or two algorithms, the densitogram, and the panels.
import { Densitogram } from "./densitogram.js";
import { Frame, ask, decided, drawn, inWords, notice } from "./frames.js";

const viewer = document.getElementById("viewer");
const { page } = viewer.dataset;
const form = document.getElementById("controls");
const [left, right] = [document.getElementById("frame-a"), document.getElementById("frame-b")];
const found = { algorithm: null, other: null, extractor: null };

const both = () => (right.hidden ? [frames.a] : [frames.a, frames.b]);
const light = (block) => {
  map.light(block);
  for (const frame of both()) frame.send({ highlight: block });
  for (const row of document.querySelectorAll("#panel .lit")) row.classList.remove("lit");
  for (const row of document.querySelectorAll(`#panel [data-block="${block}"]`)) row.classList.add("lit");
};
const choose = (block) => { if (block >= 0) for (const frame of both()) frame.send({ scrollBlock: block }); };
const handlers = {
  hover: light,
  click: (block) => {
    light(block);
    describe(block);
    document.querySelector("#result .lit")?.scrollIntoView({ block: "center" });
  },
  view: ({ first, last, share, own }, frame) => {
    if (frame === frames.a) map.seen(first, last);
    if (own) for (const other of both()) if (other !== frame) other.send({ scrollShare: share });
  },
  ready: (_, frame) => {
    frame.element.removeAttribute("aria-busy");
    if (viewer.dataset.block) { choose(Number(viewer.dataset.block)); light(Number(viewer.dataset.block)); }
  },
};
const map = new Densitogram(document.getElementById("densitogram"), { hover: light, choose });
const frames = { a: new Frame(left, handlers), b: new Frame(right, handlers) };

// Show segment, kind, score and reason of a block.
function describe(block) {
  if (block < 0) return;
  const segment = found.algorithm?.segments.findIndex((item) => block >= item.start && block < item.stop) ?? -1;
  const parts = [`Block ${block}`];
  if (segment >= 0) parts.push(`segment ${segment} ${inWords(found.algorithm.segments[segment].kind)}`.trim());
  if (found.extractor) {
    const { kind, kinds, score, reason, reasons, why } = found.extractor;
    parts.push(`${kinds[kind[block]]}, score ${score[block].toFixed(2)}, ${reasons[reason[block]]}${why[block] ?? ""}`);
  }
  notice(parts.join(" · "));
}

const query = (name) => {
  const wanted = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (key === name || key.startsWith(`${name}.`)) wanted.set(key.replace(name, "algorithm"), value);
  return wanted;
};
// The fields that differ from their defaults: the others are left out of the address.
const state = () => new URLSearchParams([...new FormData(form)].filter(
  ([name, value]) => value !== (form.elements[name].dataset.default ?? "")));

const asked = {};
async function load(name) {
  const wanted = query(name);
  if (!wanted.get("algorithm")) { found[name] = null; return; }
  const url = `/api/pages/${page}/${name === "extractor" ? "extraction" : "segmentation"}?${wanted}`;
  if (asked[name] === url) return;
  asked[name] = url;
  const answer = await ask(url).catch((error) => { asked[name] = ""; throw error; });
  if (asked[name] === url) found[name] = answer;
}

// The panels "content" and "results" are about the content, the others about the segments.
const aboutContent = () => ["content", "results"].includes(form.elements.tab.value);

function show() {
  const plain = form.elements.plain.checked;
  const kept = aboutContent() && found.extractor;
  const over = (name) => (plain || !found[name] ? [] : drawn(found[name]));
  frames.a.send({ draw: kept && !plain ? decided(found.extractor) : over("algorithm") });
  right.hidden = !found.other || kept;
  if (!right.hidden) {
    if (!right.src) right.src = right.dataset.src;
    frames.b.send({ draw: over("other") });
  }
  viewer.classList.toggle("two", !right.hidden);
  document.getElementById("caption-a").textContent = kept ? `Content by ${found.extractor.caption}` : `Segments by ${found.algorithm?.caption ?? "…"}`;
  document.getElementById("caption-b").textContent = `Segments by ${found.other?.caption ?? "…"}`;
  map.segments(kept || plain ? null : found.algorithm);
  map.decisions(kept && !plain ? found.extractor : null);
}

async function update() {
  remember();
  viewer.setAttribute("aria-busy", "true");
  const loads = ["algorithm", "other", ...(aboutContent() ? ["extractor"] : [])];
  const results = await Promise.allSettled(loads.map(load));
  const failed = results.find((each) => each.status === "rejected");
  notice(failed ? failed.reason.message : "", "error");
  viewer.removeAttribute("aria-busy");
  show();
  htmx.trigger("[role=tab][aria-selected=true]", "panel");
}

let later = 0;
const soon = () => { clearTimeout(later); later = setTimeout(update, 150); };
form.addEventListener("change", soon);
form.addEventListener("submit", (event) => { event.preventDefault(); soon(); });
// htmx has loaded the fields of another algorithm.
document.body.addEventListener("htmx:afterSwap", (event) => { if (event.target.closest("#controls")) soon(); });

document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) {
    for (const each of document.querySelectorAll("[role=tab]")) each.setAttribute("aria-selected", each === tab);
    document.getElementById("panel").setAttribute("aria-labelledby", tab.id);
    form.elements.tab.value = tab.id.replace("tab-", "");
    update();
  }
  const chip = event.target.closest("[data-form]");
  if (chip) {
    form.elements.form.value = chip.dataset.form;
    update();
  }
  const row = event.target.closest("#panel [data-block]");
  if (row && (!event.target.closest("button, a") || event.target.closest("[data-goto]"))) {
    document.querySelector(".stage").scrollIntoView({ block: "nearest" });
    choose(Number(row.dataset.block));
    light(Number(row.dataset.block));
  }
});
document.addEventListener("keydown", (event) => {
  const tab = event.target.closest("[role=tab]");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!tab || !step) return;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
});
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "source") document.getElementById("source-dialog").showModal();
});
document.getElementById("source-close").addEventListener("click", () => document.getElementById("source-dialog").close());

// The border between the page and the panels is moved by the pointer or by the arrow keys.
const splitter = document.getElementById("splitter");
function divide(share) {
  const percent = Math.round(Math.min(80, Math.max(25, share)));
  form.elements.share.value = percent;
  splitter.setAttribute("aria-valuenow", percent);
  document.getElementById("split").style.setProperty("--share", `${percent}fr`);
  document.getElementById("split").style.setProperty("--rest", `${100 - percent}fr`);
}
const remember = () => history.replaceState(null, "", state().size ? `?${state()}` : location.pathname);
splitter.addEventListener("pointerdown", (event) => { splitter.setPointerCapture(event.pointerId); event.preventDefault(); });
splitter.addEventListener("pointermove", (event) => {
  if (!splitter.hasPointerCapture(event.pointerId)) return;
  const { left: from, width } = document.getElementById("split").getBoundingClientRect();
  divide((100 * (event.clientX - from)) / width);
});
splitter.addEventListener("pointerup", remember);
splitter.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
  if (!step) return;
  event.preventDefault();
  divide(Number(form.elements.share.value) + step);
  remember();
});
divide(Number(form.elements.share.value));

document.getElementById("render")?.addEventListener("click", async () => {
  notice("Chromium is rendering the page …");
  try {
    const made = await ask(`/api/pages/${page}/render`, { method: "POST" });
    location.href = `/view/${made.id}?${state()}`;
  } catch (error) {
    notice(error.message, "error");
  }
});
document.getElementById("screenshot")?.addEventListener("click", () => document.getElementById("picture-dialog").showModal());
document.getElementById("picture-close")?.addEventListener("click", () => document.getElementById("picture-dialog").close());

ask(`/api/pages/${page}/columns`).then((columns) => map.load(columns)).catch((error) => notice(error.message, "error"));
update();
