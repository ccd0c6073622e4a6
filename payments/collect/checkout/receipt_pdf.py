"""The receipt as a PDF file on one sheet: what the page shows, and the QR code that proves it."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from merchants.models import Method
from payments.collect.checkout import timestamps
from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.orders import charge_bank, charge_method, lookup, receipts
from payments.core import money, receipt_codes

MILLIMETRE = 72 / 25.4
LEFT, RIGHT, TOP = 45 * MILLIMETRE, 170 * MILLIMETRE, 260 * MILLIMETRE
FOOT = 14 * MILLIMETRE
VALUES = 100 * MILLIMETRE
FONT, BOLD = "Vera", "VeraBd"  # Of reportlab; a PDF reader has no ñ of its own in every font.
MAX_LINES = 8  # Of a value: the sheet is one.
INK, SOFT, LINE, MARK = "#14263a", "#55677a", "#ccd5dd", "#19b394"  # As on the page.
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


def rows_of(order: Order, charge: Charge | None, paid: receipts.Paid) -> Iterator[Row]:
    yield _("Shop"), order.merchant.name
    if legal := getattr(order.merchant, "legal_data", None):
        yield _("Legal name"), legal.legal_name
        yield "NIT", legal.nit_shown
    yield _("Reference"), order.reference
    if order.description:
        yield _("Description"), order.description
    yield _("Payer"), order.customer_name
    yield _("Date"), timestamps.written(order.paid_at) if order.paid_at else "-"
    yield from _rows_of_charge(order, charge)
    if order.base_amount is not None and order.fee_amount is not None:
        yield _("Amount"), money.shown(order.base_amount, order.currency)
        yield _("Service fee"), money.shown(order.fee_amount, order.currency)
    yield from _rows_of_surplus(order, paid.surplus)
    yield _("Total paid"), money.shown(paid.total, order.currency)
    if order.refunded_amount:
        yield _("Returned to you"), money.shown(order.refunded_amount, order.currency)


def _rows_of_surplus(order: Order, surplus: Sequence[UnmatchedFunds]) -> Iterator[Row]:
    if surplus:
        yield _("Order total"), money.shown(order.amount, order.currency)
    for funds in surplus:
        yield receipts.surplus_name(funds), money.shown(funds.amount, funds.currency)


def _rows_of_charge(order: Order, charge: Charge | None) -> Iterator[Row]:
    if charge is None:
        return
    yield _("Method"), charge_method.name_of(charge)
    if bank := charge_bank.name_of(charge):
        yield _("Bank"), bank
    if charge.currency != order.currency:
        yield _("Paid with"), money.shown(charge.received, charge.currency)
    if charge.method == Method.CRYPTO and charge.network_name:
        yield _("Network"), charge.network_name
    if charge.trace_code:
        yield _name_of_trace(charge.method), charge.trace_code


def _name_of_trace(method: str) -> str:
    if method == Method.PSE:
        return _("Trace code (CUS)")
    return _("Transaction") if method == Method.CRYPTO else _("Trace code")


def _draw(order: Order, charge: Charge | None, code: str) -> bytes:
    # Imported late, because most processes never make a PDF.
    from reportlab.lib.pagesizes import LETTER
    from reportlab.pdfgen.canvas import Canvas

    _register_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=LETTER, invariant=1)
    canvas.setTitle(f"{_('Payment received')} {code}")
    canvas.setAuthor("Pasarela")
    paid = receipts.paid_of(order)
    total = money.shown(paid.total, order.currency)
    y = _head(canvas, total, is_test=receipts.uses_play_money(charge))
    for label, value in rows_of(order, charge, paid):
        y = _row(canvas, y, (label, value), is_sum=label == _("Total paid"))
    _proof(canvas, y, code)
    _foot(canvas, order)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _register_fonts() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for name in (FONT, BOLD):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))


def _head(canvas: Any, total: str, *, is_test: bool) -> float:
    _mark(canvas)
    y = TOP - 14 * MILLIMETRE
    _write(canvas, (LEFT, y), _("Payment received"), 17)
    _write(canvas, (LEFT, y - 26), total, 22)
    y -= 26
    if is_test:
        y -= 10 * MILLIMETRE
        canvas.setStrokeColor(INK)
        canvas.rect(LEFT, y - 5, RIGHT - LEFT, 18)
        _write(canvas, (LEFT + 6, y), _("This is the receipt of a test: no money moved."), 10)
    return y - 11 * MILLIMETRE


def _mark(canvas: Any) -> None:
    """The bridge of the page's head, in its grid of 24 units, and the name."""
    canvas.saveState()
    canvas.translate(LEFT, TOP - 5)
    canvas.scale(0.75, 0.75)
    canvas.setFillColor(MARK)
    canvas.roundRect(0, 0, 24, 24, 7, stroke=0, fill=1)
    canvas.setStrokeColor("#ffffff")
    canvas.setLineWidth(1.8)
    canvas.setLineCap(1)
    canvas.bezier(6, 9, 6, 14, 18, 14, 18, 9)
    for x, top in ((6, 9), (10, 12), (14, 12), (18, 9)):
        canvas.line(x, 7, x, top)
    canvas.restoreState()
    _write(canvas, (LEFT + 25, TOP), "Pasarela", 11)


def _write(
    canvas: Any, at: tuple[float, float], text: str, size: float, font: str = BOLD, ink: str = INK
) -> None:
    canvas.setFillColor(ink)
    canvas.setFont(font, size)
    canvas.drawString(*at, text)


def _row(canvas: Any, y: float, row: Row, *, is_sum: bool) -> float:
    """Draws a label and its value, and returns where the next row begins."""
    from reportlab.lib.utils import simpleSplit

    label, value = row
    font, size = (BOLD, 11) if is_sum else (FONT, 9.5)
    _write(canvas, (LEFT, y), label, size, font, INK if is_sum else SOFT)
    canvas.setFillColor(INK)
    lines = _broken(simpleSplit(value, font, size, RIGHT - VALUES), font, size)[:MAX_LINES]
    for number, line in enumerate(lines):
        canvas.drawRightString(RIGHT, y - number * 13, line)
    below = y - 13 * max(len(lines) - 1, 0) - 6
    canvas.setStrokeColor(LINE)
    canvas.setLineWidth(0.6)
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
    beside = LEFT + side + 12
    _write(canvas, (beside, y - 24), _("Anybody can check this receipt:"), 9.5, FONT, SOFT)
    _write(canvas, (beside, y - 38), url, 9.5, FONT)
    _write(canvas, (beside, y - 58), code, 12)


def _foot(canvas: Any, order: Order) -> None:
    """Who answers questions about the purchase, and who processed the payment."""
    lines = [_("Payment processed securely by Pasarela")]
    if legal := getattr(order.merchant, "legal_data", None):
        contact = " · ".join(filter(None, (legal.contact_email, legal.contact_phone)))
        lines += [f"{_('Questions about the purchase:')} {contact}"] if contact else []
    for number, line in enumerate(lines):
        _write(canvas, (LEFT, FOOT + 12 * number), line, 8.5, FONT, SOFT)


def _qr(canvas: Any, text: str, corner: tuple[float, float], side: float) -> None:
    canvas.setFillColor("#000000")
    matrix = segno.make(text, error="m", micro=False).matrix
    dot = side / len(matrix)
    for row, dots in enumerate(matrix):
        for column, is_dark in enumerate(dots):
            if is_dark:
                x, y = corner[0] + column * dot, corner[1] + side - (row + 1) * dot
                canvas.rect(x, y, dot, dot, stroke=0, fill=1)
