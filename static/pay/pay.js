// The payment page works without this file. It adds: live state, countdowns, copy buttons,
// one submit per form, printing, sharing, and the way back to the shop.
"use strict";

const FASTEST = 2000, CALM = 5000, SLOWEST = 15000;
let delay = FASTEST, timer = 0, leaving = false;
const sheet = () => document.querySelector(".sheet");
const say = (text) => { document.getElementById("live").textContent = text; };
const heading = () => document.querySelector("h1").textContent;
const news = () => [...sheet().querySelectorAll("[data-news]")].map((e) => e.textContent.trim()).join(". ");
const reachable = "a[href], button, summary, input, select";
const canShare = Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;
const dress = () => {
  document.querySelectorAll(`.with-script[hidden]${canShare ? ", [data-share][hidden]" : ""}`).forEach((e) => { e.hidden = false; });
  if (stays()) stay();
};

// The way back to a form that was refused asks for the page, and does not send the form again.
if (document.getElementById("errors")) history.replaceState(null, "", location.href);

// A payer who chose to stay, or who has asked for something on the page, is not sent away from it.
const staying = () => `stay ${sheet()?.dataset.page}`;
function stays() {
  try { return sessionStorage.getItem(staying()) === "yes"; } catch { return false; }
}
function stay() {
  delete document.querySelector("[data-return]")?.dataset.return;
  document.querySelector(".returning")?.remove();
  try { sessionStorage.setItem(staying(), "yes"); } catch { /* then until the next page */ }
}

// How many signs to change, leave out, add or swap to get from one word to another.
function distance(from, to) {
  let before = [], last = [...Array(to.length + 1).keys()];
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= to.length; at += 1) {
      next[at] = Math.min(next[at - 1] + 1, last[at] + 1, last[at - 1] + (from[row - 1] !== to[at - 1]));
      if (from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]) next[at] = Math.min(next[at], before[at - 2] + 1);
    }
    [before, last] = [last, next];
  }
  return last[to.length];
}

// Shows the order as it is now, without a reload and without losing the reader's place.
async function refresh() {
  if (leaving) return;  // another page in its place would stop the form that is on its way
  if (sheet().dataset.watch === "status") return location.replace(sheet().dataset.page);
  const answer = await fetch(sheet().dataset.page, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const before = heading(), told = news(), held = document.activeElement, holds = sheet().contains(held);
  const place = [...sheet().querySelectorAll(reachable)].indexOf(held);
  const opened = [...sheet().querySelectorAll("details[id][open]")].map((e) => e.id);
  for (const style of fresh.querySelectorAll("link[rel=stylesheet]"))
    if (!document.head.querySelector(`link[href="${style.getAttribute("href")}"]`))
      document.head.append(document.adoptNode(style));
  sheet().replaceWith(document.adoptNode(fresh.querySelector(".sheet")));
  document.title = fresh.title;
  dress();
  opened.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  const same = heading() === before;  // another number on the page that is being read
  const next = same && sheet().querySelectorAll(reachable)[place];
  if (holds) (next || document.getElementById("main")).focus({ preventScroll: true });
  if (!same) scrollTo({ top: 0 });
  if (!same || news() !== told) say(same ? news() : heading());
  delay = same ? CALM : FASTEST;
}

// A page that cannot be updated says so.
function connected(is) {
  const off = document.querySelector("[data-offline]");
  if (!off || off.hidden === is) return;
  off.hidden = is;
  document.querySelector("[data-online]").hidden = !is;
  off.parentElement.classList.toggle("lost", !is);
  say(is ? "" : off.textContent);
}

async function poll() {
  clearTimeout(timer);
  const { state, watch, seen } = sheet()?.dataset ?? {};
  if (!state || document.hidden) return;
  try {
    const answer = await fetch(state, { cache: "no-store" });
    connected(true);
    if (answer.ok && (await answer.json())[watch] !== seen) {
      await refresh();
    } else delay = Math.min(delay * 1.1, SLOWEST);
  } catch {
    connected(false);
    delay = Math.min(delay * 2, SLOWEST);
  }
  timer = setTimeout(poll, delay);
}

// Counts with the browser's monotonic clock: the wall clock of a phone may be wrong.
function secondsLeft(element, seconds) {
  element.end ??= performance.now() + seconds * 1000;
  return Math.max(0, Math.ceil((element.end - performance.now()) / 1000));
}

function tick() {
  for (const clock of document.querySelectorAll("[data-left]")) {
    const left = secondsLeft(clock, clock.dataset.left);
    // Far from the end a running clock only makes people nervous.
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.textContent = left > (clock.dataset.below ?? Infinity) ? "" : (clock.dataset.text ?? "{time}").replace("{time}", time);
    if (left === 0 && !clock.over) { clock.over = true; refresh().catch(() => { clock.over = false; }); }
  }
  for (const button of document.querySelectorAll("[data-wait]")) {
    button.label ??= button.textContent;
    const left = secondsLeft(button, button.dataset.wait);
    button.disabled = left > 0;
    button.textContent = left > 0 ? button.dataset.later.replace("{time}", left) : button.label;
    if (left === 0) delete button.dataset.wait;
  }
  const back = document.querySelector("[data-return]"), shown = document.querySelector("[data-returning]");
  if (back && !document.hidden) {
    back.dataset.return -= 1;
    shown.textContent = back.dataset.return;
    if (back.dataset.return < 1) { delete back.dataset.return; location.assign(back.href); }
  }
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {  // no secure context, or not allowed: the old way
    const area = Object.assign(document.createElement("textarea"), { value: button.dataset.copy });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = button.firstElementChild, before = label.textContent;
  if (before === button.dataset.done) return;
  label.textContent = button.dataset.done;
  button.classList.add("done");
  say("");
  setTimeout(() => say(button.dataset.done), 50);
  setTimeout(() => { label.textContent = before; button.classList.remove("done"); }, 2500);
}

// A picture of the code, for the app of a bank on the same phone.
async function save(button) {
  const side = 1024, canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const brush = canvas.getContext("2d");
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, side, side);
  brush.imageSmoothingEnabled = false;
  brush.drawImage(document.querySelector("img.qr"), 0, 0, side, side);
  const picture = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = new File([picture], button.dataset.save, { type: "image/png" });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] }))
    return navigator.share({ files: [file] }).catch(() => {});  // closed by the payer
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(picture), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  say(button.dataset.done);
}

// Forms heal: an error leaves as soon as its field is mended.
const digits = (text) => text.replace(/\D/g, "");
function documentIsRight(input) {
  const kind = input.form.querySelector("[data-documents]")?.value, number = input.value.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
  const shape = JSON.parse(input.dataset.shapes)[kind];
  return !shape || new RegExp(`^(?:${shape})$`).test(number);
}
function mended(input) {
  const group = input.form.elements[input.name];
  if (input.type === "checkbox" || input.type === "radio")
    return [...(group.length ? group : [input])].some((one) => one.checked);
  if (!input.value.trim()) return false;
  if (input.dataset.shapes) return documentIsRight(input);
  if ("documents" in input.dataset) return input.value === "NIT" || !isCompany(input.form);
  if (input.type === "tel") return /^(57)?3\d{9}$/.test(digits(input.value));
  return input.validity.valid;
}
function heal(field) {
  field.classList.remove("wrong");
  field.querySelectorAll(".errorlist").forEach((list) => list.remove());
  for (const one of [field, ...field.querySelectorAll("[aria-invalid], [aria-describedby]")]) {
    one.removeAttribute("aria-invalid");
    one.removeAttribute("aria-describedby");
  }
  const box = document.getElementById("errors");
  for (const link of box?.querySelectorAll("a") ?? [])
    if (field.matches(link.hash) || field.querySelector(link.hash)) link.parentElement.remove();
  if (!box || box.querySelector("li")) return;
  box.remove();
  document.title = document.title.replace(/^Error: /, "");
}

// A company pays with its NIT and its own name; the person's are kept for the way back.
const isCompany = (form) => form.elements.person_type?.value === "LEGAL";
function proposeDocument(form) {
  const kind = form.querySelector("[data-documents]"), number = form.querySelector("[data-shapes]");
  if (!kind || !number || ![...kind.options].some((option) => option.value === "NIT")) return;
  const { name } = form.elements;
  if (isCompany(form) && kind.value !== "NIT") {
    Object.assign(kind, { before: [kind.value, number.value, name.value], value: "NIT" });
    number.value = name.value = "";
    const wrong = number.closest(".field.wrong");  // what it says is of the person's document
    if (wrong) heal(wrong);
  } else if (!isCompany(form) && kind.before && kind.value === "NIT") {
    [kind.value, number.value, name.value] = kind.before;
    kind.before = null;
  } else return;
  kind.dispatchEvent(new Event("change", { bubbles: true }));
}
const relabel = (input, isOfCompany) => {
  const { person, company } = input?.dataset ?? {};
  if (company && input.labels[0]) input.labels[0].textContent = isOfCompany ? company : person;
};
const keyboardOf = (form) => {
  relabel(form.querySelector("input[name=name]"), isCompany(form));
  const kind = form.querySelector("[data-documents]"), number = form.querySelector("[data-shapes]");
  if (!kind || !number) return;
  number.inputMode = JSON.parse(number.dataset.shapes)[kind.value]?.startsWith("[0-9]") ? "numeric" : "text";
  relabel(number, kind.value === "NIT");
};
for (const kind of ["input", "change"])
  document.addEventListener(kind, ({ target }) => {
    if (!target.form) return;
    // Another way has other fields: what was wrong with the first is no error of this one.
    if (target.name === "network" && target.closest(".ways"))
      target.form.querySelectorAll(".field.wrong").forEach(heal);
    if (target.name === "person_type") { proposeDocument(target.form); keyboardOf(target.form); }
    if (kind === "change" && "documents" in target.dataset) {
      keyboardOf(target.form);
      const number = target.form.querySelector(".wrong [data-shapes]");
      if (number && mended(number)) heal(number.closest(".field"));
    }
    const field = target.closest(".field.wrong");
    if (field && mended(target)) heal(field);
  });
[...document.forms].forEach(keyboardOf);

// Pesos are grouped while they are typed: 1234567 becomes 1.234.567. The server reads both. What
// may be cents (50.00) or another way of writing stays as it is.
function group(input, isDeletion) {
  const sign = input.dataset.grouped, [first, ...others] = input.value.split(sign);
  const isPlain = [first, ...others].every((part) => /^\d+$/.test(part));
  if (!isPlain || (!isDeletion && others.some((part) => part.length < 3))) return;
  const after = digits(input.value.slice(input.selectionStart)).length;
  input.value = digits(input.value).replace(/^0+(?=\d)/, "").replace(/\B(?=(\d{3})+$)/g, sign);
  let place = input.value.length;
  for (let passed = 0; passed < after; place -= 1) passed += input.value[place - 1] !== sign;
  input.setSelectionRange(place, place);
}
document.addEventListener("input", ({ target, inputType }) => {
  if (target.dataset.grouped) group(target, inputType?.startsWith("delete"));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.copy) copy(button);
  if (button?.dataset.save) save(button);
  if (button && "print" in button.dataset) print();
  // The public proof, not this page: its link is the payer's own.
  if (button?.dataset.share) navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {});  // closed by the payer
  if (button && "stay" in button.dataset) stay();
});
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = "yes";
  leaving = true;
  if (document.querySelector("[data-return]")) stay();
  const button = event.submitter ?? event.target.querySelector("button:not([type=button])");
  button.setAttribute("aria-disabled", "true");
  button.classList.add("busy");
  if (button.dataset.busy) say(button.textContent = button.dataset.busy);
});
addEventListener("offline", () => connected(false));
addEventListener("online", () => { delay = FASTEST; poll(); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
document.addEventListener("visibilitychange", () => { delay = FASTEST; poll(); });
dress();
document.getElementById("errors")?.focus();  // where `autofocus` is for fields alone
tick();
setInterval(tick, 1000);
timer = setTimeout(poll, FASTEST);
