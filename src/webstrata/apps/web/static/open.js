// The start page of the viewer: paste, drop, choose or fetch a page, and open it.
import { ask, notice } from "./frames.js";

async function open(request) {
  notice("Reading the page …");
  try {
    const page = await request();
    location.href = `/view/${page.id}`;
  } catch (error) {
    notice(error.message, "error");
  }
}

const drop = document.getElementById("drop");

function upload(body, name) {
  // Refused here, because the server would close the connection, and browsers do not show why.
  const most = Number(drop.dataset.most);
  if (body.size > most) {
    notice(`${name} is too large: a page may have ${Math.floor(most / 2 ** 20)} MB.`, "error");
    return;
  }
  open(() => ask(`/api/pages?name=${encodeURIComponent(name.slice(0, 200))}`, {
    method: "POST", body, headers: { "Content-Type": "application/octet-stream" },
  }));
}

const file = document.getElementById("file");
file.addEventListener("change", () => file.files[0] && upload(file.files[0], file.files[0].name));
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  const dropped = event.dataTransfer.files[0];
  if (dropped) upload(dropped, dropped.name);
});
document.getElementById("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.elements.html.value;
  if (text.trim()) upload(new Blob([text]), "pasted");
});
document.getElementById("fetch")?.addEventListener("submit", (event) => {
  event.preventDefault();
  open(() => ask("/api/pages/fetch", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: event.target.elements.url.value }),
  }));
});
for (const button of document.querySelectorAll("[data-demo]")) {
  button.addEventListener("click", () => open(() => ask(`/api/pages/demo/${button.dataset.demo}`, { method: "POST" })));
}
