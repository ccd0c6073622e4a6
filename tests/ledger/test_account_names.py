"""What people read instead of an account's code."""

import pytest
from django.utils import translation

from merchants.models import Merchant
from payments.ledger.models import Account
from payments.ledger.services.account_names import name_accounts
from payments.reconciliation.models import BankAccount
from tests.ledger.books import NOW
from tests.rails.accounts import wompi

pytestmark = pytest.mark.django_db


def name(code: str, merchant: Merchant | None = None) -> str:
    kind, *_, currency = code.split(":")
    balance = None if merchant is None else 0
    account = Account(
        pk=1, code=code, kind=kind, currency=currency, merchant=merchant, balance=balance
    )
    with translation.override("en"):
        return str(name_accounts([account])[1])


def test_clearing_and_transit_have_the_label_of_the_provider_account() -> None:
    with wompi():
        assert name("clearing:wompi-main:COPM") == "clearing with Wompi-Main (wompi-main)"
        assert name("transit:wompi-main:COPM") == "on its way from Wompi-Main (wompi-main)"


def test_a_bank_account_has_its_label() -> None:
    BankAccount.objects.create(
        slug="main",
        label="Bancolombia ahorros",
        bank_code="1007",
        number="12345678901",
        account_type="SAVINGS",
        holder="Pasarela SAS",
        document="900123456",
        created_by="ana",
        created_at=NOW,
    )
    assert name("bank:main:COPM") == "bank account Bancolombia ahorros (main)"
    assert name("bank:of-no-row:COPM") == "bank account of-no-row"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("clearing:simulator:COPM", "clearing with the simulator"),
        ("clearing:PSE:COPM", "clearing with PSE"),
        ("costs:gmf:COPM", "costs: tax on movements (4x1000)"),
        ("costs:of_a_later_release:COPM", "costs: of_a_later_release"),
        ("suspense:COPM", "suspense"),
        ("suspense:bank:COPM", "suspense: bank movements without a purpose yet"),
        ("equity:COPM", "equity"),
        ("fees:USDT", "fees"),
    ],
)
def test_other_accounts_are_named_by_what_they_are_for(code: str, expected: str) -> None:
    assert name(code) == expected


def test_accounts_of_merchants_say_which_part_of_the_balance_they_are(merchant: Merchant) -> None:
    assert name(f"held:{merchant.pk}:COPM", merchant) == "merchant, held"
