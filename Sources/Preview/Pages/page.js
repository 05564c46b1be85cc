// Added by the preview to the pages it shows; published pages have none of it.
(() => {
  "use strict";
  const script = document.currentScript;
  const { daybook, editor, note } = script.dataset;
  let version = daybook;
  let missing = "missing" in script.dataset;
  let events = null;

  // What is laid over the page stands in a tree of its own: no style of the site
  // reaches it, and no patch counts it.
  const host = document.createElement("daybook-preview");
  host.setAttribute("data-daybook", "");
  const root = host.attachShadow({ mode: "closed" });
  root.innerHTML = `<style>
    :host { all: initial; color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
    /* Room for the bar below the page, where that is narrow. */
    @media (max-width: 40rem) { :host { display: block; block-size: 3.5rem; } }
    .bar { position: fixed; z-index: 2147483647; inset: auto 1rem 1rem auto; display: flex; gap: .5rem; }
    a, button { font: inherit; color: light-dark(#25231f, #f4f1ea); background: light-dark(#fff, #2b2925);
      border: 1px solid light-dark(#d8d2c5, #4a463f); border-radius: 999px; padding: .3rem .9rem;
      text-decoration: none; box-shadow: 0 1px 4px rgb(0 0 0 / .12); cursor: pointer; }
    a:hover, button:hover { border-color: currentColor; }
    :focus-visible { outline: 2px solid light-dark(#0b6250, #74c7ae); outline-offset: 2px; }
    .note { position: fixed; z-index: 2147483646; inset: auto 0 0 0; max-height: 60vh; overflow: auto;
      background: light-dark(#fff8f6, #2a1d1a); color: light-dark(#25231f, #f4f1ea);
      border-top: 3px solid light-dark(#a5301f, #f0958a); padding: 1rem 1.25rem 3.5rem;
      box-shadow: 0 -4px 24px rgb(0 0 0 / .15); }
    .note.gone { border-color: light-dark(#855200, #e2b25c); background: light-dark(#fffaf0, #2a2416); }
    h2 { font-size: 1rem; margin: 0 0 .5rem; }
    p { margin: 0; }
    pre { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; margin: 0 0 .75rem;
      white-space: pre; overflow-x: auto; }
    [hidden] { display: none; }
    @media print { :host { display: none; } }
  </style>
  <section class="note faults" role="alert" tabindex="0" hidden><h2></h2><div></div></section>
  <section class="note gone" role="status" hidden><h2>This note was deleted</h2>
    <p>The page shows what it said last. It comes back when the note does.</p></section>
  <nav class="bar" aria-label="Preview"><a hidden>Edit this note</a></nav>`;
  const faults = root.querySelector(".faults"), gone = root.querySelector(".gone");
  if (editor) {
    const link = root.querySelector("a");
    link.hidden = false;
    link.href = `http://${location.hostname}:${editor}/` + (note ? `#${encodeURIComponent(note)}` : "");
    if (!note) link.textContent = "Notes";
  }
  document.documentElement.append(host);

  function showFaults(list) {
    faults.hidden = list.length === 0;
    // A page that was never there has no last good one.
    faults.querySelector("h2").textContent =
      (list.length === 1 ? "Something is wrong" : `${list.length} things are wrong`)
      + (missing ? "" : "; the page is the last good one");
    faults.querySelector("div").replaceChildren(...list.map((text) => {
      const block = document.createElement("pre");
      block.textContent = text;
      return block;
    }));
  }

  /// What is thrown where the server does not answer.
  const silence = new Error("no answer");

  /// Fetches the page and compares it here.
  async function refresh() {
    const response = await fetch(location.href, { cache: "no-cache" }).catch(() => { throw silence; });
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    const own = next.querySelector("script[data-daybook]");
    if (own) {
      version = own.dataset.daybook;
      missing = "missing" in own.dataset;
    }
    Daybook.morph(document.documentElement, next.documentElement);
  }

  /// Loads a file anew wherever the page shows it; `path` is encoded as an address
  /// has it.
  function swap(path) {
    const address = (old) => {
      if (!URL.canParse(old, document.baseURI)) return null;
      const url = new URL(old, document.baseURI);
      if (url.origin !== location.origin || url.pathname !== path) return null;
      url.searchParams.set("daybook", Date.now());
      return url.href;
    };
    for (const link of document.querySelectorAll("link[rel~=stylesheet][href]")) {
      const href = address(link.href);
      if (!href) continue;
      if (link.hasAttribute("data-daybook")) {
        // One that is not there yet, and is not wanted any more.
        link.onload = link.onerror = null;
        link.remove();
        continue;
      }
      // The old one stays until the new one is there: nothing is shown bare.
      const next = link.cloneNode();
      next.href = href;
      next.setAttribute("data-daybook", "");
      next.onload = next.onerror = () => {
        next.removeAttribute("data-daybook");
        link.remove();
      };
      link.after(next);
    }
    for (const image of document.querySelectorAll("img[src]")) {
      const src = address(image.src);
      if (src) image.src = src;
    }
    if (path.endsWith(".js")
        && [...document.scripts].some((one) => one.src && address(one.src))) location.reload();
  }

  async function take(message) {
    if (message.reload) return location.reload();
    if ("gone" in message) gone.hidden = !message.gone;
    if (message.refresh) await refresh();
    if (message.patch) {
      try {
        Daybook.patch(message.patch);
        missing = false;
      } catch {
        await refresh();
      }
    }
    if (message.faults) showFaults(message.faults);
    for (const file of message.files ?? []) swap(file);
    dispatchEvent(new CustomEvent("daybook:patched", { detail: Object.keys(message) }));
  }

  /// Goes on after a message that could not be taken: one that fails must not keep
  /// those after it from being heard.
  function recover(error) {
    if (error !== silence) return location.reload();
    // The server is gone for the moment. As a page of no version it is told, when it
    // comes back, to look at everything.
    leave();
    version = "";
    setTimeout(attend, 500);
  }

  // One message after the other: each is meant for what the one before left.
  let queue = Promise.resolve();
  function listen() {
    if (events) return;
    const query = new URLSearchParams({ page: location.pathname, version });
    if (missing) query.set("missing", "");
    events = new EventSource(`/.daybook/events?${query}`);
    events.addEventListener("page", (event) => {
      queue = queue.then(() => take(JSON.parse(event.data))).then(() => {
        if (event.lastEventId) version = event.lastEventId;
      }).catch(recover);
    });
  }
  function leave() {
    events?.close();
    events = null;
  }
  // Browsers open six connections to a server, whatever the number of tabs: only
  // pages that are seen listen, and catch up when they are seen again.
  const attend = () => (document.visibilityState === "visible" ? listen() : leave());
  document.addEventListener("visibilitychange", attend);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", attend);
  attend();
})();
