// What every page can do: theme, shortcuts, copying, the question box. Everything here is a convenience; forms and
// links work without it.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const $ = (selector, within = document) => within.querySelector(selector);

  const say = (words, shown = true) => {
    const toast = $(".toast");
    if (!toast) return;
    toast.textContent = words;
    toast.classList.toggle("on", shown);
    clearTimeout(say.timer);
    say.timer = setTimeout(() => toast.classList.remove("on"), 1800);
  };
  window.asatSay = say;

  // Theme: kept in localStorage, and in a cookie so that the server sets it before the first paint.
  const setTheme = (theme) => {
    root.dataset.theme = theme;
    try { localStorage.setItem("asat-theme", theme); } catch { /* a browser that keeps nothing still switches */ }
    document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  };
  let kept = null;
  try { kept = localStorage.getItem("asat-theme"); } catch { /* as above */ }
  if ((kept === "dark" || kept === "light") && root.dataset.theme !== kept) setTheme(kept);
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = document.createElement("textarea");
      box.value = text;
      box.className = "vh";
      document.body.append(box);
      box.select();
      const copied = document.execCommand("copy");
      box.remove();
      if (!copied) return say("The browser did not allow copying");
    }
    say("Copied");
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button, a");
    if (!button) {
      for (const open of document.querySelectorAll("details.again[open], details.you[open], details.narrow[open]")) if (!open.contains(event.target)) open.open = false;
      return;
    }
    if (button.hasAttribute("data-theme-switch")) setTheme(isDark() ? "light" : "dark");
    else if (button.dataset.opens) document.getElementById(button.dataset.opens).showModal();
    else if (button.dataset.copy !== undefined) copy(button.dataset.copy);
    else if (button.hasAttribute("data-copy-link")) copy(location.href);
    else if (button.hasAttribute("data-print")) print();
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
    if (event.target.matches(".narrow input[name=framework]")) sayNarrowed();
    if (event.target.matches("[data-picks]")) $("[data-picked]").textContent = event.target.dataset.picks;
  });

  // What the search is narrowed to is said beside the box, also after the browser has put ticks back by itself.
  const sayNarrowed = () => {
    const said = $("[data-narrowed]");
    if (!said) return;
    const ticked = [...document.querySelectorAll(".narrow input[name=framework]:checked")].map((input) => input.value);
    said.textContent = ticked.join(", ") || "everything";
  };
  addEventListener("pageshow", sayNarrowed);

  // Times: the server writes them in its own zone; a reader elsewhere sees the hour on their own clock.
  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const zone = (text) => (/[+-]\d\d:\d\d$/.exec(text) || ["+00:00"])[0];
  const onThisClock = (within) => {
    for (const time of within.querySelectorAll?.("time[datetime*=T]:not([title])") ?? []) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      const [hours, minutes] = zone(time.dateTime).slice(1).split(":").map(Number);
      const theirs = (zone(time.dateTime)[0] === "-" ? -1 : 1) * (hours * 60 + minutes);
      time.title = `${moment.toLocaleString("en-AU", { dateStyle: "full", timeStyle: "long" })}`;
      if (theirs === -moment.getTimezoneOffset()) continue;
      const day = `${moment.getDate()} ${MONTHS[moment.getMonth()]} ${moment.getFullYear()}`;
      const clock = `${moment.getHours() % 12 || 12}:${String(moment.getMinutes()).padStart(2, "0")} ${moment.getHours() < 12 ? "a.m." : "p.m."}`;
      const parts = time.querySelectorAll("span");
      if (parts.length === 2) { parts[0].textContent = day; parts[1].textContent = clock; }
      else time.textContent = `${day}, ${clock}`;
    }
  };
  onThisClock(document);
  document.addEventListener("htmx:load", (event) => onThisClock(event.detail.elt));

  // The question box
  const box = $("#id_question");
  const grow = () => {
    if (!box || CSS.supports("field-sizing", "content")) return;
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  };
  if (box) {
    box.addEventListener("input", grow);
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      box.form.requestSubmit();
    });
  }

  // A question that was not taken because the session had ended: kept in this tab for the same user's next page.
  const DRAFT = "asat-draft";
  const who = $(".you .name")?.textContent;
  const keepDraft = (form) => {
    const { question, year } = Object.fromEntries(new FormData(form));
    try { sessionStorage.setItem(DRAFT, JSON.stringify({ who, question, year })); } catch { /* a browser that keeps nothing */ }
  };
  const restoreDraft = () => {
    let draft = null;
    try {
      draft = JSON.parse(sessionStorage.getItem(DRAFT));
      sessionStorage.removeItem(DRAFT);
    } catch { /* as above */ }
    if (!draft || draft.who !== who || box.value) return;
    box.value = draft.question;
    if ([...box.form.year.options].some((option) => option.value === draft.year)) box.form.year.value = draft.year;
    grow();
    box.focus();
  };
  if (box) restoreDraft();
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { elt, xhr } = event.detail;
    if (elt.matches("form[action$='/ask/']") && (xhr.status === 403 || xhr.getResponseHeader("HX-Redirect"))) keepDraft(elt);
  });

  const askError = (words) => {
    const place = $("#ask-error");
    if (!place) return say(words);
    const notice = document.createElement("div");
    notice.className = "notice unknown";
    notice.textContent = words;
    place.replaceChildren(notice);
  };
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (!form.matches("form[action$='/ask/']") || event.detail.xhr.status !== 200) return; // a 422 counts as successful

    $("#examples")?.remove();
    $("#ask-error")?.replaceChildren();
    if (form.id === "ask") { box.value = ""; grow(); }
    document.activeElement?.blur(); // so that the next key is a shortcut; "/" returns to the box
    form.closest("details.again")?.removeAttribute("open");
  });
  document.addEventListener("htmx:sendError", () => askError("The server could not be reached. What you typed is kept here; try again when you are connected."));
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (status === 404) say("That is no longer there");
    else if (status === 403) askError("That was not accepted: this page has been open too long, or your account does not allow it. Load the page again, then try again; what you typed is kept here.");
    else askError(status === 503 ? "A part of AsAt does not answer just now. What you typed is kept here; try again in a minute." : "That did not work, and nothing was changed. What you typed is kept here; try again.");
  });

  // Shortcuts: never while typing, never over a browser's own.
  const GO = { r: "/", c: "/chat/", l: "/clients/", d: "/documents/", t: "/transactions/", a: "/audit/", s: "/status/" };
  let leading = 0;
  const move = (step) => {
    const rows = [...document.querySelectorAll("[data-row]")];
    if (!rows.length) return;
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
    next.querySelector("td.question a").focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") for (const open of document.querySelectorAll("details.again[open], details.you[open], details.narrow[open]")) open.open = false;
    if (event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    if (Date.now() - leading < 1200) {
      leading = 0;
      if (GO[event.key]) { event.preventDefault(); location.assign(GO[event.key]); }
      return;
    }
    const act = {
      "/": () => (box ? (box.focus(), box.select()) : location.assign("/")),
      "?": () => $("#shortcuts")?.showModal(),
      g: () => { leading = Date.now(); },
      j: () => move(1),
      k: () => move(-1),
      y: () => { const again = [...document.querySelectorAll(".result .again")].at($(".conversation") ? -1 : 0); if (again) { again.open = true; $("select", again).focus(); } },
    }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
