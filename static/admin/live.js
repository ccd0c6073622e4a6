"use strict";
// Replaces a part of the page by its newest state until that is final; then the whole page loads
// again. Without scripts the page reloads itself (noscript).
(() => {
  const place = document.querySelector("[data-live]");
  if (!place) return;
  const part = () => place.querySelector("[data-live-state]");
  const again = () => setTimeout(ask, 1000 * (Number(part().dataset.liveSeconds) || 5));
  const ask = async () => {
    if (document.hidden) return again();
    try {
      const answer = await fetch(place.dataset.live, { credentials: "same-origin" });
      if (!answer.ok || answer.redirected) return location.reload();
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = made.querySelector("[data-live-state]");
      if (!fresh) return location.reload();
      if (fresh.dataset.liveSeconds === "0") return location.reload();
      if (fresh.dataset.liveState !== part().dataset.liveState) part().replaceWith(fresh);
    } catch {
      // Away for a moment: the next question will tell.
    }
    again();
  };
  again();
})();
