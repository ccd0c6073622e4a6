"""What the form of a withdrawal says before it is asked for."""

from decimal import Decimal

from django.utils.translation import gettext

from payments.console.formatting import amount
from payments.core import clock, money
from payments.payout.admin.dry_run_facts import when_it_arrives
from payments.withdrawals.models import BankAccount
from payments.withdrawals.services import withdrawals


def arrival(account: BankAccount, pesos: Decimal) -> list[str]:
    found = withdrawals.arrival(account, amount=pesos, now=clock.now())
    return when_it_arrives(found) if found else []


def facts_of(account: BankAccount, offered: withdrawals.Offer) -> list[tuple[object, object]]:
    told = arrival(account, offered.most)
    arrives = [(gettext("Arrives"), " ".join(told))] if told else []
    return [
        (gettext("Available"), amount(offered.available, money.FIAT)),
        (gettext("The most that you can withdraw"), amount(offered.most, money.FIAT)),
        (gettext("Fee of that"), amount(offered.fee, money.FIAT)),
        *arrives,
    ]
