"""The texts of docs/guides: one folder for each language, with the same files."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings

from payments.api.guides import tables

FOLDER = settings.BASE_DIR / "docs" / "guides"
# In the order of the contents.
SLUGS = tuple(re.findall(r"\]\(en/([a-z-]+)\.md\)", (FOLDER / "README.md").read_text()))
_DIRECTIVE = re.compile(r"^<!-- table: ([a-z-]+) -->$", re.MULTILINE)
_COMMENT = re.compile(r"^<!--.*?-->\n*", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
# As a reader of the repository has them.
_ADDRESS = "http://localhost:8000"
_HEADER_PREFIX = re.compile(r"\bX-Service-(?=Signature|Timestamp|Event-Id|Attempt|`)")


@dataclass(frozen=True, slots=True)
class Guide:
    """`text` is Markdown. `summary` is its first paragraph."""

    slug: str
    language: str
    title: str
    summary: str
    text: str

    @property
    def plain_summary(self) -> str:
        return _LINK.sub(r"\1", self.summary).replace("`", "").replace("**", "")


@cache
def guide(slug: str, language: str) -> Guide:
    """With the tables, and the address and names of this installation.

    Raises KeyError for a guide that does not exist.
    """
    if slug not in SLUGS or language not in dict(settings.LANGUAGES):
        raise KeyError(slug)
    text = _DIRECTIVE.sub(lambda found: tables.table(found[1], language), source(slug, language))
    text = _COMMENT.sub("", text)
    text = text.replace(_ADDRESS, settings.PUBLIC_URL)
    text = _HEADER_PREFIX.sub(settings.WEBHOOK_HEADER_PREFIX, text)
    title, summary = text.split("\n\n")[:2]
    return Guide(slug, language, title.removeprefix("# "), " ".join(summary.split()), text)


def guides(language: str) -> list[Guide]:
    return [guide(slug, language) for slug in SLUGS if path(slug, language).is_file()]


def source(slug: str, language: str) -> str:
    return path(slug, language).read_text()


def path(slug: str, language: str) -> Path:
    return FOLDER / language / f"{slug}.md"
