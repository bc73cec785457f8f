// Lists with boxes to tick: tick all, how many are ticked, and menus that close. The form works without any of it.
(() => {
  "use strict";
  const bulk = document.querySelector("[data-bulk]");
  const invites = bulk?.querySelector("[data-bulk-count]").textContent;
  const boxes = () => [...document.querySelectorAll("td.pickbox input")];
  const all = document.querySelector("[data-tick-all]");
  const tell = () => {
    const ticked = boxes().filter((box) => box.checked).length;
    if (all) { all.checked = ticked > 0 && ticked === boxes().length; all.indeterminate = ticked > 0 && !all.checked; }
    if (!bulk) return;
    bulk.querySelector("[data-bulk-count]").textContent = ticked ? `${ticked} ticked` : invites;
    for (const button of bulk.querySelectorAll("button:not([data-always])")) button.disabled = !ticked;
  };
  document.addEventListener("change", (event) => {
    if (event.target === all) for (const box of boxes()) box.checked = all.checked;
    if (event.target.closest(".pickbox")) tell();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const open of document.querySelectorAll("details.menu[open]")) open.open = false;
    if (event.key !== "x" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
    const box = document.activeElement?.closest("[data-row]")?.querySelector(".pickbox input");
    if (box) { event.preventDefault(); box.click(); }
  });
  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll("details.menu[open]")) if (!open.contains(event.target)) open.open = false;
  });
  addEventListener("pageshow", tell);
  tell();
})();
