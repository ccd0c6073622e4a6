"""A payout's movements of money, and the postings they leave, from pesos and from USDT."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.ledger import recipes, services
from payments.ledger.models import Account, Entry
from tests.ledger.books import NOW, balance, lines_of, peso, total

pytestmark = pytest.mark.django_db

# 100,000 pesos to a bank account with a fee of 2,500; in USDT at 3,950 it is 25.949368 (up).
DEBITS = {"COPM": peso(102500), "USDT": peso("25.949368")}
FUNDS = {"COPM": peso(150000), "USDT": peso(40)}
RATES = {
    "COPM": {"rate": None, "spread": None},
    "USDT": {"rate": peso("3950.00"), "spread": peso("0.010")},
}
GONE = {
    "rail": "bank",
    "account": "simulator",
    "amount": peso(100000),
    "fee": peso(2500),
}
Lines = list[tuple[str, str]]


class Payout:
    """The movements of one payout of one merchant."""

    def __init__(self, merchant: Merchant, currency: str, payout_id: str = "po_1") -> None:
        self.merchant = merchant
        self.payout_id = payout_id
        self.currency = currency
        self.debit = DEBITS[currency]

    def out(self, **changes: Any) -> recipes.Outgoing:
        values = {
            "product": "payout",
            "payment_id": self.payout_id,
            "merchant_id": self.merchant.pk,
            "currency": self.currency,
            "debit": self.debit,
            **GONE,
        }
        return recipes.Outgoing(**{**values, **changes})

    def fund(self, amount: Decimal | None = None) -> None:
        recipes.sandbox_credited(
            merchant_id=self.merchant.pk,
            currency=self.currency,
            amount=FUNDS[self.currency] if amount is None else amount,
            reference="funds",
            now=NOW,
        )

    def reserve(self) -> Entry:
        return recipes.outgoing_reserved(self.out(), **RATES[self.currency], now=NOW)

    def release(self) -> Entry:
        return recipes.outgoing_released(self.out(), now=NOW)

    def complete(self, **changes: Any) -> Entry:
        return recipes.outgoing_completed(self.out(**changes), now=NOW)

    def come_back(self, *, from_completed: bool) -> Entry:
        return recipes.outgoing_returned(self.out(), from_completed=from_completed, now=NOW)

    @property
    def balances(self) -> tuple[Decimal, Decimal]:
        """(available, held)."""
        found = services.balances(self.merchant.pk)[self.currency]
        return found["available"], found["held"]


@pytest.fixture(params=["COPM", "USDT"])
def payout(request: Any, merchant: Merchant) -> Payout:
    """Funded, and nothing asked for yet."""
    made = Payout(merchant, request.param)
    made.fund()
    return made


# How each movement is reached, the movement, and its lines from COPM and from USDT.
Steps = Callable[[Payout], object]
MOVEMENTS: dict[str, tuple[Steps, Callable[[Payout], Entry], Lines, Lines]] = {
    "reserved": (
        lambda payout: None,
        Payout.reserve,
        [("available:me:COPM", "-102500"), ("held:me:COPM", "102500")],
        [("available:me:USDT", "-25.949368"), ("held:me:USDT", "25.949368")],
    ),
    "released": (
        Payout.reserve,
        Payout.release,
        [("held:me:COPM", "-102500"), ("available:me:COPM", "102500")],
        [("held:me:USDT", "-25.949368"), ("available:me:USDT", "25.949368")],
    ),
    "completed": (
        Payout.reserve,
        Payout.complete,
        [("held:me:COPM", "-102500"), ("clearing:simulator:COPM", "100000"), ("fees:COPM", "2500")],
        [
            ("held:me:USDT", "-25.949368"),
            ("conversion:USDT", "25.949368"),
            ("conversion:COPM", "-102500"),
            ("clearing:simulator:COPM", "100000"),
            ("fees:COPM", "2500"),
        ],
    ),
    "returned while under way": (
        Payout.reserve,
        lambda payout: payout.come_back(from_completed=False),
        [("held:me:COPM", "-102500"), ("available:me:COPM", "102500")],
        [("held:me:USDT", "-25.949368"), ("available:me:USDT", "25.949368")],
    ),
    "returned after it was completed": (
        lambda payout: (payout.reserve(), payout.complete()),
        lambda payout: payout.come_back(from_completed=True),
        [
            ("clearing:simulator:COPM", "-100000"),
            ("fees:COPM", "-2500"),
            ("available:me:COPM", "102500"),
        ],
        [
            ("conversion:USDT", "-25.949368"),
            ("conversion:COPM", "102500"),
            ("clearing:simulator:COPM", "-100000"),
            ("fees:COPM", "-2500"),
            ("available:me:USDT", "25.949368"),
        ],
    ),
}


def test_payout_is_held_completed_and_leaves_the_balance(merchant: Merchant) -> None:
    payout = Payout(merchant, "COPM")
    payout.fund()

    reserved = payout.reserve()
    assert payout.balances == (47500, 102500)
    payout.complete()

    assert payout.balances == (47500, 0)
    assert total("clearing:simulator:COPM") == 100000, "the rail has paid out for us"
    assert total("fees:COPM") == 2500
    assert (reserved.kind, reserved.subject_id, reserved.memo) == ("payout_reserved", "po_1", {})
    assert services.verify().problems == []
    connection.check_constraints()


@pytest.mark.parametrize("name", MOVEMENTS)
def test_a_movement_leaves_these_postings(name: str, payout: Payout) -> None:
    before, move, pesos, dollars = MOVEMENTS[name]
    before(payout)

    entry = move(payout)

    expected = pesos if payout.currency == "COPM" else dollars
    assert lines_of(entry, payout.merchant.pk) == [(code, Decimal(n)) for code, n in expected]
    assert entry.subject_id == "po_1"
    connection.check_constraints()
    assert services.verify().problems == []


@pytest.mark.parametrize("name", MOVEMENTS)
def test_the_same_fact_is_posted_once(name: str, payout: Payout) -> None:
    before, move, *_ = MOVEMENTS[name]
    before(payout)
    first = move(payout)
    balances = payout.balances

    # Also where the money for a second time is not there.
    with pytest.raises(services.AlreadyPosted) as raised:
        move(payout)

    assert raised.value.entry == first
    assert payout.balances == balances, "and the transaction goes on"
    assert services.verify().problems == []


@pytest.mark.parametrize("name", MOVEMENTS)
def test_a_movement_costs_two_statements(
    name: str, payout: Payout, django_assert_num_queries: Any
) -> None:
    before, move, *_ = MOVEMENTS[name]
    other = Payout(payout.merchant, payout.currency, "po_0")  # makes the accounts
    other.reserve()
    other.complete()
    other.come_back(from_completed=True)
    before(payout)

    with django_assert_num_queries(2):
        move(payout)


@pytest.mark.parametrize("funds", ["1", "102499.99"])
def test_pesos_that_are_not_there_are_not_held(merchant: Merchant, funds: str) -> None:
    payout = Payout(merchant, "COPM")
    payout.fund(peso(funds))

    with pytest.raises(services.InsufficientBalance) as raised:
        payout.reserve()

    assert raised.value.details["required"] == 102500
    assert payout.balances == (peso(funds), 0)
    assert not Entry.objects.filter(subject_id="po_1").exists()


def test_a_balance_in_another_currency_pays_nothing(merchant: Merchant) -> None:
    Payout(merchant, "COPM").fund(peso(10**9))

    with pytest.raises(services.InsufficientBalance) as raised:
        Payout(merchant, "USDT").reserve()

    assert raised.value.details["available"] == 0
    assert balance(merchant.pk) == 10**9


def test_the_last_peso_can_be_held(merchant: Merchant) -> None:
    payout = Payout(merchant, "COPM")
    payout.fund(payout.debit)

    payout.reserve()

    assert payout.balances == (0, 102500)


def test_a_refusal_burns_nothing(merchant: Merchant) -> None:
    payout = Payout(merchant, "COPM")
    with pytest.raises(services.InsufficientBalance):
        payout.reserve()

    payout.fund()
    payout.reserve()

    assert payout.balances == (47500, 102500)


def test_rate_and_spread_are_on_the_entry(merchant: Merchant) -> None:
    payout = Payout(merchant, "USDT")
    payout.fund()

    assert payout.reserve().memo == {
        "currency": "USDT",
        "debit": "25.949368",
        "rate": "3950",
        "spread": "0.01",
    }
    assert payout.complete().memo == {
        "rail": "bank",
        "account": "simulator",
        "currency": "USDT",
        "debit": "25.949368",
    }


def test_what_the_beneficiary_and_we_get_must_be_what_was_held(merchant: Merchant) -> None:
    payout = Payout(merchant, "COPM")
    payout.fund()
    payout.reserve()

    with pytest.raises(ValueError, match="does not balance"):
        payout.complete(fee=peso(2499))

    assert payout.balances == (47500, 102500)


def test_a_payout_without_a_fee(merchant: Merchant) -> None:
    payout = Payout(merchant, "COPM")
    payout.fund()
    payout.debit = peso(100000)
    payout.reserve()

    payout.complete(fee=peso(0))

    assert payout.balances == (50000, 0)
    assert not Account.objects.filter(code="fees:COPM").exists(), "nothing was earned"


class TestComingBack:
    """REFUNDED credits amount and fee (docs/gaps.md, Payouts)."""

    @pytest.mark.parametrize("from_completed", [False, True])
    def test_the_merchant_has_amount_and_fee_again(
        self, payout: Payout, from_completed: bool
    ) -> None:
        payout.reserve()
        if from_completed:
            payout.complete()

        payout.come_back(from_completed=from_completed)

        assert payout.balances == (FUNDS[payout.currency], 0)
        assert services.verify().problems == []

    def test_we_keep_neither_fee_nor_dollars(self, payout: Payout) -> None:
        payout.reserve()
        payout.complete()
        payout.come_back(from_completed=True)

        ours = ["clearing:simulator:COPM", "fees:COPM"]
        if payout.currency == "USDT":
            ours += ["conversion:USDT", "conversion:COPM"]
        assert [total(code) for code in ours] == [0] * len(ours)

    def test_what_is_no_longer_held_cannot_be_given_back(self, payout: Payout) -> None:
        payout.reserve()
        payout.complete()

        for wrong in (payout.release, lambda: payout.come_back(from_completed=False)):
            with pytest.raises(services.HoldUnderflow):
                wrong()

        assert payout.balances[1] == 0

    def test_a_loss_is_ours_and_is_booked_once(self, payout: Payout) -> None:
        payout.reserve()
        payout.release()

        recipes.outgoing_lost(payout.out(), now=NOW)

        assert payout.balances == (FUNDS[payout.currency], 0)
        assert (total("losses:COPM"), total("clearing:simulator:COPM")) == (-100000, 100000)
        with pytest.raises(services.AlreadyPosted):
            recipes.outgoing_lost(payout.out(), now=NOW)
        assert services.verify().problems == []
