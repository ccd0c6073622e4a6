"""What people of a merchant find by a part of a name, or by the beginning of a reference."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.console import own_search
from payments.console.roles import MERCHANT_ADMINISTRATOR
from payments.core import clock
from payments.payout.models import Beneficiary, Payout
from tests.admin.conftest import Console, send, url
from tests.admin.test_search import found
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


@pytest.fixture
def owner(merchant: Merchant) -> Console:
    return browser_of(person_of(merchant, "lucia", MERCHANT_ADMINISTRATOR))


@pytest.fixture
def order(api: ApiClient) -> Order:
    return made(api, "RW3-PED-1007", "Luis Peña Ríos")


def made(api: ApiClient, reference: str, name: str) -> Order:
    answer = api.post("/collect", order_body(reference=reference, customerName=name))
    assert answer.status_code == 201, answer.content
    return Order.objects.get(pk=answer.body["data"]["id"])


def listed(browser: Console, name: str, term: str) -> list[Any]:
    return [row.pk for row in browser.page(f"{name}_changelist", q=term).context["cl"].result_list]


def test_orders_are_found_by_name_and_beginning(owner: Console, order: Order) -> None:
    for term in ("Peña", "pena", "LUIS", "rios luis", "RW3-PED", "rw3-p"):
        assert found(owner, term) == [url("collect_order_change", order.pk)], term
        assert listed(owner, "collect_order", term) == [order.pk], term
    for term in ("zu", "Luisa", "PED-1007", "%en", "rw3_p"):
        assert found(owner, term) == [], term
        assert listed(owner, "collect_order", term) == [], term


def test_attempts_and_refunds_are_found_by_their_order(owner: Console, api: ApiClient) -> None:
    order = paid(api)
    Order.objects.filter(pk=order.pk).update(customer_name="Ana Muñoz")
    charge = Charge.objects.get(order=order)
    assert listed(owner, "collect_charge", "munoz") == [charge.pk]
    assert listed(owner, "collect_charge", order.reference[:5]) == [charge.pk]
    assert listed(owner, "collect_refund", "munoz") == []


def test_payouts_and_beneficiaries_are_found_by_name(
    owner: Console, api: ApiClient, funds: None, operators: None, merchant: Merchant
) -> None:
    payout = send(api, payout_body(recipientName="Harinas del Río SAS"))
    Payout.objects.filter(pk=payout.pk).update(reference="N-01")
    for term in ("harinas", "RIO", "n-0"):
        assert listed(owner, "payout_payout", term) == [payout.pk], term
    assert url("payout_payout_change", payout.pk) in found(owner, "harinas")
    kept = Beneficiary.objects.create(
        merchant=merchant,
        name="Peña y Cía",
        document="1",
        place="x",
        created_at=clock.now() - timedelta(days=900),
    )
    assert listed(owner, "payout_beneficiary", "cia") == [kept.pk]
    assert found(owner, "pena") == [url("payout_beneficiary_change", kept.pk)]


def test_a_search_stays_within_the_own_merchant(
    owner: Console, order: Order, stranger: Merchant
) -> None:
    other = made(ApiClient(stranger), "RW3-PED-1008", "Luis Peña")
    for term in ("Luis", "RW3-PED"):
        assert other.pk not in listed(owner, "collect_order", term)
        assert found(owner, term) == [url("collect_order_change", order.pk)]


def test_only_the_newest_rows_are_read(
    owner: Console, api: ApiClient, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(api, "OTHER-1", "Otra Persona")
    assert found(owner, "Peña")
    monkeypatch.setattr(own_search, "ROWS_MAX", 1)
    assert found(owner, "Peña") == []
    monkeypatch.undo()
    Order.objects.filter(pk=order.pk).update(created_at=clock.now() - timedelta(days=91))
    assert found(owner, "Peña") == []
    request = owner.page("index").wsgi_request
    with CaptureQueriesContext(connection) as seen:
        own_search.keys(request, Order, "zzz")
    assert len(seen) == 2, "where to stop, and the rows"


def test_operators_find_the_beginning_of_a_reference_only(console: Console, order: Order) -> None:
    assert found(console, "RW3-PED") == [url("collect_order_change", order.pk)]
    assert listed(console, "collect_order", "RW3-PED") == [order.pk]
    assert found(console, "Peña") == found(console, "RW3") == []
    assert listed(console, "collect_order", "Peña") == []


def test_hints_of_merchants_say_what_they_can_type(owner: Console) -> None:
    page = owner.get(url("search"), {"q": "zzz"}, HTTP_ACCEPT_LANGUAGE="en").content.decode()
    assert "the name of a payer" in page
    assert f"{own_search.DAYS} days" in page
    assert "name of a merchant" not in page
    payouts = owner.get(url("payout_payout_changelist"), HTTP_ACCEPT_LANGUAGE="en")
    text = payouts.content.decode()
    assert "idempotency key, reference at the provider" not in text
