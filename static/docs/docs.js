// The page works without this: it adds buttons that copy, keeps the chosen language of code, marks
// where the reader is in the contents, and closes them once something was chosen.
(() => {
  "use strict";
  const words = document.body.dataset;
  document.documentElement.classList.add("scripted");

  for (const figure of document.querySelectorAll("figure")) {
    const code = figure.querySelector("code");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.copy;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = words.copied;
      } catch {
        getSelection().selectAllChildren(code); // no clipboard here: Ctrl-C does it
        button.textContent = words.selected;
      }
      setTimeout(() => { button.textContent = words.copy; }, 1500);
    });
    figure.querySelector("figcaption").append(button);
  }

  const tabs = [...document.querySelectorAll(".tabs input")];
  const choose = (language) => {
    for (const tab of tabs) if (tab.value === language) tab.checked = true;
  };
  choose(localStorage.getItem("docs-language"));
  for (const tab of tabs) {
    tab.addEventListener("change", () => {
      const before = tab.getBoundingClientRect().top;
      choose(tab.value);
      scrollBy(0, tab.getBoundingClientRect().top - before); // the examples above changed, too
      localStorage.setItem("docs-language", tab.value);
    });
  }

  const menu = document.querySelector(".menu");
  const contents = document.querySelector(".contents");
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a")) menu.open = false; // matters on a small screen only
  });

  // The line of the contents whose section is a fifth below the top.
  const lines = new Map();
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const line = lines.get(target);
      if (!isIntersecting || line.hasAttribute("aria-current")) continue;
      contents.querySelector("[aria-current=location]")?.removeAttribute("aria-current");
      line.setAttribute("aria-current", "location");
      const { top, bottom } = line.getBoundingClientRect();
      const frame = contents.getBoundingClientRect();
      if (top < frame.top || bottom > frame.bottom) contents.scrollTop += top - frame.top - frame.height / 3;
    }
  }, { rootMargin: "-20% 0px -79% 0px" });
  for (const line of contents.querySelectorAll("a[href^='#']")) {
    const section = document.getElementById(decodeURIComponent(line.hash.slice(1)));
    // A part of the API ends where its first operation begins.
    const target = section.querySelector(":scope > .prose") ?? section;
    lines.set(target, line);
    watcher.observe(target);
  }

  const language = document.querySelector("a.language");
  language.addEventListener("click", () => { language.hash = location.hash; });
})();
