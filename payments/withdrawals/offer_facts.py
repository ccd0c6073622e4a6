"""What the pages of a withdrawal say before it is asked for."""

from decimal import Decimal

from django.contrib.auth.models import User
from django.utils.translation import gettext

from merchants.legal import tax_ids
from payments.console.formatting import amount
from payments.core import clock, masking, money
from payments.core.errors import ServiceError
from payments.ledger import services as ledger
from payments.payout.admin.dry_run_facts import waiting_for, when_it_arrives
from payments.payout.models import Payout
from payments.payout.services import arrival_times, team_approvals
from payments.payout.services.team_approvals import Need
from payments.withdrawals.models import BankAccount
from payments.withdrawals.services import withdrawals

Fact = tuple[object, object]


def of_form(account: BankAccount, offered: withdrawals.Offer) -> list[Fact]:
    """The most that can be withdrawn stands in the form, beside its choice."""
    try:
        draft = withdrawals.draft(account, amount=offered.most, now=clock.now())
    except ServiceError:
        arrives: list[Fact] = []
    else:
        arrives = [(gettext("Arrives"), " ".join(_arrival(draft)))]
    return [
        (gettext("To your account"), str(account)),
        (gettext("Available"), amount(offered.available, money.FIAT)),
        (gettext("Fee, if you withdraw all of it"), amount(offered.fee, money.FIAT)),
        *arrives,
    ]


def need_of(account: BankAccount, draft: Payout, user: User) -> Need:
    return team_approvals.needed(
        merchant=account.merchant, amount=draft.amount, requested_by=user.get_username()
    )


def of_check(account: BankAccount, draft: Payout, need: Need, reason: str) -> list[Fact]:
    """The sum first. The account as its owner knows it: with both ends of the number."""
    held = ledger.balances(account.merchant_id).get(draft.currency, {})
    now, waits_for = held.get("available", Decimal(0)), waiting_for(need)
    told = _arrival(draft)
    if waits_for:
        told.append(gettext("It is sent after the approval."))
    number = masking.both_ends(account.account_number)
    place = f"{account.bank.name} · {account.get_account_type_display()} · {number}"
    return [
        (gettext("You withdraw"), amount(draft.amount, money.FIAT)),
        (gettext("To your account"), place),
        (gettext("Holder"), f"{account.holder_name}, NIT {tax_ids.shown(account.nit)}"),
        (gettext("Fee"), amount(draft.fee_amount, money.FIAT)),
        (gettext("Taken from your balance"), amount(draft.debit, draft.currency)),
        (gettext("Balance now"), amount(now, draft.currency)),
        (gettext("Balance after"), amount(now - draft.debit, draft.currency)),
        (gettext("Arrives"), " ".join(told)),
        (gettext("Waits for"), waits_for or gettext("nothing: it is sent at once")),
        *([(gettext("Reason"), reason)] if reason else []),
    ]


def _arrival(draft: Payout) -> list[str]:
    return when_it_arrives(arrival_times.expected(draft, now=clock.now()))
