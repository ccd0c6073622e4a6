"""Beneficiaries in the console: kept, changed in the open, archived, and never of others."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from payments.payout.models import ApprovalPolicy, Beneficiary, Payout
from tests.admin.conftest import Console, credit, url
from tests.support.console_forms import as_shown
from tests.support.hand_payouts import approver, ask, preparer
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = pytest.mark.django_db
ADD, EDIT = "payout_beneficiary_add_beneficiary", "payout_beneficiary_edit"
TYPED = {
    "how": "bank",
    "bank": "bancolombia",
    "account_type": "SAVINGS",
    "account_number": "12345678901",
    "name": "Juan Pérez",
    "doc_type": "CC",
    "doc_number": "79123456",
}


@pytest.fixture
def desk(merchant: Merchant) -> Console:
    return browser_of(preparer(merchant))


@pytest.fixture
def juan(desk: Console) -> Beneficiary:
    assert desk.post(url(ADD), TYPED).status_code == 302
    return Beneficiary.objects.get()


def page(desk: Console, row: Beneficiary) -> str:
    return str(desk.page("payout_beneficiary_change", row.pk).content.decode())


def changed(desk: Console, row: Beneficiary, **changes: str) -> Any:
    shown = {name: value[0] for name, value in as_shown(desk.page(EDIT, row.pk)).items()}
    return desk.post(url(EDIT, row.pk), {**shown, **changes})


def test_same_account_is_kept_once(desk: Console, juan: Beneficiary) -> None:
    again = desk.post(url(ADD), {**TYPED, "name": "J. Pérez"})
    assert again.status_code == 400
    assert Beneficiary.objects.count() == 1


def test_changed_account_is_visible_with_person_and_masked_numbers(
    desk: Console, juan: Beneficiary
) -> None:
    assert changed(desk, juan, account_number="55544433322").status_code == 302
    shown = page(desk, juan)
    assert "···8901 → ···3322" in shown
    assert "pilar" in shown
    assert "55544433322" not in shown
    juan.refresh_from_db()
    assert (juan.account_number, juan.place_changed_by) == ("55544433322", "pilar")
    row = AuditEntry.objects.get(action="beneficiary.place")
    assert row.details == {"changed": ["account_number"]}
    listed = desk.page("payout_beneficiary_changelist").content.decode()
    assert re.search(r"\d{1,2} \w{3} \d{4} · pilar", listed)


def test_archived_beneficiary_is_not_offered_and_can_come_back(
    desk: Console, juan: Beneficiary
) -> None:
    assert desk.submit("payout_beneficiary_archive", juan.pk).status_code == 302
    assert juan.pk not in desk.page("payout_payout_pay").content.decode()
    assert "Juan Pérez" not in desk.page("payout_beneficiary_changelist").content.decode()
    assert desk.post(url(ADD), TYPED).status_code == 302
    assert desk.submit("payout_beneficiary_restore", juan.pk).status_code == 400
    juan.refresh_from_db()
    assert juan.archived_at is not None


def test_beneficiary_of_another_merchant_is_nowhere(juan: Beneficiary, stranger: Merchant) -> None:
    other = browser_of(preparer(stranger, "ajena"))
    for name in ("change", "edit", "archive", "pay_beneficiary"):
        found = other.page(f"payout_beneficiary_{name}", juan.pk)
        assert found.status_code in (302, 404)
        assert "Juan" not in found.content.decode()
    pay = other.page("payout_payout_pay", to=juan.pk).content.decode()
    assert "Juan Pérez" not in pay
    sent = {**TYPED, "how": "saved", "beneficiary": juan.pk, "amount": "5000"}
    assert other.post(url("payout_payout_pay"), sent).status_code == 400


def test_staff_sees_beneficiaries_and_changes_none(juan: Beneficiary, merchant: Merchant) -> None:
    desk = browser_of(person_of(merchant, "sara"))
    assert "Juan Pérez" in page(desk, juan)
    for name in ("edit", "archive"):
        assert desk.page(f"payout_beneficiary_{name}", juan.pk).status_code == 403
    assert desk.page(ADD).status_code == 403


def test_operator_sees_beneficiaries_and_changes_none(console: Console, juan: Beneficiary) -> None:
    assert "Juan Pérez" in page(console, juan)
    assert console.page(EDIT, juan.pk).status_code == 403


def test_rules_are_proposed_by_one_and_confirmed_by_another(merchant: Merchant, ana: User) -> None:
    boss = browser_of(person_of(merchant, "jefa", roles.MERCHANT_ADMINISTRATOR))
    second = browser_of(approver(merchant))
    sent = {"above_1": "0", "who_1": "0", "above_2": "500.000", "who_2": "@andres"}
    form = {**sent, "reason": "Acordado en junta"}
    assert boss.post(url("payout_approvalpolicy_propose"), form).status_code == 302
    policy = ApprovalPolicy.objects.get()
    tiers = policy.tiers.order_by("above").values_list("above", "people", "person")
    assert [(int(above), people, who) for above, people, who in tiers] == [
        (0, 0, ""),
        (500_000, 1, "andres"),
    ]
    assert boss.page("payout_approvalpolicy_confirm_rules", policy.pk).status_code == 403
    waits = boss.page("payout_approvalpolicy_change", policy.pk).context["record_step"]
    assert f"{said('Who may: %s.') % 'andres'}" in str(waits["why"])
    home = second.get(url("index")).content.decode()
    assert url("payout_approvalpolicy_change", policy.pk) in home
    assert second.submit("payout_approvalpolicy_confirm_rules", policy.pk).status_code == 302
    policy.refresh_from_db()
    assert (policy.status, policy.decided_by) == ("ACTIVE", "andres")


def test_rules_that_are_refused_say_so(merchant: Merchant, settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"
    boss = browser_of(person_of(merchant, "jefa", roles.MERCHANT_ADMINISTRATOR))
    second = browser_of(approver(merchant))
    form = {"above_1": "500000", "who_1": "1", "reason": "Acordado en junta", "warned": "1"}
    boss.post(url("payout_approvalpolicy_propose"), form)
    policy = ApprovalPolicy.objects.get()
    done = second.submit("payout_approvalpolicy_refuse", policy.pk)
    assert "Rules rejected." in second.get(done.headers["Location"]).content.decode()


def test_rules_that_ask_for_more_approvers_than_there_are_warn_once(
    desk: Console, merchant: Merchant, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    approver(merchant)
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    shown = boss.page("payout_approvalpolicy_propose").content.decode()
    for words in ("Above this amount, in pesos", "How many people approve", "For example 500,000"):
        assert words in shown
    assert "---------" not in shown
    form = {"above_1": "500000", "who_1": "2", "reason": "Two of us"}
    page = boss.post(url("payout_approvalpolicy_propose"), form)
    assert page.status_code == 200
    assert "Your team has one approver beside you" in page.content.decode()
    assert not ApprovalPolicy.objects.exists()
    form["warned"] = "1"
    assert boss.post(url("payout_approvalpolicy_propose"), form).status_code == 302
    one = {"above_1": "500000", "who_1": "1", "reason": "One"}
    ApprovalPolicy.objects.get()
    assert boss.post(url("payout_approvalpolicy_propose"), one).status_code == 400  # one waits


def test_only_payouts_that_arrived_are_counted_as_paid(
    desk: Console, juan: Beneficiary, merchant: Merchant, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    with transaction.atomic():
        credit(merchant)
    payout = ask(merchant, User.objects.get(username="pilar"), 250_000)
    record, table = desk.page("payout_beneficiary_change", juan.pk), "payout_beneficiary_changelist"
    assert tuple(str(fact) for _name, fact in record.context["record_head"]["facts"][2:]) == (
        "0 COP",
        "0",
    )
    assert desk.page(table).context["cl"].result_list[0].last_at is None
    arrived = clock.now()
    Payout.objects.filter(pk=payout.pk).update(status="PROCESSING")
    Payout.objects.filter(pk=payout.pk).update(status="COMPLETED", completed_at=arrived)
    record = desk.page("payout_beneficiary_change", juan.pk)
    assert "250,000 COP" in str(record.context["record_head"]["facts"][2])
    assert desk.page(table).context["cl"].result_list[0].last_at == arrived
    Payout.objects.filter(pk=payout.pk).update(status="REFUNDED")
    record = desk.page("payout_beneficiary_change", juan.pk)
    assert "250,000" not in str(record.context["record_head"]["facts"][2])
