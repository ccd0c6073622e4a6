"""The page /docs/try, on which a developer sends requests to the API."""

import re
from html.parser import HTMLParser

from django.test import Client


class _Sources(HTMLParser):
    """Collects what a page loads or leads to, and what runs in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline: list[str] = []
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]

    def handle_data(self, data: str) -> None:
        if self._tag in ("script", "style") and data.strip():
            self.inline.append(data)


def test_page_loads_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/docs/try")
    assert page.status_code == 200
    sources = _Sources()
    sources.feed(page.content.decode())

    assert any(link.endswith("swagger-ui-bundle.js") for link in sources.links)
    assert all(re.match(r"/(?!/)|data:", link) for link in sources.links), sources.links
    assert sources.inline == []


def test_everything_the_page_loads_is_there(client: Client, db: None) -> None:
    sources = _Sources()
    sources.feed(client.get("/docs/try").content.decode())
    for link in sources.links:
        assert client.get(link).status_code == 200, link


def test_policy_of_the_page_lets_nothing_else_in(client: Client, db: None) -> None:
    policy = client.get("/docs/try").headers["Content-Security-Policy"]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    for rule, sources in rules.items():
        assert not re.search(r"https?:|\*|//", sources), rule


def test_script_of_the_page_requests_our_document(client: Client, db: None) -> None:
    script = client.get("/docs/try?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert b"/api/v1/openapi.json" in script.content
    assert not re.search(rb"https?://(?!testserver)", script.content)
