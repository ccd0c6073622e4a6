"""A merchant's colour on the payer's page: which inks go on it, and the stylesheet that says so.

Whatever colour a merchant has, text keeps a contrast of 4.5 and edges of 3 (WCAG 2.2, 1.4.3 and
1.4.11): the ink is chosen, and where the colour itself is the ink, it is darkened.
"""

import re
from collections.abc import Callable

# Raised with every change of the rules below: browsers keep the stylesheets for a year.
RULES = 1
TEXT, EDGE = 4.5, 3.0
WHITE, INK, BLACK = (255, 255, 255), (20, 38, 58), (0, 0, 0)
# The darkest of the light grounds on which the page writes with the merchant's colour.
GROUND = (241, 244, 246)
_HEX = re.compile(r"#?([0-9a-fA-F]{6})")

Colour = tuple[int, int, int]


def parse(text: str) -> Colour | None:
    """`#0A7A66`, with or without the sign; None when it is no such colour."""
    match = _HEX.fullmatch(text)
    if match is None:
        return None
    red, green, blue = bytes.fromhex(match[1])
    return red, green, blue


def written(colour: Colour) -> str:
    """`#0a7a66`."""
    return "#" + bytes(colour).hex()


def contrast(one: Colour, other: Colour) -> float:
    """From 1 (the same) to 21 (black on white), as WCAG 2 defines it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(ground: Colour) -> Colour:
    """White or nearly black, whichever can be read there. One of them always can."""
    inks = (WHITE, INK, BLACK)
    return next((ink for ink in inks if contrast(ink, ground) >= TEXT), BLACK)


def darkened(colour: Colour, ground: Colour, least: float) -> Colour:
    """The colour, with as little black in it as that contrast on a light ground needs."""
    return _first(
        lambda part: _mix(colour, BLACK, part), lambda made: contrast(made, ground), least
    )


def stylesheet(colour: Colour) -> str:
    """The page's variables in the merchant's colour."""
    ink = ink_on(colour)
    soft = _first(
        lambda part: _mix(_mix(ink, colour, 0.2), ink, part),
        lambda made: contrast(made, colour),
        TEXT,
    )
    values = {
        "panel": colour,
        "on-panel": ink,
        "on-panel-soft": soft,
        "panel-line": _mix(colour, ink, 0.25),
        "brand": colour,
        "on-brand": ink,
        # Away from the ink, so that what is written on it stays readable.
        "brand-hover": _mix(colour, BLACK if ink == WHITE else WHITE, 0.15),
        "brand-edge": darkened(colour, GROUND, EDGE),
        "brand-dark": darkened(colour, GROUND, TEXT),
        "tint": _mix(WHITE, colour, 0.08),
    }
    lines = "".join(f"--{name}:{written(value)};" for name, value in values.items())
    return f":root{{{lines}}}\n"


def _mix(one: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _first(
    make: Callable[[float], Colour], measure: Callable[[Colour], float], least: float
) -> Colour:
    made = (make(step / 50) for step in range(51))
    return next((colour for colour in made if measure(colour) >= least), make(1))


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
