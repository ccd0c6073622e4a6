"""Credits of the operator's account become payments of orders, or wait for a person."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
import time_machine

from payments.collect.models import UnmatchedFunds
from payments.collect.services.charges import reconciliation
from payments.collect.services.endings import expiry
from payments.reconciliation.models import AwaitedTransfer, LineMatch, LineStatus
from payments.reconciliation.references import new_reference
from payments.reconciliation.services.matching import due_lines, reports
from tests.reconciliation.lines import add_line
from tests.reconciliation.shopping import (
    at,
    books,
    charge_of,
    match,
    open_shop,
    order_on,
    state,
    status,
)
from tests.support.charges import start
from tests.support.funds import available
from tests.support.invariants import check_invariants
from webhooks.models import Event

pytestmark = pytest.mark.django_db
TUESDAY = date(2026, 11, 10)
PAID = Decimal(50_025)


@pytest.fixture
def account():
    return open_shop()


@pytest.fixture(autouse=True)
def _then():
    with time_machine.travel(at(date(2026, 11, 20)), tick=False):
        yield


class TestByReference:
    @pytest.mark.parametrize("shape", ["{}", "{:0>48}", "REF-{}"])
    def test_line_with_the_reference_pays_the_order(self, api, merchant, account, shape):
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, reference=shape.format(reference))
        match()
        assert (state(line), status(order)) == ("MATCHED", "COMPLETED")
        assert available(merchant) == 50_000
        assert charge_of(order).trace_code == f"{line.file_id}:1"
        assert Event.objects.filter(kind="payment.completed").count() == 1
        assert books("clearing:own:COPM") == 0
        assert books("suspense:bank:COPM") == 0
        check_invariants([merchant.pk])

    def test_reference_among_other_numbers_of_the_description_counts(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        add_line(account, PAID, TUESDAY, description=f"PAGO LLAVE 3001234567 {reference}")
        match()
        assert status(order) == "COMPLETED"

    def test_operation_of_the_bank_is_the_trace_code(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        add_line(account, PAID, TUESDAY, reference=reference, operation_id="B-77")
        match()
        assert charge_of(order).trace_code == "B-77"

    def test_order_is_paid_in_parts(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        add_line(account, 20_000, TUESDAY, reference=reference)
        match()
        assert status(order) == "WAITING_TRANSFER"
        add_line(account, 30_025, TUESDAY, reference=reference)
        match()
        assert (status(order), charge_of(order).received) == ("COMPLETED", PAID)
        assert books("clearing:own:COPM") == 0

    def test_second_payment_is_unmatched_money_of_the_order(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        for _ in range(2):
            add_line(account, PAID, TUESDAY, reference=reference)
        match()
        assert status(order) == "COMPLETED"
        funds = UnmatchedFunds.objects.get()
        assert (funds.order_id, funds.amount, funds.reason) == (
            order.pk,
            PAID,
            "SECOND_SUCCESS",
        )
        assert books("clearing:own:COPM") == 0

    def test_money_for_an_order_that_expired_is_unmatched(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        expiry.expire_due(now=at(date(2026, 11, 15)))
        assert status(order) == "EXPIRED"
        add_line(account, PAID, TUESDAY, reference=reference)
        match()
        assert UnmatchedFunds.objects.get().reason == "LATE"
        assert status(order) == "EXPIRED"

    def test_reference_that_was_typed_wrong_pays_no_order(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        wrong = reference[:-1] + str((int(reference[-1]) + 1) % 10)
        line = add_line(account, PAID, TUESDAY, reference=wrong)
        match()
        assert (state(line), status(order)) == ("AMBIGUOUS", "WAITING_TRANSFER")

    def test_reference_of_no_order_pays_none(self, account):
        line = add_line(account, PAID, TUESDAY, reference=new_reference())
        match()
        assert state(line) == "UNMATCHED"

    def test_line_with_two_references_waits(self, api, account):
        _, first = order_on(api, at(TUESDAY))
        _, second = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, description=f"PAGO {first} {second}")
        match()
        assert state(line) == "AMBIGUOUS"

    def test_description_against_amount_and_document_waits(self, api, account):
        """A number of a text may be the payer's own invoice."""
        _, reference = order_on(api, at(TUESDAY))
        line = add_line(
            account, 75_000, TUESDAY, description=f"FACTURA {reference}", document="800999888"
        )
        match()
        assert state(line) == "AMBIGUOUS"

    def test_money_that_came_before_the_order_waits(self, api, account):
        _, reference = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY - timedelta(days=1), reference=reference)
        match()
        assert state(line) == "AMBIGUOUS"

    def test_debit_with_the_reference_pays_no_order(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, -PAID, TUESDAY, reference=reference)
        match()
        assert (state(line), status(order)) == ("UNMATCHED", "WAITING_TRANSFER")

    def test_rail_answers_queries_from_the_lines(self, api, account):
        """The charge learns it by the ordinary query, if the report was lost."""
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, reference=reference)
        due_lines._decide(line.pk, None, at(date(2026, 11, 20)))
        assert status(order) == "WAITING_TRANSFER"
        reconciliation.reconcile_due(now=at(date(2026, 11, 20)))
        assert status(order) == "COMPLETED"

    def test_report_that_was_lost_is_made_up_for_once(self, api, account):
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, reference=reference)
        due_lines._decide(line.pk, None, at(date(2026, 11, 20)))
        assert reports.report_due(now=at(date(2026, 11, 20))) == 1
        assert reports.report_due(now=at(date(2026, 11, 21))) == 0
        assert status(order) == "COMPLETED"
        assert AwaitedTransfer.objects.get().received == PAID


class TestByEvidence:
    @pytest.mark.parametrize(
        "facts",
        [
            {"document": "1020304050"},
            {"document": "0001020304050"},
            {"description": "TRANSFERENCIA DE CC 1020304050"},
            {"counterparty": "ANA MARIA PRUEBA LOPEZ"},
            {"counterparty": "PRUEBA LOPEZ ANA"},
        ],
    )
    @pytest.mark.parametrize("days", [0, 1, 3])
    def test_amount_and_payer_within_three_business_days_are_enough(
        self, api, account, facts, days
    ):
        order, _ = order_on(api, at(TUESDAY, 23, 50))
        line = add_line(account, PAID, TUESDAY + timedelta(days=days), **facts)
        match()
        assert (state(line), status(order)) == ("MATCHED", "COMPLETED")

    @pytest.mark.parametrize(
        "facts",
        [
            {},
            {"description": "TRANSFERENCIA DESDE NEQUI"},
            {"counterparty": "ANA LOPEZ"},
            {"document": "80999888"},
            {"document": "80999888", "counterparty": "ANA MARIA PRUEBA LOPEZ"},
            {"counterparty": "PEDRO GOMEZ RUIZ"},
            {"reference": "4501"},
        ],
    )
    def test_amount_alone_never_pays(self, api, account, facts):
        order, _ = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, **facts)
        match()
        assert (state(line), status(order)) == ("AMBIGUOUS", "WAITING_TRANSFER")

    def test_payer_without_the_amount_never_pays(self, api, account):
        order, _ = order_on(api, at(TUESDAY))
        line = add_line(account, PAID - 1, TUESDAY, document="1020304050")
        match()
        assert (state(line), status(order)) == ("UNMATCHED", "WAITING_TRANSFER")

    @pytest.mark.parametrize("days", [-1, 7])
    def test_money_outside_the_window_waits(self, api, account, days):
        """From Tuesday the 10th: Monday the 16th is a holiday, so Tuesday is the fourth day."""
        order, _ = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY + timedelta(days=days), document="1020304050")
        match()
        assert (state(line), status(order)) == ("UNMATCHED", "WAITING_TRANSFER")

    def test_weekend_and_holiday_do_not_count(self, api, account):
        """Thursday to the Wednesday after Monday's holiday: Friday, Tuesday, Wednesday."""
        order, _ = order_on(api, at(date(2026, 11, 12)))
        add_line(account, PAID, date(2026, 11, 18), document="1020304050")
        match()
        assert status(order) == "COMPLETED"

    def test_two_orders_of_one_payer_with_the_same_amount_wait(self, api, account):
        orders = [order_on(api, at(TUESDAY + timedelta(days=day)))[0] for day in (0, 1)]
        line = add_line(account, PAID, TUESDAY + timedelta(days=1), document="1020304050")
        match()
        assert state(line) == "AMBIGUOUS"
        assert {status(one) for one in orders} == {"WAITING_TRANSFER"}

    def test_when_one_of_two_orders_is_paid_the_other_line_is_clear(self, api, account):
        first, reference = order_on(api, at(TUESDAY))
        second, _ = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, document="1020304050")
        match()
        assert state(line) == "AMBIGUOUS"
        add_line(account, PAID, TUESDAY, reference=reference)
        match()
        match(at(date(2026, 11, 21)))
        assert (status(first), status(second), state(line)) == (
            "COMPLETED",
            "COMPLETED",
            "MATCHED",
        )

    def test_two_lines_that_fit_one_order_wait(self, api, account):
        order, _ = order_on(api, at(TUESDAY))
        lines = [add_line(account, PAID, TUESDAY, document="1020304050") for _ in range(2)]
        match()
        assert {state(one) for one in lines} == {"AMBIGUOUS"}
        assert status(order) == "WAITING_TRANSFER"

    def test_equal_amounts_of_other_payers_are_in_no_ones_way(self, api, account):
        others = [
            order_on(api, at(TUESDAY), document=f"9000{number}", name=f"Otro Pagador {number}")[0]
            for number in range(3)
        ]
        order, _ = order_on(api, at(TUESDAY))
        add_line(account, PAID, TUESDAY, document="1020304050")
        match()
        assert status(order) == "COMPLETED"
        assert {status(one) for one in others} == {"WAITING_TRANSFER"}

    def test_payer_who_chose_again_has_one_order_to_pay(self, api, account):
        order, _ = order_on(api, at(TUESDAY))
        with time_machine.travel(at(TUESDAY, 10, 5), tick=False):
            order.customer_name = "Ana Prueba López"
            start(order, "BANK_TRANSFER")
        assert AwaitedTransfer.objects.count() == 2
        add_line(account, PAID, TUESDAY, document="1020304050")
        match()
        assert status(order) == "COMPLETED"

    def test_order_that_was_paid_otherwise_is_no_automatic_match(self, api, account):
        _, reference = order_on(api, at(TUESDAY))
        add_line(account, PAID, TUESDAY, reference=reference)
        match()
        line = add_line(account, PAID, TUESDAY + timedelta(days=1), document="1020304050")
        match()
        assert state(line) == "AMBIGUOUS"
        assert UnmatchedFunds.objects.count() == 0

    def test_match_says_why(self, api, account):
        order_on(api, at(TUESDAY))
        add_line(account, PAID, TUESDAY, document="1020304050")
        match()
        explanation = LineMatch.objects.get().explanation
        assert [one["fact"] for one in explanation] == ["amount", "days", "document"]


def test_line_is_looked_at_once(api, account):
    line = add_line(account, PAID, TUESDAY, description="CONSIGNACION")
    match()
    assert state(line) == LineStatus.UNMATCHED
    assert line.match_at is None
    assert due_lines.match_due(now=at(date(2026, 11, 25))) == 0
