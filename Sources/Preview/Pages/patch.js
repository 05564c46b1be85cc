// Turns a page into its next version without taking anything away that the
// reader has done to it: scroll, focus, selection, what is typed, open details,
// playing media. Shared by previewed pages and the editor's preview of a body.
const Daybook = (() => {
  "use strict";
  const ours = (node) => node.nodeType === 1 && node.hasAttribute("data-daybook");
  const children = (element) => [...element.childNodes].filter((node) => !ours(node));

  function parsed(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }
  const words = (source) => parsed(source).textContent;

  /// Changes only what differs of a text, so that a selection in it stays.
  function setText(node, text) {
    const old = node.data;
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start++;
    let end = 0;
    while (end < old.length - start && end < text.length - start
        && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    node.replaceData(start, old.length - start - end, text.slice(start, text.length - end));
  }

  /// Finds the element of a path; throws where the page is another.
  function element(path) {
    let found = document.documentElement;
    for (const place of path) {
      found = [...found.children].filter((child) => !ours(child))[place];
      if (!found) throw new Error("no such element");
    }
    return found;
  }

  /// Applies the steps of a patch; throws, having changed nothing, where the page
  /// is not the one that they are meant for.
  function patch(steps) {
    const work = steps.map(([kind, path, ...rest]) => {
      const target = element(path);
      if (kind === "t") {
        const [place, from, to] = rest;
        const node = children(target)[place];
        if (!node || node.nodeType !== 3 || node.data !== words(from)) throw new Error("other text");
        return () => setText(node, words(to));
      }
      if (kind === "a") {
        return () => {
          for (const [name, value] of Object.entries(rest[0])) {
            if (value === null) target.removeAttribute(name);
            else target.setAttribute(name, parsed(`<i ${name}="${value.replaceAll('"', "&quot;")}">`)
                .firstChild.getAttribute(name) ?? "");
          }
        };
      }
      const [count, from, length, html] = rest;
      const nodes = children(target);
      if (nodes.length !== count) throw new Error("other children");
      const next = nodes[from + length] ?? [...target.childNodes].find(ours) ?? null;
      return () => {
        for (const node of nodes.slice(from, from + length)) node.remove();
        target.insertBefore(parsed(html), next && next.parentNode === target ? next : null);
      };
    });
    for (const step of work) step();
  }

  const same = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName;

  /// Makes one element like another, by what differs between the two trees.
  function morph(old, next) {
    for (const { name, value } of [...next.attributes]) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      // What the reader opened, or a script set, is not the page's.
      if (!next.hasAttribute(name) && name !== "open" && !name.startsWith("data-")) {
        old.removeAttribute(name);
      }
    }
    const mine = children(old), theirs = children(next);
    let start = 0;
    const equal = (one, other) => one.isEqualNode(other);
    while (start < mine.length && start < theirs.length && equal(mine[start], theirs[start])) start++;
    let end = mine.length, otherEnd = theirs.length;
    while (end > start && otherEnd > start && equal(mine[end - 1], theirs[otherEnd - 1])) {
      end--;
      otherEnd--;
    }
    const after = mine[end] ?? [...old.childNodes].find(ours) ?? null;
    let place = start;
    for (let other = start; other < otherEnd; other++) {
      const one = place < end ? mine[place] : null;
      if (one && same(one, theirs[other])) {
        if (one.nodeType === 1) morph(one, theirs[other]);
        else if (one.data !== theirs[other].data) setText(one, theirs[other].data);
        place++;
      } else {
        old.insertBefore(document.importNode(theirs[other], true), one ?? after);
      }
    }
    for (; place < end; place++) mine[place].remove();
  }

  return { patch, morph };
})();
