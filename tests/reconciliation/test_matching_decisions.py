"""Persons decide about movements in the console, and take decisions back."""

from datetime import date
from decimal import Decimal

import pytest
import time_machine

from payments.collect.models import Dispute, UnmatchedFunds
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.resolution import unmatched_resolution
from payments.console.roles import FINANCE, VIEWER
from payments.core.models import AuditEntry
from payments.reconciliation.models import LineMatch
from payments.reconciliation.services.matching import decisions, due_lines, undoing
from tests.admin.conftest import person, url
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
from tests.support.funds import available, balance
from tests.support.invariants import check_invariants

pytestmark = pytest.mark.django_db
PAGE = "reconciliation_statementline"
TUESDAY, TODAY = date(2026, 11, 10), at(date(2026, 11, 20))
PAID = Decimal(50_025)


@pytest.fixture
def account():
    return open_shop()


@pytest.fixture
def console():
    return person("ana", FINANCE)


@pytest.fixture(autouse=True)
def _then(settings):
    settings.LANGUAGE_CODE = "en"
    with time_machine.travel(TODAY, tick=False):
        yield


def shown(console, line):
    return console.page(f"{PAGE}_change", str(line.pk)).content.decode()


def act(console, name, line, query="", **form):
    return console.submit(f"{PAGE}_{name}", str(line.pk), **form)


def audited(line):
    return set(
        AuditEntry.objects.filter(
            subject_id=str(line.pk), action__startswith="bank_line"
        ).values_list("action", flat=True)
    )


class TestWaiting:
    def test_candidates_stand_side_by_side_with_their_facts(self, api, console, account):
        order, _ = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, counterparty="PEDRO GOMEZ RUIZ")
        match()
        page = shown(console, line)
        assert order.reference in page
        assert "is exactly what was missing" in page
        assert "The name is PEDRO GOMEZ RUIZ, and not" in page
        assert f"{url(f'{PAGE}_accept', str(line.pk))}?candidate=CHARGE" in page

    def test_candidate_is_accepted_on_a_page_that_says_why(self, api, merchant, console, account):
        order, _ = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY)
        match()
        address = url(f"{PAGE}_accept", str(line.pk))
        query = f"?candidate=CHARGE:{charge_of(order).pk}"
        page = console.get(address + query)
        assert "is exactly what was missing" in page.content.decode()
        form = {"form_token": page.context["form_token"], "reason": "Seen on the slip"}
        console.post(address + query, form)
        assert (state(line), status(order)) == ("MATCHED", "COMPLETED")
        assert available(merchant) == 50_000
        assert audited(line) == {"bank_line.accepted"}
        console.post(address + query, {**form, "form_token": "again"})
        assert available(merchant) == 50_000
        assert "ana decided: Seen on the slip" in shown(console, line)
        check_invariants([merchant.pk])

    def test_person_without_the_right_sees_no_buttons(self, console, account):
        line = add_line(account, PAID, TUESDAY)
        match()
        assert "/book" in shown(console, line)
        clerk = person("vera", VIEWER)
        assert "/book" not in shown(clerk, line)
        assert clerk.page(f"{PAGE}_book", str(line.pk)).status_code == 403

    def test_movement_is_assigned_by_the_reference_of_the_order(self, api, console, account):
        order, _ = order_on(api, at(TUESDAY))
        line = add_line(account, 49_000, TUESDAY)
        match()
        act(console, "assign", line, order=order.reference)
        assert (state(line), status(order)) == ("MATCHED", "WAITING_TRANSFER")
        assert charge_of(order).received == 49_000

    def test_reference_of_two_merchants_orders_is_refused(
        self, api, stranger_api, console, account
    ):
        ours, _ = order_on(api, at(TUESDAY), reference="1001")
        theirs, _ = order_on(stranger_api, at(TUESDAY), reference="1001")
        line = add_line(account, PAID, TUESDAY)
        match()
        answer = act(console, "assign", line, order="1001")
        assert "Several orders have this reference" in answer.content.decode()
        assert (charge_of(ours).received, charge_of(theirs).received) == (0, 0)
        act(console, "assign", line, order=ours.pk)
        assert (status(ours), status(theirs)) == ("COMPLETED", "WAITING_TRANSFER")

    def test_order_that_was_not_shown_the_account_is_refused(self, api, console, account):
        line = add_line(account, PAID, TUESDAY)
        match()
        answer = act(console, "assign", line, order="PEDIDO-none")
        assert answer.status_code == 400
        assert state(line) == "UNMATCHED"

    def test_money_of_no_order_is_credited_to_a_merchant(self, console, merchant, account):
        line = add_line(account, 80_000, TUESDAY)
        match()
        act(console, "credit", line, merchant=merchant.pk)
        assert (state(line), available(merchant)) == ("MATCHED", 80_000)
        act(console, "undo", line)
        assert (state(line), available(merchant)) == ("UNMATCHED", 0)
        assert books("suspense:bank:COPM") == 80_000

    @pytest.mark.parametrize(
        ("booked_as", "code"),
        [("own_movement", "equity:COPM"), ("bank_commission", "costs:bank_commission:COPM")],
    )
    def test_movement_is_booked_and_taken_back(self, console, account, booked_as, code):
        line = add_line(account, -12_000, TUESDAY)
        match()
        act(console, "book", line, booked_as=booked_as)
        assert (state(line), books(code)) == ("BOOKED", -12_000)
        act(console, "undo", line)
        assert (state(line), books(code)) == ("UNMATCHED", 0)
        assert audited(line) == {"bank_line.booked", "bank_line.taken_back"}

    def test_money_that_goes_back_is_marked_when_it_comes_and_when_it_goes(self, console, account):
        came = add_line(account, 30_000, TUESDAY)
        went = add_line(account, -30_000, TUESDAY)
        match()
        act(console, "mark_returned", came, proof="TR-9")
        assert books("suspense:COPM") == 30_000
        act(console, "mark_returned", went, proof="TR-9")
        assert books("suspense:COPM") == 0
        assert {state(came), state(went)} == {"MATCHED"}

    def test_debit_of_returned_unmatched_funds_is_no_second_return(
        self, api, merchant, console, account
    ):
        _, reference = order_on(api, at(TUESDAY))
        for _payment in range(2):
            add_line(account, PAID, TUESDAY, reference=reference)
        match()
        unmatched_resolution.return_to_payer(
            funds=UnmatchedFunds.objects.get(), proof="TR-9", actor="ana", reason="twice", now=TODAY
        )
        went = add_line(account, -PAID, TUESDAY)
        match()
        codes = ("clearing:own:COPM", "suspense:COPM", "suspense:bank:COPM")
        act(console, "book", went, booked_as="recorded")
        assert (state(went), [books(code) for code in codes]) == ("MATCHED", [0, 0, 0])
        assert "recorded already" in shown(console, went)
        act(console, "undo", went)
        assert (state(went), [books(code) for code in codes]) == ("UNMATCHED", [PAID, 0, -PAID])
        check_invariants([merchant.pk])


class TestTakenBack:
    def undo(self, line, actor="ana"):
        decision = decisions.Decision(actor=actor, reason="another payer's", now=TODAY)
        return undoing.undo(line_id=line.pk, decision=decision)

    def test_credited_order_gets_a_dispute_that_holds_the_money(
        self, api, merchant, console, account
    ):
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, reference=reference)
        match()
        act(console, "undo", line)
        dispute = Dispute.objects.get()
        assert (dispute.order_id, dispute.amount, state(line)) == (order.pk, PAID, "UNMATCHED")
        assert balance(merchant)[1] > 0
        dispute_decisions.record_decision(
            dispute=dispute,
            decision=dispute_decisions.BankDecision(
                outcome="LOST", proof="statement", reason="another payer's"
            ),
            actor="beto",
            now=TODAY,
        )
        assert available(merchant) <= 0
        assert books("clearing:own:COPM") == 0
        match(at(date(2026, 11, 21)))
        assert state(line) == "UNMATCHED"  # the matcher does not repeat it
        check_invariants([merchant.pk])

    def test_second_payment_that_was_taken_back_leaves_the_unmatched_funds(self, api, account):
        _, reference = order_on(api, at(TUESDAY))
        add_line(account, PAID, TUESDAY, reference=reference)
        match()
        line = add_line(account, PAID, TUESDAY, reference=reference)
        match()
        assert UnmatchedFunds.objects.get().status == "OPEN"
        assert self.undo(line) is None
        assert UnmatchedFunds.objects.get().status == "RETURNED"
        assert books("clearing:own:COPM") == 0

    def test_part_of_an_order_that_still_waits_cannot_be_taken_back(self, api, console, account):
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, 10_000, TUESDAY, reference=reference)
        match()
        answer = act(console, "undo", line)
        assert "The order waits for the rest" in answer.content.decode()
        assert (state(line), LineMatch.objects.get().undone_at) == ("MATCHED", None)
        assert status(order) == "WAITING_TRANSFER"

    def test_wrong_line_can_go_to_the_right_order(self, api, account):
        wrong, reference = order_on(api, at(TUESDAY))
        right, _ = order_on(api, at(TUESDAY), amount=60_000)
        line = add_line(account, PAID, TUESDAY, reference=reference)
        match()
        self.undo(line)
        decision = decisions.Decision(actor="ana", reason="the letter of the payer", now=TODAY)
        decisions.assign(line_id=line.pk, order=right.pk, decision=decision)
        assert (status(wrong), charge_of(right).received) == ("COMPLETED", PAID)
        assert LineMatch.objects.filter(line=line, undone_at=None).count() == 1

    def test_decision_of_another_person_in_between_is_not_overwritten(self, api, account):
        line = add_line(account, PAID, TUESDAY)
        match()
        decision = decisions.Decision(actor="ana", reason="own money", now=TODAY)
        decisions.book_own_movement(line_id=line.pk, decision=decision)
        with pytest.raises(decisions.LineDecided):
            decisions.book_cost(line_id=line.pk, cost="gmf", decision=decision)
        due_lines.decide_line(line_id=line.pk, now=TODAY)
        assert LineMatch.objects.count() == 1
