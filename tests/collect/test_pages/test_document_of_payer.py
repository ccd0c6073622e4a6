"""The payment page asks for the document that the merchant left out; the paid order has it."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from merchants.models import Merchant
from payments.collect.checkout.double_payment import SEEN_FIELD
from payments.collect.models import Charge, Order
from payments.collect.services.orders import retries
from payments.core import clock
from payments.core.models import AuditEntry
from payments.core.text import normalised_document
from payments.providers import ports, registry
from payments.providers.ports import Fact, PayerNeeds, Rail
from payments.simulator import control
from payments.simulator.rail import RAIL as SIMULATOR
from tests.collect.test_pages.conftest import PERSON, Payer, charge_of, magic_document
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.refunds import paid
from webhooks.models import Event

pytestmark = pytest.mark.django_db
ANA = {**PERSON, "document_type": "CE", "document_number": "E-123.456"}
LUIS = {**PERSON, "document_type": "CC", "document_number": "79.123.456"}
OF_ANA, OF_LUIS = ("CE", "E123456"), ("CC", "79123456")


@pytest.fixture
def order(api: ApiClient, merchant: Merchant) -> Order:
    """Without a document."""
    Merchant.objects.filter(pk=merchant.pk).update(
        document_by_payer=True, event_kinds=["payment.expired"]
    )
    return without_document(api)


def without_document(api: ApiClient, **changes: object) -> Order:
    body = order_body(**changes)
    del body["customerDocType"], body["customerDocNumber"]
    return Order.objects.get(pk=api.post("/collect", body).body["data"]["id"])


def document_of(order: Order) -> tuple[str, str]:
    order.refresh_from_db()
    assert order.customer_document == normalised_document(order.customer_doc_number)
    return order.customer_doc_type, order.customer_document


def told(order: Order) -> dict[str, object]:
    """What each event says of the customer, by its kind."""
    rows = Event.objects.filter(subject_id=order.pk)
    return {row.kind: json.loads(bytes(row.body))["data"].get("customer") for row in rows}


def acts(order: Order) -> list[str]:
    rows = AuditEntry.objects.filter(subject_id=order.pk, action__startswith="order.document")
    return list(rows.order_by("pk").values_list("action", flat=True))


def test_page_asks_for_the_document_and_the_order_then_has_it(
    order: Order, payer: Payer, api: ApiClient
) -> None:
    form = payer.see("/pse")
    assert 'name="document_number" value' not in form
    assert "no puedes pagar aquí por PSE" not in form
    missing = payer.send("/pse", {**PERSON, "document_type": "", "document_number": ""})
    assert 'href="#id_document_number"' in missing.content.decode()
    assert document_of(order) == ("", "")

    payer.choose("/pse", ANA)
    assert document_of(order) == ("", "")
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)

    assert document_of(order) == OF_ANA
    customer = api.get(f"/collect/{order.pk}").body["data"]["customer"]
    assert (customer["documentType"], customer["documentNumber"]) == OF_ANA
    seen = {"documentType": "CE", "documentNumber": "···456"}
    assert told(order)["payment.completed"] == seen
    assert acts(order) == ["order.document_given"]


def test_way_that_needs_no_document_asks_for_none(
    order: Order, payer: Payer, api: ApiClient
) -> None:
    payer.choose("/transfer")
    control.deposit(charge_of(order).pk, order.amount)
    assert api.get(f"/collect/{order.pk}").body["data"]["status"] == "COMPLETED"
    empty = {"documentType": None, "documentNumber": None}
    assert told(order)["payment.completed"] == empty
    assert document_of(order) == ("", "")


def test_other_ways_ask_for_the_document_as_a_step_of_their_own(
    order: Order, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = PayerNeeds(facts=(Fact.DOCUMENT,))
    rail = replace(SIMULATOR, payer_needs=dict.fromkeys(Rail, needs))
    monkeypatch.setattr(registry, "rails", lambda: {rail.code: rail})
    asked = payer.send("/transfer").content.decode()
    assert 'name="payerDocNumber"' in asked
    assert not order.charges.exists()

    given = {"payerDocType": "CC", "payerDocNumber": "79.123.456", "consent": "on", "step": "1"}
    payer.choose("/transfer", given)
    control.deposit(charge_of(order).pk, order.amount)
    assert document_of(order) == OF_LUIS


def test_order_has_the_document_of_the_payer_who_paid_and_not_of_who_began(
    order: Order, payer: Payer
) -> None:
    payer.choose("/pse", ANA)
    first = charge_of(order)
    Payer(order).choose("/pse", {**LUIS, SEEN_FIELD: first.pk})
    assert Charge.objects.filter(order=order).count() == 2
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)

    assert document_of(order) == OF_LUIS
    assert acts(order) == ["order.document_given"]


def test_no_other_person_with_the_link_reads_the_document_of_the_payer_before(
    order: Order, payer: Payer
) -> None:
    payer.choose("/pse", ANA)
    form = Payer(order).see("/pse")
    assert ANA["document_number"] not in form
    assert OF_ANA[1] not in form


def test_rail_gets_no_document_of_another_payer(order: Order, payer: Payer) -> None:
    payer.choose("/pse", ANA)
    control.decide(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    Payer(order).choose("/transfer")
    assert charge_of(order).payer["document_number"] == ""


def test_document_that_the_rail_refused_is_never_that_of_the_order(
    order: Order, payer: Payer
) -> None:
    """Nor after the payer had looked at the transfer, which needs none."""
    payer.choose("/transfer")
    payer.send("/pse", magic_document("refused-at-start"))
    payer.choose("/pse", ANA)
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    assert document_of(order) == OF_ANA


def test_payer_in_doubt_gives_no_document_to_the_order_that_another_pays(
    order: Order, payer: Payer
) -> None:
    payer.send("/pse", magic_document("answer-lost-before"))
    in_doubt = charge_of(order)
    Payer(order).send("/pse", {**LUIS, SEEN_FIELD: in_doubt.pk})
    paid_by_luis = charge_of(order)
    assert paid_by_luis.pk != in_doubt.pk
    control.decide(paid_by_luis.pk, ports.ChargeStatus.SUCCEEDED)
    assert document_of(order) == OF_LUIS


def test_order_that_repeats_a_refused_one_takes_the_document_of_its_own_payer(
    order: Order, payer: Payer, merchant: Merchant
) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(retry_enabled=True)
    payer.choose("/pse", magic_document("refused"))
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    order.refresh_from_db()
    assert order.status == "FAILED"

    sibling = retries.retry_order(order=order, now=clock.now())
    Payer(sibling).choose("/pse", ANA)
    control.decide(charge_of(sibling).pk, ports.ChargeStatus.SUCCEEDED)
    assert document_of(sibling) == OF_ANA
    assert document_of(order) == ("", "")


def test_payer_never_changes_the_document_that_the_merchant_gave(
    create: Callable[..., Order],
) -> None:
    given = create(reference="P-2")
    Payer(given).choose("/pse", ANA)
    assert document_of(given) == ("CC", "1020304050")
    assert charge_of(given).payer["document_number"] == OF_ANA[1]
    assert acts(given) == []


def test_shop_with_a_page_of_its_own_gives_the_document_with_the_payment(
    order: Order, api: ApiClient
) -> None:
    fields = {"bankCode": "1007", "personType": "NATURAL"}
    payer = {"docType": "CC", "docNumber": "79.123.456"}
    body = {"method": "pse", "fields": fields, "payer": payer}
    assert api.post(f"/collect/{order.pk}/pay", body).status_code == 200
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    assert document_of(order) == OF_LUIS


def test_events_of_other_orders_have_no_customer(api: ApiClient) -> None:
    assert set(told(paid(api)).values()) == {None}
