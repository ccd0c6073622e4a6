"""What people read instead of an account's code."""

import pytest
from django.utils import translation

from merchants.models import Merchant
from payments.ledger.models import Account
from payments.ledger.services.account_names import name_accounts
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


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("clearing:simulator:COPM", "clearing with simulator"),
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
