"""Each movement of money, and the postings it leaves. Amounts are pesos unless said otherwise."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.ledger import recipes, services
from payments.ledger.models import Account, Entry
from tests.ledger.books import NOW, balance, deposit, lines_of, peso, settle, total, unmatched

pytestmark = pytest.mark.django_db

ORDER = {"order_id": "col_1", "charge_id": "chg_1", "account": "simulator"}
PAID_BY_PSE = {**ORDER, "rail": "PSE", "currency": "COP", "base": peso(50000), "fee": peso(25)}
BITCOIN = recipes.Conversion(currency="BTC", amount=peso("0.00012665"), rate=peso("395000000"))

MOVEMENTS: dict[str, tuple[Callable[..., Entry], dict[str, Any], list[tuple[str, str]]]] = {
    "an order paid at once": (
        settle,
        {**PAID_BY_PSE, "received_now": peso(50025)},
        [
            ("clearing:simulator:COPM", "-50025"),
            ("available:me:COPM", "50000"),
            ("fees:COPM", "25"),
        ],
    ),
    "an order paid in parts and too much": (
        settle,
        {
            **PAID_BY_PSE,
            "rail": "BANK_TRANSFER",
            "received_now": peso(30100),
            "received_before": peso(20000),
            "excess": peso(75),
        },
        [
            ("clearing:simulator:COPM", "-30100"),
            ("suspense:COPM", "-20000"),
            ("available:me:COPM", "50000"),
            ("fees:COPM", "25"),
            ("suspense:COPM", "75"),
        ],
    ),
    "an order without a fee": (
        settle,
        {**PAID_BY_PSE, "fee": peso(0), "received_now": peso(50000)},
        [("clearing:simulator:COPM", "-50000"), ("available:me:COPM", "50000")],
    ),
    "an order with centavos": (
        settle,
        {**PAID_BY_PSE, "base": peso("999.99"), "fee": peso(1), "received_now": peso("1000.99")},
        [
            ("clearing:simulator:COPM", "-1000.99"),
            ("available:me:COPM", "999.99"),
            ("fees:COPM", "1"),
        ],
    ),
    "a peso order paid in bitcoin": (
        settle,
        {**PAID_BY_PSE, "rail": "CRYPTO", "received_now": peso(50025), "conversion": BITCOIN},
        [
            ("clearing:simulator:BTC", "-0.00012665"),
            ("conversion:BTC", "0.00012665"),
            ("conversion:COPM", "-50025"),
            ("available:me:COPM", "50000"),
            ("fees:COPM", "25"),
        ],
    ),
    "an order in USDT": (
        settle,
        {
            **ORDER,
            "rail": "CRYPTO",
            "currency": "USDT",
            "base": peso(1000),
            "fee": peso("0.5"),
            "received_now": peso("1000.5"),
        },
        [
            ("clearing:simulator:USDT", "-1000.5"),
            ("available:me:USDT", "1000"),
            ("fees:USDT", "0.5"),
        ],
    ),
    "part of an order": (
        deposit,
        {
            **ORDER,
            "rail": "BANK_TRANSFER",
            "currency": "COP",
            "amount": peso(20000),
            "idempotency_key": "chg_1:20000",
        },
        [("clearing:simulator:COPM", "-20000"), ("suspense:COPM", "20000")],
    ),
    "part of a peso order in bitcoin": (
        deposit,
        {
            **ORDER,
            "rail": "CRYPTO",
            "currency": "COP",
            "amount": peso(50026),
            "idempotency_key": "chg_1:0.00012665",
            "conversion": BITCOIN,
        },
        [
            ("clearing:simulator:BTC", "-0.00012665"),
            ("conversion:BTC", "0.00012665"),
            ("conversion:COPM", "-50026"),
            ("suspense:COPM", "50026"),
        ],
    ),
    "money that no order takes": (
        unmatched,
        {
            **ORDER,
            "rail": "CRYPTO",
            "currency": "ETH",
            "amount": peso("0.5"),
            "idempotency_key": "unm_1",
        },
        [("clearing:simulator:ETH", "-0.5"), ("suspense:ETH", "0.5")],
    ),
    "play money": (
        recipes.sandbox_credited,
        {"currency": "COPM", "amount": peso(5000000), "reference": "demo"},
        [("sandbox:COPM", "-5000000"), ("available:me:COPM", "5000000")],
    ),
}


def test_settled_order_credits_the_merchant_and_our_fees(merchant: Merchant) -> None:
    entry = settle(merchant_id=merchant.pk, **PAID_BY_PSE, received_now=peso(50025), now=NOW)

    assert balance(merchant.pk) == 50000
    assert total("fees:COPM") == 25
    assert total("clearing:simulator:COPM") == -50025, "the rail owes us what it received"
    assert Entry.objects.get().pk == entry.pk
    assert entry.memo == {"charge": "chg_1", "rail": "PSE", "account": "simulator"}
    connection.check_constraints()


@pytest.mark.parametrize("name", MOVEMENTS)
def test_a_movement_leaves_these_postings(name: str, merchant: Merchant) -> None:
    recipe, values, expected = MOVEMENTS[name]

    entry = recipe(merchant_id=merchant.pk, **values, now=NOW)

    assert lines_of(entry, merchant.pk) == [(code, Decimal(amount)) for code, amount in expected]
    connection.check_constraints()
    assert services.verify().problems == []


@pytest.mark.parametrize("name", MOVEMENTS)
def test_the_same_fact_is_posted_once(name: str, merchant: Merchant) -> None:
    recipe, values, expected = MOVEMENTS[name]
    first = recipe(merchant_id=merchant.pk, **values, now=NOW)

    with pytest.raises(services.AlreadyPosted) as raised:
        recipe(merchant_id=merchant.pk, **values, now=NOW)

    assert raised.value.entry == first
    assert first.postings.count() == len(expected), "and the transaction goes on"
    connection.check_constraints()


@pytest.mark.parametrize("name", MOVEMENTS)
def test_a_movement_costs_two_statements(
    name: str, merchant: Merchant, django_assert_num_queries: Any
) -> None:
    recipe, values, _ = MOVEMENTS[name]
    once = {"order_id": "col_0"} if "order_id" in values else {"reference": "before"}
    again = {"idempotency_key": "before"} if "idempotency_key" in values else {}
    recipe(merchant_id=merchant.pk, **{**values, **once, **again}, now=NOW)  # makes the accounts

    with django_assert_num_queries(2):
        recipe(merchant_id=merchant.pk, **values, now=NOW)


def test_the_rate_of_a_conversion_is_on_the_entry(merchant: Merchant) -> None:
    recipe, values, _ = MOVEMENTS["a peso order paid in bitcoin"]

    entry = recipe(merchant_id=merchant.pk, **values, now=NOW)

    assert entry.memo == {
        "charge": "chg_1",
        "rail": "CRYPTO",
        "account": "simulator",
        "coin": "BTC",
        "rate": "395000000",
    }


def test_two_merchants_may_use_the_same_reference(merchant: Merchant, stranger: Merchant) -> None:
    for owner in (merchant, stranger):
        recipes.sandbox_credited(
            merchant_id=owner.pk, currency="COP", amount=peso(10), reference="1", now=NOW
        )

    assert balance(merchant.pk) == balance(stranger.pk) == 10


def test_what_was_received_must_be_what_is_given(merchant: Merchant) -> None:
    with pytest.raises(ValueError, match="does not balance"):
        settle(merchant_id=merchant.pk, **PAID_BY_PSE, received_now=peso(50024), now=NOW)

    assert not Account.objects.exists()
