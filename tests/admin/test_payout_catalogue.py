"""The console's pages of the payout catalogue: what an operator edits, and the trace it leaves."""

from decimal import Decimal
from typing import Any

import pytest

from payments.core.models import AuditEntry
from payments.payout.models import Bank, PayoutMethod, PayoutSwitch
from tests.admin.conftest import ACCESS_QUERIES, REASON, Console, credit, send, url
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import said

pytestmark = pytest.mark.django_db
METHOD = {
    "label": "Bank account",
    "is_enabled": "on",
    "min_amount": "",
    "max_amount": "50000000",
    "fee_flat": "2500",
    "fee_rate": "0",
}
BANK = {"name": "Bancolombia", "is_enabled": "on", "codes": '{"simulator": "1007"}'}


def test_changed_terms_are_audited_and_apply_to_the_next_payout(
    console: Console, api: ApiClient
) -> None:
    listed = console.page("payout_payoutmethod_changelist").content.decode()
    assert "2.500 COP" in listed
    form = {**METHOD, "min_amount": "1.000", "fee_flat": "3.000", "fee_rate": "1,0"}
    assert console.submit("payout_payoutmethod_change", "bank", **form).status_code == 302
    row = AuditEntry.objects.get(action="payoutmethod.changed")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "bank")
    assert row.details == {
        "old": {"min_amount": None, "fee_flat": "2500", "fee_rate": "0"},
        "new": {"min_amount": "1000", "fee_flat": "3000", "fee_rate": "0.01"},
    }
    credit(api.merchant)
    assert send(api).fee_amount == Decimal(4000)


@pytest.mark.parametrize(
    "wrong",
    [
        {"reason": " "},
        {"label": ""},
        {"max_amount": "0"},
        {"max_amount": ""},
        {"max_amount": "-1"},
        {"min_amount": "0"},
        {"min_amount": "50000001"},
        {"fee_flat": "-1"},
        {"fee_flat": "NaN"},
        {"fee_rate": "100"},
        {"fee_rate": "-0.1"},
    ],
)
def test_figures_that_no_payout_can_meet_are_refused(
    console: Console, catalogues: None, wrong: dict[str, str]
) -> None:
    before = list(PayoutMethod.objects.order_by("pk").values())
    response = console.submit("payout_payoutmethod_change", "bank", **{**METHOD, **wrong})
    assert response.status_code == 200
    assert next(iter(wrong)) in response.context["adminform"].form.errors
    assert list(PayoutMethod.objects.order_by("pk").values()) == before
    assert not AuditEntry.objects.filter(actor="ana").exists()


def test_amounts_are_typed_with_their_signs_and_the_fee_in_per_cent(
    console: Console, catalogues: None
) -> None:
    form = {**METHOD, "label": "Cuenta bancaria", "max_amount": "60.000.000", "fee_rate": "1,5"}
    assert console.submit("payout_payoutmethod_change", "bank", **form).status_code == 302
    kept = PayoutMethod.objects.get(pk="bank")
    assert (kept.max_amount, kept.fee_rate) == (60_000_000, Decimal("0.015"))
    assert kept.label == "Bank account"  # the translation is no change
    page = console.page("payout_payoutmethod_change", "bank").content.decode()
    for shown in ('value="60.000.000"', 'value="1,5"', 'value="Cuenta bancaria"', ">%</span>"):
        assert shown in page, shown
    assert "Bank account" not in page


def test_saved_terms_say_old_and_new_and_for_whom_they_count(
    console: Console, catalogues: None
) -> None:
    form = {**METHOD, "fee_flat": "3.000", "fee_rate": "1,5"}
    assert console.submit("payout_payoutmethod_change", "bank", **form).status_code == 302
    page = console.page("payout_payoutmethod_changelist").content.decode()
    assert "2.500 COP → 3.000 COP" in page
    assert "0 % → 1,5 %" in page
    assert said("payments of all merchants that are created after the change")[1:] in page
    head = console.page("payout_payoutmethod_change", "bank").context["record_head"]
    facts = {str(label): str(value) for label, value in head["facts"]}
    assert facts[said("fee now")] == "3.000 COP + 1,5 %"
    assert facts[said("by")] == "ana"


def test_line_of_codes_without_a_colon_is_named(console: Console, catalogues: None) -> None:
    form = {"name": "Bancolombia", "is_enabled": "on", "codes": "simulator: 1007\n1008"}
    answer = console.submit("payout_bank_change", "bancolombia", **form)
    assert answer.status_code == 200
    assert "“1008”" in str(answer.context["adminform"].form.errors["codes"])


def test_nothing_changed_leaves_no_audit_row(console: Console, catalogues: None) -> None:
    assert console.submit("payout_payoutmethod_change", "bank", **METHOD).status_code == 302
    assert not AuditEntry.objects.filter(actor="ana").exists()


def test_a_method_keeps_its_key_and_network(console: Console, catalogues: None) -> None:
    form = {**METHOD, "method": "ach", "network": "BREB", "label": "Cuenta"}
    assert console.submit("payout_payoutmethod_change", "bank", **form).status_code == 302
    row = PayoutMethod.objects.get(method="bank")
    assert (row.network, row.label) == ("BANK", "Cuenta")
    assert PayoutMethod.objects.count() == 2


def test_a_bank_is_switched_off_and_recoded(console: Console, api: ApiClient) -> None:
    form = {"name": "Bancolombia", "codes": '{"simulator": "1007", "otra-red": "07"}'}
    assert console.submit("payout_bank_change", "bancolombia", **form).status_code == 302
    bank = Bank.objects.get(slug="bancolombia")
    assert not bank.is_enabled
    assert bank.codes == {"simulator": "1007", "otra-red": "07"}
    row = AuditEntry.objects.get(action="bank.changed")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "bancolombia")
    assert row.details["old"] == {"is_enabled": True, "codes": {"simulator": "1007"}}
    banks = api.get("/payout/methods").body["data"]["methods"][0]["banks"]
    assert "bancolombia" not in [bank["bankCanonicalId"] for bank in banks]


@pytest.mark.parametrize(
    "codes",
    [
        "",
        "{}",
        "[]",
        '"x"',
        "5",
        '{"simulator": 1007}',
        '{"": "1"}',
        '{"a": ""}',
        "{",
        '{"a": "<"}',
    ],
)
def test_codes_are_texts_by_rail(console: Console, catalogues: None, codes: str) -> None:
    response = console.submit("payout_bank_change", "bancolombia", **{**BANK, "codes": codes})
    assert response.status_code == 200
    assert "codes" in response.context["adminform"].form.errors
    assert Bank.objects.get(slug="bancolombia").codes == {"simulator": "1007"}


def test_a_bank_is_added_and_its_slug_stays(console: Console, catalogues: None) -> None:
    form = {"slug": "banco-nuevo", "name": "Banco <b>Nuevo", "codes": '{"simulator": "99"}'}
    assert console.submit("payout_bank_add", **form, reason="").status_code == 200
    assert console.submit("payout_bank_add", **form).status_code == 302
    row = AuditEntry.objects.get(action="bank.added")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "banco-nuevo")
    again = console.submit("payout_bank_add", **{**form, "name": "Otro"})
    assert again.status_code == 200
    count = Bank.objects.count()
    console.submit("payout_bank_change", "banco-nuevo", **{**form, "slug": "otro"})
    assert Bank.objects.count() == count
    assert Bank.objects.get(slug="banco-nuevo").name == "Banco <b>Nuevo"
    listed = console.page("payout_bank_changelist", q="nuevo").content.decode()
    assert "<b>Nuevo" not in listed
    assert "&lt;b&gt;Nuevo" in listed


def test_main_switch_turns_payouts_off_and_on(console: Console, api: ApiClient) -> None:
    listed = console.page("payout_payoutswitch_changelist")
    assert listed["Location"] == url("payout_payoutswitch_change", 1)
    assert console.submit("payout_payoutswitch_change", 1).status_code == 302
    assert not PayoutSwitch.objects.get().is_enabled
    assert api.get("/payout/methods").body["data"] == {"enabled": False, "methods": []}
    row = AuditEntry.objects.get(action="payoutswitch.changed")
    assert (row.actor, row.reason) == ("ana", REASON)
    assert row.details == {"old": {"is_enabled": True}, "new": {"is_enabled": False}}
    assert console.submit("payout_payoutswitch_change", 1, is_enabled="on").status_code == 302
    assert api.get("/payout/methods").body["data"]["enabled"] is True


ROWS = [("payoutmethod", "bank"), ("bank", "bancolombia"), ("payoutswitch", 1)]


@pytest.mark.parametrize(("name", "pk"), ROWS)
def test_rows_are_not_deleted_and_a_clerk_only_looks(
    console: Console, clerk: Console, catalogues: None, name: str, pk: Any
) -> None:
    assert console.post(url(f"payout_{name}_delete", pk), {"post": "yes"}).status_code == 403
    page = clerk.page(f"payout_{name}_change", pk)
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    assert 'name="reason"' not in page.content.decode()
    form = {**METHOD, **BANK, "reason": REASON}
    assert clerk.post(url(f"payout_{name}_change", pk), form).status_code == 403
    assert clerk.post(url(f"payout_{name}_add"), form).status_code == 403
    shown = console.page(f"payout_{name}_change", pk).content.decode()
    assert 'name="_save"' in shown
    assert 'name="_continue"' not in shown


@pytest.mark.parametrize("name", [name for name, _pk in ROWS])
def test_queries_do_not_grow(
    console: Console, catalogues: None, django_assert_max_num_queries: Any, name: str
) -> None:
    with django_assert_max_num_queries(7 + ACCESS_QUERIES):
        console.page(f"payout_{name}_changelist")
