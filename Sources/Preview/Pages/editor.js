// The editor of notes. Everything it asks for carries the token that its page
// alone holds.
"use strict";
const $ = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name="daybook-${name}"]`).content;
const token = meta("token");
const site = meta("site").replace("127.0.0.1", location.hostname);

async function ask(path, body, options = {}) {
  const response = await fetch(`/api/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "Daybook-Token": token },
    body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
    ...options,
  });
  const text = await response.text();
  let answer;
  try { answer = JSON.parse(text); } catch { answer = { error: text.trim() }; }
  return { status: response.status, ok: response.ok, ...answer };
}

function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// The list

let rows = new Map();
let current = null;
const collator = new Intl.Collator("en", { numeric: true });
const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/// Newest first, undated last; of one moment by title.
function sorted() {
  return [...rows.values()].sort((one, other) => {
    const unread = (row) => row.state === "broken" && !row.date;
    if (unread(one) !== unread(other)) return unread(one) ? -1 : 1;
    if (!one.date !== !other.date) return one.date ? -1 : 1;
    if (one.date !== other.date) return one.date < other.date ? 1 : -1;
    return collator.compare(one.title, other.title) || collator.compare(one.path, other.path);
  });
}

function monthOf(row) {
  if (row.state === "broken" && !row.date) return "Cannot be read";
  if (!row.date) return "Undated";
  const [year, number] = row.date.slice(0, 7).split("-").map(Number);
  const date = new Date(Date.UTC(2000, number - 1, 1));
  date.setUTCFullYear(year);
  return month.format(date);
}

function matches(row, words) {
  const text = `${row.title}\n${row.path}\n${row.tags.map((tag) => `#${tag}`).join(" ")}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function item(row) {
  const folder = row.path.includes("/") ? row.path.slice(0, row.path.lastIndexOf("/")) : "";
  const more = make("span", { className: "more" });
  if (row.state) {
    more.append(make("span", { className: `state ${row.state === "broken" ? "broken" : ""}` },
      row.state[0].toUpperCase() + row.state.slice(1)), " ");
  }
  more.append([...(folder ? [`${folder}/`] : []), ...row.tags.map((tag) => `#${tag}`)].join("  "));
  const link = make("a", { href: `#${encodeURIComponent(row.path)}`, tabIndex: -1 },
    make("span", { className: "day" }, row.date ? String(Number(row.date.slice(8, 10))) : ""),
    make("b", { dir: "auto" }, row.title), more.textContent ? more : "");
  if (row.path === current) link.setAttribute("aria-current", "true");
  const remove = make("button", { type: "button", className: "remove", tabIndex: -1,
    ariaLabel: `Delete ${row.title}` }, make("i"));
  const swiped = make("button", { type: "button", className: "swiped", tabIndex: -1, ariaHidden: "true" }, "Delete");
  const entry = make("li", {}, remove, link, swiped);
  entry.dataset.path = row.path;
  return entry;
}

let drawn = 0;
function draw() {
  if (drawn) return;
  drawn = requestAnimationFrame(() => { drawn = 0; drawNow(); });
}

function drawNow() {
  const list = $("rows");
  const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const focused = document.activeElement?.closest?.("#rows li")?.dataset.path;
  const place = list.scrollTop;
  const shown = sorted().filter((row) => matches(row, words));
  const sections = [];
  let name = null, entries = null;
  for (const row of shown) {
    const heading = monthOf(row);
    if (heading !== name) {
      name = heading;
      entries = make("ul");
      sections.push(make("section", {}, make("h2", {}, heading), entries));
    }
    entries.append(item(row));
  }
  if (!shown.length) {
    sections.push(rows.size
      ? make("p", { className: "empty" }, make("b", {}, "Nothing found"), "No note has these words in its title, tags or folder.")
      : make("p", { className: "empty" }, make("b", {}, "No notes yet"), "The first one is a press of + away."));
  }
  list.replaceChildren(...sections);
  list.scrollTop = place;
  document.querySelector(".count").textContent =
    words.length ? `${shown.length} of ${rows.size}` : rows.size ? String(rows.size) : "";
  const links = [...list.querySelectorAll("a")];
  const again = links.find((link) => link.parentNode.dataset.path === focused);
  (again ?? links.find((link) => link.ariaCurrent) ?? links[0] ?? {}).tabIndex = 0;
  again?.focus({ preventScroll: true });
  fillChoices();
}

function fillChoices() {
  const tags = new Set(), folders = new Set();
  for (const row of rows.values()) {
    for (const tag of row.tags) tags.add(tag);
    if (row.path.includes("/")) folders.add(row.path.slice(0, row.path.lastIndexOf("/")));
  }
  const options = (set) => [...set].sort(collator.compare).map((value) => make("option", { value }));
  $("tags").replaceChildren(...options(tags));
  $("folders").replaceChildren(...options(folders));
}

async function loadList() {
  const answer = await ask("notes");
  if (!answer.ok) return say(answer.error, "wrong");
  rows = new Map(answer.notes.map((row) => [row.path, row]));
  drawNow();
}

/// Reads the stream of events; a browser's own reader could not send the token.
async function listen() {
  for (;;) {
    try {
      const response = await fetch("/api/events", { headers: { "Daybook-Token": token } });
      if (response.status === 403) return say("The preview was started anew: load this page again.", "wrong");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      await loadList();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        let end;
        while ((end = text.indexOf("\n\n")) >= 0) {
          const data = text.slice(0, end).split("\n").find((line) => line.startsWith("data: "));
          text = text.slice(end + 2);
          if (data) heard(JSON.parse(data.slice(6)));
        }
      }
    } catch { /* It is tried again. */ }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

function heard(message) {
  if (message.all) {
    loadList();
    checkFile();
    return;
  }
  for (const row of message.rows) rows.set(row.path, row);
  for (const path of message.gone) rows.delete(path);
  draw();
  if (note?.path && [...message.rows.map((row) => row.path), ...message.gone].includes(note.path)) checkFile();
}

// One note

/// The note as it was opened; null where none is. A new one has no path.
let note = null;
let tags = [];
/// The blank lines that the body begins with, which are not shown.
let lead = "";
/// Pictures that are put beside the note once it is saved: names to files.
let pictures = new Map();
let showing = 0;

const stamp = (date, time) => (date ? date + (time ? `T${time}` : "") : "");
const values = () => ({
  title: $("title").value.replace(/\s*\n\s*/g, " ").trim(),
  date: stamp($("date").value, $("time").value),
  tags: [...tags],
  draft: $("draft").checked,
  body: lead + $("text").value,
});

/// What differs from the note as it was opened.
function changes() {
  if (!note) return {};
  const now = values();
  if (note.reason) return now.body === note.body ? {} : { text: now.body };
  const result = {};
  if (now.title !== (note.title ?? "")) result.title = now.title || null;
  if (now.date !== stamp(note.date, note.time)) result.date = now.date || null;
  if (now.tags.join("\n") !== note.tags.join("\n")) result.tags = now.tags.length ? now.tags : null;
  if (now.draft !== note.draft) result.draft = now.draft;
  if (now.body !== note.body) result.body = now.body;
  return result;
}
const isDirty = () => note !== null && Object.keys(changes()).length > 0;

function say(text, kind = "") {
  $("status").textContent = text;
  $("status").className = `status ${kind}`;
}

function tell(text, isWrong = false, ...buttons) {
  const banner = $("banner");
  banner.hidden = !text;
  banner.className = `banner ${isWrong ? "wrong" : ""}`;
  banner.replaceChildren(text, ...buttons);
}

function fill(opened) {
  note = opened;
  pictures = new Map();
  $("title").value = note.title ?? "";
  $("title").placeholder = note.path ? note.name : "Title";
  $("date").value = note.date ?? "";
  $("time").value = note.time ?? "";
  $("date").title = note.fileDate && !note.date ? `The file's name says ${note.fileDate}` : "";
  $("timeField").hidden = !note.time;
  $("addTime").hidden = Boolean(note.time);
  $("folderField").hidden = Boolean(note.path);
  $("draft").checked = note.draft;
  fillBody();
  tags = [...note.tags];
  drawTags();
  $("path").textContent = note.path ?? "New note";
  $("delete").hidden = !note.path;
  $("view").hidden = !note.url;
  if (note.url) $("view").href = site + note.url;
  $("form").classList.toggle("as-text", Boolean(note.reason));
  tell(reason());
  $("form").hidden = false;
  $("nothing").hidden = true;
  document.title = note.path ? `${note.title ?? note.name} · Notes` : "New note · Notes";
  document.body.classList.add("open");
  grow();
  noticed();
  show();
}

const reason = () => (note.reason ? `The whole file is edited as text: ${note.reason}.` : "");

function fillBody() {
  lead = note.path && !note.reason ? note.body.match(/^\n*/)[0] : "";
  $("text").value = note.body.slice(lead.length);
}

function close() {
  note = null;
  $("form").hidden = true;
  $("nothing").hidden = false;
  document.title = "Notes";
  document.body.classList.remove("open");
}

function mark(path) {
  current = path;
  for (const link of document.querySelectorAll("#rows a")) {
    if (link.parentNode.dataset.path === path) {
      link.setAttribute("aria-current", "true");
      link.tabIndex = 0;
      link.scrollIntoView({ block: "nearest" });
    } else {
      link.removeAttribute("aria-current");
      link.tabIndex = -1;
    }
  }
}

async function open(path) {
  const answer = await ask(`note?path=${encodeURIComponent(path)}`);
  if (!answer.ok) {
    close();
    toast(answer.error);
    return;
  }
  fill(answer);
  mark(path);
}

function today() {
  const now = new Date();
  const part = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${part(now.getMonth() + 1)}-${part(now.getDate())}`;
}

function openNew() {
  fill({ path: null, title: null, date: today(), time: null, tags: [], draft: false, body: "", name: "" });
  mark(null);
  $("folder").value = "";
  $("title").focus();
}

/// The file of the open note may have changed: shown where nothing would be lost.
async function checkFile() {
  if (!note?.path) return;
  const path = note.path;
  const answer = await ask(`note?path=${encodeURIComponent(path)}`);
  if (note?.path !== path || saving) return;
  if (answer.status === 404) return tell("The file is not there any more: it was moved or deleted.", true);
  if (!answer.ok || answer.revision === note.revision) {
    if (answer.ok && answer.url !== note.url) {
      note.url = answer.url;
      $("view").hidden = !note.url;
      if (note.url) $("view").href = site + note.url;
    }
    return;
  }
  if (!isDirty()) {
    const place = [$("text").selectionStart, $("text").selectionEnd, $("text").scrollTop];
    fill(answer);
    $("text").setSelectionRange(place[0], place[1]);
    $("text").scrollTop = place[2];
    say("Changed in the file");
  } else {
    tell("The file has changed since it was opened. Saving will show both texts.");
  }
}

// Saving

let saving = false;
async function save() {
  if (!note || saving) return false;
  addTag();
  for (const field of [$("date"), $("time")]) {
    if (field.validity.badInput) {
      field.classList.add("wrong");
      field.focus();
      say(field === $("date") ? "The date is not complete" : "The time is not complete", "wrong");
      return false;
    }
    field.classList.remove("wrong");
  }
  if ($("time").value && !$("date").value) {
    $("date").focus();
    say("A time needs a date", "wrong");
    return false;
  }
  if (note.path && !isDirty()) {
    say("Nothing to save");
    return true;
  }
  saving = true;
  say("Saving…");
  try {
    if (!(await placePictures())) return false;
    const answer = note.path
      ? await ask("save", { path: note.path, revision: note.revision, ...changes() })
      : await ask("create", { ...values(), date: values().date || null, folder: folder() });
    if (answer.status === 409) return await resolve(answer);
    if (!answer.ok) {
      say(answer.error ?? "It could not be saved", "wrong");
      return false;
    }
    const path = answer.path;
    const isNew = !note.path;
    const opened = await ask(`note?path=${encodeURIComponent(path)}`);
    const now = values();
    if (opened.ok) {
      // What was typed meanwhile stays.
      note = opened;
      if (isNew) {
        history.replaceState(null, "", `#${encodeURIComponent(path)}`);
        fill(opened);
        if (now.body !== opened.body && now.body.trim() !== opened.body.trim()) $("text").value = now.body;
      } else {
        $("view").hidden = !note.url;
        document.title = `${note.title ?? note.name} · Notes`;
      }
    }
    mark(path);
    noticed();
    if (!isDirty()) say("Saved");
    tell(reason());
    return true;
  } catch {
    say("The preview cannot be reached; nothing was saved", "wrong");
    return false;
  } finally {
    saving = false;
  }
}

const folder = () => (note?.path
  ? note.path.includes("/") ? note.path.slice(0, note.path.lastIndexOf("/")) : ""
  : $("folder").value.trim().replace(/^\/+|\/+$/g, ""));

async function resolve(answer) {
  const dialog = $("conflict");
  const gone = Boolean(answer.gone);
  $("mine").value = $("text").value;
  $("theirs").value = gone ? "" : answer.theirs.body.replace(/^\n+/, "");
  $("conflictTitle").textContent = gone ? "The note is not there any more" : "The file has changed since you opened it";
  $("conflictWhy").textContent = gone
    ? "It was moved or deleted. Keeping yours writes it as a new note."
    : "Nothing was overwritten. Both texts are here.";
  dialog.querySelector('[value="theirs"]').hidden = gone;
  const choice = await choose(dialog);
  if (choice === "theirs") {
    fill(answer.theirs);
    return true;
  }
  if (choice !== "mine") {
    say("Not saved", "wrong");
    return false;
  }
  saving = false;
  const mine = { ...values(), time: $("time").value };
  if (gone) {
    const from = folder();
    note = { ...note, path: null };
    $("folder").value = from;
    return save();
  }
  // Only what this page changed goes over what is there now.
  const wanted = changes();
  note = { ...answer.theirs };
  if ("title" in wanted) $("title").value = mine.title; else $("title").value = note.title ?? "";
  if (!("date" in wanted)) { $("date").value = note.date ?? ""; $("time").value = note.time ?? ""; }
  if (!("tags" in wanted)) { tags = [...note.tags]; drawTags(); }
  if (!("draft" in wanted)) $("draft").checked = note.draft;
  if (!("body" in wanted) && !("text" in wanted)) fillBody();
  return save();
}

async function placePictures() {
  for (const [name, file] of pictures) {
    if (!$("text").value.includes(name)) continue;
    const query = new URLSearchParams({ name, folder: folder() });
    const answer = await ask(`attach?${query}`, file);
    if (!answer.ok) {
      say(answer.error ?? "The picture could not be saved", "wrong");
      return false;
    }
    if (answer.name !== name) $("text").value = $("text").value.replaceAll(`(${name})`, `(${answer.name})`);
    pictures.delete(name);
  }
  return true;
}

function choose(dialog) {
  return new Promise((done) => {
    const end = (value) => {
      dialog.close();
      dialog.onclick = dialog.oncancel = null;
      done(value);
    };
    dialog.onclick = (event) => { if (event.target.value) end(event.target.value); };
    dialog.oncancel = (event) => { event.preventDefault(); end("stay"); };
    dialog.showModal();
  });
}

/// Whether the open note may be left: asked where something would be lost.
async function mayLeave() {
  if (!isDirty() && !pictures.size) return true;
  const choice = await choose($("leave"));
  return choice === "leave" || (choice === "save" && (await save()));
}

async function leave() {
  if (!(await mayLeave())) return;
  const path = note?.path;
  note = null;
  if (location.hash) history.pushState(null, "", location.pathname);
  close();
  mark(null);
  const link = [...document.querySelectorAll("#rows a")].find((one) => one.parentNode.dataset.path === path);
  (link ?? $("add")).focus();
}

async function revert() {
  if (!note?.path) return leave();
  if (!isDirty()) return leave();
  if (!(await mayLeave())) return;
  await open(note.path);
}

// Deleting

let undo = null;
async function remove(path, revision) {
  const row = rows.get(path);
  const links = [...document.querySelectorAll("#rows a")];
  const index = links.findIndex((link) => link.parentNode.dataset.path === path);
  const answer = await ask("delete", { path, ...(revision ? { revision } : {}) });
  if (!answer.ok) return toast(answer.error);
  rows.delete(path);
  if (note?.path === path) {
    note = null;
    history.replaceState(null, "", location.pathname);
    close();
  }
  const next = links[index + 1] ?? links[index - 1];
  drawNow();
  const again = [...document.querySelectorAll("#rows a")].find((link) => link.parentNode.dataset.path === next?.parentNode.dataset.path);
  (again ?? $("add")).focus({ preventScroll: true });
  toast(`Deleted “${row?.title ?? path}”`, async () => {
    const back = await ask("undo", { path, trash: answer.trash });
    if (!back.ok) return toast(back.error);
    if (row) rows.set(path, row);
    drawNow();
    location.hash = encodeURIComponent(path);
  });
}

let hiding = 0;
function toast(text, action) {
  const box = $("toast");
  box.firstElementChild.textContent = text;
  box.lastElementChild.hidden = !action;
  undo = action ?? null;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { box.hidden = true; undo = null; }, action ? 12000 : 5000);
}
$("toast").lastElementChild.onclick = () => {
  $("toast").hidden = true;
  const action = undo;
  undo = null;
  action?.();
};

// Tags

function drawTags() {
  for (const chip of $("chips").querySelectorAll(".chip")) chip.remove();
  $("tag").before(...tags.map((tag, place) => make("span", { className: "chip" },
    make("span", {}, tag),
    make("button", { type: "button", ariaLabel: `Take away the tag ${tag}`, onclick: () => {
      tags.splice(place, 1);
      drawTags();
      noticed();
      $("tag").focus();
    } }, "×"))));
}

function addTag() {
  const names = $("tag").value.split(",").map((name) => name.trim().replace(/^#+/, "")).filter(Boolean);
  $("tag").value = "";
  if (!names.length) return;
  for (const name of names) {
    if (!tags.some((tag) => tag.toLowerCase() === name.toLowerCase())) tags.push(name);
  }
  drawTags();
  noticed();
}

// The preview of the body

let framed = false;
let latest = null;
// Whichever of the two pages is there last begins.
$("frame").addEventListener("load", () => $("frame").contentWindow.postMessage("hello", "*"));
$("frame").contentWindow?.postMessage("hello", "*");
function post() {
  if (framed && latest) $("frame").contentWindow.postMessage(latest, "*");
}
addEventListener("message", (event) => {
  if (event.source !== $("frame").contentWindow || event.data !== "ready") return;
  framed = true;
  post();
});

let waiting = 0;
function show() {
  clearTimeout(waiting);
  waiting = setTimeout(showNow, 120);
}
async function showNow() {
  if (!note) return;
  const number = ++showing;
  const body = note.path
    ? { path: note.path, ...changes() }
    : { ...values(), title: values().title || "Untitled", date: values().date || null };
  const answer = await ask("show", body).catch(() => null);
  if (!answer || number !== showing || !note) return;
  const messages = answer.ok ? answer.messages : [answer.error];
  $("messages").hidden = !messages.length;
  $("messages").textContent = messages.join("\n");
  if (!answer.html) return;
  let html = answer.html;
  for (const [name, file] of pictures) {
    html = html.replaceAll(`src="${name}"`, `src="${await data(file)}"`);
  }
  latest = { html, path: note.url ?? "/" };
  post();
}
const read = new WeakMap();
function data(file) {
  if (!read.has(file)) {
    read.set(file, new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(file);
    }));
  }
  return read.get(file);
}

function insertPicture(file) {
  const base = (file.name || "picture.png").toLowerCase().replace(/\.[^.]*$/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "picture";
  const ending = { "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif" }[file.type];
  if (!ending) return say("Only pictures can be put in: PNG, JPEG, GIF, WebP, AVIF", "wrong");
  let name = `${base}.${ending}`;
  for (let number = 2; pictures.has(name); number++) name = `${base}-${number}.${ending}`;
  pictures.set(name, file);
  const text = $("text");
  text.setRangeText(`![](${name})`, text.selectionStart, text.selectionEnd, "end");
  noticed();
  show();
}

// What is done with mouse, keys and fingers

function grow() {
  const title = $("title");
  if (CSS.supports("field-sizing: content")) return;
  title.style.height = "auto";
  title.style.height = `${title.scrollHeight}px`;
}
function noticed() {
  if (isDirty()) say("Unsaved", "dirty");
  else say("");
}
$("form").addEventListener("input", () => {
  grow();
  noticed();
  show();
});
$("form").addEventListener("change", () => { noticed(); show(); });
$("form").addEventListener("submit", (event) => { event.preventDefault(); save(); });
$("title").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    $("text").focus();
  }
});
$("tag").addEventListener("keydown", (event) => {
  if ((event.key === "Enter" && $("tag").value.trim()) || event.key === ",") {
    event.preventDefault();
    addTag();
    show();
  } else if (event.key === "Enter") {
    event.preventDefault();
  } else if (event.key === "Backspace" && !$("tag").value && tags.length) {
    tags.pop();
    drawTags();
    noticed();
  }
});
$("tag").addEventListener("change", addTag);
$("addTime").onclick = () => {
  $("timeField").hidden = false;
  $("addTime").hidden = true;
  $("time").focus();
};
$("cancel").onclick = revert;
$("back").onclick = leave;
$("delete").onclick = () => note?.path && remove(note.path, note.revision);
$("add").onclick = () => { location.hash = "+"; };
$("edit").onclick = () => {
  const isOn = document.body.classList.toggle("editing");
  $("edit").setAttribute("aria-pressed", isOn);
  $("edit").textContent = isOn ? "Done" : "Edit";
  for (const button of document.querySelectorAll(".remove")) button.tabIndex = isOn ? 0 : -1;
};
for (const [id, isReading] of [["write", false], ["read", true]]) {
  $(id).onclick = () => {
    $("body").classList.toggle("reading", isReading);
    $("write").setAttribute("aria-pressed", !isReading);
    $("read").setAttribute("aria-pressed", isReading);
  };
}
document.querySelector("[data-skip]").onclick = (event) => {
  event.preventDefault();
  (note ? $("title") : $("main")).focus();
};
$("filter").addEventListener("input", drawNow);

$("rows").addEventListener("click", async (event) => {
  const entry = event.target.closest("li");
  if (!entry) return;
  if (event.target.closest(".remove, .swiped")) {
    event.preventDefault();
    remove(entry.dataset.path);
  } else if (entry.classList.contains("open-swipe")) {
    event.preventDefault();
    entry.classList.remove("open-swipe");
  }
});
$("rows").addEventListener("keydown", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  const links = [...document.querySelectorAll("#rows a")];
  const place = links.indexOf(link);
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: links.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    const next = links[Math.max(0, Math.min(links.length - 1, to))];
    link.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  } else if (event.key === "Delete" || (event.key === "Backspace" && (event.metaKey || document.body.classList.contains("editing")))) {
    event.preventDefault();
    remove(link.parentNode.dataset.path);
  }
});

let swipe = null;
$("rows").addEventListener("pointerdown", (event) => {
  const entry = event.target.closest("li");
  if (event.pointerType === "touch" && entry) swipe = { entry, x: event.clientX, y: event.clientY };
});
$("rows").addEventListener("pointermove", (event) => {
  if (!swipe) return;
  const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
  if (Math.abs(x) < 40 || Math.abs(x) < Math.abs(y) * 2) return;
  for (const other of document.querySelectorAll(".open-swipe")) other.classList.remove("open-swipe");
  if (x < 0) swipe.entry.classList.add("open-swipe");
  swipe = null;
});
for (const kind of ["pointerup", "pointercancel"]) $("rows").addEventListener(kind, () => { swipe = null; });

for (const [kind, files] of [["paste", (event) => event.clipboardData?.files], ["drop", (event) => event.dataTransfer?.files]]) {
  $("text").addEventListener(kind, (event) => {
    const found = [...(files(event) ?? [])].filter((file) => file.type.startsWith("image/"));
    if (!found.length) return;
    event.preventDefault();
    $("text").parentNode.classList.remove("drop");
    for (const file of found) insertPicture(file);
  });
}
$("text").addEventListener("dragover", (event) => {
  if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
  event.preventDefault();
  $("text").parentNode.classList.add("drop");
});
$("text").addEventListener("dragleave", () => $("text").parentNode.classList.remove("drop"));

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    save();
    return;
  }
  if (event.key === "Escape" && note) {
    event.preventDefault();
    leave();
    return;
  }
  const isTyping = event.target.closest?.("input, textarea");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") {
    event.preventDefault();
    location.hash = "+";
  } else if (event.key === "/") {
    event.preventDefault();
    $("filter").focus();
  }
});
addEventListener("beforeunload", (event) => { if (isDirty()) event.preventDefault(); });

/// Opens what the address names; where the open note may not be left the address
/// goes back to it.
async function follow() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (note && (note.path ?? "+") === wanted) return;
  if (note && !(await mayLeave())) {
    history.replaceState(null, "", `#${note.path ? encodeURIComponent(note.path) : "+"}`);
    return;
  }
  note = null;
  if (wanted === "+") openNew();
  else if (wanted) await open(wanted);
  else {
    close();
    mark(null);
  }
}
addEventListener("hashchange", follow);
addEventListener("popstate", follow);

document.querySelector(".count").textContent = "…";
listen();
follow();
