"""A merchant with a verified bank account, and its administrator."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.payout.models import Payout
from payments.withdrawals.models import BankAccount
from payments.withdrawals.services import bank_accounts, withdrawals
from tests.support.merchant_staff import person_of


@pytest.fixture(autouse=True)
def _ready(catalogues: None, settings: Any) -> None:
    settings.DOORBELL = False


@pytest.fixture
def legal(merchant: Merchant) -> LegalData:
    return LegalData.objects.create(
        merchant=merchant, legal_name="Café Andino S.A.S.", nit="890903938"
    )


@pytest.fixture
def gabriel(merchant: Merchant) -> User:
    """Café Andino's administrator."""
    return person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)


def entered(merchant: Merchant, number: str = "12345678901") -> BankAccount:
    new = bank_accounts.NewAccount(
        merchant=merchant, bank="bancolombia", account_type="SAVINGS", account_number=number
    )
    return bank_accounts.enter(new=new, actor="gabriel", reason="First one", now=clock.now())


@pytest.fixture
def account(merchant: Merchant, legal: LegalData) -> BankAccount:
    """Verified by olga."""
    made = entered(merchant)
    bank_accounts.verify(account=made, actor="olga", reason="Certificate seen", now=clock.now())
    made.refresh_from_db()
    return made


def ask(account: BankAccount, user: User, amount: int | Decimal, token: str = "t-1") -> Payout:
    wanted = withdrawals.Wanted(account=account, amount=Decimal(amount), token=token)
    return withdrawals.withdraw(wanted=wanted, user=user, now=clock.now())[0]
