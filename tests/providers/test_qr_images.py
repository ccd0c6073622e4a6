"""Pictures of QR codes from rails: only a plain picture reaches the payer's page."""

import base64

import pytest

from payments.providers.qr_images import MAX_BYTES, PREFIX, UnusableImage, svg_data_uri
from tests.rails.wompi.methods import SVG

NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def svg(inside, attributes=""):
    return f"<svg {NAMESPACES} {attributes}>{inside}</svg>"


@pytest.mark.parametrize(
    "picture",
    [
        SVG,
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- code -->{SVG}',
        svg('<defs><path id="a" d="M0 0h1v1H0z"/></defs><use xlink:href="#a"/>'),
        svg('<style>.a{fill:#000}</style><g transform="scale(2)"><rect class="a"/></g>'),
        svg('<image href="data:image/png;base64,iVBORw0KGgo="/>', 'viewBox="0 0 9 9"'),
    ],
)
def test_plain_picture_is_shown_as_it_is(picture):
    plain = encoded(picture)
    for sent in (plain, PREFIX + plain, f"{plain[:8]}\n{plain[8:]}\n"):
        shown = svg_data_uri(sent)
        assert shown.startswith(PREFIX)
        assert base64.b64decode(shown.removeprefix(PREFIX)).decode() == picture


@pytest.mark.parametrize(
    "picture",
    [
        svg("<script>alert(1)</script>"),
        svg("<SCRIPT/>"),
        svg('<x:script xmlns:x="http://www.w3.org/1999/xhtml"/>'),
        svg("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"),
        svg("<rect/>", 'onload="alert(1)"'),
        svg('<rect ONCLICK="alert(1)"/>'),
        svg('<a xlink:href="javascript:alert(1)"><rect/></a>'),
        svg('<image href="https://elsewhere.example/a.png"/>'),
        svg('<use href=" //elsewhere.example/a.svg#b"/>'),
        '<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>' + svg("&b;"),
        '<!DOCTYPE svg SYSTEM "https://elsewhere.example/a.dtd">' + SVG,
        '<html xmlns="http://www.w3.org/1999/xhtml"/>',
        "<svg/>",
        SVG[:-3],
        "",
        "text",
        svg("<g/>" * MAX_BYTES),
    ],
)
def test_what_is_more_than_a_picture_is_refused(picture):
    with pytest.raises(UnusableImage):
        svg_data_uri(encoded(picture))


NO_BASE64 = ["%%%", "PHN2Zz4", "ñ" * 8, "https://rail.example/a.svg", "A" * 10**7]


@pytest.mark.parametrize("sent", NO_BASE64)
def test_what_is_no_base64_is_refused(sent):
    with pytest.raises(UnusableImage):
        svg_data_uri(sent)


def test_picture_of_many_levels_is_read_or_refused():
    deep = svg("<g>" * 8000 + "</g>" * 8000)
    assert svg_data_uri(encoded(deep))
