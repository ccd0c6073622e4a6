"""Who paid, and where the refund goes: masked, side by side, for the person who approves."""

from collections.abc import Mapping

from django.utils.translation import gettext

from payments.collect.models import Refund
from payments.collect.services.refunds.destination_checks import is_of_payer
from payments.collect.services.refunds.refund_keys import last_check, payment_of
from payments.console import tenancy
from payments.core import masking
from payments.rails.admin import key_holders


def payer(refund: Refund) -> str:
    known = refund.charge.payer
    return _person(known.get("name", ""), known)


def destination(refund: Refund) -> str:
    """Empty while it is not known."""
    given = refund.destination
    if not given or refund.coin:  # coin_desk has the address
        return ""
    holder = _person(given["recipient_name"], given)
    if number := given.get("account_number"):
        return f"{holder} · {masking.tail(number)}"
    return f"{holder} · {masking.contact(given['key_value'])}"


def key_holder(refund: Refund) -> str:
    """As the rail masks it."""
    return key_holders.shown(last_check(refund)) if payment_of(refund) else "-"


def warnings(refund: Refund) -> list[object]:
    return [*_document_warnings(refund), *_key_warnings(refund)]


def _key_warnings(refund: Refund) -> list[object]:
    if tenancy.current_user_is_merchant():  # the rail tells us, not merchants
        return []
    name = refund.destination.get("recipient_name", "")
    return key_holders.warnings(last_check(refund), name)


def _document_warnings(refund: Refund) -> list[object]:
    if not refund.destination or refund.coin or is_of_payer(refund):
        return []
    if not refund.charge.payer.get("document_number"):
        return [
            gettext("The payment has no document of its payer, so the account cannot be compared.")
        ]
    return [gettext("The account is in the name of another document than the payer's.")]


def summary(refund: Refund) -> list[str]:
    """Of a refund by payout, for the page of its approval."""
    if not (account := destination(refund)):
        return []
    return [
        gettext("Paid by: %s") % (payer(refund) or "-"),
        gettext("Goes to: %s") % account,
        *([gettext("Holder of the key: %s") % key_holder(refund)] if payment_of(refund) else []),
        *map(str, warnings(refund)),
    ]


def _person(name: str, known: Mapping[str, str]) -> str:
    number = masking.tail(known.get("document_number", ""))
    document = f"{known.get('document_type', '')} {number}".strip() if number else ""
    return " · ".join(filter(None, (masking.full_name(name), document)))
