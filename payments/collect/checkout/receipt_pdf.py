"""The receipt as a PDF file on one sheet: what the page shows, and the QR code that proves it."""

from collections.abc import Iterator, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from merchants.models import Method
from payments.collect.checkout import coin_pages, timestamps
from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.orders import charge_bank, charge_method, lookup, receipts
from payments.core import money, pdf_sheet, receipt_codes
from payments.core.pdf_sheet import Row


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
        if legal.place:
            yield _("Address"), legal.place
    yield _("Reference"), order.reference
    if order.description:
        yield _("Description"), order.description
    if order.customer_name:
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
        if at := receipts.refunded_at(order):
            yield _("Returned on"), timestamps.written(at)


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
    codes = [charge.trace_code] if charge.trace_code else []
    if charge.method == Method.CRYPTO:
        paying = coin_pages.paying_transactions(receipts.paying_charges(order, charge))
        codes = [one.transaction for one in paying] or codes
    for code in codes:
        yield _name_of_trace(charge.method), code


def _name_of_trace(method: str) -> str:
    if method == Method.PSE:
        return _("Trace code (CUS)")
    return _("Transaction") if method == Method.CRYPTO else _("Trace code")


def _draw(order: Order, charge: Charge | None, code: str) -> bytes:
    test = _("This is the receipt of a test: no money moved.")
    notes = [test] if receipts.uses_play_money(charge) else []
    if order.refunded_amount:
        returned = money.shown(order.refunded_amount, order.currency)
        notes.append(_("Of this payment %s went back to the payer.") % returned)
    paid = receipts.paid_of(order)
    return pdf_sheet.draw(
        pdf_sheet.Sheet(
            title=_("Payment receipt %s") % code,
            heading=_("Payment receipt"),
            issuer=order.merchant.name,
            logo=order.merchant.logo,
            amount=money.shown(paid.total, order.currency),
            note="\n".join(notes),
            rows=list(rows_of(order, charge, paid)),
            sum_label=_("Total paid"),
            proof=pdf_sheet.Proof(
                says=_("Anybody can check this receipt:"),
                url=f"{settings.PUBLIC_URL}/verify/{code}",
                code=code,
            ),
            foot=_foot(order),
        )
    )


def _foot(order: Order) -> list[str]:
    """Who answers questions about the purchase, and who processed the payment."""
    lines = [_("Payment processed securely by Pasarela")]
    if legal := getattr(order.merchant, "legal_data", None):
        contact = " · ".join(filter(None, (legal.contact_email, legal.contact_phone)))
        lines += [f"{_('Questions about the purchase:')} {contact}"] if contact else []
    return lines
