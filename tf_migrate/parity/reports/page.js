"use strict";
const theme = document.getElementById("theme");
function show(dark) {
  document.documentElement.classList.toggle("dark", dark);
  theme.setAttribute("aria-pressed", String(dark));
  theme.textContent = dark ? "Light" : "Dark";
}
show(window.matchMedia("(prefers-color-scheme: dark)").matches);
theme.addEventListener("click", () => show(!document.documentElement.classList.contains("dark")));

function filter(name) {
  const words = document.querySelector(`[data-table="${name}"]`).value.toLowerCase().split(/\s+/).filter(Boolean);
  const failures = document.querySelector(`[data-failures="${name}"]`).checked;
  let shown = 0;
  const rows = document.querySelectorAll(`#${name} tbody tr`);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = (failures && !row.classList.contains("bad")) || !words.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  document.querySelector(`[data-count="${name}"]`).textContent = `${shown} of ${rows.length}`;
}
for (const box of document.querySelectorAll("[data-table]")) {
  box.addEventListener("input", () => filter(box.dataset.table));
  filter(box.dataset.table);
}
for (const box of document.querySelectorAll("[data-failures]")) {
  box.addEventListener("change", () => filter(box.dataset.failures));
}
