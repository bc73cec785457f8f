// A document's page: the region of the focused field is lit, fields are gone through by keys. Forms work without it.
(() => {
  "use strict";
  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg";
  const picture = $("[data-picture]");
  const svg = picture && $("svg[data-here]", picture);
  const side = () => $("[data-review]");
  const fields = () => all("[data-review] .review-field");
  const here = () => svg.dataset.here;

  // The picture: regions are drawn from what stands beside it, so that they follow a correction.
  const lit = () => document.activeElement?.closest("[data-region]") ?? $("[data-review] .edited[data-region]");
  const draw = (now = lit()) => {
    const group = $("g.regions", svg);
    group.replaceChildren(...all("[data-review] [data-region]").filter((each) => each.dataset.page === here()).map((each) => {
      const rect = document.createElementNS(SVG, "rect");
      const [x, y, width, height] = each.dataset.region.split(" ");
      for (const [name, value] of Object.entries({ x, y, width, height })) rect.setAttribute(name, value);
      rect.dataset.of = each.dataset.field;
      if (each === now) rect.classList.add("lit");
      return rect;
    }));
  };
  const turn = (link) => {
    const { page, src, wide, high } = link.dataset;
    if (page === here()) return;
    svg.dataset.here = page;
    svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    svg.setAttribute("aria-label", `Page ${page}`);
    const image = $("image", svg);
    image.setAttribute("width", wide);
    image.setAttribute("height", high);
    image.setAttribute("href", src);
    svg.classList.add("turning"); // until the picture is this page's, nothing is marked on it
    for (const each of all(".review-page .page-links a")) each.toggleAttribute("aria-current", each === link);
  };
  const light = (row) => {
    if (!svg) return;
    const link = row?.dataset.page && $(`.review-page .page-links a[data-page="${row.dataset.page}"]`);
    if (link) turn(link);
    draw(row);
    intoView();
  };
  const intoView = () => {
    const rect = $("rect.lit", svg);
    const view = $(".page-view", picture);
    if (!rect || !view) return;
    const [place, frame] = [rect.getBoundingClientRect(), view.getBoundingClientRect()];
    if (place.top < frame.top || place.bottom > frame.bottom) view.scrollTop += place.top - frame.top - frame.height / 3;
    if (place.left < frame.left || place.right > frame.right) view.scrollLeft += place.left - frame.left - frame.width / 3;
  };

  // Tab goes from field to field; what a field offers is reached by keys, by pointer, and by a screen reader's own.
  const settle = () => {
    for (const each of all("[data-review] .review-field :is(button, summary, a)")) each.tabIndex = -1;
  };
  const focus = (row, scroll = true) => {
    if (!row) return;
    row.focus({ preventScroll: true });
    if (scroll) row.scrollIntoView({ block: "nearest" });
  };
  const after = (name, steps) => {
    const rows = fields();
    const at = rows.findIndex((row) => row.dataset.field === name);
    return at < 0 ? null : rows[at + steps] ?? (steps ? $("[data-approve]:not([disabled])") : null) ?? rows[at];
  };
  const edit = (row) => {
    const box = $("details.edit", row);
    if (!box) return;
    box.open = true;
    $("input[name=value]", box).focus();
    $("input[name=value]", box).select();
  };

  if (svg) {
    draw();
    document.addEventListener("focusin", (event) => {
      const row = event.target.closest("[data-review] [data-field]");
      if (row) light(row);
    });
    svg.addEventListener("click", (event) => {
      const name = event.target.dataset?.of;
      if (name) focus($(`[data-review] [data-field="${CSS.escape(name)}"]`));
    });
    for (const came of ["load", "error"]) {
      $("image", svg).addEventListener(came, () => {
        svg.classList.remove("turning");
        $(".page-missing", picture).hidden = came === "load";
      });
    }
  }
  const zoom = () => {
    const button = $("[data-zoom]");
    if (!button) return;
    const isLarge = picture.classList.toggle("large");
    button.setAttribute("aria-pressed", String(isLarge));
    button.textContent = isLarge ? "Whole page" : "Larger";
    intoView();
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-zoom]")) zoom();
    const link = event.target.closest(".review-page .page-links a[data-page]");
    if (link && !$("#field-rows")) { event.preventDefault(); turn(link); draw(); } // rows are shown page by page
    const show = event.target.closest("[data-show]");
    if (show) { event.preventDefault(); focus(show.closest(".review-field")); $(".page-view")?.scrollIntoView({ block: "nearest" }); }
    const to = event.target.closest("[data-to]");
    const row = to && $(`[data-review] .review-field[data-field="${CSS.escape(to.dataset.to)}"]`);
    if (row) { event.preventDefault(); focus(row); }
  });

  // After the fields came back: the next field where something was settled, the same where it was not taken.
  let goTo = null;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt;
    const row = form.closest?.(".review-field");
    goTo = row ? { name: row.dataset.field, steps: form.hasAttribute("data-goes-on") ? 1 : 0 } : { row: form.closest?.("[data-field]")?.id };
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (!side() || !goTo) return;
    settle();
    const wrong = $("[data-review] [aria-invalid]");
    if (wrong) { wrong.focus(); wrong.select(); }
    else if ($("[data-review] .row-form")) $("[data-review] .row-form input:not([type=hidden])").focus();
    else if (goTo.name) focus(after(goTo.name, goTo.steps));
    else if (goTo.row) document.getElementById(goTo.row)?.scrollIntoView({ block: "nearest" });
    if (svg) draw();
    goTo = null;
  });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target.closest("dialog")) return;
    const row = event.target.closest("[data-review] .review-field");
    if (event.key === "Escape" && row) {
      const box = $("details.edit[open]", row);
      if (box) { box.open = false; focus(row); }
    }
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const press = (form) => { if (form) { event.preventDefault(); form.requestSubmit(); } };
    if (row === event.target) {
      if (event.key === "Enter") { const form = $("form[data-accept]", row); if (form) press(form); else { event.preventDefault(); const next = after(row.dataset.field, 1); if (row.classList.contains("failing")) edit(row); else focus(next); } }
      if (event.key === "e") { event.preventDefault(); edit(row); }
      if (/^[aux]$/.test(event.key)) press($(`form[data-key="${event.key}"]`, row));
      if (/^[1-9]$/.test(event.key)) press(all("form[data-option]", row)[Number(event.key) - 1]);
    }
    if (event.key === "n") { const next = $("a[data-next]"); if (next) { event.preventDefault(); location.assign(next.href); } }
    if (event.key === "z") zoom();
    if (event.key === "p" && svg) {
      const links = all(".review-page .page-links a");
      const next = links[(links.findIndex((each) => each.dataset.page === here()) + 1) % links.length];
      if (next && links.length > 1) { event.preventDefault(); next.click(); }
    }
  });

  settle();
  const first = fields().find((each) => each.classList.contains("failing")) ?? fields()[0];
  if (svg && first && !location.hash && !new URLSearchParams(location.search).size && first.querySelector("form")) focus(first, false);
})();
