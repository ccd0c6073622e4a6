"""What a person compares before deciding about a payout. Private numbers are masked."""

from decimal import Decimal

from django.utils.translation import gettext

from payments.console import tenancy
from payments.console.formatting import amount, day, when
from payments.console.timeline import who
from payments.core import clock, masking
from payments.ledger import services as ledger
from payments.outgoing.admin.actions import amount_of, currency_of
from payments.payout.models import Beneficiary, Network, Payout
from payments.payout.services import arrival_times

Fact = tuple[object, object]
OPEN = (Payout.Status.PENDING, Payout.Status.PROCESSING)


def document(payout: Payout, *, is_whole: bool = False) -> str:
    """Masked, or as it was typed for a person who compares it."""
    tail = masking.tail(payout.recipient_document)
    return f"{payout.recipient_doc_type} {payout.recipient_doc_number if is_whole else tail}"


def destination(payout: Payout | Beneficiary, *, is_whole: bool = False) -> str:
    """Bank and account, or the key. Masked as the document is."""
    if payout.bank is not None:
        kind, number = payout.get_account_type_display(), payout.account_number
        return f"{payout.bank.name} · {kind} · {number if is_whole else masking.tail(number)}"
    key = payout.key_value
    return f"Bre-B · {payout.get_key_type_display()} · {key if is_whole else masking.contact(key)}"


def payout_facts(payout: Payout, *, is_whole: bool = False) -> list[Fact]:
    asked = gettext("%(person)s, on %(day)s")
    given = {"person": who(payout.requested_by), "day": when(payout.created_at)}
    whose: list[Fact] = [(gettext("Merchant"), payout.merchant.name)]
    own: list[Fact] = [
        (gettext("Description"), payout.description),
        (gettext("Reference"), payout.reference),
    ]
    return [
        *([] if tenancy.current_user_is_merchant() else whose),
        (gettext("Beneficiary"), payout.recipient_name),
        (gettext("Document"), document(payout, is_whole=is_whole)),
        (gettext("Destination"), destination(payout, is_whole=is_whole)),
        (gettext("Amount"), amount_of(payout)),
        (gettext("Fee"), amount(payout.fee_amount, currency_of(payout))),
        (gettext("Total debit"), amount(payout.debit, payout.currency)),
        *_balances(payout),
        (gettext("Requested by"), asked % given),
        *((label, value) for label, value in own if value),
    ]


def arrives(payout: Payout) -> str:
    """When it arrived; of others, what the network takes."""
    if payout.status == Payout.Status.COMPLETED:
        return when(payout.completed_at)
    if payout.status not in OPEN:
        return "-"
    if payout.network == Network.BREB:
        return gettext("within seconds after it is sent")
    latest = day(arrival_times.latest_day(payout.sent_at or clock.now()))
    if payout.sent_at is None:
        return gettext("on %s at the latest, if it is sent today") % latest
    return gettext("on %s at the latest") % latest


def _balances(payout: Payout) -> list[Fact]:
    """While it waits its money is set aside already."""
    if payout.status != Payout.Status.PENDING:
        return []
    balances = ledger.balances(payout.merchant_id).get(payout.currency, {})
    after = balances.get("available", Decimal(0))
    return [
        (gettext("Balance before"), amount(after + payout.debit, payout.currency)),
        (gettext("Balance after"), amount(after, payout.currency)),
    ]
