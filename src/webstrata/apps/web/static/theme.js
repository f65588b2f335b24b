// Runs before the page is drawn, so that a dark page does not flash.
const theme = localStorage.getItem("webstrata-theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
