"""The receipt as a PDF file on one sheet: what the page shows, and the QR code that proves it."""

import io
from collections.abc import Iterator
from typing import Any

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from payments.collect.checkout import timestamps
from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Charge, Order
from payments.collect.services.charges import direct_methods
from payments.collect.services.orders import charge_bank, lookup, receipts
from payments.core import masking, money, receipt_codes

MILLIMETRE = 72 / 25.4
LEFT, RIGHT, TOP = 45 * MILLIMETRE, 170 * MILLIMETRE, 255 * MILLIMETRE
VALUES = 100 * MILLIMETRE
FONT, BOLD = "Vera", "VeraBd"  # Of reportlab; a PDF reader has no ñ of its own in every font.
MAX_LINES = 8  # Of a value: the sheet is one.
Row = tuple[str, str]


@require_safe
@payer_page
def receipt_pdf(request: HttpRequest, order: Order) -> HttpResponse:
    code = receipts.get_code(order=order)
    if code is None:
        return SeeOther(f"/pay/{order.token}")
    written = receipt_codes.written(code)
    charge = lookup.settling_charge(order=order)
    name = _("receipt")
    return HttpResponse(
        _draw(order, charge, written),
        content_type="application/pdf",
        headers={"Content-Disposition": f'attachment; filename="{name}-{written}.pdf"'},
    )


def rows_of(order: Order, charge: Charge | None) -> Iterator[Row]:
    yield _("Shop"), order.merchant.name
    if legal := getattr(order.merchant, "legal_data", None):
        yield _("Legal name"), legal.legal_name
        yield "NIT", legal.nit_shown
    yield _("Reference"), order.reference
    if order.description:
        yield _("Description"), order.description
    yield _("Payer"), masking.full_name(order.customer_name)
    yield _("Date"), timestamps.written(order.paid_at) if order.paid_at else "-"
    yield from _rows_of_charge(order, charge)
    if order.base_amount is not None and order.fee_amount is not None:
        yield _("Amount"), money.shown(order.base_amount, order.currency)
        yield _("Service fee"), money.shown(order.fee_amount, order.currency)
    yield _("Total paid"), money.shown(order.amount, order.currency)
    if order.refunded_amount:
        yield _("Returned to you"), money.shown(order.refunded_amount, order.currency)


def _rows_of_charge(order: Order, charge: Charge | None) -> Iterator[Row]:
    if charge is None:
        return
    yield _("Method"), direct_methods.get_label(charge)
    if bank := charge_bank.name_of(charge):
        yield _("Bank"), bank
    if charge.currency != order.currency:
        yield _("Paid with"), money.shown(charge.received, charge.currency)
    if charge.trace_code:
        is_pse = charge.method == "PSE"
        yield (_("Trace code (CUS)") if is_pse else _("Trace code")), charge.trace_code


def _draw(order: Order, charge: Charge | None, code: str) -> bytes:
    # Imported late, because most processes never make a PDF.
    from reportlab.lib.pagesizes import LETTER
    from reportlab.pdfgen.canvas import Canvas

    _register_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=LETTER, invariant=1)
    canvas.setTitle(f"{_('Payment received')} {code}")
    canvas.setAuthor("Pasarela")
    y = _head(canvas, is_test=receipts.uses_play_money(charge))
    for label, value in rows_of(order, charge):
        y = _row(canvas, y, (label, value), is_sum=label == _("Total paid"))
    _proof(canvas, y, code)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _register_fonts() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for name in (FONT, BOLD):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))


def _head(canvas: Any, *, is_test: bool) -> float:
    canvas.setFont(BOLD, 11)
    canvas.drawString(LEFT, TOP, "Pasarela")
    y = TOP - 12 * MILLIMETRE
    canvas.setFont(BOLD, 17)
    canvas.drawString(LEFT, y, _("Payment received"))
    if is_test:
        y -= 9 * MILLIMETRE
        canvas.setFont(BOLD, 10)
        canvas.rect(LEFT, y - 5, RIGHT - LEFT, 18)
        canvas.drawString(LEFT + 6, y, _("This is the receipt of a test: no money moved."))
    return y - 12 * MILLIMETRE


def _row(canvas: Any, y: float, row: Row, *, is_sum: bool) -> float:
    """Draws a label and its value, and returns where the next row begins."""
    from reportlab.lib.utils import simpleSplit

    label, value = row
    font, size = (BOLD, 11) if is_sum else (FONT, 9.5)
    canvas.setFont(font, size)
    canvas.drawString(LEFT, y, label)
    lines = _broken(simpleSplit(value, font, size, RIGHT - VALUES), font, size)[:MAX_LINES]
    for number, line in enumerate(lines):
        canvas.drawRightString(RIGHT, y - number * 13, line)
    below = y - 13 * max(len(lines) - 1, 0) - 6
    canvas.setLineWidth(0.4)
    canvas.line(LEFT, below, RIGHT, below)
    return below - 14


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


def _proof(canvas: Any, y: float, code: str) -> None:
    url = f"{settings.PUBLIC_URL}/verify/{code}"
    side = 28 * MILLIMETRE
    _qr(canvas, url, (LEFT, y - side), side)
    canvas.setFont(FONT, 9.5)
    canvas.drawString(LEFT + side + 12, y - 24, _("Anybody can check this receipt:"))
    canvas.drawString(LEFT + side + 12, y - 38, url)
    canvas.setFont(BOLD, 12)
    canvas.drawString(LEFT + side + 12, y - 58, code)


def _qr(canvas: Any, text: str, corner: tuple[float, float], side: float) -> None:
    matrix = segno.make(text, error="m", micro=False).matrix
    dot = side / len(matrix)
    for row, dots in enumerate(matrix):
        for column, is_dark in enumerate(dots):
            if is_dark:
                x, y = corner[0] + column * dot, corner[1] + side - (row + 1) * dot
                canvas.rect(x, y, dot, dot, stroke=0, fill=1)
