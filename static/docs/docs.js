// The page works without this: it adds buttons that copy, keeps the chosen language of code,
// and closes the contents once something was chosen.
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
  document.querySelector(".contents").addEventListener("click", (event) => {
    if (event.target.closest("a")) menu.open = false; // matters on a small screen only
  });
})();
