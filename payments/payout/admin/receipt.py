"""The receipt of a completed payout as a PDF file, for the merchant and the beneficiary."""

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _

from payments.console.formatting import when
from payments.core import money, pdf_sheet
from payments.core.pdf_sheet import Row
from payments.outgoing.admin.actions import currency_of
from payments.payout.admin.payout_facts import destination, document
from payments.payout.models import Payout
from payments.providers import registry


def has_receipt(payout: Payout) -> bool:
    """Money that came back has none."""
    return payout.status == Payout.Status.COMPLETED and payout.completed_at is not None


def operation_number(payout: Payout) -> str:
    """By which the bank or the provider finds it. Empty if there is none."""
    return payout.authorization or payout.provider_id


def receipt_of(payout: Payout) -> bytes:
    is_test = settings.SANDBOX or registry.is_simulated(payout.provider)
    return pdf_sheet.draw(
        pdf_sheet.Sheet(
            title=_("Receipt of the payout %s") % payout.pk,
            issuer=payout.merchant.name,
            logo=payout.merchant.logo,
            heading=_("Payout completed"),
            amount=money.shown(payout.amount, currency_of(payout)),
            note=_("This is the receipt of a test: no money moved.") if is_test else "",
            rows=list(rows_of(payout)),
            sum_label=_("Total debit"),
            foot=[_("Payment processed securely by Pasarela")],
        )
    )


def rows_of(payout: Payout) -> Iterator[Row]:
    yield _("Paid by"), payout.merchant.name
    if legal := getattr(payout.merchant, "legal_data", None):
        yield _("Legal name"), legal.legal_name
        yield "NIT", legal.nit_shown
    yield _("Beneficiary"), payout.recipient_name
    yield _("Document"), document(payout)
    yield _("Destination"), destination(payout)
    yield _("Arrived at"), when(payout.completed_at)
    if payout.description:
        yield _("Description"), payout.description
    if payout.reference:
        yield _("Reference"), payout.reference
    if number := operation_number(payout):
        yield _("Operation number"), number
    yield _("Id"), payout.pk
    yield _("Amount"), money.shown(payout.amount, currency_of(payout))
    yield _("Fee"), money.shown(payout.fee_amount, currency_of(payout))
    is_fiat = payout.currency == money.BALANCE_OF_FIAT
    debited_in = money.FIAT if is_fiat else payout.currency
    yield _("Total debit"), money.shown(payout.debit, debited_in)
