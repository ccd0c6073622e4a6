"""Unmatched funds: an operator credits them, applies them to another order, or returns them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.endings.expiry import expire_order
from payments.collect.services.errors import FundsDecided, FundsNotApplicable, OrderNotPayable
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.refunds.refund_engine import PRODUCT
from payments.collect.services.resolution import unmatched_resolution as decisions
from payments.core import clock
from payments.core.models import AuditEntry, Transition
from payments.ledger.models import Entry
from tests.ledger.books import total
from tests.support.charges import books_are_clean, create, events_of, say, start, status_of
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.invariants import check_invariants
from tests.support.refunds import approve, asked, paid

pytestmark = pytest.mark.django_db
BY = {"actor": "ana", "reason": "The payer sent us the receipt"}


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


def late(api: ApiClient, amount: Any = 50_025, **changes: Any) -> UnmatchedFunds:
    """Money by bank transfer for an order that had expired."""
    order = create(api, **changes)
    charge = start(order, "BANK_TRANSFER")
    with transaction.atomic():
        expire_order(order=lock_order(order.pk), now=clock.now())
    say(charge, "RECEIVED", amount, trace_code="T-1")
    return UnmatchedFunds.objects.get(order=order)


def credit(funds: UnmatchedFunds) -> None:
    decisions.credit(funds=funds, now=clock.now(), **BY)


def give_back(funds: UnmatchedFunds) -> None:
    decisions.return_to_payer(funds=funds, proof="Bank slip 81", now=clock.now(), **BY)


def apply_to(funds: UnmatchedFunds, order: Order) -> None:
    decisions.apply_to(funds=funds, order=order, now=clock.now(), **BY)


def entry(kind: str) -> dict[str, Decimal]:
    (found,) = Entry.objects.filter(kind=kind)
    return {line.account.code: line.amount for line in found.postings.select_related("account")}


class TestCredit:
    def test_credited_funds_are_wholly_the_merchants(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        funds = late(api)
        credit(funds)
        funds.refresh_from_db()
        assert (funds.status, funds.decided_by) == ("CREDITED", "ana")
        assert available(merchant) == 50_025
        assert total("suspense:COPM") == 0
        assert status_of(funds.order) == "EXPIRED"
        act = AuditEntry.objects.get(action="unmatched.credited")
        assert (act.subject_id, act.reason, act.details["amount"]) == (
            funds.pk,
            BY["reason"],
            "50025",
        )
        check_invariants([merchant.pk])

    def test_the_merchant_sees_it_in_its_movements(self, api: ApiClient) -> None:
        funds = late(api)
        credit(funds)
        (row,) = api.get("/balance/movements?kind=unmatched_credited").body["data"]
        assert (row["subjectId"], row["amount"]) == (funds.order_id, 50_025)

    def test_a_coin_is_credited_as_a_coin(self, api: ApiClient, merchant: Merchant) -> None:
        charge = start(create(api), "BANK_TRANSFER")
        say(charge, "RECEIVED", 12, currency="USDT")
        credit(UnmatchedFunds.objects.get(reason="CURRENCY"))
        assert available(merchant, "USDT") == 12
        assert books_are_clean()


class TestReturn:
    def test_returned_funds_leave_by_the_rail_they_came_by(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        funds = late(api)
        give_back(funds)
        funds.refresh_from_db()
        assert (funds.status, funds.proof) == ("RETURNED", "Bank slip 81")
        assert available(merchant) == 0
        assert total("suspense:COPM") == total("clearing:simulator:COPM") == 0
        assert Entry.objects.get(kind="unmatched_returned").memo["proof"] == "Bank slip 81"
        assert AuditEntry.objects.get(action="unmatched.returned").details["proof"]
        check_invariants([merchant.pk])

    def test_pesos_of_a_coin_leave_by_bank(self, api: ApiClient) -> None:
        charge = start(create(api), "CRYPTO", coin="USDT")
        say(charge, "SUCCEEDED", charge.amount * 2)
        funds = UnmatchedFunds.objects.get(reason="EXCESS")
        assert funds.currency == "COP"
        give_back(funds)
        assert entry("unmatched_returned") == {
            "suspense:COPM": -funds.amount,
            "clearing:BANK_TRANSFER:COPM": funds.amount,
        }
        assert books_are_clean()


class TestApply:
    def test_applied_funds_pay_the_other_order(self, api: ApiClient, merchant: Merchant) -> None:
        merchant.event_kinds = ["payment.confirmed"]
        merchant.save()
        funds, order = late(api), create(api)
        apply_to(funds, order)
        assert status_of(order) == "COMPLETED"
        assert events_of(order) == ["payment.completed", "payment.confirmed"]
        assert (order.selected_method, available(merchant)) == ("BANK_TRANSFER", 50_000)
        assert total("suspense:COPM") == 0
        funds.refresh_from_db()
        charge = funds.applied_charge
        assert (funds.status, charge.order, charge.origin) == ("APPLIED", order, funds.charge)
        assert (charge.status, charge.reconcile_at, charge.trace_code) == ("SUCCEEDED", None, "T-1")
        move = Transition.objects.get(subject_id=order.pk, to_state="COMPLETED")
        assert (move.actor, funds.pk in move.reason) == ("ana", True)
        assert Entry.objects.get(kind="unmatched_applied").memo["to_order"] == order.pk
        check_invariants([merchant.pk])

    def test_excess_of_applied_funds_comes_back_to_the_queue(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        funds, order = late(api, 80_000), create(api)
        apply_to(funds, order)
        rest = UnmatchedFunds.objects.get(status="OPEN")
        assert (rest.order, rest.amount, rest.reason) == (order, 29_975, "EXCESS")
        assert total("suspense:COPM") == 29_975
        again = create(api)
        apply_to(rest, again)
        rest.refresh_from_db()
        assert rest.applied_charge.origin == funds.charge  # the rail knows only that one
        credit_later = create(api)
        say(start(credit_later), "SUCCEEDED", 50_025)
        check_invariants([merchant.pk])

    def test_applied_part_waits_for_the_rest(self, api: ApiClient, merchant: Merchant) -> None:
        funds, order = late(api, 20_000), create(api)
        apply_to(funds, order)
        assert status_of(order) == "WAITING_TRANSFER"
        check_invariants([merchant.pk])
        rest = start(order)
        assert rest.amount == 30_025
        say(rest, "SUCCEEDED", rest.amount)
        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50_000
        check_invariants([merchant.pk])

    def test_a_part_keeps_a_refused_order_open(self, api: ApiClient) -> None:
        funds, order = late(api, 20_000), create(api)
        apply_to(funds, order)
        say(start(order), "FAILED", reason="INSUFFICIENT_FUNDS")
        assert status_of(order) == "WAITING_TRANSFER"

    def test_a_part_of_an_order_that_expires_is_queued_again(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        funds, order = late(api, 20_000), create(api)
        apply_to(funds, order)
        with transaction.atomic():
            expire_order(order=lock_order(order.pk), now=clock.now())
        rest = UnmatchedFunds.objects.get(status="OPEN")
        assert (rest.order, rest.amount, rest.reason) == (order, 20_000, "PARTIAL_EXPIRED")
        give_back(rest)
        assert total("suspense:COPM") == 0
        check_invariants([merchant.pk])

    def test_the_rail_returns_the_payment_that_it_knows(self, api: ApiClient) -> None:
        funds, order = late(api), create(api)
        apply_to(funds, order)
        api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})
        refund = approve(asked(api, Order.objects.get(pk=order.pk)))
        assert refund.status == "COMPLETED"
        assert PRODUCT.request(refund).charge_reference == funds.charge.pk

    def test_funds_are_applied_only_to_an_order_that_can_be_paid(self, api: ApiClient) -> None:
        funds = late(api)
        over = create(api)
        Order.objects.filter(pk=over.pk).update(expires_at=clock.now() - timedelta(seconds=1))
        at_bank = create(api)
        start(at_bank)
        for order in (paid(api), funds.order, over, at_bank):
            with pytest.raises(OrderNotPayable):
                apply_to(funds, order)
        assert UnmatchedFunds.objects.get(pk=funds.pk).status == "OPEN"
        assert not Charge.objects.exclude(origin=None).exists()

    def test_funds_are_applied_only_within_merchant_and_currency(
        self, api: ApiClient, stranger_api: ApiClient
    ) -> None:
        funds = late(api)
        for order in (create(stranger_api), create(api, currency="USDT")):
            with pytest.raises(FundsNotApplicable):
                apply_to(funds, order)
        assert UnmatchedFunds.objects.get(pk=funds.pk).status == "OPEN"

    def test_an_order_is_found_by_id_or_reference(
        self, api: ApiClient, stranger_api: ApiClient
    ) -> None:
        funds, order, theirs = late(api), create(api), create(stranger_api)
        for name in (order.pk, order.reference):
            assert decisions.find_target(funds=funds, name=name) == order
        for name in (theirs.pk, "nothing"):
            with pytest.raises(Exception, match="no such"):
                decisions.find_target(funds=funds, name=name)


@pytest.mark.parametrize("first", ["credit", "give_back", "apply_to"])
def test_unmatched_funds_are_decided_once(api: ApiClient, merchant: Merchant, first: str) -> None:
    funds, orders = late(api), [create(api), create(api)]
    acts = {
        "credit": credit,
        "give_back": give_back,
        "apply_to": lambda row: apply_to(row, orders.pop()),
    }
    acts[first](funds)
    for act in acts.values():
        # Each time as a second operator sees it, who has the page open since before.
        stale = UnmatchedFunds.objects.get(pk=funds.pk)
        stale.status = "OPEN"
        with pytest.raises(FundsDecided):
            act(stale)
        orders.append(create(api))
    check_invariants([merchant.pk])


def test_the_database_refuses_a_second_decision(api: ApiClient) -> None:
    funds = late(api)
    credit(funds)
    with pytest.raises(DatabaseError), transaction.atomic():
        UnmatchedFunds.objects.filter(pk=funds.pk).update(status="OPEN", decided_at=None)
