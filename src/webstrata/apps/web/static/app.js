// For every page: the theme, error messages of requests, and copy buttons.
import { notice } from "./frames.js";

const KEY = "webstrata-theme";
const THEMES = ["auto", "light", "dark"];

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = `Theme: ${name}`;
  button.title = "As the system has it, light, or dark";
  document.dispatchEvent(new Event("theme"));
}

let chosen = localStorage.getItem(KEY) ?? "auto";
theme(THEMES.includes(chosen) ? chosen : "auto");
document.getElementById("theme").addEventListener("click", () => {
  chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
  localStorage.setItem(KEY, chosen);
  theme(chosen);
});

document.body.addEventListener("htmx:responseError", (event) => {
  let message = `${event.detail.xhr.status}`;
  try { message = JSON.parse(event.detail.xhr.responseText).detail ?? message; } catch { /* not JSON: show the status */ }
  notice(message, "error");
});
document.body.addEventListener("htmx:sendError", () => notice("The server does not answer.", "error"));

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent;
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied.");
  } catch {
    notice("The browser does not allow copying: select the text and press Ctrl+C.", "error");
  }
});
