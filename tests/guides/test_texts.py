"""Both languages of each guide say the same, and nothing that the service knows is missing."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from payments.api.guides import library
from payments.api.guides.rendering import render
from payments.api.reference import error_codes
from payments.api.reference.document import document
from tests.guides.blocks import LANGUAGES, blocks

README = library.FOLDER / "README.md"
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
TABLE_ROW = re.compile(r"^\|(?!-)", re.MULTILINE)


def words(text: str) -> set[str]:
    """What is code in the text, and so is the same in each language."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return set(re.findall(r"`([^`\n]+)`", prose))


def test_the_contents_name_every_file() -> None:
    for language in LANGUAGES:
        found = {path.stem for path in (library.FOLDER / language).iterdir()}
        assert found == set(library.SLUGS)
        for slug in library.SLUGS:
            title = library.guide(slug, language).title
            assert f"[{title}]({language}/{slug}.md)" in README.read_text()


@pytest.mark.parametrize("slug", library.SLUGS)
def test_both_languages_have_the_same_headings_code_and_tables(slug: str) -> None:
    english, spanish = (library.source(slug, language) for language in LANGUAGES)
    assert HEADING.findall(english) == HEADING.findall(spanish)
    assert blocks(slug, "en") == blocks(slug, "es")
    assert len(TABLE_ROW.findall(english)) == len(TABLE_ROW.findall(spanish))
    assert english.count("](") == spanish.count("](")
    assert words(english) == words(spanish)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_code_has_an_anchor_and_a_remedy(language: str) -> None:
    guide = library.guide("errors", language)
    (codes,) = (each for each in render(guide.text).sections if "INVALID_API_KEY" in each.html)
    parts = {
        "en": ("Likely cause:", "What to do:", "Your program:"),
        "es": ("Causa probable:", "Qué hacer:", "Tu programa:"),
    }[language]
    for each in error_codes.table():
        part = codes.html.partition(f'<h3 id="{each.code}">')[2].partition("<h3")[0]
        told = re.findall(r"<strong>([^<]+)</strong> (\S[^<]+)", part)
        assert tuple(label for label, _text in told) == parts, each.code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_is_named(language: str) -> None:
    text = library.guide("webhooks", language).text
    for kind in document()["webhooks"]:
        assert f"| `{kind}` |" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_magic_value_is_shown_with_what_you_see(language: str) -> None:
    text = library.guide("testing", language).text
    manual = (settings.BASE_DIR / "docs" / "simulator.md").read_text()
    values = set(re.findall(r"^\| `(\d{10})`", manual, re.MULTILINE))
    assert len(values) > 60
    assert values - set(re.findall(r"^\| `(\d{10})`", text, re.MULTILINE)) == set()
    assert text.count({"en": "| You see |", "es": "| Lo que ves |"}[language]) >= 4


def test_the_programs_of_the_first_order_are_those_of_the_examples() -> None:
    for language, name in (("javascript", "mjs"), ("python", "py"), ("php", "php")):
        (shown,) = (each for each in blocks("accept-a-payment") if each.info == language)
        path = settings.BASE_DIR / "examples" / "first-order" / f"order.{name}"
        assert shown.code == path.read_text()


def test_the_receivers_verify_as_the_guide_does() -> None:
    folder = settings.BASE_DIR / "examples" / "receivers"
    shown = [each for each in blocks("webhooks") if "webhook-signature" in each.code.lower()]
    shown += [each for each in blocks("webhooks") if "HTTP_WEBHOOK_SIGNATURE" in each.code]
    for language, name, start in (
        ("javascript", "receiver.js", "// headers: req.headers"),
        ("python", "receiver.py", "def is_genuine"),
        ("php", "receiver.php", "// $body:"),
    ):
        (program,) = (each.code for each in shown if each.info == language)
        assert program[program.index(start) :].strip() in (folder / name).read_text(), name


def test_the_guides_state_the_limits_and_retries_that_are_set() -> None:
    assert settings.WEBHOOK_RETRY_DELAYS == [0, 300, 1800, 7200, 86400]
    assert "5 minutes, 30 minutes, 2 hours and 24 hours later" in library.source("webhooks", "en")
    assert settings.WEBHOOK_TIMEOUT_SECONDS == 10
    assert "within 10 seconds" in library.source("webhooks", "en")


def links(path: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", path.read_text())


def test_every_link_between_files_leads_to_a_heading() -> None:
    for path in library.FOLDER.rglob("*.md"):
        for link in links(path):
            if link.startswith(("http", "/", "#")) and not link.startswith("#"):
                continue
            name, _, anchor = link.partition("#")
            target = path if not name else (path.parent / name)
            assert target.is_file(), (path, link)
            if anchor:
                rendered = render(target.read_text())
                assert anchor in {each.id for each in rendered.sections}, (path, link)
