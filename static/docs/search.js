// Finds operations, errors, events and guides. The page itself is the index of what stands on it; the
// guides have one of their own, which is read when the reader begins to search.
(() => {
  "use strict";
  const input = document.querySelector(".search input");
  const list = document.getElementById("found");
  const kinds = input.dataset;
  const MOST = 12;
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const text = (element, selector) =>
    [...element.querySelectorAll(selector)].map((each) => each.textContent).join(" ");
  let entries;
  // A screen that is touched has no key for it.
  if (matchMedia("(hover: none)").matches) input.placeholder = input.placeholder.replace(/\s*\/$/, "");

  const entry = (id, kind, title, detail, more = "") =>
    ({ id, kind, title, detail, first: plain(`${title} ${detail} ${id}`), second: plain(more) });

  function collect() {
    const found = [];
    for (const section of document.querySelectorAll(".operation")) {
      const part = text(section.parentElement, ":scope > .prose h2");
      const more = `${part} ${text(section, ".says > p")} ${text(section, ".fields tbody th code")}`;
      found.push(entry(section.id, kinds.operation, text(section, "h3"), text(section, ".route"), more));
    }
    for (const row of document.querySelectorAll("#errors tr[id]")) {
      found.push(entry(row.id, kinds.error, row.id, row.cells[1].textContent, row.textContent));
    }
    for (const row of document.querySelectorAll("tr[id^=event-]")) {
      found.push(entry(row.id, kinds.event, row.cells[0].textContent, "", row.textContent));
    }
    for (const section of document.querySelectorAll("main .prose")) {
      const heading = section.querySelector("h2");
      const id = section.id || section.parentElement.id;
      if (heading && id) found.push(entry(id, kinds.guide, heading.textContent, "", text(section, "p, li")));
    }
    for (const heading of document.querySelectorAll(".prose h3[id]")) {
      const table = heading.nextElementSibling.textContent;
      found.push(entry(heading.id, kinds.guide, heading.textContent, "", table));
    }
    return found;
  }

  async function read() {
    entries = collect();
    const answer = await fetch(kinds.index);
    if (!answer.ok) return;
    for (const { address, title, detail, text: more } of await answer.json()) {
      const { pathname, hash } = new URL(address, location);
      if (pathname === location.pathname && document.getElementById(decodeURIComponent(hash.slice(1)))) continue;
      entries.push(entry(address, kinds.guide, title, detail, more));
    }
    if (document.activeElement === input) show();
  }

  function search(words) {
    const rank = ({ first, second }) => {
      if (words.every((word) => first.includes(word))) return first.startsWith(words[0]) ? 0 : 1;
      return words.every((word) => first.includes(word) || second.includes(word)) ? 2 : 3;
    };
    return entries.map((each) => [rank(each), each]).filter(([place]) => place < 3)
      .sort(([one], [other]) => one - other).slice(0, MOST).map(([, each]) => each);
  }

  const options = () => [...list.querySelectorAll("li[data-id]")];
  const select = (option) => {
    for (const each of options()) each.setAttribute("aria-selected", each === option);
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    select(null);
  };
  const go = (option) => {
    close();
    input.blur();
    const { id } = option.dataset;
    if (id.startsWith("/")) location.href = id;
    else location.hash = id;
  };

  function row({ id, kind, title, detail }, index) {
    const item = document.createElement("li");
    item.setAttribute("role", "option");
    item.id = `found-${index}`;
    item.dataset.id = id;
    for (const [tag, content] of [["span", title], ["i", kind], ["small", detail]]) {
      if (content) item.appendChild(document.createElement(tag)).textContent = content;
    }
    return item;
  }

  function show() {
    if (!entries) read();
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    if (!words.length) return close();
    const found = search(words);
    list.replaceChildren(...found.map(row));
    if (!found.length) {
      const nothing = list.appendChild(document.createElement("li"));
      nothing.setAttribute("role", "option");
      nothing.setAttribute("aria-disabled", "true");
      nothing.textContent = kinds.nothing;
    }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    select(options()[0]);
  }

  input.addEventListener("input", show);
  input.addEventListener("focus", show);
  input.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // else the list is gone before the click
    const option = event.target.closest("li[data-id]");
    if (option) go(option);
  });
  input.addEventListener("keydown", (event) => {
    const all = options();
    const now = all.findIndex((each) => each.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) select(all[(now + step + all.length) % all.length]);
    else if (event.key === "Enter" && all[now]) go(all[now]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
})();
