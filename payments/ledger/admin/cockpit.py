"""A merchant's balance, and our fees of 30 days, on the page of the merchant."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from decimal import Decimal

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.cockpit import DAYS, Fact, Panel, Subject
from payments.console.formatting import amount
from payments.core import days
from payments.ledger import services
from payments.ledger.services.fee_totals import fees_since


def panels(subject: Subject) -> Iterator[Panel]:
    if subject.may("ledger.view_account"):
        yield _balance(subject)
        yield _fees(subject)


def _balance(subject: Subject) -> Panel:
    balances = services.balances(subject.merchant_id)
    pages = f"{reverse('admin:ledger_balance')}?merchant={subject.merchant_id}"
    held = ((name, parts["held"]) for name, parts in balances.items() if parts["held"])
    return Panel(
        order=10,
        title=_("Available balance"),
        figures=tuple(amount(parts["available"], name) for name, parts in balances.items())
        or (amount(0, "COPM"),),
        note=_balance_note(balances),
        facts=tuple(Fact(_("held"), amount(value, name)) for name, value in held),
        links=((_("Movements"), pages),),
    )


def _balance_note(balances: Mapping[str, Mapping[str, Decimal]]) -> str:
    if not balances:
        return gettext("No money has moved yet.")
    if any(parts["held"] for parts in balances.values()):
        return gettext("Held: set aside for payouts, refunds or disputes that have not ended.")
    return ""


def _fees(subject: Subject) -> Panel:
    first = days.day_of(subject.now) - timedelta(days=DAYS - 1)
    found = fees_since(first, merchant_id=subject.merchant_id)
    return Panel(
        order=30,
        title=gettext("Fees, %d days") % DAYS,
        figures=tuple(amount(fees, name) for name, fees in found.items()) or (amount(0, "COPM"),),
        note=gettext("What the account has paid for our service, taxes included."),
        is_nothing=not any(found.values()),
    )
