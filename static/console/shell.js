"use strict";
/* What every page of the console shares: the colours before the first paint, copying, the search
   palette, and the box that chooses a record. */

(() => {
  const stored = localStorage.getItem("_x_adminTheme") || "";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (stored.includes("dark") || (!stored.includes("light") && dark)) {
    document.documentElement.classList.add("dark");
  }
})();

/* The theme asks this library for the scroll bars of the side bar; the browser's own serve. */
window.SimpleBar = { instances: new Map() };

/* The zone of a file has the name and the size of what was chosen (admin/file_input.html). The theme
   would write the name into a text field of its own, which no page has. */
document.addEventListener("DOMContentLoaded", () => {
  for (const input of document.querySelectorAll("input[type=file]")) input.hasChangeListener = true;
});

function shownSize(bytes) {
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / 1024 / 1024, "MB"];
  const rounded = size < 10 ? Math.max(Math.round(size * 10) / 10, .1) : Math.round(size);
  return `${new Intl.NumberFormat(document.documentElement.lang).format(rounded)} ${unit}`;
}

document.addEventListener("change", ({ target }) => {
  const zone = target.closest("[data-file-zone]");
  if (!zone) return;
  const chosen = zone.querySelector("[data-file-chosen]");
  const [file] = target.files;
  chosen.hidden = !file;
  chosen.textContent = file ? `${file.name} · ${shownSize(file.size)}` : "";
});

for (const kind of ["dragenter", "dragleave", "drop"]) {
  document.addEventListener(kind, ({ target }) => {
    target.closest?.("[data-file-zone]")?.classList.toggle("file-zone-over", kind === "dragenter");
  });
}

/* On a phone what is further down begins folded. */
document.addEventListener("DOMContentLoaded", () => {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  for (const fold of document.querySelectorAll("[data-fold-on-phone]")) fold.open = false;
});

/* The browser's calendar beside a day that is written as 31/12/2026 (admin/day_input.html). */
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("[data-day-open]")) {
    const [text, native] = [button.previousElementSibling, button.nextElementSibling];
    button.hidden = native.hidden = !native.showPicker;
    native.addEventListener("change", () => {
      text.value = native.value.split("-").reverse().join("/");
      text.dispatchEvent(new Event("input", { bubbles: true }));
    });
    button.addEventListener("click", () => {
      native.value = text.value.split("/").reverse().join("-");
      native.showPicker();
    });
  }
});

/* {url: as the palette's address, term} puts the records found into the palette. */
async function searchPalette(input, component) {
  const term = input.value.trim();
  const target = document.getElementById("command-results");
  const address = `${input.dataset.url}?extended=1&s=${encodeURIComponent(term)}`;
  const answer = term ? await fetch(address, { headers: { "X-Requested-With": "fetch" } }) : null;
  if (input.value.trim() !== term) return; // a newer search is on its way
  target.innerHTML = answer && answer.ok ? await answer.text() : "";
  component.handleContentLoaded({ target });
  if (component.totalItems) component.currentIndex = 1;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  event.preventDefault();
  const { copy, copyFrom } = button.dataset;
  const text = copyFrom ? document.querySelector(copyFrom).innerText.trim() : copy;
  await navigator.clipboard.writeText(text);
  button.classList.add("shell-copied");
  const said = document.getElementById("shell-said");
  said.textContent = said.dataset.copied;
  setTimeout(() => button.classList.remove("shell-copied"), 1500);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-download], [data-print]");
  if (!button) return;
  if (button.hasAttribute("data-print")) return window.print();
  const text = document.querySelector(button.dataset.copyFrom).innerText.trim();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  link.download = button.dataset.download;
  link.click();
});

/* The reason of a change is asked for once something was changed. */
document.addEventListener("input", ({ target }) => {
  for (const part of target.form ? target.form.querySelectorAll("fieldset.collapse > details") : []) {
    if (part.querySelector("[name=reason]")) part.open = true;
  }
});

/* A record that can be changed has its bar to save once something was changed, or was refused. Without
   this file the bar is always there. */
document.addEventListener("DOMContentLoaded", () => {
  const bar = document.getElementById("submit-row");
  const form = document.querySelector("form[id$=_form]");
  if (!bar || !form || !document.querySelector(".shell-head")) return;
  if (form.querySelector(".errors, .errorlist, .errornote")) return;
  bar.hidden = true;
  const show = ({ target }) => { if (target.form === form) bar.hidden = false; };
  for (const kind of ["input", "change"]) document.addEventListener(kind, show);
});

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

/* A select that is searched while a person types: its options come from the server (Django's
   autocomplete), or are its own. */
class Picker {
  constructor(select) {
    this.select = select;
    this.box = document.createElement("div");
    this.box.className = "shell-pick";
    this.list = document.createElement("ul");
    Object.assign(this.list, { id: `${select.id || select.name}-found`, hidden: true });
    this.list.setAttribute("role", "listbox");
    this.input = document.createElement("input");
    const current = select.selectedOptions[0];
    // Without an address the options of the select itself are searched.
    this.own = select.dataset.url ? null : [...select.options].filter((one) => one.value)
      .map((one) => ({ id: one.value, text: one.text }));
    Object.assign(this.input, {
      type: "text", autocomplete: "off", value: current && current.value ? current.text : "",
      placeholder: select.dataset.placeholder || "", className: select.dataset.inputClass || "",
    });
    const attributes = {
      role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list",
      "aria-controls": this.list.id,
      "aria-label": select.labels[0] ? select.labels[0].innerText.trim() : select.dataset.label,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value) this.input.setAttribute(name, value);
    }
    this.list.setAttribute("aria-label", attributes["aria-label"] || "");
    select.hidden = true;
    select.after(this.box);
    this.box.append(this.input, this.list);
    // The label, and links to the field, lead to what a person sees.
    if (this.own) [this.input.id, select.id] = [select.id, `${select.id}-value`];
    this.input.addEventListener("input", () => this.wait());
    this.input.addEventListener("focus", () => this.load());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
  }

  wait() {
    clearTimeout(this.timer);
    if (!this.input.value) this.choose("", "");
    this.timer = setTimeout(() => this.load(), this.own ? 0 : 250);
  }

  async load() {
    const { url, appLabel, modelName, fieldName } = this.select.dataset;
    const chosen = this.select.selectedOptions[0];
    const term = chosen && chosen.value && chosen.text === this.input.value ? "" : this.input.value;
    const query = new URLSearchParams({
      term, app_label: appLabel, model_name: modelName, field_name: fieldName,
    });
    const answer = this.own ? null : await fetch(`${url}?${query}`);
    const found = this.own ? { results: this.own.filter(({ text }) => folded(text).includes(folded(term))) }
      : answer.ok ? await answer.json() : { results: [] };
    const { results } = found;
    this.list.replaceChildren(...results.map((each, place) => {
      const option = document.createElement("li");
      option.id = `${this.list.id}-${place}`;
      option.setAttribute("role", "option");
      option.dataset.value = each.id;
      option.textContent = each.text;
      option.addEventListener("mousedown", (event) => {
        event.preventDefault();
        this.take(option);
      });
      return option;
    }));
    this.list.hidden = !results.length;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.mark(this.own && term ? 0 : -1);
  }

  mark(place) {
    const options = [...this.list.children];
    this.place = options.length ? (place + options.length) % options.length : -1;
    if (place < 0 && place === -1) this.place = -1;
    options.forEach((one, at) => one.setAttribute("aria-selected", String(at === this.place)));
    const marked = options[this.place];
    if (marked) {
      this.input.setAttribute("aria-activedescendant", marked.id);
      marked.scrollIntoView({ block: "nearest" });
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  key(event) {
    const last = this.list.children.length - 1;
    if (event.key === "ArrowDown") this.mark(this.place >= last ? 0 : this.place + 1);
    else if (event.key === "ArrowUp") this.mark(this.place <= 0 ? last : this.place - 1);
    else if (event.key === "Escape") return this.close();
    else if (event.key === "Enter" && !this.list.hidden && this.place >= 0) {
      this.take(this.list.children[this.place]);
    } else return;
    event.preventDefault();
  }

  take(option) {
    this.choose(option.dataset.value, option.textContent);
    this.close();
  }

  choose(value, text) {
    if (text) this.input.value = text;
    this.select.replaceChildren(new Option(text, value, true, true));
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    const chosen = this.select.selectedOptions[0];
    this.input.value = chosen && chosen.value ? chosen.text : "";
  }
}

/* On a phone the first act stands beside the menu, and the others are in it. */
document.addEventListener("DOMContentLoaded", () => {
  const menu = document.querySelector("#header-inner .shell-actions > .shell-more:last-child:not(:first-child)");
  const box = menu && menu.querySelector("summary[aria-label] + .shell-more-box");
  if (!box) return;
  const others = [...menu.parentNode.children].slice(1, -1);
  const moved = others.filter((each) => !each.classList.contains("shell-more"));
  const narrow = matchMedia("(max-width: 40rem)");
  const place = () => (narrow.matches ? box.prepend(...moved) : menu.before(...moved));
  if (narrow.matches) place();
  narrow.addEventListener("change", place);
});

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("select[data-picker]").forEach((select) => new Picker(select));
  const active = document.querySelector("#nav-sidebar-apps a.active");
  if (active) {
    const list = document.getElementById("nav-sidebar-apps");
    const middle = active.offsetTop - list.offsetTop - list.clientHeight / 2;
    const lines = [...list.querySelectorAll("summary, a")].map((line) => line.offsetTop - list.offsetTop);
    // A whole line stands at the top of the menu.
    list.scrollTop = Math.max(0, ...lines.filter((top) => top <= middle)) - 8;
  }
});

/* An amount in pesos that was typed without signs gets those of its thousands. */
document.addEventListener("change", (event) => {
  const [group, point] = event.target.dataset?.pesos || "";
  if (!group) return;
  const [whole, ...cents] = event.target.value.trim().split(point);
  if (!/^\d{4,15}$/.test(whole) || !/^(\d{1,2})?$/.test(cents.join(point))) return;
  event.target.value = [whole.replace(/\B(?=(\d{3})+$)/g, group), ...cents].join(point);
});

/* Forms heal: an error leaves once its field has another value that the browser takes. The server
   judges the rest when the form is sent. */
const mended = (input) => {
  if (input.type !== "checkbox" && input.type !== "radio")
    return Boolean(input.value.trim()) && input.validity.valid;
  const group = input.form.elements[input.name];
  return [...(group.length ? group : [input])].some((one) => one.checked);
};
function heal(part) {
  part.classList.remove("errors");
  part.querySelectorAll(".field-wrong").forEach((one) => one.remove());
  const box = document.getElementById("errors");
  for (const link of box?.querySelectorAll("li a") ?? [])
    if (part.querySelector(link.hash)) link.parentElement.remove();
  if (box && !box.querySelector("li")) box.remove();
}
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    const part = target.form && target.closest(".errors, .hand-how");
    if (part?.querySelector(".field-wrong") && mended(target)) heal(part);
  });
}
document.addEventListener("DOMContentLoaded", () => document.getElementById("errors")?.focus());
