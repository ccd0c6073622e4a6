"""The console's theme in the parts that its pages use: `make theme` writes them to static/console.

Unfold brings the styles of all its components, every icon of Material Symbols and every letter of
Inter: 1.3 MB on the first page of a person. A test compares the result with the sources, so that a
new icon or class, or a new release of Unfold, asks for `make theme`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import django
import unfold
from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "static" / "console"
UNFOLD = Path(unfold.__file__).parent
THEME = UNFOLD / "static" / "unfold"
ICONS = THEME / "fonts" / "material-symbols" / "Material-Symbols-Outlined.woff2"
WEIGHTS = ("Regular", "Medium", "SemiBold")
# Latin letters of western and central Europe, punctuation, arrows, currencies. A browser takes
# other letters from its own fonts.
LETTERS = "U+20-7E,U+A0-17F,U+2010-2027,U+202F-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+2260-2265"
# Parts of Unfold's templates that no page of ours includes.
UNUSED = ("unfold_crispy", "components/chart", "unfold/components/tracker", "object_history")
APPS = ("config", "merchants", "payments", "webhooks", "templates")
_SPLIT = re.compile(r"[\s\"'`]+|\{%|%\}|\{\{|\}\}")
_CLASS = re.compile(r"\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-]|[^\x00-\x7f])+)")
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6}) ?|(.))")
_ICON_ELEMENT = re.compile(r"material-symbols-outlined[^>]*>((?:\s|[a-z0-9_]|\{[{%][^}]*[}%]\})+)<")
_ICON_NAME = re.compile(r"\b[a-z][a-z0-9_]+\b")
_ICON_VALUE = re.compile(
    r"(?:icon|SYMBOL\"?)\s*[=:]\s*(?:[^\"'\n]* (?:if|else) )?[\"']([a-z][a-z0-9_]+)[\"']"
)
# A dictionary `ICONS = {...}`.
_ICON_TABLE = re.compile(r"\bICONS\b[^={\n]*=\s*\{([^}]*)\}")
_ICON_IN_LABEL = re.compile(r"[\"']([a-z][a-z0-9_]{2,})[\"']")


def sources() -> Iterator[Path]:
    """The files whose words may be classes or icons."""
    theirs = [
        *(UNFOLD / "templates").rglob("*.html"),
        *(UNFOLD / "contrib" / "filters").rglob("*.html"),
        *UNFOLD.glob("*.py"),
        *(UNFOLD / "templatetags").glob("*.py"),
        UNFOLD / "contrib" / "filters" / "forms.py",
        THEME / "js" / "app.js",
        *(Path(django.__file__).parent / "contrib/admin/templates").rglob("*.html"),
    ]
    yield from sorted(path for path in theirs if not any(part in str(path) for part in UNUSED))
    for app in APPS:
        for kind in ("*.py", "*.html"):
            yield from sorted((ROOT / app).rglob(kind))
    for folder in (ROOT / "static" / "admin", TARGET):
        yield from (*sorted(folder.glob("*.js")), *sorted(folder.glob("[!t]*.css")))


def words() -> set[str]:
    return {word for path in sources() for word in _SPLIT.split(path.read_text())}


@dataclass(frozen=True, slots=True)
class Block:
    """`prelude{body}`, or a statement such as `@import x` without a body."""

    prelude: str
    body: str | None


def blocks(css: str) -> Iterator[Block]:
    depth, start, opened, quote = 0, 0, 0, ""
    position = 0
    while position < len(css):
        letter = css[position]
        if letter == "\\":
            position += 1
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "{":
            opened = opened if depth else position
            depth += 1
        elif letter == "}":
            depth -= 1
            if not depth:
                yield Block(css[start:opened], css[opened + 1 : position])
                start = position + 1
        elif letter == ";" and not depth:
            yield Block(css[start:position], None)
            start = position + 1
        position += 1
    if css[start:].strip():
        yield Block(css[start:], None)


def used_css(css: str, known: set[str]) -> str:
    """The rules of `css` whose classes are all in `known`."""
    kept = []
    for block in blocks(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        prelude = block.prelude.strip()
        if block.body is None:
            kept.append(f"{prelude};")
        elif prelude.startswith(("@media", "@supports", "@layer", "@container")):
            if prelude.startswith("@layer properties") or (body := used_css(block.body, known)):
                kept.append(f"{prelude}{{{block.body if 'properties' in prelude else body}}}")
        elif prelude.startswith("@"):
            kept.append(f"{prelude}{{{block.body}}}")
        elif selectors := [each for each in _selectors(prelude) if _is_used(each, known)]:
            kept.append(f"{','.join(selectors)}{{{block.body}}}")
    return "".join(kept)


def _selectors(prelude: str) -> list[str]:
    """Divided at the commas outside of parentheses and brackets."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(prelude):
        is_escaped = place and prelude[place - 1] == "\\"
        if is_escaped:
            continue
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            found.append(prelude[start:place])
            start = place + 1
    return [*found, prelude[start:]]


def _is_used(selector: str, known: set[str]) -> bool:
    alternatives = re.compile(r"(?<!\\):(?:is|where|not|has)\(((?:\\.|[^()]|\([^()]*\))*)\)")
    for inner in alternatives.findall(selector):
        parts = _selectors(inner)
        if not any(_is_used(part, known) for part in parts):
            return False
    outer = alternatives.sub("", selector)
    return all(_unescaped(name) in known for name in _CLASS.findall(outer))


def _unescaped(name: str) -> str:
    return _ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else one[2], name)


def referenced(css: str) -> str:
    """Without registrations of properties that no rule of `css` uses; one rule a line."""
    kept = []
    for block in blocks(css):
        kind, _, name = block.prelude.partition(" ")
        if kind == "@property" and f"var({name}" not in css:
            continue
        body = ";" if block.body is None else f"{{{block.body}}}"
        kept.append(block.prelude.rstrip(";") + body)
    return "\n".join(kept) + "\n"


def stylesheet() -> str:
    return referenced(used_css((THEME / "css" / "styles.css").read_text(), words()))


def all_icons() -> set[str]:
    return set(ligatures(TTFont(ICONS)))


def icons() -> list[str]:
    """Names of icons in the sources: in an icon's element, a value of `icon`, or in `ICONS`."""
    found: set[str] = set()
    for path in sources():
        text = path.read_text()
        for content in _ICON_ELEMENT.findall(text):
            found.update(_ICON_NAME.findall(re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", content)))
            found.update(_ICON_IN_LABEL.findall(content))
        found.update(_ICON_VALUE.findall(text))
        for table in _ICON_TABLE.findall(text):
            found.update(_ICON_IN_LABEL.findall(table))
        if path.name == "apps.py" or path.suffix in (".js", ".css"):
            found.update(_ICON_IN_LABEL.findall(text))
    return sorted(found & all_icons())


def ligatures(font: TTFont) -> dict[str, str]:
    """{name: glyph}"""
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    found = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            inner = table.ExtSubTable if lookup.LookupType == 7 else table
            for first, ligatures in getattr(inner, "ligatures", {}).items():
                for each in ligatures:
                    name = "".join(letters.get(part, "?") for part in [first, *each.Component])
                    found[name] = each.LigGlyph
    return found


def icon_font(names: Iterable[str]) -> bytes:
    font = TTFont(ICONS)
    glyphs = [glyph for name, glyph in ligatures(font).items() if name in set(names)]
    options = subset.Options(layout_closure=False, flavor="woff2", hinting=False)
    options.layout_features, options.name_IDs, options.notdef_outline = ["*"], [], False
    cutter = subset.Subsetter(options)
    cutter.populate(glyphs=glyphs, text="abcdefghijklmnopqrstuvwxyz0123456789_")
    cutter.subset(font)
    return _written(font)


def letter_font(weight: str) -> bytes:
    font = TTFont(THEME / "fonts" / "inter" / f"Inter-{weight}.woff2")
    options = subset.Options(flavor="woff2", hinting=False, name_IDs=[])
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum", "calt"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(LETTERS))
    cutter.subset(font)
    return _written(font)


def _written(font: TTFont) -> bytes:
    font.flavor = "woff2"
    font.recalcTimestamp = False
    file = BytesIO()
    font.save(file)
    return file.getvalue()


def write() -> None:
    TARGET.mkdir(exist_ok=True)
    (TARGET / "theme.css").write_text(stylesheet())
    names = icons()
    (TARGET / "icons.txt").write_text("\n".join(names) + "\n")
    (TARGET / "icons.woff2").write_bytes(icon_font(names))
    for weight in WEIGHTS:
        (TARGET / f"Inter-{weight}.woff2").write_bytes(letter_font(weight))


if __name__ == "__main__":
    write()
