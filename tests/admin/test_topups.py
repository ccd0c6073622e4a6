"""The console's pages of top-ups: what only they have, and the catalogue that an operator edits."""

from typing import Any

import pytest

from payments.core.models import AuditEntry
from payments.topup.models import Operator, TopUpTerms
from tests.admin.conftest import ACCESS_QUERIES, REASON, Console, url
from tests.support.fixtures import ApiClient
from tests.support.outgoing_console import PHONE, SCENES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds", "operators")]
TOPUPS = SCENES["topup"]
TERMS = {
    "is_enabled": "on",
    "min_amount": "",
    "max_amount": "500000",
    "fee_flat": "0",
    "fee_rate": "0",
}
CLARO = {
    "name": "Claro",
    "logo": "claro",
    "is_enabled": "on",
    "min_amount": "1000",
    "max_amount": "",
    "allowed_amounts": "",
    "codes": '{"simulator": "CLA"}',
}


def offered(api: ApiClient) -> dict[str, Any]:
    """GET /topup/operators by code."""
    return {row["code"]: row for row in api.get("/topup/operators").body["data"]}


def test_a_phone_is_masked_in_the_list_and_on_the_page(console: Console, api: ApiClient) -> None:
    topup = TOPUPS.make(api)
    listed = console.page("topup_topup_changelist").content.decode()
    assert "···4567" in listed
    assert PHONE not in listed
    page = console.page("topup_topup_change", topup.pk).content.decode()
    assert "···4567" in page
    assert PHONE not in page
    assert url("topup_operator_change", "claro") in page


@pytest.mark.parametrize("term", [PHONE, "300 123 4567", "+57 300-123-4567"])
def test_a_top_up_is_found_by_its_phone(console: Console, api: ApiClient, term: str) -> None:
    topup, other = TOPUPS.make(api), TOPUPS.make(api, phone="3109876543")
    page = console.page("topup_topup_changelist", q=term).content.decode()
    assert url("topup_topup_change", topup.pk) in page
    assert url("topup_topup_change", other.pk) not in page


def test_top_ups_are_filtered_by_operator(console: Console, api: ApiClient) -> None:
    claro, tigo = TOPUPS.make(api), TOPUPS.make(api, operatorCode="tigo")
    query = {"operator__code__exact": "tigo"}
    page = console.page("topup_topup_changelist", **query).content.decode()
    assert url("topup_topup_change", tigo.pk) in page
    assert url("topup_topup_change", claro.pk) not in page


# Operators.


def test_an_operator_is_changed_and_switched_off(console: Console, api: ApiClient) -> None:
    form = {**CLARO, "allowed_amounts": "5000,10000", "code": "otro", "name": "Claro Móvil"}
    assert console.submit("topup_operator_change", "claro", **form).status_code == 302
    row = AuditEntry.objects.get(action="operator.changed")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "claro")
    assert row.details == {
        "old": {"name": "Claro", "allowed_amounts": []},
        "new": {"name": "Claro Móvil", "allowed_amounts": [5000, 10000]},
    }
    assert offered(api)["claro"]["allowedAmounts"] == [5000, 10000]
    assert "otro" not in offered(api)
    off = {name: value for name, value in form.items() if name != "is_enabled"}
    assert console.submit("topup_operator_change", "claro", **off).status_code == 302
    assert "claro" not in offered(api)


@pytest.mark.parametrize(
    "wrong",
    [
        {"reason": " "},
        {"name": ""},
        {"logo": "../../etc/passwd"},
        {"logo": "nowhere"},
        {"min_amount": "-1"},
        {"max_amount": "0"},
        {"min_amount": "2000", "max_amount": "1000"},
        {"allowed_amounts": "5000,many"},
        {"allowed_amounts": "0"},
        {"codes": ""},
        {"codes": '{"simulator": 7}'},
    ],
)
def test_an_operator_that_cannot_be_sold_is_refused(
    console: Console, wrong: dict[str, str]
) -> None:
    before = list(Operator.objects.order_by("pk").values())
    response = console.submit("topup_operator_change", "claro", **{**CLARO, **wrong})
    assert response.status_code == 200
    assert next(iter(wrong)) in response.context["adminform"].form.errors
    assert list(Operator.objects.order_by("pk").values()) == before
    assert not AuditEntry.objects.filter(actor="ana").exists()


def test_an_operator_is_added(console: Console, api: ApiClient) -> None:
    form = {**CLARO, "code": "nuevo", "name": "Nuevo <b>Móvil", "logo": "other"}
    assert console.submit("topup_operator_add", **form, reason="").status_code == 200
    assert console.submit("topup_operator_add", **form).status_code == 302
    row = AuditEntry.objects.get(action="operator.added")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "nuevo")
    assert offered(api)["nuevo"]["name"] == "Nuevo <b>Móvil"
    assert console.submit("topup_operator_add", **form).status_code == 200  # the code is taken
    listed = console.page("topup_operator_changelist", q="nuevo").content.decode()
    assert "&lt;b&gt;M" in listed


# Terms.


def test_the_terms_count_for_what_is_bought_from_now_on(console: Console, api: ApiClient) -> None:
    before = TOPUPS.make(api)
    form = {**TERMS, "fee_flat": "200", "max_amount": "100000"}
    assert console.submit("topup_topupterms_change", 1, **form).status_code == 302
    row = AuditEntry.objects.get(action="topupterms.changed")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "1")
    assert row.details == {
        "old": {"max_amount": "500000", "fee_flat": "0"},
        "new": {"max_amount": "100000", "fee_flat": "200"},
    }
    assert TOPUPS.make(api).fee_amount == 200
    before.refresh_from_db()
    assert before.fee_amount == 0
    listed = console.page("topup_topupterms_changelist")
    assert listed["Location"] == url("topup_topupterms_change", 1)
    assert 'value="100.000"' in console.page("topup_topupterms_change", 1).content.decode()
    off = {name: value for name, value in TERMS.items() if name != "is_enabled"}
    assert console.submit("topup_topupterms_change", 1, **off).status_code == 302
    body = {"phone": PHONE, "operatorCode": "claro", "amountCop": 20_000}
    assert api.post("/topup", body, headers={"Idempotency-Key": "off"}).status_code == 503


@pytest.mark.parametrize(
    "wrong",
    [{"max_amount": "0"}, {"min_amount": "500001"}, {"fee_flat": "-1"}, {"fee_rate": "100"}],
)
def test_figures_that_no_top_up_can_meet_are_refused(
    console: Console, wrong: dict[str, str]
) -> None:
    before = list(TopUpTerms.objects.values())
    response = console.submit("topup_topupterms_change", 1, **{**TERMS, **wrong})
    assert response.status_code == 200
    assert next(iter(wrong)) in response.context["adminform"].form.errors
    assert list(TopUpTerms.objects.values()) == before


@pytest.mark.parametrize(("name", "pk"), [("operator", "claro"), ("topupterms", 1)])
def test_rows_are_not_deleted_and_a_clerk_only_looks(
    console: Console, clerk: Console, name: str, pk: Any
) -> None:
    assert console.post(url(f"topup_{name}_delete", pk), {"post": "yes"}).status_code == 403
    page = clerk.page(f"topup_{name}_change", pk).content.decode()
    assert 'name="_save"' not in page
    assert 'name="reason"' not in page
    form = {**TERMS, **CLARO, "reason": REASON}
    assert clerk.post(url(f"topup_{name}_change", pk), form).status_code == 403
    assert clerk.post(url(f"topup_{name}_add"), form).status_code == 403


@pytest.mark.parametrize("name", ["operator", "topupterms"])
def test_queries_do_not_grow(
    console: Console, django_assert_max_num_queries: Any, name: str
) -> None:
    with django_assert_max_num_queries(7 + ACCESS_QUERIES):
        console.page(f"topup_{name}_changelist")
