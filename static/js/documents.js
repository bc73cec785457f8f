// Sending documents: one file a request, three at a time, each with what became of it. Without this the form sends them
// all at once. The list beside is told when something came in.
(() => {
  "use strict";
  const form = document.querySelector("[data-uploads]");
  if (!form) return;
  const AT_ONCE = 3;
  const most = Number(form.dataset.mostBytes);
  const input = form.querySelector("input[type=file]");
  const zone = form.querySelector("[data-drop]");
  const list = form.querySelector("[data-sent]");
  const told = form.querySelector("#doc-told");
  const token = form.querySelector("input[name=csrfmiddlewaretoken]").value;
  const waiting = [];
  const tally = { all: 0, new: 0, there: 0, refused: 0, failed: 0 };
  let going = 0;
  let changed = 0;

  const element = (name, className, text = "") => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  };

  const tell = () => {
    const ended = tally.new + tally.there + tally.refused + tally.failed;
    const parts = [`${ended} of ${tally.all} sent`];
    if (tally.there) parts.push(`${tally.there} ${tally.there === 1 ? "was" : "were"} there already`);
    if (tally.refused) parts.push(`${tally.refused} not taken`);
    if (tally.failed) parts.push(`${tally.failed} did not arrive`);
    told.textContent = parts.join("; ");
  };

  // At most once a second, so that many small files do not fetch the list as many times.
  const refresh = () => {
    if (changed) return;
    changed = setTimeout(() => { changed = 0; document.body.dispatchEvent(new Event("documents-changed")); }, 1000);
  };

  const ends = (job, outcome, words, address) => {
    tally[outcome] += 1;
    job.row.className = outcome === "failed" ? "refused" : outcome;
    const said = element("span", "words");
    if (address) { const link = element("a", "", words); link.href = address; said.append(link); } else said.textContent = words;
    if (outcome === "failed") {
      const again = element("button", "", "Try again");
      again.type = "button";
      again.addEventListener("click", () => { tally.failed -= 1; said.replaceWith(job.state); job.state.textContent = "Waits"; waiting.push(job); next(); });
      said.append(" ", again);
    }
    job.row.lastChild.replaceWith(said);
    if (outcome === "refused" || outcome === "failed") list.prepend(job.row); // what somebody must see to comes first
    tell();
  };

  const answered = (job, request) => {
    let found = null;
    try { found = JSON.parse(request.responseText).files[0]; } catch { /* a page, and not what was asked for */ }
    if (found) { ends(job, found.outcome, found.words, found.address); if (found.outcome === "new") refresh(); return; }
    if (request.status === 413) return ends(job, "refused", "It is larger than is taken here. Save it smaller.");
    if (request.status === 403) return ends(job, "failed", "It was not accepted: this page has been open too long. Load it again.");
    if (request.responseURL.includes("/sign-in/")) return ends(job, "failed", "Your session has ended. Sign in again, then send it.");
    if (request.status === 404) return ends(job, "refused", "This client is not there any more.");
    ends(job, "failed", "A part of AsAt does not answer just now.");
  };

  const send = (job) => {
    const body = new FormData();
    body.append("csrfmiddlewaretoken", token);
    body.append("file", job.file, job.file.name);
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    const bar = element("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", `Sending ${job.file.name}`);
    request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; });
    request.addEventListener("load", () => answered(job, request));
    request.addEventListener("error", () => ends(job, "failed", "It did not arrive: the connection broke."));
    request.addEventListener("loadend", () => { going -= 1; next(); });
    job.state.replaceChildren(bar);
    request.send(body);
  };

  const next = () => {
    while (going < AT_ONCE && waiting.length) { going += 1; send(waiting.shift()); }
    tell();
  };

  const take = (files) => {
    for (const file of files) {
      const row = element("li");
      const state = element("span", "words", "Waits");
      row.append(element("span", "name", file.name), state);
      list.append(row);
      tally.all += 1;
      const job = { file, row, state };
      if (file.size > most) ends(job, "refused", `It has more than ${Math.floor(most / 1048576)} MB, the most that is taken. Save it smaller.`);
      else if (!file.size) ends(job, "refused", "The file is empty.");
      else waiting.push(job);
    }
    list.hidden = !list.children.length;
    next();
  };

  input.addEventListener("change", () => { take([...input.files]); input.value = ""; });
  form.addEventListener("submit", (event) => { event.preventDefault(); take([...input.files]); input.value = ""; });
  const over = (is) => zone.classList.toggle("over", is);
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, (event) => { event.preventDefault(); over(true); });
  zone.addEventListener("dragleave", (event) => { if (!zone.contains(event.relatedTarget)) over(false); });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
    take([...event.dataTransfer.files].filter((file, at) => !entries[at]?.isDirectory));
  });
  // A file dropped beside the box would be opened in place of the page.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
  addEventListener("beforeunload", (event) => { if (going || waiting.length) event.preventDefault(); });
})();
