// Follows questions that run: one stream for the whole browser (a lock says which tab holds it, a channel tells the
// others), and asking again every so often wherever there is no stream. The recorded answer is fetched once and
// takes the place of the stages whole.
(() => {
  "use strict";
  const ASK_AGAIN_MS = 1500;
  const ASK_SELDOM_MS = 6000;
  const SLOW_MS = 5000;
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("asat-progress") : null;
  const following = new Map();

  class Follower {
    constructor(article) {
      this.id = article.dataset.question;
      this.part = article.dataset.part;
      this.stream = article.dataset.stream;
      this.stopped = new AbortController();
      this.isStreaming = false;
      this.isFetching = false;
      following.set(this.id, this);
      this.timer = setTimeout(() => this.poll(), ASK_AGAIN_MS);
      this.slow = setTimeout(() => this.waiting("Waiting for a worker to take it. The question is kept, and is answered as soon as one is free."), SLOW_MS);
      this.hold();
    }

    get article() { return document.getElementById(`question-${this.id}`); }

    hold() {
      if (!navigator.locks || !window.EventSource) return;
      navigator.locks
        .request("asat-stream", { signal: this.stopped.signal }, () => new Promise((release) => this.listen(release)))
        .catch(() => { /* stopped before its turn came */ });
    }

    listen(release) {
      if (this.stopped.signal.aborted) return release();
      const source = new EventSource(this.stream);
      const close = () => { this.isStreaming = false; source.close(); release(); };
      this.isStreaming = true;
      this.stopped.signal.addEventListener("abort", close, { once: true });
      const pass = (name) => (event) => {
        channel?.postMessage({ id: this.id, name, data: event.data });
        this.on(name, event.data);
      };
      source.addEventListener("stage", pass("stage"));
      source.addEventListener("done", pass("done"));
      source.addEventListener("lost", () => { close(); this.soon(); });
      source.onerror = () => { if (source.readyState === EventSource.CLOSED) { close(); this.soon(); } };
    }

    on(name, data) {
      if (name === "done") return this.fetch();
      let stage;
      try { stage = JSON.parse(data); } catch { return; }
      const line = this.article?.querySelector(`[data-stage="${CSS.escape(stage.stage)}"]`);
      if (!line) return;
      this.waiting("");
      line.dataset.state = stage.state;
      if (stage.detail) line.querySelector(".detail").textContent = stage.detail;
      if (stage.state !== "done") return;
      line.querySelector(".ms").textContent = stage.ms >= 1000 ? `${(stage.ms / 1000).toFixed(1)} s` : `${Math.round(stage.ms)} ms`;
      line.querySelector(".detail").textContent = stage.detail || "";
      const says = this.article.querySelector("[data-says]");
      if (says) says.textContent = `${line.querySelector(".name").textContent}: done`;
    }

    waiting(words) {
      clearTimeout(this.slow);
      const place = this.article?.querySelector("[data-waiting]");
      if (place) { place.textContent = words; place.hidden = !words; }
    }

    soon() { clearTimeout(this.timer); this.timer = setTimeout(() => this.poll(), ASK_AGAIN_MS); }

    async poll() {
      await this.fetch();
      if (!this.stopped.signal.aborted) this.timer = setTimeout(() => this.poll(), this.isStreaming ? ASK_SELDOM_MS : ASK_AGAIN_MS);
    }

    async fetch() {
      if (this.isFetching || this.stopped.signal.aborted) return;
      this.isFetching = true;
      try {
        const response = await fetch(this.part, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
        const lapsed = response.headers.get("HX-Redirect");
        if (lapsed) return this.waiting("Your session has ended. Sign in again; the question is kept.");
        if (response.status === 404) return this.stop();
        if (!response.ok) throw new Error(String(response.status));
        const html = await response.text();
        const place = /data-waiting>([^<]+)</.exec(html);
        if (place) this.waiting(place[1]);
        if (html.includes("data-question=")) return;
        const article = this.article;
        this.stop();
        if (!article) return;
        const badge = /class="badge">(?:<svg[\s\S]*?<\/svg>)?([^<]*)/.exec(html);
        window.htmx.swap(article, html, { swapStyle: "outerHTML" });
        window.asatSay?.(badge ? badge[1].trim() : "Done", false);
      } catch {
        this.waiting("The server could not be reached. The question is kept; this page asks again by itself.");
      } finally {
        this.isFetching = false;
      }
    }

    stop() {
      this.stopped.abort();
      clearTimeout(this.timer);
      clearTimeout(this.slow);
      following.delete(this.id);
    }
  }

  channel?.addEventListener("message", (event) => following.get(event.data.id)?.on(event.data.name, event.data.data));
  const scan = () => {
    for (const article of document.querySelectorAll("article[data-question]")) {
      if (!following.has(article.dataset.question)) new Follower(article);
    }
  };
  scan();
  document.addEventListener("htmx:load", scan);
  addEventListener("pagehide", () => { for (const follower of following.values()) follower.stop(); });
  addEventListener("pageshow", (event) => { if (event.persisted) scan(); });
})();
