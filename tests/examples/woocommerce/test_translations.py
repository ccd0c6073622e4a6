"""The WooCommerce plugin's texts have their Spanish, and its compiled form is the newest."""

import gettext
import re

from tests.examples.woocommerce.conftest import PLUGIN

TEXT = re.compile(r"\b(?:esc_html)?__\(\s*'((?:[^'\\]|\\.)*)'")
ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr "(.+)"$', re.MULTILINE)
NAME = "pasarela-for-woocommerce-es_CO"


def test_every_text_has_its_spanish() -> None:
    with (PLUGIN / "languages" / f"{NAME}.mo").open("rb") as file:
        spanish = gettext.GNUTranslations(file)
    pages = [path.read_text() for path in PLUGIN.rglob("*.php")]
    texts = {text for page in pages for text in TEXT.findall(page)}
    assert len(texts) > 60
    catalogue = spanish._catalog  # type: ignore[attr-defined]
    assert {text for text in texts if text not in catalogue} == set()
    written = dict(ENTRY.findall((PLUGIN / "languages" / f"{NAME}.po").read_text()))
    assert {text: catalogue[text] for text in written} == written
    assert set(written) == texts
