// Nothing here is needed to read: a switch for light and dark, links beside
// headings, a button that copies code, and keys for what scrolls.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const wide = matchMedia("(min-width: 75rem)");

  const stored = () => {
    try { return localStorage.getItem("daybook-theme"); } catch { return null; }
  };
  const store = (theme) => {
    try {
      if (theme) localStorage.setItem("daybook-theme", theme);
      else localStorage.removeItem("daybook-theme");
    } catch { /* Private windows may refuse; the switch then lasts a page. */ }
  };
  const isDark = () =>
    root.dataset.theme === "auto" ? system.matches : root.dataset.theme === "dark";
  const show = (theme) => {
    root.dataset.theme = theme === "light" || theme === "dark" ? theme : "auto";
    for (const button of document.querySelectorAll(".theme-switch"))
      button.setAttribute("aria-pressed", String(isDark()));
  };

  show(stored());
  system.addEventListener("change", () => show(stored()));
  addEventListener("storage", () => show(stored()));

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".theme-switch, .copy");
    if (!button) return;
    if (button.matches(".copy")) return copy(button);
    // Back at what the system wants, the choice is forgotten.
    const dark = !isDark();
    const theme = dark === system.matches ? null : dark ? "dark" : "light";
    store(theme);
    show(theme);
  });

  async function copy(button) {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  function openContents() {
    const contents = document.querySelector(".contents > details");
    if (contents) contents.open = wide.matches;
  }

  // What is added is marked as no part of the page: the preview, which changes
  // pages in place, leaves it alone and calls for what is missing.
  const added = (element) => {
    element.dataset.daybook = "";
    return element;
  };

  function decorate() {
    for (const heading of document.querySelectorAll(".body :is(h2, h3, h4, h5, h6)[id]")) {
      if (heading.querySelector("a:not(.anchor)") || heading.closest(".embed, summary")) continue;
      const link = heading.querySelector("a.anchor") ?? added(document.createElement("a"));
      link.className = "anchor";
      link.href = "#" + encodeURIComponent(heading.id);
      link.setAttribute("aria-label", "Link to “" + heading.textContent + "”");
      if (!link.parentNode) heading.append(link);
    }

    for (const box of document.querySelectorAll('.body li [type="checkbox"]:disabled'))
      box.setAttribute("aria-label", box.checked ? "Done" : "To do");

    for (const code of document.querySelectorAll(".body pre > code")) {
      if (!navigator.clipboard || code.parentElement.querySelector(".copy")) continue;
      const button = added(document.createElement("button"));
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      code.parentElement.append(button);
    }
    scrolling();
  }

  // What scrolls sideways can be reached and scrolled by keys.
  function scrolling() {
    for (const box of document.querySelectorAll(".body :is(pre > code, table, .math)")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    show(stored());
    openContents();
    wide.addEventListener("change", openContents);
    decorate();
    addEventListener("daybook:patched", decorate);
    addEventListener("resize", scrolling);
  });
})();
