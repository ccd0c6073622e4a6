// The page works without this: it adds buttons that copy, keeps the chosen language of code,
// and closes the contents on a small screen.
(() => {
  "use strict";
  for (const figure of document.querySelectorAll("figure")) {
    const code = figure.querySelector("code");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code); // no clipboard here: Ctrl-C does it
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    figure.querySelector("figcaption").append(button);
  }

  const tabs = [...document.querySelectorAll(".tabs input")];
  const chosen = tabs.find((tab) => tab.id === localStorage.getItem("docs-language"));
  if (chosen) chosen.checked = true;
  for (const tab of tabs) {
    tab.addEventListener("change", () => localStorage.setItem("docs-language", tab.id));
  }

  const menu = document.querySelector(".menu");
  const small = matchMedia("(max-width: 60rem)");
  const fit = () => { menu.open = !small.matches; };
  small.addEventListener("change", fit);
  fit();
  menu.addEventListener("click", (event) => {
    if (small.matches && event.target.closest("a")) menu.open = false;
  });
})();
