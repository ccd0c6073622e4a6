"""What is true of every screen, measured in the browser: axe, width, weight, and nothing moves."""

from pathlib import Path
from typing import Any

import axe_core_python
from playwright.sync_api import Page

AXE = Path(axe_core_python.__file__).parent / "axe.min.js"
WEIGHT_LIMIT_BYTES = 100_000
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Before anything of the page runs.
WATCH = """
window.jumps = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  window.jumps += entry.value;
})).observe({ type: "layout-shift", buffered: true });
"""
_FACTS = """() => {
  const loaded = performance.getEntriesByType("resource");
  const [page] = performance.getEntriesByType("navigation");
  return {
    jumps: window.jumps,
    weight: [page, ...loaded].reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    strangers: loaded.map((entry) => entry.name)
      .filter((name) => !name.startsWith(location.origin) && !name.startsWith("data:")),
    inline: [...document.querySelectorAll("style, [style], script:not([src])")]
      .map((element) => element.outerHTML),
    handlers: [...document.querySelectorAll("*")].flatMap((element) => [...element.attributes])
      .filter(({ name, value }) => name.startsWith("on") || value.startsWith("javascript:"))
      .map(({ name }) => name),
  };
}"""
# WCAG 2.2, 2.5.8, which this axe is too old for: 24 pixels, but for links inside a sentence.
_SMALL_TARGETS = """() => {
  const selector = "a[href], button, input:not([type=hidden]), select, summary, [role=option]";
  return [...document.querySelectorAll(selector)].filter((element) => {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    const hidden = !element.checkVisibility({ visibilityProperty: true }) || box.right < 0
      || box.bottom < 0;
    const label = element.labels?.[0]?.getBoundingClientRect();
    const inText = element.tagName === "A" && style.display === "inline";
    const least = Math.max(Math.min(box.width, box.height),
      label ? Math.min(label.width, label.height) : 0);
    return !hidden && !inText && least < 24;
  }).map((element) => "target-size: " + element.outerHTML);
}"""
_AXE = """async (runOnly) => {
  const result = await axe.run(document, {
    resultTypes: ["violations", "incomplete"], preload: false, selectors: false, runOnly,
  });
  // Ink of the very colour of its ground, which axe takes for hidden on purpose.
  const same = (node) => node.any.some((check) => check.data?.messageKey === "equalRatio");
  const unseen = result.incomplete.flatMap((rule) => rule.nodes).filter(same);
  return result.violations.flatMap((rule) =>
    rule.nodes.map((node) => rule.id + ": " + node.html + " " + node.failureSummary))
    .concat(unseen.map((node) => "unseen: " + node.html));
}"""


def facts(page: Page) -> dict[str, Any]:
    """What loading the page cost and did."""
    page.wait_for_load_state()
    found: dict[str, Any] = page.evaluate(_FACTS)
    return found


def assert_light_and_still(page: Page, name: str) -> int:
    """Nothing inline, nothing from elsewhere, nothing heavy, nothing moved. Returns its bytes."""
    found = facts(page)
    assert found["inline"] == found["handlers"] == found["strangers"] == [], name
    assert 0 < found["weight"] < WEIGHT_LIMIT_BYTES, name
    assert found["jumps"] == 0, name
    return int(found["weight"])


def violations(page: Page) -> list[str]:
    """What axe finds against WCAG 2.2 AA and its best practices, and targets that are too small."""
    page.wait_for_load_state()  # a click returns before the new page has its styles
    found = _found_by_axe(page, RULES)
    small: list[str] = page.evaluate(_SMALL_TARGETS)
    return found + small


def unreadable_in_the_dark(page: Page) -> list[str]:
    """Texts without enough contrast for a reader who prefers dark pages. Colours alone change."""
    page.emulate_media(color_scheme="dark")
    return _found_by_axe(page, {"type": "rule", "values": ["color-contrast"]})


def _found_by_axe(page: Page, rules: Any) -> list[str]:
    if not page.evaluate("!!window.axe"):
        page.evaluate(_source())
    found: list[str] = page.evaluate(_AXE, rules)
    return found


def overflow(page: Page) -> int:
    """How many pixels a reader would have to scroll sideways.

    Not against innerWidth: an emulated phone zooms out, and then it is as wide as the page.
    """
    page.wait_for_load_state()
    assert page.viewport_size is not None
    return int(page.evaluate("document.documentElement.scrollWidth")) - page.viewport_size["width"]


def _source(cache: dict[str, str] = {}) -> str:  # noqa: B006 - read once a run
    return cache.setdefault("axe", AXE.read_text())
