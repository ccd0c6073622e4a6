"""A merchant's team, and payouts that one of them makes in the console's way."""

import itertools
from decimal import Decimal

from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services import by_hand
from payments.payout.services.by_hand import HandPayout
from payments.payout.services.payouts import NewPayout
from tests.support.merchant_staff import person_of

_tokens = itertools.count(1)
BANK_FEE = Decimal(2500)


def preparer(merchant: Merchant, name: str = "pilar") -> User:
    return person_of(merchant, name, roles.MERCHANT_PREPARER)


def approver(merchant: Merchant, name: str = "andres", actor: str = "ana") -> User:
    return person_of(merchant, name, roles.MERCHANT_APPROVER, actor)


def wanted(amount: int = 100_000, **changes: str) -> NewPayout:
    place: dict[str, str] = {
        "recipient_name": "Juan Pérez",
        "recipient_doc_type": "CC",
        "recipient_doc_number": "79123456",
        "account_number": "12345678901",
        **changes,
    }
    return NewPayout(
        amount=Decimal(amount),
        currency="COPM",
        network="BANK",
        bank="bancolombia",
        account_type="SAVINGS",
        key_type=None,
        key_value=None,
        description="Nómina",
        **place,
    )


def hand_payout(
    merchant: Merchant, amount: int = 100_000, *, token: str = "", **changes: str
) -> HandPayout:
    return HandPayout(
        merchant=Merchant.objects.get(pk=merchant.pk),
        token=token or f"token-{next(_tokens)}",
        wanted=wanted(amount, **changes),
        fee=BANK_FEE,
    )


def ask(merchant: Merchant, user: User, amount: int = 100_000, *, token: str = "") -> Payout:
    made, _replayed = by_hand.ask(
        new=hand_payout(merchant, amount, token=token), user=user, now=clock.now()
    )
    return made
