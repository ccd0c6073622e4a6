"""The console's pages of bills: what only they have, and the catalogue that an operator edits."""

from typing import Any

import pytest

from payments.bills.models import Agreement, BillTerms
from payments.core.models import AuditEntry
from tests.admin.conftest import ACCESS_QUERIES, REASON, Console, url
from tests.support.fixtures import ApiClient
from tests.support.outgoing_console import AGREEMENT, NAME, SCENES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds")]
BILLS = SCENES["bill"]
TERMS = {
    "is_enabled": "on",
    "min_amount": "",
    "max_amount": "10000000",
    "fee_flat": "800",
    "fee_rate": "0",
}


def test_a_reference_is_masked_in_the_list_and_on_the_page(
    console: Console, api: ApiClient
) -> None:
    payment = BILLS.make(api)
    listed = console.page("bills_billpayment_changelist").content.decode()
    assert NAME in listed
    assert f"···{payment.bill_reference[-4:]}" in listed
    assert payment.bill_reference not in listed
    page = console.page("bills_billpayment_change", payment.pk).content.decode()
    for fact in (payment.code_record, payment.agreement_code):
        assert fact in page
    assert f"···{payment.bill_reference[-4:]}" in page
    assert payment.bill_reference not in page
    assert url("bills_agreement_change", AGREEMENT) in page


def test_a_bill_is_found_by_its_reference_and_its_agreement(
    console: Console, api: ApiClient
) -> None:
    payment, other = BILLS.make(api), BILLS.make(api, agreementId=AGREEMENT)
    spaced = f"{payment.bill_reference[:3]} {payment.bill_reference[3:]}"
    for term in (payment.bill_reference, spaced):
        page = console.page("bills_billpayment_changelist", q=term).content.decode()
        assert url("bills_billpayment_change", payment.pk) in page
        assert url("bills_billpayment_change", other.pk) not in page
    for agreement, count in ((AGREEMENT, 2), (1002, 0)):
        query = {"agreement__id__exact": agreement}
        page = console.page("bills_billpayment_changelist", **query).content.decode()
        pages = [url("bills_billpayment_change", row.pk) for row in (payment, other)]
        assert sum(address in page for address in pages) == count
    field = {"app_label": "bills", "model_name": "billpayment", "field_name": "agreement"}
    found = console.page("autocomplete", **field, term="ACUEDÚCTO ejemplo").json()["results"]
    assert [row["id"] for row in found] == [str(AGREEMENT)]


# Agreements.


def test_agreements_are_searched_as_merchants_search(console: Console) -> None:
    everything = Agreement.objects.count()
    for term, expected in (
        ("ejemplo ACUEDUCTO", {AGREEMENT}),
        (str(AGREEMENT), {AGREEMENT}),
        ("número de contrato", set()),
        ("zzz", set()),
    ):
        page = console.page("bills_agreement_changelist", q=term).content.decode()
        ids = Agreement.objects.values_list("pk", flat=True)
        found = {pk for pk in ids if url("bills_agreement_change", pk) in page}
        assert found == expected, term
    assert console.page("bills_agreement_changelist").context["cl"].result_count == everything


def test_an_agreement_is_switched_off_and_recoded(console: Console, api: ApiClient) -> None:
    form = {"codes": '{"simulator": "SIM-1001", "otra-red": "07"}', "name": "Otro"}
    assert console.submit("bills_agreement_change", AGREEMENT, **form).status_code == 302
    agreement = Agreement.objects.get(pk=AGREEMENT)
    assert (agreement.is_enabled, agreement.name) == (False, NAME)
    assert agreement.codes == {"simulator": "SIM-1001", "otra-red": "07"}
    row = AuditEntry.objects.get(action="agreement.changed")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, str(AGREEMENT))
    assert row.details["new"] == {"is_enabled": False, "codes": agreement.codes}
    found = api.get("/bills/agreements?q=ejemplo+acueducto").body["data"]
    assert found == {"items": [], "total": 0}


def test_what_a_file_brought_does_not_keep_an_agreement_on(console: Console) -> None:
    Agreement.objects.filter(pk=AGREEMENT).update(codes={"simulator": "SIM 1001/ñ"})
    form = {"codes": '{"simulator": "SIM 1001/ñ"}'}
    assert console.submit("bills_agreement_change", AGREEMENT, **form).status_code == 302
    assert not Agreement.objects.get(pk=AGREEMENT).is_enabled


@pytest.mark.parametrize("codes", ["", "{}", "[]", '{"simulator": 7}', '{"a": "<"}', "{"])
def test_codes_are_texts_by_rail(console: Console, codes: str) -> None:
    before = list(Agreement.objects.order_by("pk").values())
    response = console.submit("bills_agreement_change", AGREEMENT, codes=codes)
    assert response.status_code == 200
    assert "codes" in response.context["adminform"].form.errors
    assert list(Agreement.objects.order_by("pk").values()) == before


# Terms.


def test_the_terms_count_for_what_is_paid_from_now_on(console: Console, api: ApiClient) -> None:
    before = BILLS.make(api)
    listed = console.page("bills_billterms_changelist")
    assert listed["Location"] == url("bills_billterms_change", 1)
    assert 'value="800"' in console.page("bills_billterms_change", 1).content.decode()
    form = {**TERMS, "fee_flat": "1000", "min_amount": "1000"}
    assert console.submit("bills_billterms_change", 1, **form).status_code == 302
    row = AuditEntry.objects.get(action="billterms.changed")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, "1")
    assert row.details == {
        "old": {"min_amount": None, "fee_flat": "800"},
        "new": {"min_amount": "1000", "fee_flat": "1000"},
    }
    assert BILLS.make(api).fee_amount == 1000
    before.refresh_from_db()
    assert before.fee_amount == 800
    off = {name: value for name, value in TERMS.items() if name != "is_enabled"}
    assert console.submit("bills_billterms_change", 1, **off).status_code == 302
    body = {"agreementId": AGREEMENT, "reference": "5551", "amountCop": 1000}
    assert api.post("/bills/pay", body, headers={"Idempotency-Key": "off"}).status_code == 503


@pytest.mark.parametrize(
    "wrong",
    [
        {"reason": " "},
        {"max_amount": "0"},
        {"max_amount": ""},
        {"min_amount": "0"},
        {"min_amount": "10000001"},
        {"fee_flat": "-1"},
        {"fee_rate": "100"},
    ],
)
def test_figures_that_no_bill_can_meet_are_refused(console: Console, wrong: dict[str, str]) -> None:
    before = list(BillTerms.objects.values())
    response = console.submit("bills_billterms_change", 1, **{**TERMS, **wrong})
    assert response.status_code == 200
    assert next(iter(wrong)) in response.context["adminform"].form.errors
    assert list(BillTerms.objects.values()) == before
    assert not AuditEntry.objects.filter(actor="ana").exists()


@pytest.mark.parametrize(("name", "pk"), [("agreement", AGREEMENT), ("billterms", 1)])
def test_rows_are_not_added_or_deleted_and_a_clerk_only_looks(
    console: Console, clerk: Console, name: str, pk: Any
) -> None:
    assert console.post(url(f"bills_{name}_delete", pk), {"post": "yes"}).status_code == 403
    assert console.get(url(f"bills_{name}_add")).status_code == 403
    page = clerk.page(f"bills_{name}_change", pk).content.decode()
    assert 'name="_save"' not in page
    assert 'name="reason"' not in page
    form = {**TERMS, "codes": '{"a": "1"}', "reason": REASON}
    assert clerk.post(url(f"bills_{name}_change", pk), form).status_code == 403
    assert 'name="_save"' in console.page(f"bills_{name}_change", pk).content.decode()


@pytest.mark.parametrize("name", ["agreement", "billterms"])
def test_queries_do_not_grow(
    console: Console, django_assert_max_num_queries: Any, name: str
) -> None:
    with django_assert_max_num_queries(7 + ACCESS_QUERIES):
        console.page(f"bills_{name}_changelist")
