// Shows the page of the note that is written. It has no origin, runs no script of
// the note, and knows nothing but what the editor sends.
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data === "hello") return parent.postMessage("ready", "*");
  if (typeof data?.html !== "string") return;
  const next = new DOMParser().parseFromString(data.html, "text/html");
  // Nor does anything lead it elsewhere, or say how it is to be taken.
  for (const one of next.querySelectorAll("script, base, meta[http-equiv]")) one.remove();
  next.documentElement.classList.add("daybook-frame");
  const place = [scrollX, scrollY];
  // What is ours in the head stays: it is marked, and so no part of the page.
  Daybook.morph(document.documentElement, next.documentElement);
  scrollTo(...place);
});
// A link leads nowhere from here.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a");
  if (!link) return;
  event.preventDefault();
  const hash = link.getAttribute("href")?.split("#")[1];
  if (hash) document.getElementById(decodeURIComponent(hash))?.scrollIntoView();
}, true);
parent.postMessage("ready", "*");
