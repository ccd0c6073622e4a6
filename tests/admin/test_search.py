"""One search over everything: what finds what, along which index, and for whom."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Membership, Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.console.formatting import amount
from payments.console.site import search
from payments.core import clock
from payments.payout.models import Payout
from payments.topup.models import TopUp
from tests.admin.conftest import Console, send, url
from tests.support.factories import key_payout_body, order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.outgoing_console import PHONE, SCENES
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db
EMAIL = "Pagos.Lucia@correo.example"


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


@pytest.fixture
def order(api: ApiClient) -> Order:
    body = order_body(reference="MESA-77", customerEmail=EMAIL, customerDocNumber="1.020.304.050")
    answer = api.post("/collect", body)
    assert answer.status_code == 201, answer.content
    return Order.objects.get(pk=answer.body["data"]["id"])


def found(browser: Console, term: str) -> list[str]:
    """The addresses that the page of results leads to; one exact hit leads there at once."""
    answer = browser.page("search", q=term)
    if answer.status_code == 302:
        return [answer.url]
    assert answer.status_code == 200
    return [hit.url for group in answer.context["groups"] for hit in group["hits"]]


def test_search_finds_an_order_by_each_of_its_terms(console: Console, order: Order) -> None:
    page = url("collect_order_change", order.pk)
    for term in (
        order.pk,
        "MESA-77",
        "1020304050",
        "1.020.304.050",
        EMAIL,
        EMAIL.upper(),
        f"  {order.pk} ",
    ):
        answer = console.page("search", q=term)
        assert (answer.status_code, answer.url) == (302, page), term


def test_the_beginning_of_an_id_lists(console: Console, order: Order) -> None:
    answer = console.page("search", q=order.pk[:12])
    assert answer.status_code == 200
    (group,) = answer.context["groups"]
    assert [(hit.title, hit.id) for hit in group["hits"]] == [("MESA-77", order.pk)]
    page = answer.content.decode()
    assert '<span class="desk-found-merchant">Café Andino</span>' in page
    money = amount(order.amount, "COP")
    assert f'<span class="desk-found-amount">{money}</span>' in page
    assert "shell-badge-info" in page
    assert order.get_status_display() in page
    assert found(console, order.pk[:7]) == []  # three letters fit too many


def test_what_rails_call_things(console: Console, api: ApiClient) -> None:
    order = paid(api)
    charge = order.charges.get()
    Charge.objects.filter(pk=charge.pk).update(trace_code="CUS-4711")
    page = url("collect_charge_change", charge.pk)
    assert found(console, "CUS-4711") == [page]
    assert found(console, charge.provider_id) == [page]
    stray = UnmatchedFunds.objects.create(
        order=order,
        charge=charge,
        currency="COP",
        amount=7,
        reason="EXCESS",
        trace_code="CUS-OTHER-1",
        created_at=clock.now(),
    )
    assert found(console, "CUS-OTHER-1") == [url("collect_unmatchedfunds_change", stray.pk)]


def test_search_finds_payouts_topups_and_bills(
    console: Console, api: ApiClient, funds: None, operators: None
) -> None:
    payout = send(api, payout_body(recipientDocNumber="79.888.777"))
    page = url("payout_payout_change", payout.pk)
    assert found(console, "79888777") == [page]
    assert found(console, payout.provider_reference) == [page]
    Payout.objects.filter(pk=payout.pk).update(provider_id="RAIL-991")
    assert found(console, "RAIL-991") == [page]
    by_key = send(api, key_payout_body(key_value=PHONE))
    topup = SCENES["topup"].make(api)
    assert isinstance(topup, TopUp)
    expected = {url("payout_payout_change", by_key.pk), url("topup_topup_change", topup.pk)}
    for term in (PHONE, f"+57 {PHONE[:3]} {PHONE[3:]}"):
        assert set(found(console, term)) == expected


def test_accounts_keys_and_webhooks(console: Console, merchant: Merchant) -> None:
    key = merchant.api_keys.first()
    assert found(console, merchant.pk) == [url("merchants_merchant_change", merchant.pk)]
    assert found(console, "andino") == [url("merchants_merchant_change", merchant.pk)]
    if key is not None:
        assert found(console, key.public_key) == [url("merchants_apikey_change", key.pk)]


@pytest.mark.parametrize("term", ["", "\x00", "%", "_", "x" * 500, "col_%", "'; --", "po_"])
def test_search_for_nonsense_returns_nothing(console: Console, order: Order, term: str) -> None:
    assert found(console, term) == []


def test_the_palette_finds_pages_and_records(console: Console, order: Order) -> None:
    answer = console.get(url("search"), {"s": order.pk, "extended": "1"})
    assert url("collect_order_change", order.pk) in answer.content.decode()
    pages = console.get(url("search"), {"s": "rders", "extended": "1"}, HTTP_ACCEPT_LANGUAGE="en")
    assert f'href="{url("collect_order_changelist")}"' in pages.content.decode()
    assert console.get(url("search"), {"s": ""}).content == b""


def test_search_finds_no_record_that_the_person_may_not_see(
    order: Order, merchant: Merchant
) -> None:
    browser = Console()
    dora = User.objects.create_user("dora", password="x", is_staff=True)
    browser.force_login(dora)
    assert found(browser, order.pk) == []
    dora.user_permissions.set(Permission.objects.filter(codename="view_order"))
    assert found(browser, order.pk) == [url("collect_order_change", order.pk)]
    assert found(browser, merchant.pk) == []


def test_people_of_a_merchant_find_their_own(
    order: Order, api: ApiClient, stranger: Merchant
) -> None:
    browser = Console()
    rosa = User.objects.create_user("rosa", password="x", is_staff=True)
    rosa.user_permissions.set(Permission.objects.filter(codename__in=["view_order", "view_charge"]))
    Membership.objects.create(user=rosa, merchant=stranger)
    browser.force_login(rosa)
    for term in (order.pk, order.pk[:12], "MESA-77", "1020304050", EMAIL):
        assert found(browser, term) == [], term
    theirs = ApiClient(stranger).post("/collect", order_body(reference="MESA-77"))
    page = url("collect_order_change", theirs.body["data"]["id"])
    assert found(browser, "MESA-77") == [page]


# Few rows, whatever happens: accounts.
SMALL = {"merchants_merchant"}


@pytest.mark.parametrize(
    "term", ["col_" + "0" * 26, "col_01m7", "MESA-7", "3001234567", "a@b.example", "CUS-1"]
)
def test_each_way_has_an_index(console: Console, order: Order, term: str) -> None:
    request = console.page("index").wsgi_request
    with CaptureQueriesContext(connection) as seen:
        search.find(request, term)
    looked = [query["sql"] for query in seen if " LIMIT 500" in query["sql"]]
    assert looked
    with connection.cursor() as cursor:
        # A handful of rows is read whole whatever the indexes: that is forbidden here.
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in looked:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
            (plan,) = cursor.fetchone()[0]
            assert not _read_whole(plan["Plan"]) - SMALL, sql


def _read_whole(plan: dict[str, Any]) -> set[str]:
    own = {plan["Relation Name"]} if plan["Node Type"] == "Seq Scan" else set()
    return own.union(*(_read_whole(inner) for inner in plan.get("Plans", ())))


def test_charges_are_found_by_the_rails_id_of_one_only(console: Console, api: ApiClient) -> None:
    order = paid(api)
    Charge.objects.filter(order=order).update(provider_id="")
    assert found(console, "") == []


def test_a_merchant_is_found_by_the_beginning_of_a_word_of_its_name(
    console: Console, merchant: Merchant, stranger: Merchant
) -> None:
    page = url("merchants_merchant_change", merchant.pk)
    for term in ("caf", "CAFÉ", "cafe", "an", "Andi", "cafe andino", "afe a"):
        assert page in found(console, term), term
    for term in ("c", "ndi", "and.", "%af", "(("):
        assert page not in found(console, term), term
    rosa = User.objects.create_user("rosa", password="x", is_staff=True)
    rosa.user_permissions.set(Permission.objects.filter(codename="view_merchant"))
    Membership.objects.create(user=rosa, merchant=stranger)
    browser = Console()
    browser.force_login(rosa)
    assert found(browser, "caf") == []


def test_a_search_that_finds_nothing_says_what_can_be_found(console: Console) -> None:
    page = console.get(url("search"), {"q": "zzz"}, HTTP_ACCEPT_LANGUAGE="en")
    assert "the name of a merchant" in page.content.decode()
