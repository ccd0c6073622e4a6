"""Pictures of QR codes that rails send: strangers' SVG, which the payer's page shows.

The page shows it as an <img>, where browsers run no script and load nothing. What a picture of a
code does not need is refused here all the same, since people open pictures in windows of their own.
"""

import base64
import binascii
from xml.parsers import expat

PREFIX = "data:image/svg+xml;base64,"
MAX_BYTES = 64 * 1024
SVG = "http://www.w3.org/2000/svg"
_ACTIVE = ("script", "foreignobject", "iframe", "embed", "object", "handler", "listener")


class UnusableImage(ValueError):
    """The picture is no SVG, too large, or more than a picture."""


def svg_data_uri(encoded: str) -> str:
    """A `data:` URI of an SVG in base64, at most MAX_BYTES. Raises UnusableImage."""
    if len(encoded) > 2 * MAX_BYTES:
        raise UnusableImage("too large")
    try:
        image = base64.b64decode("".join(encoded.removeprefix(PREFIX).split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnusableImage("not base64") from error
    if len(image) > MAX_BYTES:
        raise UnusableImage("too large")
    _check_picture(image)
    return PREFIX + base64.b64encode(image).decode()


def _check_picture(image: bytes) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    elements: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        elements.append(name)
        if name.rpartition(" ")[2].lower() in _ACTIVE:
            raise UnusableImage("it has active content")
        for key, value in attributes.items():
            _check_attribute(key.rpartition(" ")[2].lower(), value)

    def refuse(*_: object) -> None:
        raise UnusableImage("it has a document type")  # whose entities may grow without limit

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(image, True)
    except expat.ExpatError as error:
        raise UnusableImage("not XML") from error
    if elements[0] != f"{SVG} svg":
        raise UnusableImage("not SVG")


def _check_attribute(name: str, value: str) -> None:
    if name.startswith("on"):
        raise UnusableImage("it has active content")
    if name == "href" and not value.strip().startswith(("#", "data:image/")):
        raise UnusableImage("it leads elsewhere")
