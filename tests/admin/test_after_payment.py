"""Operators cancel, ask for refunds, decide about them, and keep disputes."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User

from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, url
from tests.support.fixtures import ApiClient
from tests.support.funds import held
from tests.support.refunds import approve, asked, paid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


def test_an_order_offers_what_would_do_something(
    console: Console, order: Order, bought: Order
) -> None:
    unpaid = console.page("collect_order_change", order.pk).content.decode()
    assert "cancel-order" in unpaid or "cancel_order" in unpaid
    assert "refund_order" not in unpaid
    shown = console.page("collect_order_change", bought.pk).content.decode()
    assert "refund_order" in shown or "refund-order" in shown
    assert "cancel_order" not in shown


def test_operator_cancels_an_open_order_with_a_reason(console: Console, order: Order) -> None:
    assert console.submit("collect_order_cancel_order", order.pk).status_code == 302
    order.refresh_from_db()
    assert (order.status, order.cancelled_at is not None) == ("EXPIRED", True)
    act = AuditEntry.objects.get(action="order.cancelled")
    assert (act.actor, act.reason) == ("ana", REASON)


def test_what_cannot_be_cancelled_is_said(console: Console, bought: Order) -> None:
    assert console.submit("collect_order_cancel_order", bought.pk).status_code == 400
    bought.refresh_from_db()
    assert bought.status == "COMPLETED"


def test_one_asks_and_another_agrees(
    console: Console, beto: Console, merchant: Merchant, bought: Order
) -> None:
    answer = console.submit("collect_order_refund_order", bought.pk, amount="20000")
    assert answer.status_code == 302
    refund = Refund.objects.get()
    assert (refund.amount, refund.requested_by, refund.reason) == (20_000, "ana", REASON)
    assert held(merchant) == 20_000

    listed = console.page("collect_refund_changelist", exceptions="approval").content.decode()
    assert url("collect_refund_change", refund.pk) in listed
    assert console.submit("collect_refund_approve", refund.pk).status_code == 400
    assert beto.submit("collect_refund_approve", refund.pk).status_code == 302
    engine.send(payment_id=refund.pk, now=clock.now())
    refund.refresh_from_db()
    assert (refund.status, refund.decided_by) == ("COMPLETED", "beto")
    assert (
        refund.provider_reference
        in console.page("collect_refund_change", refund.pk).content.decode()
    )


def test_who_asked_for_a_refund_is_in_the_audit_log(console: Console, bought: Order) -> None:
    name = "a" * 150  # as long as a name may be
    User.objects.filter(username="ana").update(username=name)
    answer = console.submit("collect_order_refund_order", bought.pk, amount="20000")
    assert answer.status_code == 302
    refund = Refund.objects.get()
    row = AuditEntry.objects.get(action="refund.requested")
    assert (row.actor, row.subject_id, row.reason) == (name, refund.pk, REASON)
    assert row.details == {"order": bought.pk, "amount": "20000"}
    assert refund.requested_by == name


def test_an_empty_amount_is_all_that_remains(console: Console, bought: Order) -> None:
    console.submit("collect_order_refund_order", bought.pk, amount="")
    assert Refund.objects.get().amount == 50_025


@pytest.mark.parametrize("amount", ["60000", "0", "10.01", "-5", "x"])
def test_an_amount_that_cannot_be(console: Console, bought: Order, amount: str) -> None:
    assert console.submit("collect_order_refund_order", bought.pk, amount=amount).status_code == 400
    assert not Refund.objects.exists()


def test_rejected_refund_releases_the_hold(
    console: Console, api: ApiClient, merchant: Merchant, bought: Order
) -> None:
    refund = asked(api, bought)
    assert console.submit("collect_refund_reject", refund.pk).status_code == 302
    refund.refresh_from_db()
    assert (refund.status, refund.decided_by) == ("FAILED", "ana")
    assert held(merchant) == 0


def test_a_doubtful_refund_is_asked_about_and_resolved(console: Console, api: ApiClient) -> None:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})
    refund = approve(asked(api, paid(api, "pending")), "beto")
    assert refund.status == "PROCESSING"
    assert console.submit("collect_refund_ask_rail", refund.pk).status_code == 302
    row = AuditEntry.objects.get(action="refund.asked")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, refund.pk)
    assert outcomes_offered(console, refund) == ["COMPLETED", "FAILED", "REFUNDED"]
    form = {"outcome": "COMPLETED", "proof": "statement 7"}
    assert console.submit("collect_refund_resolve", refund.pk, **form).status_code == 302
    refund.refresh_from_db()
    assert refund.status == "COMPLETED"
    assert outcomes_offered(console, refund) == ["REFUNDED"]
    page = console.get(
        url("collect_refund_change", refund.pk), headers={"accept-language": "en"}
    ).content.decode()
    assert "Enter that the money came back" in page
    assert "Resolve by hand" not in page


def outcomes_offered(console: Console, refund: Refund) -> list[str]:
    """None is chosen beforehand."""
    page = console.page("collect_refund_resolve", refund.pk).content.decode()
    radios = re.findall(r'<input type="radio" name="outcome"[^>]*>', page)
    assert not any(re.search(r"\schecked(?=[ >=])", each) for each in radios)
    return [re.findall(r'value="([A-Z]*)"', each)[0] for each in radios]


def test_reasons_and_actors_are_words(console: Console, api: ApiClient, bought: Order) -> None:
    refund = asked(api, bought)
    Refund.objects.filter(pk=refund.pk).update(failure_reason="REFUSED_BY_BANK")
    Refund.objects.filter(pk=refund.pk).update(decided_by="sandbox")
    Charge.objects.filter(order=bought).update(failure_reason="REFUSED_BY_BANK")
    for name, record in (("refund", refund), ("order", bought)):
        page = console.get(
            url(f"collect_{name}_change", record.pk), headers={"accept-language": "en"}
        ).content.decode()
        assert "Refused by the bank" in page
        assert "REFUSED_BY_BANK" not in page
        assert "the sandbox" in page or name == "order"


def test_notes_of_a_dispute_have_the_time_of_bogota(console: Console, bought: Order) -> None:
    form = {"kind": "CHARGEBACK", "amount": "50025", "evidence_due": "2030-01-31"}
    console.submit("collect_order_dispute_order", bought.pk, **form)
    note = "2026-03-04T07:52:20.758Z ana: a letter: came\nand a line"
    Dispute.objects.update(evidence=note, opened_by="simulator")
    page = console.get(
        url("collect_dispute_change", Dispute.objects.get().pk), headers={"accept-language": "en"}
    ).content.decode()
    assert "2026-03-04T07" not in page
    for shown in ("2:52", "ana: a letter: came<br>and a line", "the simulator"):
        assert shown in page, shown


def test_the_audit_log_links_orders_groups_amounts_and_names_an_invitation(
    console: Console, bought: Order
) -> None:
    row = AuditEntry.objects.create(
        actor="ana",
        action="refund.requested",
        subject_type="merchant",
        subject_id=bought.merchant_id,
        reason="invitation inv_0123456789",
        details={"order": bought.pk, "amount": "40000"},
        at=clock.now(),
    )
    page = console.get(
        url("core_auditentry_change", row.pk), headers={"accept-language": "en"}
    ).content.decode()
    assert url("collect_order_change", bought.pk) in page
    assert "Amount: 40,000" in page
    assert "By an invitation" in page
    assert "inv_0123456789" not in page


def test_a_dispute_by_hand(console: Console, merchant: Merchant, bought: Order) -> None:
    form = {"kind": "CHARGEBACK", "amount": "50025", "evidence_due": "2030-01-31"}
    assert console.submit("collect_order_dispute_order", bought.pk, **form).status_code == 302
    dispute = Dispute.objects.get()
    assert (dispute.held, dispute.opened_by) == (50_025, "ana")
    assert dispute.evidence_due_at.isoformat() == "2030-02-01T05:00:00+00:00"
    assert dispute.pk in console.page("collect_dispute_changelist").content.decode()

    note = {"text": "The waybill, signed"}
    assert console.submit("collect_dispute_evidence_added", dispute.pk, **note).status_code == 302
    page = console.page("collect_dispute_change", dispute.pk).content.decode()
    assert "The waybill, signed" in page
    assert (
        url("collect_dispute_change", dispute.pk)
        in console.page("collect_order_change", bought.pk).content.decode()
    )
    end = {"outcome": "WON", "proof": "letter 12"}
    assert console.submit("collect_dispute_decide", dispute.pk, **end).status_code == 302
    dispute.refresh_from_db()
    assert dispute.status == "WON"
    assert held(merchant) == 0
    assert console.submit("collect_dispute_decide", dispute.pk, **end).status_code == 400


def test_to_change_orders_is_not_to_open_disputes(bought: Order) -> None:
    """It takes a merchant's money away: a permission of its own."""
    carla = User.objects.create_user("carla", password="Ruta-del-Sol-45", is_staff=True)
    browser = Console()
    form = {"kind": "CHARGEBACK", "amount": "1000", "evidence_due": ""}
    for granted, answer in (
        (["view_order", "change_order"], 403),
        (["dispute_order"], 403),  # who may not see the order
        (["view_order", "dispute_order"], 302),
    ):
        carla.user_permissions.set(Permission.objects.filter(codename__in=granted))
        browser.force_login(User.objects.get(pk=carla.pk))
        if answer == 403:
            assert (
                browser.submit("collect_order_dispute_order", bought.pk, **form).status_code == 403
            )
            assert not Dispute.objects.exists()
        if "view_order" in granted:
            page = browser.page("collect_order_change", bought.pk).content.decode()
            assert ("dispute_order" in page or "dispute-order" in page) == (answer == 302)
    assert browser.submit("collect_order_dispute_order", bought.pk, **form).status_code == 302
    assert Dispute.objects.get().opened_by == "carla"


def test_a_part_of_a_claim_is_lost_to_a_second_person(
    console: Console, beto: Console, merchant: Merchant, bought: Order
) -> None:
    form = {"kind": "CHARGEBACK", "amount": "50025"}
    console.submit("collect_order_dispute_order", bought.pk, **form)
    dispute = Dispute.objects.get()
    end = {"outcome": "LOST", "proof": "letter 12", "amount": "20000"}
    assert console.submit("collect_dispute_decide", dispute.pk, **end).status_code == 400
    for wrong in ("60000", "0", "10.01", "-5", "x"):
        refused = beto.submit("collect_dispute_decide", dispute.pk, **{**end, "amount": wrong})
        assert refused.status_code == 400
    assert beto.submit("collect_dispute_decide", dispute.pk, **end).status_code == 302
    dispute.refresh_from_db()
    assert (dispute.status, dispute.claimed, held(merchant)) == ("LOST", 20_000, 0)
    act = AuditEntry.objects.get(action="dispute.decided")
    assert (act.actor, act.details["claimed"], act.details["taken"]) == ("beto", "50025", "20000")


def test_what_the_bank_took_of_a_won_dispute_is_our_loss(
    console: Console, beto: Console, bought: Order
) -> None:
    console.submit("collect_order_dispute_order", bought.pk, kind="DISPUTE", amount="50025")
    dispute = Dispute.objects.get()
    beto.submit("collect_dispute_decide", dispute.pk, outcome="WON", proof="letter 12")
    Dispute.objects.update(needs_operator=True)
    found = {"is_loss": "on", "proof": "statement, page 3"}
    over = console.submit("collect_dispute_acknowledge", dispute.pk, **found, amount="50026")
    assert "50.025" in over.content.decode()
    assert over.status_code == 400
    assert console.submit("collect_dispute_acknowledge", dispute.pk, **found).status_code == 302
    dispute.refresh_from_db()
    assert (dispute.status, dispute.shortfall, dispute.needs_operator) == ("WON", 50_025, False)
    assert AuditEntry.objects.get(action="dispute.acknowledged").details["proof"] == found["proof"]


def test_a_clerk_looks_and_does_nothing(
    clerk: Console, api: ApiClient, order: Order, bought: Order
) -> None:
    refund = asked(api, bought, amount=1000)
    assert clerk.page("collect_refund_change", refund.pk).status_code == 200
    for name, pk in (
        ("collect_refund_approve", refund.pk),
        ("collect_refund_reject", refund.pk),
        ("collect_order_cancel_order", order.pk),
        ("collect_order_refund_order", bought.pk),
        ("collect_order_dispute_order", bought.pk),
    ):
        assert clerk.submit(name, pk).status_code == 403
    refund.refresh_from_db()
    order.refresh_from_db()
    assert (refund.status, order.status) == ("PENDING", "PENDING")


def test_the_overview_says_what_waits(console: Console, api: ApiClient, bought: Order) -> None:
    asked(api, bought, amount=1000)
    page = console.get("/admin/").content.decode()
    assert "exceptions=approval" in page
    assert "/admin/collect/refund/" in page
    assert "/admin/collect/dispute/" in page
