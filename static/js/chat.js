// A conversation: a new message comes into view once, and the year picked is that of one message alone.
(() => {
  "use strict";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.addEventListener("htmx:load", (event) => {
    const { elt } = event.detail;
    if (!elt.matches("#transcript > article[data-question]")) return; // an answer that takes its place moves nothing
    elt.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (elt.id === "ask" && xhr.status === 200) elt.year.value = [...elt.year.options].find((each) => each.defaultSelected)?.value ?? elt.year.value;
  });
})();
