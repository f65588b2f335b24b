// The list of pages to mark: the name of the user, pages to add, types of segments, and the choice of ground truth.
import { ask, notice } from "./frames.js";

const KEY = "webstrata-annotator";
const by = document.getElementById("by");
if (by) {
  if (!by.value && localStorage.getItem(KEY)) location.replace(`?by=${encodeURIComponent(localStorage.getItem(KEY))}`);
  document.getElementById("who").addEventListener("submit", () => localStorage.setItem(KEY, by.value.trim()));
}

async function act(work) {
  try {
    await work();
    location.reload();
  } catch (error) {
    notice(error.message, "error");
  }
}
const put = (url, body) => ask(url, { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function add(files) {
  for (const file of files) {
    notice(`Adding ${file.name} …`);
    const zip = /\.zip$/i.test(file.name);
    const url = zip ? "/api/annotation/import" : `/api/annotation/pages?name=${encodeURIComponent(file.name.slice(0, 200))}`;
    await ask(url, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
  }
}

const drop = document.getElementById("drop");
if (drop) {
  const files = document.getElementById("files");
  files.addEventListener("change", () => act(() => add(files.files)));
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); act(() => add(event.dataTransfer.files)); });
}
document.getElementById("types")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const types = {};
  for (const area of event.target.querySelectorAll("textarea")) {
    types[area.dataset.level] = area.value.split(",").map((name) => name.trim()).filter(Boolean);
  }
  act(() => put("/api/annotation/types", { types }));
});
document.addEventListener("click", (event) => {
  const { truth, page, opened } = event.target.closest("[data-truth], [data-opened]")?.dataset ?? {};
  if (truth) act(() => put(`/api/annotation/pages/${page}/truth/${encodeURIComponent(truth)}`, {}));
  if (opened) act(() => ask(`/api/annotation/pages/opened/${opened}`, { method: "POST" }));
});
