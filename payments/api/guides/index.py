"""What leads to the guides: the entries of the search, and /llms.txt."""

import re
from functools import cache

from payments.api.guides import library
from payments.api.guides.rendering import anchors
from payments.api.reference.document import document

_HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def entries(language: str) -> list[dict[str, str]]:
    """The title, the address and the text of each part of each guide."""
    found = []
    for guide in library.guides(language):
        intro, *parts = _HEADING.split(_FENCE.sub("", guide.text))
        found.append(_entry(guide.slug, guide.title, "", intro.partition("\n")[2]))
        titles, texts = parts[::2], parts[1::2]
        for title, text, anchor in zip(titles, texts, anchors(titles), strict=True):
            found.append(_entry(f"{guide.slug}#{anchor}", title, guide.title, text))
    return found


def _entry(address: str, title: str, detail: str, text: str) -> dict[str, str]:
    plain = " ".join(re.sub(r"[|`*\[\]]|\(\S+\)|---", " ", text).split())
    return {
        "address": f"/docs/guides/{address}",
        "title": title.replace("`", ""),
        "detail": detail,
        "text": plain,
    }


@cache
def llms(address: str) -> str:
    about = document()["info"]
    lines = [f"# {about['title']}", "", f"> {about['description']}", ""]
    lines += [_NOTE, "", "## API", ""]
    lines += [f"- [{title}]({address}{path}): {text}" for title, path, text in _FILES]
    for language, heading in (("en", "Guides"), ("es", "Guías en español")):
        lines += ["", f"## {heading}", ""]
        folder = f"{address}/docs/guides/{language}"
        lines += [
            f"- [{each.title}]({folder}/{each.slug}.md): {each.plain_summary}"
            for each in library.guides(language)
        ]
    return "\n".join([*lines, ""])


_NOTE = (
    "Merchants in Colombia collect payments, pay out and refund over this API. Amounts are JSON "
    "numbers to be read as decimals. Only a verified webhook, or a read of the order, confirms a "
    "payment. Every request that moves money has an Idempotency-Key."
)
_FILES = (
    ("API reference", "/docs/reference.md", "every operation with its fields and an example"),
    ("OpenAPI document", "/api/v1/openapi.json", "OpenAPI 3.1, with the webhooks"),
    ("Postman collection", "/docs/postman.json", "every request, with variables"),
)
