"use strict";
// The progress of an export; without it the page reloads itself (noscript).
(() => {
  const box = document.querySelector("[data-export-state]");
  if (!box) return;
  const show = (name, value) => {
    const place = box.querySelector(`[data-export-${name}]`);
    if (place && value !== null) place.textContent = value;
  };
  const ask = async () => {
    try {
      const answer = await fetch(box.dataset.exportState, { credentials: "same-origin" });
      if (!answer.ok || answer.redirected) return location.reload();
      const state = await answer.json();
      if (state.status !== box.dataset.exportStatus) return location.reload();
      box.querySelector("[data-export-bar]").value = state.percent;
      show("done", state.rowsDone);
      show("total", state.rowsTotal);
    } catch {
      // Away for a moment: the next question will tell.
    }
    setTimeout(ask, 1000);
  };
  setTimeout(ask, 1000);
})();
