"""The console's pages of payouts: what is seen, found and filtered, and under which rule."""

from typing import Any

import pytest
from django.contrib.admin.utils import flatten

from merchants.models import Merchant
from payments.core.models import AuditEntry, Transition
from payments.payout.models import Payout
from tests.admin.conftest import (
    ACCESS_QUERIES,
    Console,
    assert_postings_shown,
    move_shown,
    send,
    url,
)
from tests.support.factories import key_payout_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds")]


def test_record_for_people_of_merchants_has_no_section_without_a_value(
    merchant: Merchant, waiting: Payout
) -> None:
    staff = browser_of(person_of(merchant, "lucia"))
    sections = staff.page("payout_payout_change", waiting.pk).context["adminform"].fieldsets
    fields = [field for _name, options in sections for field in flatten(options["fields"])]
    assert "asked_by" in fields
    assert not {"provider_id", "authorization"} & set(fields)


def test_page_of_a_payout_shows_its_facts_with_masked_data(
    console: Console, completed: Payout
) -> None:
    listed = console.page("payout_payout_changelist").content.decode()
    assert completed.pk in listed
    assert "100.000 COP" in listed
    page = console.page("payout_payout_change", completed.pk).content.decode()
    for move in Transition.objects.filter(subject_id=completed.pk):
        assert move_shown(move.subject_type, move.from_state, move.to_state) in page
    assert_postings_shown(completed, page)
    for fact in (completed.provider_reference, completed.provider_id, completed.idempotency_key):
        assert fact in page
    for whole, shown in (("79.123.456", "···3456"), ("12345678901", "···8901")):
        assert shown in page
        assert whole not in page


@pytest.mark.parametrize(
    ("body", "shown", "hidden"),
    [
        (payout_body(), "···8901", "12345678901"),
        (key_payout_body("PHONE", "3001234567"), "···4567", "3001234567"),
        (key_payout_body("ID", "123"), "···3", "ID 123"),
    ],
)
def test_private_numbers_are_masked_in_the_list(
    console: Console, api: ApiClient, body: Any, shown: str, hidden: str
) -> None:
    send(api, body)
    page = console.page("payout_payout_changelist").content.decode()
    assert shown in page
    assert "CC ···3456" in page
    for number in (hidden, "79123456", "79.123.456"):
        assert number not in page


def test_what_the_merchant_sent_is_text(console: Console, api: ApiClient, waiting: Payout) -> None:
    evil = "<script>alert(1)</script>"
    body = payout_body(recipientName=evil, recipientDocNumber=evil, description=evil[:40])
    payout = send(api, body, key=evil)
    Payout.objects.filter(pk=payout.pk).update(
        failure_reason=evil, provider_id=evil, account_number=evil[:20]
    )
    pages = [
        console.page("payout_payout_changelist"),
        console.page("payout_payout_changelist", q=evil),
        console.page("payout_payout_change", payout.pk),
        console.page("payout_payout_approve", payout.pk),
    ]
    done = console.submit("payout_payout_reject", payout.pk, reason=evil)
    assert done.status_code == 302
    for page in [*pages, console.page("payout_payout_change", payout.pk)]:
        assert page.status_code == 200
        assert evil not in page.content.decode()
        assert "&lt;script&gt;alert(1)" in page.content.decode()


@pytest.mark.parametrize(
    "term", ["<id>", "<half id>", "<reference>", "my-key", " my-key ", "79123456", "79.123.456"]
)
def test_search_of_the_list_finds_payouts(console: Console, api: ApiClient, term: str) -> None:
    payout = send(api, key="my-key")
    other = send(api, payout_body(recipientDocNumber="1020304050"), key="my-key-2")
    asked = {
        "<id>": payout.pk,
        "<half id>": payout.pk[:-4],
        "<reference>": payout.provider_reference,
    }.get(term, term)
    page = console.page("payout_payout_changelist", q=asked).content.decode()
    assert url("payout_payout_change", payout.pk) in page
    if term != "<half id>":
        assert url("payout_payout_change", other.pk) not in page


@pytest.mark.parametrize("term", ["my-ke", "po_zzz", "por_0", "9123456", "%", "💰"])
def test_nothing_else_is_found(console: Console, api: ApiClient, term: str) -> None:
    payout = send(api, key="my-key")
    response = console.page("payout_payout_changelist", q=term)
    assert response.status_code == 200
    assert url("payout_payout_change", payout.pk) not in response.content.decode()


def test_filters_of_the_list_narrow_payouts(
    console: Console, completed: Payout, doubtful: Payout, waiting: Payout
) -> None:
    everything = {completed.pk, doubtful.pk, waiting.pk}
    for query, expected in (
        ({"status__exact": "COMPLETED"}, {completed.pk}),
        ({"network__exact": "BREB"}, set()),
        ({"currency__exact": "COPM"}, everything),
        ({"merchant__id__exact": completed.merchant_id}, everything),
        ({"merchant__id__exact": "mer_0"}, set()),
        ({"created_at_from": "2020-01-01", "created_at_to": "2099-01-01"}, everything),
        ({"created_at_to": "2020-01-01"}, set()),
        ({"exceptions": "all"}, {doubtful.pk, waiting.pk}),
        ({"exceptions": "operator"}, {doubtful.pk}),
        ({"exceptions": "approval"}, {waiting.pk}),
        ({"exceptions": "nonsense"}, everything),
    ):
        page = console.page("payout_payout_changelist", **query).content.decode()
        found = {pk for pk in everything if url("payout_payout_change", pk) in page}
        assert found == expected, query


def test_the_first_page_counts_the_exceptions(
    console: Console, doubtful: Payout, waiting: Payout
) -> None:
    page = console.page("index")
    cards = {str(card["link"]): card["value"] for card in page.context["cards"]}
    payouts = url("payout_payout_changelist")
    assert cards[f"{payouts}?exceptions=approval"] == 1
    assert cards[f"{payouts}?exceptions=operator"] == 1
    assert url("payout_payout_changelist") in page.content.decode()


def test_payouts_are_never_added_changed_or_deleted(console: Console, completed: Payout) -> None:
    before = list(Payout.objects.values())
    for address in (
        url("payout_payout_add"),
        url("payout_payout_change", completed.pk),
        url("payout_payout_delete", completed.pk),
    ):
        assert console.post(address, {"post": "yes", "status": "FAILED"}).status_code == 403
    listed = console.page("payout_payout_changelist").content.decode()
    assert "delete_selected" not in listed
    assert 'name="action"' not in listed
    assert 'name="_save"' not in console.page("payout_payout_change", completed.pk).content.decode()
    assert list(Payout.objects.values()) == before


def test_queries_do_not_grow(
    console: Console, api: ApiClient, completed: Payout, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        send(api, key_payout_body() if number % 2 else None)
    with django_assert_max_num_queries(7 + ACCESS_QUERIES):
        console.page("payout_payout_changelist")
    with django_assert_max_num_queries(14 + ACCESS_QUERIES):
        console.page("payout_payout_change", completed.pk)


def test_the_console_speaks_spanish(console: Console, waiting: Payout) -> None:
    Merchant.objects.update(payout_approval_set_by="ana")
    spanish = {"Accept-Language": "es"}
    address = url("payout_payout_approve", waiting.pk)
    refused = console.get(address, headers=spanish, follow=True).content.decode()
    assert "Tú fijaste esta regla, así que otra persona debe decidir." in refused
    Merchant.objects.update(payout_approval_set_by="olga")
    shown = console.get(address, headers=spanish).content.decode()
    assert "Aprobar la dispersión" in shown
    listed = console.get(url("payout_payout_changelist"), headers=spanish).content.decode()
    assert "Dispersiones" in listed
    assert "Exportar" in listed


def test_the_rule_names_the_operator_who_set_it(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    form = {
        "name": merchant.name,
        "payout_enabled": "on",
        "currencies": ["COP"],
        "methods": ["PSE"],
    }
    keys = {"api_keys-TOTAL_FORMS": "0", "api_keys-INITIAL_FORMS": "0"}
    keys |= {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    for wrong in ("-1", "many"):
        refused = console.submit(
            "merchants_merchant_change", merchant.pk, payout_approval_above=wrong, **form, **keys
        )
        assert "payout_approval_above" in refused.context["adminform"].form.errors
    saved = console.submit(
        "merchants_merchant_change", merchant.pk, payout_approval_above="50000", **form, **keys
    )
    assert saved.status_code == 302
    merchant.refresh_from_db()
    assert merchant.payout_approval_above == 50000
    assert merchant.payout_approval_set_by == "ana"
    row = AuditEntry.objects.get(action="merchant.changed")
    assert row.details["new"]["payout_approval_above"] == "50000"
    payout = send(api)
    assert payout.needs_approval
    assert console.submit("payout_payout_approve", payout.pk).status_code == 400
    # Another change by another operator leaves the rule's author as he is.
    Merchant.objects.update(payout_approval_set_by="beto")
    console.submit(
        "merchants_merchant_change",
        merchant.pk,
        payout_approval_above="50000.00",
        **{**form, "email": "otro@example.com"},
        **keys,
    )
    merchant.refresh_from_db()
    assert (merchant.email, merchant.payout_approval_set_by) == ("otro@example.com", "beto")
    assert console.submit("payout_payout_approve", payout.pk).status_code == 302


def test_a_rule_set_at_onboarding_has_its_author_too(console: Console) -> None:
    form: dict[str, Any] = {
        "name": "Panadería Ñandú",
        "currencies": ["COP"],
        "methods": ["PSE"],
        "payout_approval_above": "0",
    }
    assert console.submit("merchants_merchant_add", **form).status_code == 200
    made = Merchant.objects.get(name="Panadería Ñandú")
    assert (made.payout_approval_above, made.payout_approval_set_by) == (0, "ana")
    shown = console.page("merchants_merchant_payouts", made.pk)
    assert shown.url == f"{url('payout_payout_changelist')}?merchant__id__exact={made.pk}"


def test_a_failure_by_hand_is_in_words(console: Console, pending: Payout) -> None:
    Payout.objects.filter(pk=pending.pk).update(failure_reason="by hand: Nunca salió (folio 3)")
    page = console.page("payout_payout_change", pending.pk).content.decode()
    assert "A mano: Nunca salió (folio 3)" in page
    assert "by hand:" not in page
