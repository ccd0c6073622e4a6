"""A form of the console as a browser would send it unchanged."""

from html.parser import HTMLParser
from typing import Any


class _Form(HTMLParser):
    """Names and values of what is filled in, ticked or chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self._area = self._select = ""
        self._options: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value")
        if tag == "select":
            self._select, self._options = name, []
        elif tag == "option" and self._select:
            self._options.append((value or "", "selected" in given))
        elif tag == "textarea":
            self._area = name
        elif tag == "input" and name and "disabled" not in given:
            kind = given.get("type", "text")
            if kind in ("checkbox", "radio") and "checked" not in given:
                return
            if kind not in ("file", "submit"):
                bare = "on" if kind in ("checkbox", "radio") else ""
                self.sent.setdefault(name, []).append(bare if value is None else value)

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent.setdefault(self._area, []).append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""
        elif tag == "select" and self._select:
            chosen = [value for value, is_chosen in self._options if is_chosen]
            first = [value for value, _is_chosen in self._options[:1]]
            self.sent[self._select] = chosen or first
            self._select = ""


def as_shown(answer: Any) -> dict[str, list[str]]:
    """What the browser would send of this page."""
    assert answer.status_code == 200, answer.status_code
    return filled_in(answer)


def filled_in(answer: Any) -> dict[str, list[str]]:
    """Also of a page that refused what was sent."""
    form = _Form()
    form.feed(answer.content.decode())
    return form.sent
