// What every page has: the theme, and a line that tells what went wrong.
import { notice } from "./frames.js";

const KEY = "webstrata-theme";
const THEMES = ["auto", "light", "dark"];

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[name];
  button.setAttribute("aria-label", `Theme: ${name}. Change it`);
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
  let told = `${event.detail.xhr.status}`;
  try { told = JSON.parse(event.detail.xhr.responseText).detail ?? told; } catch { /* no JSON: the status says enough */ }
  notice(told, "error");
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
    notice("The browser does not let this page copy: select the text and press Ctrl+C.", "error");
  }
});
