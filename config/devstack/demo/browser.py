"""A payer's browser without JavaScript: follows links, fills in forms, keeps cookies."""

import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar

TIMEOUT_SECONDS = 20


class DemoError(Exception):
    """A step failed. The text says what was expected and what happened."""


@dataclass
class Form:
    """`values` are those of an unchanged form, `choices` the values of selects and buttons."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)

    def can_send(self, name: str, value: str) -> bool:
        return value in self.choices.get(name, [])


@dataclass
class Page:
    """`copies` are the texts of its buttons that copy."""

    url: str
    status: int
    html: str
    forms: list[Form] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)

    def form_with(self, name: str, value: str | None = None) -> Form:
        """The form that holds the field `name` (and offers `value`)."""
        for form in self.forms:
            if value is None and name in form.values.keys() | form.choices.keys():
                return form
            if value is not None and form.can_send(name, value):
                return form
        raise DemoError(f"{self.url} has no form with {name}={value or '...'}.")


class Browser:
    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(CookieJar()),
        )

    def open(self, url: str, data: bytes | None = None) -> Page:
        """GET, or POST with `data`; redirects are followed. Raises DemoError on 4xx and 5xx."""
        try:
            with self._opener.open(url, data, timeout=TIMEOUT_SECONDS) as response:
                html = response.read().decode()
                return _read(response.url, response.status, html)
        except urllib.error.HTTPError as error:
            raise DemoError(f"{url} returned {error.code}: {error.read(300)!r}") from error
        except OSError as error:
            raise DemoError(f"{url} did not respond: {error}") from error

    def send(self, page: Page, form: Form, values: Mapping[str, str]) -> Page:
        """Submits `form` with `values` over its own."""
        encoded = urllib.parse.urlencode({**form.values, **values})
        url = urllib.parse.urljoin(page.url, form.action or page.url)
        if form.method == "get":
            return self.open(f"{url}?{encoded}" if encoded else url)
        return self.open(url, encoded.encode())


class _Reader(HTMLParser):
    """Collects links, and the fields of forms with the values that a browser would send."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.form: Form | None = None
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "data-copy" in given:
            self.page.copies.append(given["data-copy"])
        if tag == "a" and given.get("href"):
            self.page.links.append(urllib.parse.urljoin(self.page.url, given["href"]))
        elif tag == "form":
            self.form = Form(given.get("action", ""), given.get("method", "get").lower())
            self.page.forms.append(self.form)
        elif self.form is not None:
            self._field(self.form, tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""

    def _field(self, form: Form, tag: str, given: dict[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "select":
            self.select = name
            form.choices.setdefault(name, [])
        elif tag == "option" and self.select:
            form.choices[self.select].append(value)
            if "selected" in given:
                form.values[self.select] = value
        elif tag == "button" or given.get("type") in ("submit", "radio", "checkbox"):
            form.choices.setdefault(name, []).append(value or "on")
            if "checked" in given:
                form.values[name] = value or "on"
        elif tag in ("input", "textarea") and name:
            form.values[name] = value


def _read(url: str, status: int, html: str) -> Page:
    page = Page(url=url, status=status, html=html)
    _Reader(page).feed(html)
    return page
