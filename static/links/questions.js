// "Add another question" opens the next one by itself. This file moves the keyboard into it.
"use strict";
for (const more of document.querySelectorAll("details.link-more")) {
  more.firstElementChild.addEventListener("click", () => {
    requestAnimationFrame(() => more.querySelector("input")?.focus());
  });
}
