// A long list of choices becomes a field to search in (WAI-ARIA 1.2: an editable combobox with list
// autocomplete). The select stays in the form and carries the value; without this file it is shown.
"use strict";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

function searchable(select) {
  const { search, none, found } = select.dataset;
  const list = Object.assign(document.createElement("ul"), { id: `${select.id}_list`, className: "choices", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", select.labels[0].textContent);
  const input = Object.assign(document.createElement("input"), {
    type: "text", id: select.id, autocomplete: "off", spellcheck: false, placeholder: search,
  });
  const facts = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": list.id, "aria-required": "true", autocapitalize: "none", enterkeyhint: "done" };
  for (const name of ["aria-invalid", "aria-describedby"])
    if (select.hasAttribute(name)) facts[name] = select.getAttribute(name);
  for (const [name, value] of Object.entries(facts)) input.setAttribute(name, value);

  const options = [...select.options].filter((option) => option.value).map((option, at) => {
    const item = Object.assign(document.createElement("li"), { id: `${list.id}_${at}`, textContent: option.text });
    item.setAttribute("role", "option");
    return { item, value: option.value, text: option.text, words: plain(option.text) };
  });
  const empty = Object.assign(document.createElement("li"), { className: "none", textContent: none });
  empty.setAttribute("role", "option");
  empty.setAttribute("aria-disabled", "true");
  let shown = options, active = null;

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
    input.setAttribute("aria-expanded", "false");
    point(null);
  };
  const open = (words = []) => {
    shown = options.filter((option) => words.every((word) => option.words.includes(word)));
    list.replaceChildren(...(shown.length ? shown.map(({ item }) => item) : [empty]));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    point(words.length ? null : chosen());
    for (const { item, value } of options) item.setAttribute("aria-selected", value === select.value);
  };
  const choose = (option) => {
    select.value = option.value;
    input.value = option.text;
    input.removeAttribute("aria-invalid");
    close();
  };
  const settle = () => {  // what was typed in full is chosen; anything else is not
    const typed = plain(input.value);
    const exact = options.find(({ words }) => words === typed);
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
    open(plain(input.value).split(/\s+/));
    say(shown.length ? found.replace("%s", shown.length) : none);
  });
  input.addEventListener("click", () => { if (list.hidden) open(); });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", settle);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter" && !list.hidden) {
      if (active) choose(active);
      else if (shown.length === 1) choose(shown[0]);
      else step(1);  // several: which one is meant?
    } else if (event.key === "Escape" && !list.hidden) close();
    else if (event.key === "Escape" && input.value) { input.value = ""; select.value = ""; }
    else return;
    event.preventDefault();
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault());  // the field keeps the focus
  list.addEventListener("click", (event) => {
    const option = options.find(({ item }) => item === event.target);
    if (option) choose(option);
  });

  input.value = chosen()?.text ?? "";
  select.removeAttribute("id");
  select.hidden = true;
  const box = Object.assign(document.createElement("div"), { className: "search" });
  select.before(box);
  box.append(input, list, select);
}

document.querySelectorAll("select[data-search]").forEach(searchable);
