// A long list of choices becomes a field to search in (WAI-ARIA 1.2: an editable combobox with list
// autocomplete). The select stays in the form and carries the value; without this file it is shown.
// On a phone the open list fills the window (.panel in forms.css).
"use strict";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[.,]/g, " ").trim();
// Words that many names have, and that people shorten: "bco. de Bogotá", "b de bogota".
const COMMON = ["banco", "bco", "b", "bank", "de", "del", "la", "el"];
const asked = (text) => {
  const words = plain(text).split(/\s+/), rare = words.filter((word) => !COMMON.includes(word));
  return rare.length ? rare : words.length > 1 ? ["banco"] : words;
};

// As long as the text itself, so that a place in one is the place in the other.
const folded = (text) => [...text].map((sign) => plain(sign) || " ").join("");
// A choice with what was typed of it in bold.
function draw({ item, text }, parts) {
  const name = folded(text), places = parts.map((part) => [name.indexOf(part), part.length]);
  let end = 0;
  item.replaceChildren();
  for (const [at, length] of places.sort(([one], [other]) => one - other)) {
    if (at < end) continue;
    const bold = Object.assign(document.createElement("b"), { textContent: text.slice(at, at + length) });
    item.append(text.slice(end, at), bold);
    end = at + length;
  }
  item.append(text.slice(end));
}
// What is paid to whom, which the open list hides on a phone.
function orderLine() {
  const shop = document.querySelector(".brand.shop")?.lastElementChild?.textContent;
  const total = document.querySelector(".summary .total")?.cloneNode(true);
  total?.querySelectorAll(".unseen").forEach((one) => one.remove());
  const line = Object.assign(document.createElement("p"), { className: "panel-order", ariaHidden: "true" });
  for (const text of [shop, total?.textContent.trim()])
    if (text) line.append(Object.assign(document.createElement("span"), { textContent: text }));
  return line;
}

// Names that were meant: each word that was typed is nearly one of theirs. The nearest first.
function near(options, words) {
  const far = (word, each) => Math.min(...each.map((one) => distance(word, one)));
  const most = (word) => word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
  return options.filter(({ each }) => words.every((word) => far(word, each) <= most(word)))
    .map((option) => ({ option, sum: words.reduce((sum, word) => sum + far(word, option.each), 0) }))
    .sort((one, other) => one.sum - other.sum).slice(0, 4).map(({ option }) => option);
}

function searchable(select) {
  const { search, none, found } = select.dataset;
  const label = select.labels[0].textContent;
  const list = Object.assign(document.createElement("ul"), { id: `${select.id}_list`, className: "choices", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", label);
  const input = Object.assign(document.createElement("input"), {
    type: "text", id: select.id, autocomplete: "off", spellcheck: false, placeholder: search,
  });
  const facts = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": list.id, "aria-required": "true", autocapitalize: "none", enterkeyhint: "done" };
  for (const name of ["aria-invalid", "aria-describedby"])
    if (select.hasAttribute(name)) facts[name] = select.getAttribute(name);
  for (const [name, value] of Object.entries(facts)) input.setAttribute(name, value);

  const often = select.querySelector("optgroup");
  const options = [...select.options].filter((option) => option.value).map((option, at) => {
    const item = Object.assign(document.createElement("li"), { id: `${list.id}_${at}`, textContent: option.text });
    item.setAttribute("role", "option");
    if (often && option === often.lastElementChild) item.className = "last-often";
    const words = plain(`${option.text} ${option.dataset.also ?? ""}`);
    return { item, value: option.value, text: option.text, words, each: words.split(/\s+/) };
  });
  const empty = Object.assign(document.createElement("li"), { className: "none", textContent: none });
  empty.setAttribute("role", "option");
  empty.setAttribute("aria-disabled", "true");
  const close_button = Object.assign(document.createElement("button"), {
    type: "button", className: "plain", textContent: select.dataset.close, tabIndex: -1,
  });
  const bar = Object.assign(document.createElement("div"), { className: "panel-bar" });
  bar.append(Object.assign(document.createElement("span"), { textContent: label, ariaHidden: "true" }), close_button);
  const box = Object.assign(document.createElement("div"), { className: "search" });
  const panel = Object.assign(document.createElement("div"), { className: "panel" });
  const fills = matchMedia("(max-width: 599px)");  // the window, as in forms.css
  let shown = options, active = null, isNear = false, isInHistory = false;
  // What the list does not have: the way to the other methods, as the foot of the page leads there.
  const away = document.querySelector(".exits a[href$='/methods']")?.cloneNode(true);

  const chosen = () => options.find(({ value }) => value === select.value);
  const point = (option) => {
    active?.item.classList.remove("active");
    active = option ?? null;
    active?.item.classList.add("active");
    active?.item.scrollIntoView({ block: "nearest" });
    if (active) input.setAttribute("aria-activedescendant", active.item.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    list.hidden = true;
    if (away) away.hidden = true;
    if (isInHistory) { isInHistory = false; history.back(); }
    input.placeholder = search;
    if (select.value) input.value = chosen().text;
    box.classList.remove("open");
    input.setAttribute("aria-expanded", "false");
    point(null);
  };
  // All of what was typed first, then the whole word, words that begin so, and the rest.
  const rank = ({ words, each }, [word], typed) => words.includes(typed) && typed !== word ? 0
    : each.includes(word) ? 1 : each.some((one) => one.startsWith(word)) ? 2 : 3;
  const open = (words = [], typed = "") => {
    shown = options.filter((option) => words.every((word) => option.words.includes(word)));
    if (words.length) shown.sort((one, other) => rank(one, words, typed) - rank(other, words, typed));
    isNear = !shown.length;
    if (isNear) shown = near(options, words);
    empty.textContent = shown.length ? select.dataset.near : none;
    if (away) away.hidden = !isNear;
    for (const option of shown) draw(option, folded(option.text).includes(typed) ? [typed].filter(Boolean) : words);
    list.replaceChildren(...(isNear ? [empty] : []), ...shown.map(({ item }) => item));
    list.classList.toggle("whole-list", !words.length);
    list.hidden = false;
    // Back closes the list that fills the window, and leaves no page.
    if (fills.matches && !isInHistory) { isInHistory = true; history.pushState({ list: list.id }, ""); }
    box.classList.add("open");
    input.setAttribute("aria-expanded", "true");
    point(words.length ? null : chosen());
    for (const { item, value } of options) item.setAttribute("aria-selected", value === select.value);
    if (select.value) {  // a name in the field would look like a filter of this whole list
      input.placeholder = input.value || input.placeholder;
      input.value = "";
    }
  };
  const choose = (option) => {
    select.value = option.value;
    input.value = option.text;
    close();
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const settle = () => {  // what was typed in full is chosen; anything else is not
    const typed = plain(input.value);
    const exact = options.find(({ text }) => plain(text) === typed);
    if (exact) choose(exact);
    else { input.value = chosen()?.text ?? ""; close(); }
  };
  const step = (by) => {
    if (list.hidden) open();
    if (!shown.length) return;
    const at = shown.indexOf(active);
    point(shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length]);
  };

  input.addEventListener("input", () => {
    select.value = "";
    const typed = plain(input.value).replace(/\s+/g, " ");
    open(typed ? asked(typed) : [], typed);
    if (isNear && shown.length) say(`${select.dataset.near} ${shown.map(({ text }) => text).join(", ")}`);
    else say(shown.length ? found.replace("%s", shown.length) : none);
  });
  input.addEventListener("click", () => { if (list.hidden) open(); });
  input.addEventListener("focus", () => input.select());
  panel.addEventListener("focusout", ({ relatedTarget }) => { if (!panel.contains(relatedTarget)) settle(); });
  addEventListener("popstate", () => {
    if (!isInHistory) return;
    isInHistory = false;
    settle();
  });
  away?.addEventListener("click", (event) => {  // in the place of the open list
    if (!isInHistory) return;
    event.preventDefault();
    location.replace(away.href);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter" && !list.hidden) {
      if (active) choose(active);
      else if (shown.length === 1 && !isNear) choose(shown[0]);
      else step(1);  // several: which one is meant?
    } else if (event.key === "Escape" && !list.hidden) close();
    else if (event.key === "Escape" && input.value) { input.value = ""; select.value = ""; }
    else return;
    event.preventDefault();
  });
  panel.addEventListener("pointerdown", (event) => {  // the field keeps the focus
    if (event.target !== input) event.preventDefault();
  });
  close_button.addEventListener("click", settle);
  list.addEventListener("click", (event) => {
    const option = options.find(({ item }) => item.contains(event.target));
    if (option) choose(option);
  });

  input.value = chosen()?.text ?? "";
  select.removeAttribute("id");
  select.hidden = true;
  select.before(box);
  panel.append(orderLine(), bar, input, list);
  if (away) {
    Object.assign(away, { hidden: true, className: "away" });
    panel.append(away);
  }
  box.append(panel, select);
}

document.querySelectorAll("select[data-search]").forEach(searchable);
