"""A receipt as a PDF file on one sheet: an amount, rows of facts, and the QR code as proof."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import segno

MILLIMETRE = 72 / 25.4
# Letter paper, 216 mm wide: the margins are the same on both sides.
LEFT, RIGHT, TOP = 32 * MILLIMETRE, 184 * MILLIMETRE, 254 * MILLIMETRE
FOOT = 20 * MILLIMETRE
VALUES = 88 * MILLIMETRE
FONT, BOLD = "Vera", "VeraBd"  # Of reportlab; a PDF reader has no ñ of its own in every font.
NOTE_LINE = 14
MAX_LINES = 8  # Of a value: the sheet is one.
INK, SOFT, LINE = "#14263a", "#55677a", "#ccd5dd"  # As on the payer's page.
LOGO_HEIGHT, LOGO_WIDTH = 12 * MILLIMETRE, 45 * MILLIMETRE  # At most.
Row = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Where anybody can check the sheet."""

    says: str
    url: str
    code: str


class Picture(Protocol):
    """`content` is a whole PNG, JPEG or WebP; width and height in pixels."""

    content: Any  # bytes, or the memoryview of a table's column
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """issuer     whose receipt it is. Without a logo the first letter stands for it.
    note       sentences, each in a line of a box below the amount: the sheet is of a test.
    sum_label  of the row that is written larger.
    """

    title: str
    issuer: str
    heading: str
    amount: str
    rows: Sequence[Row]
    sum_label: str
    foot: Sequence[str]
    note: str = ""
    logo: Picture | None = None
    proof: Proof | None = None


def draw(sheet: Sheet) -> bytes:
    # Imported late, because most processes never make a PDF.
    from reportlab.lib.pagesizes import LETTER
    from reportlab.pdfgen.canvas import Canvas

    _register_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=LETTER, invariant=1)
    canvas.setTitle(sheet.title)
    canvas.setAuthor("Pasarela")
    y = _head(canvas, sheet)
    for row in sheet.rows:
        y = _row(canvas, y, row, is_sum=row[0] == sheet.sum_label)
    if sheet.proof is not None:
        _proof(canvas, y, sheet.proof)
    for number, line in enumerate(sheet.foot):
        _write(canvas, (LEFT, FOOT + 12 * number), line, 8.5, FONT, SOFT)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _register_fonts() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for name in (FONT, BOLD):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))


def _head(canvas: Any, sheet: Sheet) -> float:
    """Whose receipt it is stands above it; who processed the payment, at the foot."""
    _issuer(canvas, sheet)
    y = TOP - 17 * MILLIMETRE
    _write(canvas, (LEFT, y), sheet.heading, 17)
    _write(canvas, (LEFT, y - 28), sheet.amount, 22)
    y -= 28
    if sheet.note:
        y -= 10 * MILLIMETRE
        lines = sheet.note.split("\n")
        lower = NOTE_LINE * (len(lines) - 1)
        canvas.setStrokeColor(INK)
        canvas.rect(LEFT, y - 5 - lower, RIGHT - LEFT, 18 + lower)
        for number, line in enumerate(lines):
            _write(canvas, (LEFT + 6, y - NOTE_LINE * number), line, 10)
        y -= lower
    return y - 11 * MILLIMETRE


def _issuer(canvas: Any, sheet: Sheet) -> None:
    """The logo, or the first letter of the name, and the name."""
    from reportlab.lib.utils import ImageReader, simpleSplit

    middle = TOP + 3
    if logo := sheet.logo:
        scale = min(LOGO_HEIGHT / logo.height, LOGO_WIDTH / logo.width)
        width, height = logo.width * scale, logo.height * scale
        picture = ImageReader(io.BytesIO(bytes(logo.content)))
        canvas.drawImage(picture, LEFT, middle - height / 2, width, height, mask="auto")
    else:
        width = 10 * MILLIMETRE
        canvas.setFillColor(INK)
        canvas.roundRect(LEFT, middle - width / 2, width, width, 7, stroke=0, fill=1)
        canvas.setFillColor("#ffffff")
        canvas.setFont(BOLD, 15)
        canvas.drawCentredString(LEFT + width / 2, middle - 5.5, sheet.issuer[:1].upper())
    beside = LEFT + width + 10
    lines = simpleSplit(sheet.issuer, BOLD, 13, RIGHT - beside)[:2]
    for number, line in enumerate(lines):
        y = middle - 4.5 + 8 * (len(lines) - 1) - 16 * number
        _write(canvas, (beside, y), line, 13)


def _write(
    canvas: Any, at: tuple[float, float], text: str, size: float, font: str = BOLD, ink: str = INK
) -> None:
    canvas.setFillColor(ink)
    canvas.setFont(font, size)
    canvas.drawString(*at, text)


def _row(canvas: Any, y: float, row: Row, *, is_sum: bool) -> float:
    """Draws a label and its value, and returns where the next row begins."""
    label, value = row
    font, size = (BOLD, 11) if is_sum else (FONT, 9.5)
    _write(canvas, (LEFT, y), label, size, font, INK if is_sum else SOFT)
    canvas.setFillColor(INK)
    lines = _broken(_balanced(value, font, size), font, size)[:MAX_LINES]
    for number, line in enumerate(lines):
        canvas.drawRightString(RIGHT, y - number * 13, line)
    below = y - 13 * max(len(lines) - 1, 0) - 7
    canvas.setStrokeColor(INK if is_sum else LINE)
    canvas.setLineWidth(0.6)
    canvas.line(LEFT, below, RIGHT, below)
    return below - 15


def _balanced(value: str, font: str, size: float) -> list[str]:
    """Lines of about the same length, so that no word stands alone on the last one."""
    from reportlab.lib.utils import simpleSplit

    width = RIGHT - VALUES
    lines: list[str] = simpleSplit(value, font, size, width)
    while len(lines) > 1 and width > (RIGHT - VALUES) / 2:
        width -= size
        narrower: list[str] = simpleSplit(value, font, size, width)
        if len(narrower) > len(lines):
            break
        lines = narrower
    return lines


def _broken(lines: list[str], font: str, size: float) -> list[str]:
    """Long words, such as hashes, are cut: simpleSplit breaks at spaces only."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    cut: list[str] = []
    for line in lines:
        while stringWidth(line, font, size) > RIGHT - VALUES and len(line) > 30:
            cut.append(line[:30])
            line = line[30:]
        cut.append(line)
    return cut


def _proof(canvas: Any, y: float, proof: Proof) -> None:
    side = 28 * MILLIMETRE
    _qr(canvas, proof.url, (LEFT, y - side), side)
    beside = LEFT + side + 12
    _write(canvas, (beside, y - 24), proof.says, 9.5, FONT, SOFT)
    _write(canvas, (beside, y - 38), proof.url, 9.5, FONT)
    _write(canvas, (beside, y - 58), proof.code, 12)


def _qr(canvas: Any, text: str, corner: tuple[float, float], side: float) -> None:
    canvas.setFillColor("#000000")
    matrix = segno.make(text, error="m", micro=False).matrix
    dot = side / len(matrix)
    for row, dots in enumerate(matrix):
        for column, is_dark in enumerate(dots):
            if is_dark:
                x, y = corner[0] + column * dot, corner[1] + side - (row + 1) * dot
                canvas.rect(x, y, dot, dot, stroke=0, fill=1)
