"""The stylesheet of a merchant's colour for the payer's page.

Text has a contrast of 4.5 and edges of 3 with every colour (WCAG 2.2, 1.4.3 and 1.4.11): text on
the colour is white or dark, and edges in the colour are darkened, or made lighter on dark pages.
"""

import re
from collections.abc import Callable

# Raise it with each change below, because browsers cache the stylesheets for a year.
STYLESHEET_VERSION = 2
TEXT, EDGE = 4.5, 3.0
WHITE, INK, BLACK = (255, 255, 255), (20, 38, 58), (0, 0, 0)
# What edges in the merchant's colour stand on: the darkest of the light pages, and the lightest of
# the dark ones (--ground and --paper of pay.css).
GROUND, DARK_GROUND = (241, 244, 246), (24, 33, 43)
_HEX = re.compile(r"#?([0-9a-fA-F]{6})")

Colour = tuple[int, int, int]


def parse(text: str) -> Colour | None:
    """Parses `#0A7A66`, with or without `#`. None for other text."""
    match = _HEX.fullmatch(text)
    if match is None:
        return None
    red, green, blue = bytes.fromhex(match[1])
    return red, green, blue


def to_hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


def contrast(one: Colour, other: Colour) -> float:
    """As WCAG 2 defines it, from 1 (the same colour) to 21 (black on white)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def readable_ink(ground: Colour) -> Colour:
    """White or dark, whichever is readable on the ground."""
    inks = (WHITE, INK, BLACK)
    return next((ink for ink in inks if contrast(ink, ground) >= TEXT), BLACK)


def edge(colour: Colour, ground: Colour) -> Colour:
    """Mixes in black on a light ground and white on a dark one, until the edge can be seen."""
    other = BLACK if contrast(BLACK, ground) > contrast(WHITE, ground) else WHITE
    return _first(
        lambda share: _mix(colour, other, share), lambda mixed: contrast(mixed, ground), EDGE
    )


def stylesheet(colour: Colour) -> str:
    ink = readable_ink(colour)
    soft = _first(
        lambda share: _mix(_mix(ink, colour, 0.2), ink, share),
        lambda mixed: contrast(mixed, colour),
        TEXT,
    )
    values = {
        "panel": colour,
        "on-panel": ink,
        "on-panel-soft": soft,
        "panel-line": _mix(colour, ink, 0.25),
        "brand": colour,
        "on-brand": ink,
        # Away from the ink, so that the text stays readable.
        "brand-hover": _mix(colour, BLACK if ink == WHITE else WHITE, 0.15),
        "brand-edge": edge(colour, GROUND),
    }
    lines = "".join(f"--{name}:{to_hex(value)};" for name, value in values.items())
    on_dark = f"--brand-edge:{to_hex(edge(colour, DARK_GROUND))};"
    return (
        f":root{{{lines}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{on_dark}}}}}\n"
    )


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _first(
    make: Callable[[float], Colour], measure: Callable[[Colour], float], least: float
) -> Colour:
    mixed = (make(step / 50) for step in range(51))
    return next((colour for colour in mixed if measure(colour) >= least), make(1))


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
