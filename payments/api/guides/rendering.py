"""A guide as HTML: sections with anchors, programs in tabs, tables that scroll."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

# The words behind the fence: ```sh, or ```sh node for a command of that tab.
LABELS = {
    "curl": "curl",
    "node": "Node.js",
    "python": "Python",
    "php": "PHP",
    "sh": "Shell",
    "json": "JSON",
    "http": "HTTP",
}
TABS = ("curl", "node", "python", "php")
_NAMES = {"javascript": "node"}
_GUIDE = re.compile(r"^([a-z-]+)\.md(#.*)?$")
_CODE = re.compile(r"^[A-Z_]{5,}$")
# Without HTML in the text, whatever is in it.
_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Program:
    slug: str
    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading of the second level. `html` begins with it."""

    id: str
    title: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Rendered:
    intro: SafeString
    sections: tuple[Section, ...]


def render(text: str) -> Rendered:
    tokens = _PARSER.parse(text)
    _mark(tokens)
    intro, *parts = _parts(tokens)
    sections = tuple(
        Section(str(part[0].meta["id"]), _plain(part[1].content), _html(part, number))
        for number, part in enumerate(parts, 1)
    )
    return Rendered(_html(intro, 0), sections)


def anchors(titles: Iterable[str]) -> Iterator[str]:
    """Of the headings of a page in their order, as GitHub makes them."""
    counts: Counter[str] = Counter()
    for title in titles:
        anchor = _anchor(title)
        yield f"{anchor}-{counts[anchor]}" if counts[anchor] else anchor
        counts[anchor] += 1


def _anchor(title: str) -> str:
    """The name of an error code stays as it is."""
    if _CODE.match(title):
        return title
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def _parts(tokens: list[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token.type == "heading_open" and token.tag == "h2":
            yield part
            part = []
        part.append(token)
    yield part


def _html(tokens: list[Token], number: int) -> SafeString:
    made: list[str] = []
    for index, (is_fence, group) in enumerate(groupby(tokens, lambda each: each.type == "fence")):
        listed = list(group)
        if is_fence:
            made += _fences(listed, f"code-{number}-{index}")
        else:
            made.append(_PARSER.renderer.render(listed, _PARSER.options, {}))
    html = "".join(made).replace("<table>", f"{_SCROLL}<table>")
    return mark_safe(html.replace("</table>", "</table></div>"))  # noqa: S308  the parser escapes


_SCROLL = '<div class="scroll" tabindex="0" role="group">'


def _mark(tokens: list[Token]) -> None:
    """Anchors of headings, and links from file to file as links from page to page."""
    found = [index for index, token in enumerate(tokens) if token.type == "heading_open"]
    titles = [tokens[index + 1].content for index in found]
    for index, anchor in zip(found, anchors(titles), strict=True):
        tokens[index].meta["id"] = anchor
        if tokens[index].tag == "h3":  # that of a section stands on the section
            tokens[index].attrSet("id", anchor)
    for child in (child for token in tokens for child in token.children or ()):
        if link := _GUIDE.match(str(child.attrGet("href") or "")):
            child.attrSet("href", f"/docs/guides/{link[1]}{link[2] or ''}")


def _fences(tokens: list[Token], name: str) -> Iterator[str]:
    """Programs that follow each other in different languages are tabs."""
    programs = [_program(token) for token in tokens]
    slugs = [program.slug for program in programs]
    if len(programs) > 1 and len(set(slugs)) == len(slugs) and set(slugs) <= set(TABS):
        facts = {"id": name, "listed": programs, "label": _label(programs)}
        yield render_to_string("docs/_tabs.html", facts)
        return
    for program in programs:
        yield (
            f"<figure><figcaption>{program.language}</figcaption>"
            f'<pre tabindex="0"><code>{escape(program.code)}</code></pre></figure>\n'
        )


def _label(programs: list[Program]) -> str:
    return ", ".join(program.language for program in programs)


def _program(token: Token) -> Program:
    word = (token.info.split() or ["text"])[-1]
    name = _NAMES.get(word, word)
    return Program(name, LABELS.get(name, ""), token.content.rstrip("\n"))


def _plain(title: str) -> str:
    return title.replace("`", "")
