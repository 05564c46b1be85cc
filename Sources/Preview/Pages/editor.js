// The editor of notes. Everything it asks for carries the token that its page
// alone holds.
"use strict";
const $ = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name="daybook-${name}"]`).content;
const token = meta("token");
/// The most bytes of the pictures of one save.
const pictureLimit = Number(meta("pictures"));
const site = meta("site").replace("127.0.0.1", location.hostname);

/// Asks the server for something. An answer always comes: of status 0 where there is
/// no server.
async function ask(path, body) {
  let response, text;
  try {
    response = await fetch(`/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Daybook-Token": token },
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
    });
    text = await response.text();
  } catch {
    return { status: 0, ok: false, error: "The preview cannot be reached." };
  }
  let answer;
  try { answer = JSON.parse(text); } catch { answer = { error: text.trim() }; }
  return { ...answer, status: response.status, ok: response.ok };
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

/// Whether the list is in edit mode.
const isEditing = () => document.body.classList.contains("editing");

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
  const remove = make("button", { type: "button", className: "remove", tabIndex: isEditing() ? 0 : -1,
    ariaLabel: `Delete ${row.title}` }, make("i"));
  const swiped = make("button", { type: "button", className: "swiped", tabIndex: -1, ariaHidden: "true" }, "Delete");
  const entry = make("li", {}, remove, link, swiped);
  entry.dataset.path = row.path;
  entry.classList.toggle("open-swipe", row.path === swipedOpen);
  return entry;
}

/// The path of the row whose button a swipe has shown: rows are drawn anew at any time.
let swipedOpen = null;
function openSwipe(path) {
  swipedOpen = path;
  for (const entry of document.querySelectorAll("#rows li")) {
    entry.classList.toggle("open-swipe", entry.dataset.path === path);
  }
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
  const isOnRemove = Boolean(document.activeElement?.closest?.(".remove"));
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
  (isOnRemove ? again?.parentNode.querySelector(".remove") : again)?.focus({ preventScroll: true });
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
  if (!answer.ok) return toast(answer.error);
  rows = new Map(answer.notes.map((row) => [row.path, row]));
  drawNow();
}

/// Reads the stream of events; a browser's own reader could not send the token.
async function listen() {
  for (;;) {
    try {
      const response = await fetch("/api/events", { headers: { "Daybook-Token": token } });
      if (response.status === 403) return toast("The preview was started anew: load this page again.");
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
          if (data) await heard(JSON.parse(data.slice(6)));
        }
      }
    } catch { /* It is tried again. */ }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

async function heard(message) {
  if (message.all) {
    // What comes next is newer than this list.
    await loadList();
    checkFile();
    return;
  }
  for (const row of message.rows) rows.set(row.path, row);
  for (const path of message.gone) rows.delete(path);
  draw();
  if (note?.path && [...message.rows.map((row) => row.path), ...message.gone].includes(note.path)) checkFile();
}

// One note
//
// `note` is what the page opened: the note as the server described it, with its
// whole file as it was. The form says what was typed since. A save sends both, and
// its answer is a note again: what the file holds now. So there are three states:
// nothing is open (`note` is null, the form away), a note is opening (`note` is
// null, the form inert), a note is open.

/// The note as it was opened; null where none is. A new one has no path.
let note = null;
let tags = [];
/// The blank lines that the body begins with, which are not shown.
let lead = "";
/// Pictures that are put beside the note once it is saved: names to files.
let pictures = new Map();
let showing = 0;

const stamp = (date, time) => (date ? date + (time ? `T${time}` : "") : "");

/// What the form holds, as it was typed.
const typed = () => ({
  title: $("title").value, date: $("date").value, time: $("time").value,
  tags: [...tags], draft: $("draft").checked, text: $("text").value,
});

/// What that says of the note.
const values = (form = typed()) => ({
  title: form.title.replace(/\s*\n\s*/g, " ").trim(),
  date: stamp(form.date, form.time),
  tags: form.tags,
  draft: form.draft,
  body: lead + form.text,
});

/// What differs from the note as it was opened.
function changes(form = typed()) {
  if (!note) return {};
  const now = values(form);
  if (note.reason) return now.body === note.body ? {} : { text: now.body };
  const result = {};
  if (now.title !== (note.title ?? "")) result.title = now.title || null;
  if (now.date !== stamp(note.date, note.time)) result.date = now.date || null;
  if (now.tags.join("\n") !== note.tags.join("\n")) result.tags = now.tags.length ? now.tags : null;
  if (now.draft !== note.draft) result.draft = now.draft;
  if (now.body !== note.body) result.body = now.body;
  return result;
}

/// The pictures that a text shows and that are not placed yet.
const unplaced = (text) => [...pictures].filter(([name]) => text.includes(name));

const isDirty = () =>
  note !== null && (Object.keys(changes()).length > 0 || unplaced($("text").value).length > 0);

function say(text, kind = "") {
  $("status").textContent = text;
  $("status").className = `status ${kind}`;
}

function tell(text, isWrong = false) {
  const banner = $("banner");
  banner.hidden = !text;
  banner.className = `banner ${isWrong ? "wrong" : ""}`;
  banner.textContent = text;
}

/// Puts a note into the form, with nothing typed.
function fill(opened) {
  note = opened;
  pictures = new Map();
  $("title").value = note.title ?? "";
  $("date").value = note.date ?? "";
  $("time").value = note.time ?? "";
  $("timeField").hidden = !note.time;
  $("addTime").hidden = Boolean(note.time);
  $("draft").checked = note.draft;
  lead = leading(note);
  $("text").value = note.body.slice(lead.length);
  tags = [...note.tags];
  drawTags();
  showing++;
  dress();
}

/// Shows of the note what no field does.
function dress() {
  $("title").placeholder = note.path ? note.name : "Title";
  $("date").title = note.fileDate && !note.date ? `The file's name says ${note.fileDate}` : "";
  $("folderField").hidden = Boolean(note.path);
  $("path").textContent = note.path ?? "New note";
  $("delete").hidden = !note.path;
  linkPage();
  $("form").classList.toggle("as-text", Boolean(note.reason));
  tell(reason());
  $("form").hidden = false;
  $("form").inert = false;
  $("nothing").hidden = true;
  document.title = note.path ? `${note.title ?? note.name} · Notes` : "New note · Notes";
  document.body.classList.add("open");
  grow();
  noticed();
  show();
}

function linkPage() {
  $("view").hidden = !note.url;
  if (note.url) $("view").href = site + note.url;
}

const reason = () => (note.reason ? `The whole file is edited as text: ${note.reason}.` : "");
const leading = (one) => (one.path && !one.reason ? one.body.match(/^\n*/)[0] : "");
/// A file as the text fields have it: lines end in LF.
const whole = (one) => one.source.replace(/\r\n?/g, "\n");

function close() {
  note = null;
  showing++;
  $("form").hidden = true;
  $("form").inert = false;
  $("nothing").hidden = false;
  document.title = "Notes";
  document.body.classList.remove("open");
}

function mark(path) {
  current = path;
  const links = [...document.querySelectorAll("#rows a")];
  for (const link of links) {
    const isCurrent = link.parentNode.dataset.path === path;
    link.tabIndex = isCurrent ? 0 : -1;
    if (isCurrent) {
      link.setAttribute("aria-current", "true");
      link.scrollIntoView({ block: "nearest" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
  // One of them is always reached by Tab.
  if (links.length && links.every((link) => link.tabIndex < 0)) links[0].tabIndex = 0;
}

/// Counts what was asked to be shown: an answer that comes late is for nobody.
let turn = 0;

async function open(path) {
  const own = ++turn;
  note = null;
  $("form").inert = true;
  say("Opening…");
  const answer = await ask(`note?path=${encodeURIComponent(path)}`);
  if (own !== turn) return;
  if (!answer.ok) {
    close();
    mark(null);
    toast(answer.error);
    return;
  }
  toast("");
  fill(answer);
  mark(path);
}

function today() {
  const now = new Date();
  const part = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${part(now.getMonth() + 1)}-${part(now.getDate())}`;
}

function openNew() {
  toast("");
  fill({ path: null, title: null, date: today(), time: null, tags: [], draft: false, body: "", name: "" });
  mark(null);
  $("folder").value = "";
  $("title").focus();
}

/// Whether the file was to be looked at while a save was under way.
let unchecked = false;

/// The file of the open note may have changed: shown where nothing would be lost.
async function checkFile() {
  const seen = note;
  if (!seen?.path) return;
  if (saving) {
    unchecked = true;
    return;
  }
  const answer = await ask(`note?path=${encodeURIComponent(seen.path)}`);
  // What is open by now may be newer than the answer.
  if (note !== seen || saving) return checkFile();
  if (answer.status === 404) return tell("The file is not there any more: it was moved or deleted.", true);
  if (!answer.ok) return tell(answer.error, true);
  if (answer.revision === note.revision) {
    note.url = answer.url;
    linkPage();
    tell(reason());
  } else if (!isDirty()) {
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

/// The save that is under way; null where none is.
let saving = null;

/// Saves what was typed; whether it is saved. `over` names what may be overwritten,
/// where that was seen.
function save(over = {}) {
  if (!note || saving) return Promise.resolve(false);
  addTag();
  if (!isWhole()) return Promise.resolve(false);
  if (note.path && !("over" in over) && !isDirty()) {
    say("Nothing to save");
    return Promise.resolve(true);
  }
  const asked = note, sent = typed();
  say("Saving…");
  const work = send(asked, sent, over).then((answer) => {
    saving = null;
    if (note !== asked) return answer.ok;
    if (answer.ok) saved(answer, sent);
    else if (answer.status === 409) return resolve(answer, asked);
    else {
      say("Not saved", "wrong");
      tell(answer.status ? answer.error : "There is no answer from the preview: this may not be saved.", true);
    }
    return answer.ok;
  }).finally(() => {
    if (!unchecked) return;
    unchecked = false;
    checkFile();
  });
  saving = work;
  return work;
}

/// Whether the date and the time can be saved.
function isWhole() {
  for (const field of [$("date"), $("time")]) {
    field.classList.toggle("wrong", field.validity.badInput);
    if (!field.validity.badInput) continue;
    field.focus();
    say(field === $("date") ? "The date is not complete" : "The time is not complete", "wrong");
    return false;
  }
  if ($("time").value && !$("date").value) {
    $("date").focus();
    say("A time needs a date", "wrong");
    return false;
  }
  return true;
}

/// The folder that a new note is to be in.
const folder = () => $("folder").value.trim().replace(/^\/+|\/+$/g, "");

/// Asks for a note to be written: with what was opened and what was typed since, and
/// with the pictures that the text shows, behind the rest.
function send(asked, form, over) {
  const files = unplaced(form.text);
  const body = asked.path
    ? { path: asked.path, revision: asked.revision, opened: asked.source, ...changes(form), ...over }
    : { ...values(form), date: values(form).date || null, folder: folder() };
  body.pictures = files.map(([name, file]) => ({ name, size: file.size }));
  const json = new Blob([JSON.stringify(body)]);
  const name = asked.path ? "save" : "create";
  return ask(`${name}?json=${json.size}`, new Blob([json, ...files.map(([, file]) => file)]));
}

/// Goes on from what the file holds now; what was typed since the request was made
/// stays as it is.
function saved(answer, sent) {
  const isNew = !note.path;
  const wasText = Boolean(note.reason), isText = Boolean(answer.reason);
  let now = typed();
  for (const [name, given] of Object.entries(answer.pictures)) {
    pictures.delete(name);
    sent = { ...sent, text: renamed(sent.text, name, given) };
    now = { ...now, text: renamed(now.text, name, given) };
  }
  if (wasText !== isText && now.text !== sent.text) {
    // The text that is being written is the whole file from now on, or still is.
    const body = whole(answer);
    const place = wasText ? 0 : body.lastIndexOf(sent.text);
    note = { ...answer, body, reason: answer.reason ?? "you went on writing in it" };
    lead = "";
    put($("text"), wasText || place < 0
      ? now.text : body.slice(0, place) + now.text + body.slice(place + sent.text.length));
  } else {
    note = answer;
    lead = leading(note);
    put($("text"), carried(sent.text, now.text, note.body.slice(lead.length)));
  }
  if (now.title === sent.title) $("title").value = note.title ?? "";
  if (now.date === sent.date && now.time === sent.time) {
    $("date").value = note.date ?? "";
    $("time").value = note.time ?? "";
  }
  if (now.tags.join("\n") === sent.tags.join("\n")) {
    tags = [...note.tags];
    drawTags();
  }
  if (now.draft === sent.draft) $("draft").checked = note.draft;
  // Unless the address leads elsewhere by now.
  if (isNew && addressed() === "+") history.replaceState(null, "", `#${encodeURIComponent(note.path)}`);
  settle();
  dress();
  mark(note.path);
  if (answer.failure) {
    say("Saved, but a picture is not", "wrong");
    tell(answer.failure, true);
  } else if (!isDirty()) {
    say("Saved");
  }
}

/// Where a text differs from another: the part of the old one, and what stands there.
function difference(old, next) {
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start
      && old[old.length - 1 - end] === next[next.length - 1 - end]) end++;
  return { start, end: old.length - end, text: next.slice(start, next.length - end) };
}

/// The text of a file with what was typed since it was sent; where the two meet, what
/// was typed.
function carried(sent, now, saved) {
  if (now === sent) return saved;
  if (saved === sent) return now;
  const own = difference(sent, now), other = difference(sent, saved);
  if (other.end <= own.start) return now.slice(0, other.start) + other.text + now.slice(other.end);
  if (own.end <= other.start) return saved.slice(0, own.start) + own.text + saved.slice(own.end);
  return now;
}

/// Changes only what differs of a field, so that the caret stays where it is.
function put(field, text) {
  if (field.value === text) return;
  const { start, end, text: part } = difference(field.value, text);
  field.setRangeText(part, start, end, "preserve");
}

/// A text that shows a picture under another name.
const renamed = (text, name, given) => (name === given ? text : text.replace(
  new RegExp(`(?<![\\p{L}\\p{N}_/.-])${name.replace(/[.]/g, "\\.")}(?![\\p{L}\\p{N}_/-])`, "gu"), given));

/// The file is not what was opened: one of the two texts is chosen, or neither.
async function resolve(answer, asked) {
  const dialog = $("conflict");
  say("Not saved", "wrong");
  const isGone = Boolean(answer.gone);
  $("mine").value = answer.mine ?? $("text").value;
  $("theirs").value = isGone ? "" : whole(answer.theirs);
  $("theirs").parentNode.hidden = isGone;
  $("conflictTitle").textContent = isGone ? "The note is not there any more" : "The file has changed since you opened it";
  const isOther = !isGone && Boolean(answer.theirs.reason) !== Boolean(note.reason);
  $("conflictWhy").textContent = isGone
    ? "It was moved or deleted. Keeping yours puts it back, with what you typed."
    : isOther
      ? "Nothing was overwritten. The two cannot be joined: each is the whole file."
      : "Nothing was overwritten. Yours is the file with what you typed in it.";
  dialog.querySelector('[value="theirs"]').hidden = isGone;
  const choice = await choose(dialog);
  if (note !== asked) return false;
  if (choice === "theirs") {
    fill(answer.theirs);
    return true;
  }
  return choice === "mine" ? save({ over: isGone ? null : answer.theirs.revision }) : false;
}

/// Asks, and waits for what is chosen. Whoever asks again meanwhile ends the question
/// before, as if nothing had been chosen.
let ending = null;
function choose(dialog) {
  ending?.("stay");
  return new Promise((done) => {
    const end = ending = (value) => {
      if (ending !== end) return;
      ending = null;
      dialog.close();
      dialog.onclick = dialog.oncancel = null;
      done(value);
    };
    // Of the buttons alone: the texts of a conflict have values too.
    dialog.onclick = (event) => {
      const button = event.target.closest("button[value]");
      if (button) end(button.value);
    };
    dialog.oncancel = (event) => { event.preventDefault(); end("stay"); };
    dialog.showModal();
  });
}

/// Whether the open note may be left: asked where something would be lost.
async function mayLeave(question = "Leave without saving?") {
  await saving;
  if (!isDirty()) return true;
  $("leaveTitle").textContent = question;
  const choice = await choose($("leave"));
  return choice === "leave" || (choice === "save" && (await save()));
}

async function leave() {
  if (!(await mayLeave())) return;
  const path = note?.path;
  turn++;
  if (location.hash) history.pushState(null, "", location.pathname);
  close();
  mark(null);
  focusRow(path);
}

async function revert() {
  if (!note?.path || !isDirty()) return leave();
  if (await mayLeave()) await open(note.path);
}

const rowLinks = () => [...document.querySelectorAll("#rows a")];
function focusRow(path, isOnRemove = false) {
  const link = rowLinks().find((one) => one.parentNode.dataset.path === path);
  const target = isOnRemove ? link?.parentNode.querySelector(".remove") : link;
  (target ?? $("add")).focus({ preventScroll: !link });
}

// Deleting

/// What was deleted and can be brought back, the latest last.
const deleted = [];

async function remove(path) {
  if (note?.path === path && !(await mayLeave("Delete without saving?"))) return;
  const row = rows.get(path);
  const isOpen = note?.path === path;
  const revision = isOpen ? { revision: note.revision } : {};
  // Nothing is typed into what goes.
  if (isOpen) $("form").inert = true;
  const answer = await ask("delete", { path, ...revision });
  if (!answer.ok) {
    $("form").inert = false;
    return toast(answer.error);
  }
  const links = rowLinks();
  const place = links.findIndex((link) => link.parentNode.dataset.path === path);
  const next = (links[place + 1] ?? links[place - 1])?.parentNode.dataset.path;
  // Who has gone on meanwhile is left where they are.
  const at = document.activeElement;
  const isOnRemove = isEditing() && Boolean(at?.closest(".remove"));
  const goesOn = at && at !== document.body && !at.closest("#form")
    && at.closest("#rows li")?.dataset.path !== path;
  rows.delete(path);
  if (note?.path === path) {
    turn++;
    history.replaceState(null, "", location.pathname);
    close();
    mark(null);
  }
  drawNow();
  if (!goesOn) focusRow(next, isOnRemove);
  deleted.push({ path, row, isOpen, trash: answer.trash, title: row?.title ?? path });
  toast("");
}

/// Brings back what was deleted last.
async function undo() {
  const last = deleted.pop();
  if (!last) return;
  const answer = await ask("undo", { path: last.path, trash: last.trash });
  if (!answer.ok) {
    if (answer.status !== 409) deleted.push(last);
    return toast(answer.error);
  }
  if (last.row) rows.set(last.path, last.row);
  drawNow();
  focusRow(last.path);
  toast("");
  if (last.isOpen) location.hash = encodeURIComponent(last.path);
}

/// Says a word, or where there is none what can be brought back. It stays until the
/// next thing is done: nobody has to hurry.
let word = "";
function toast(text) {
  word = text;
  const last = deleted.at(-1);
  const more = deleted.length > 1 ? ` and ${deleted.length - 1} more` : "";
  $("said").textContent = word || (last ? `Deleted “${last.title}”${more}` : "");
  $("undo").hidden = Boolean(word) || !last;
  $("toast").hidden = !word && !last;
}

/// Something was done since: what was deleted before is in the trash.
function settle() {
  deleted.length = 0;
  toast("");
}

/// Takes away what is said, a word before what can be brought back.
function dismiss() {
  if (word) toast("");
  else settle();
}
$("undo").onclick = undo;
$("dismiss").onclick = () => {
  dismiss();
  if ($("toast").hidden) (note ? $("text") : $("add")).focus();
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
    : { ...values(), title: values().title || "Untitled", date: values().date || null, folder: folder() };
  const answer = await ask("show", body);
  if (!answer.status || number !== showing || !note) return;
  const messages = answer.ok ? answer.messages : [answer.error];
  $("messages").hidden = !messages.length;
  $("messages").textContent = messages.join("\n");
  if (!answer.html) return;
  let html = answer.html;
  for (const [name, file] of pictures) {
    // The page has the name as addresses have it.
    html = html.replaceAll(`src="${encodeURI(name)}"`, `src="${await data(file)}"`);
  }
  if (number !== showing) return;
  latest = { html };
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
  const base = (file.name || "picture.png").normalize().toLowerCase().replace(/\.[^.]*$/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "picture";
  const ending = { "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif" }[file.type];
  if (!ending) return say("Only pictures can be put in: PNG, JPEG, GIF, WebP, AVIF", "wrong");
  const text = $("text");
  const size = unplaced(text.value).reduce((sum, [, one]) => sum + one.size, file.size);
  if (!file.size || size > pictureLimit) {
    return say(`Pictures of ${pictureLimit >> 20} MB can be saved at once`, "wrong");
  }
  // Not one that the text shows already: that is another picture.
  let name = `${base}.${ending}`;
  for (let number = 2; pictures.has(name) || text.value.includes(name); number++) name = `${base}-${number}.${ending}`;
  pictures.set(name, file);
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
  if (!$("toast").hidden) settle();
  grow();
  noticed();
  show();
});
$("form").addEventListener("change", () => { noticed(); show(); });
$("form").addEventListener("submit", (event) => { event.preventDefault(); save(); });
// A key that ends what an input method composes says nothing else.
$("title").addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter") {
    event.preventDefault();
    $("text").focus();
  }
});
$("tag").addEventListener("keydown", (event) => {
  if (event.isComposing) return;
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
$("delete").onclick = () => note?.path && remove(note.path);
$("add").onclick = () => { location.hash = "+"; };
$("edit").onclick = () => {
  const isOn = document.body.classList.toggle("editing");
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
    openSwipe(null);
    remove(entry.dataset.path);
  } else if (entry.classList.contains("open-swipe")) {
    event.preventDefault();
    openSwipe(null);
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
  } else if (event.key === "Delete" || (event.key === "Backspace" && (event.metaKey || isEditing()))) {
    event.preventDefault();
    remove(link.parentNode.dataset.path);
  }
});

let swipe = null;
$("rows").addEventListener("pointerdown", (event) => {
  const entry = event.target.closest("li");
  if (event.pointerType === "touch" && entry) swipe = { path: entry.dataset.path, x: event.clientX, y: event.clientY };
});
$("rows").addEventListener("pointermove", (event) => {
  if (!swipe) return;
  const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
  if (Math.abs(x) < 40 || Math.abs(x) < Math.abs(y) * 2) return;
  openSwipe(x < 0 ? swipe.path : null);
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
  if (event.isComposing || document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    save();
    return;
  }
  if (event.key === "Escape" && event.target.closest?.("#toast")) return $("dismiss").click();
  if (event.key === "Escape" && note) {
    event.preventDefault();
    leave();
    return;
  }
  const isTyping = event.target.closest?.("input:not([type=checkbox]), textarea");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isTyping && deleted.length) {
    event.preventDefault();
    undo();
    return;
  }
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

/// The path in the address, as far as that can be read; `+` for a new note.
function addressed() {
  const text = location.hash.slice(1);
  try { return decodeURIComponent(text); } catch { return text; }
}

/// Opens what the address names; where the open note may not be left the address
/// goes back to it.
async function follow() {
  const own = ++turn;
  const wanted = addressed();
  if (note && (note.path ?? "+") === wanted) return;
  const mayGo = await mayLeave();
  if (own !== turn) return;
  if (!mayGo) {
    history.replaceState(null, "", `#${note.path ? encodeURIComponent(note.path) : "+"}`);
  } else if (wanted === "+") {
    openNew();
  } else if (wanted) {
    await open(wanted);
  } else {
    close();
    mark(null);
  }
}
addEventListener("hashchange", follow);

document.querySelector(".count").textContent = "…";
listen();
follow();
