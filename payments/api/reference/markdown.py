"""The reference as Markdown, for programs that read it: GET /docs/reference.md."""

from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape

from django.utils import translation
from django.utils.html import strip_tags

from payments.api.reference import error_codes
from payments.api.reference.document import document
from payments.api.reference.event_fields import event_fields
from payments.api.reference.fields import Row, shown
from payments.api.reference.requests import Keys
from payments.api.reference.sections import OperationSection, by_product


@cache
def reference(address: str, rules: str) -> str:
    """In English, as the OpenAPI document. `address` is where the service is.

    `rules` is a chapter of Markdown that goes before the operations.
    """
    with translation.override("en"):
        return "\n".join(_lines(address, rules))


def _lines(address: str, rules: str) -> Iterator[str]:
    about = document()["info"]
    yield f"# {about['title']} API\n"
    yield f"{about['description']}\n"
    yield f"Every path begins at `{address}/api/v1`. Guides: {address}/llms.txt\n"
    yield f"{rules}\n"
    for part, operations in by_product(Keys(), address):
        yield f"## {shown(part.tag)}\n"
        yield f"{shown(part.text)}\n"
        for operation in operations:
            yield from _operation(operation)
    yield from _webhooks()
    yield from _errors()


def _operation(about: OperationSection) -> Iterator[str]:
    yield f"### {about.title}\n"
    yield f"`{about.method} {about.path}` (`{about.id}`)\n"
    if about.text:
        yield f"{_plain(about.text)}\n"
    yield from _fields("Parameter", about.parameters)
    yield from _fields("Body field", about.body)
    yield from _fields("Response field", about.answer)
    if about.same_as:
        yield f"Fields of the response: as in `{about.same_as}`.\n"
    if about.errors:
        yield f"Errors: {', '.join(f'`{code}`' for code in about.errors)}, and the common ones.\n"
    yield f"```sh\n{about.samples[0].code}\n```\n"
    if about.example:
        yield f"Response {about.status}:\n"
        yield f"```json\n{about.example}\n```\n"


def _fields(label: str, rows: Iterable[Row]) -> Iterator[str]:
    listed = list(rows)
    if not listed:
        return
    yield f"| {label} | Type | Meaning |\n|---|---|---|"
    for row in listed:
        is_required = row.is_required and label != "Response field"
        kind = f"{row.kind}, required" if is_required else row.kind
        choices = ", ".join(f"`{choice}`" for choice in row.choices)
        rules = "; ".join(filter(None, (choices, ", ".join(row.rules))))
        yield f"| `{row.name}` | {kind} | {_cell(f'{shown(row.text)} {rules}'.strip())} |"
    yield ""


def _webhooks() -> Iterator[str]:
    yield "## Webhooks\n"
    yield "| Event | What happened |\n|---|---|"
    for name, about in document()["webhooks"].items():
        yield f"| `{name}` | {_cell(shown(about['post']['summary']))} |"
    yield ""
    for each in event_fields():
        yield f"### `data` of {', '.join(each.kinds)}\n"
        yield from _fields("Response field", each.rows)


def _errors() -> Iterator[str]:
    yield "## Errors\n"
    yield "| Code | Status | Meaning | What to do |\n|---|---|---|---|"
    for each in error_codes.table():
        statuses = ", ".join(map(str, each.statuses))
        texts = f"{_cell(shown(each.meaning))} | {_cell(shown(each.advice))}"
        yield f"| `{each.code}` | {statuses} | {texts} |"
    yield ""


def _plain(html: str) -> str:
    return unescape(strip_tags(html.replace("<code>", "`").replace("</code>", "`")))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
