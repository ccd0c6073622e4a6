"""static/console has what the pages use: `make theme` writes it again."""

from fontTools.ttLib import TTFont

from tests.support import console_theme
from tests.support.console_theme import TARGET, blocks


def rules(css: str, context: str = "") -> set[tuple[str, str, str]]:
    found = set()
    for block in blocks(css):
        if block.body is not None and block.prelude.startswith(("@media", "@supports", "@layer")):
            found |= rules(block.body, f"{context} {block.prelude}")
        else:
            found |= {(context, each, block.body or "") for each in block.prelude.split(",")}
    return found


def test_styles_of_every_class_in_the_sources_are_there() -> None:
    missing = rules(console_theme.stylesheet()) - rules((TARGET / "theme.css").read_text())
    assert missing == set(), "run `make theme`"


def test_every_icon_in_the_sources_is_in_the_font() -> None:
    listed = set((TARGET / "icons.txt").read_text().split())
    assert set(console_theme.icons()) <= listed, "run `make theme`"
    drawn = console_theme.ligatures(TTFont(TARGET / "icons.woff2"))
    assert listed <= set(drawn)
    assert len(drawn) < len(console_theme.all_icons()) / 10


def test_letters_of_spanish_are_in_the_fonts() -> None:
    for weight in console_theme.WEIGHTS:
        letters = set(TTFont(TARGET / f"Inter-{weight}.woff2").getBestCmap())
        assert set(map(ord, "áéíóúüñÁÉÍÓÚÜÑ¿¡«»…·–—$€→")) <= letters, weight
