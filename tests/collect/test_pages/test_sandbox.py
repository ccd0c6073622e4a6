"""Play money is never taken for money: a sandbox says so on every page, production on none."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from payments.collect.models import Charge, Dispute, Order
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers import ports, registry
from payments.simulator import control
from tests.collect.test_pages.conftest import PERSON, Payer, charge_of, magic_document
from tests.collect.test_pages.test_verify import pay
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
STRIP = "Modo de prueba"
TEST_RECEIPT = "Comprobante auténtico, de una prueba"
AUTHENTIC = "Comprobante auténtico: el pago se recibió"
WALLET = {"phone": "3105551234", "consent": "on"}


@pytest.fixture(params=[True, False], ids=["sandbox", "production"])
def is_sandbox(
    request: pytest.FixtureRequest, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> bool:
    settings.SANDBOX = request.param
    if not request.param:  # Its rails move money.
        monkeypatch.setattr(registry, "is_simulated", lambda _code: False)
    return bool(request.param)


@pytest.fixture
def became_live(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service pays over real rails now; its old payments stand in the same tables."""
    settings.SANDBOX = False
    settings.PAYIN_PROVIDER = "wompi"


def is_marked(page: str) -> bool:
    strips = re.findall(r'<p class="strip">.*?</p>', page)
    assert len(strips) < 2
    return bool(strips)


def chosen(path: str, fields: dict[str, str]) -> Callable[[Order, Any], str]:
    return lambda order, _api: Payer(order).choose(path, fields) and Payer(order).see()


def over(order: Order, _api: Any) -> str:
    Order.objects.filter(pk=order.pk).update(expires_at=clock.now() - timedelta(minutes=1))
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    return Payer(order).see()


def cancelled(order: Order, api: ApiClient) -> str:
    assert api.post(f"/collect/{order.pk}/cancel").status_code == 200
    return Payer(order).see()


def refused(order: Order, _api: Any) -> str:
    Payer(order).choose("/pse", magic_document("refused"))
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    return Payer(order).see()


def price_over(order: Order, _api: Any) -> str:
    Payer(order).choose("/crypto", {"coin": "ETH"})
    Charge.objects.filter(pk=charge_of(order).pk).update(quote_expires_at=clock.now())
    return Payer(order).see()


def receipt(order: Order, _api: Any) -> str:
    pay(order)
    return Payer(order).see()


SCREENS: dict[str, Callable[[Order, Any], str]] = {
    **{
        path: lambda order, _api, path=path: Payer(order).see(path)  # type: ignore[misc]
        for path in ("/methods", "/pse", "/crypto", "/with/push_wallet", "/paid")
    },
    "bank": chosen("/pse", PERSON),
    "account": chosen("/transfer", {}),
    "coin": chosen("/crypto", {"coin": "BTC"}),
    "push": chosen("/with/push_wallet", WALLET),
    "key": chosen("/with/breb_key", {}),
    "price over": price_over,
    "receipt": receipt,
    "failed": refused,
    "expired": over,
    "cancelled": cancelled,
    "not found": lambda _order, _api: Client().get("/pay/nothing").content.decode(),
    "verify": lambda _order, _api: Client().get("/verify/").content.decode(),
    "false": lambda _order, _api: Client().get("/verify/0000-0000-0000").content.decode(),
}


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_of_a_payer_is_marked_in_a_sandbox_and_none_in_production(
    screen: str, order: Order, api: ApiClient, is_sandbox: bool
) -> None:
    page = SCREENS[screen](order, api)
    assert is_marked(page) == is_sandbox
    assert (STRIP in page) >= is_sandbox


def test_receipt_of_play_money_is_no_proof_of_money(order: Order, is_sandbox: bool) -> None:
    code = pay(order)
    page = Client().get(f"/verify/{code}").content.decode()
    (heading,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page)
    assert heading == (TEST_RECEIPT if is_sandbox else AUTHENTIC)
    assert (AUTHENTIC in page) is not is_sandbox
    assert (TEST_RECEIPT in page) is is_sandbox
    english = Client().get(f"/verify/{code}?lang=en").content.decode()
    assert ("Authentic receipt, of a test</h1>" in english) is is_sandbox
    assert ("the payment was received" in english) is not is_sandbox
    assert heading in re.findall(r"<title>(.*?)</title>", page, re.DOTALL)[0]
    assert ("No entregues nada con este comprobante." in page) == is_sandbox
    assert ('class="verdict good"' in page) != is_sandbox
    paper = Payer(order).see()
    assert ("Comprobante de prueba: no se movió dinero." in paper) == is_sandbox


def test_service_with_a_simulated_rail_is_a_test_without_the_sandbox(
    order: Order, settings: Any
) -> None:
    settings.SANDBOX = False
    assert is_marked(Payer(order).see())


def test_play_money_of_the_past_is_no_proof_in_a_live_service(
    order: Order, request: pytest.FixtureRequest
) -> None:
    code = pay(order)
    request.getfixturevalue("became_live")
    page = Client().get(f"/verify/{code}").content.decode()
    assert TEST_RECEIPT in page
    assert is_marked(page)
    assert is_marked(Payer(order).see())
    assert not is_marked(Client().get("/verify/").content.decode())


def test_what_a_developer_tries_is_still_told(order: Order, settings: Any) -> None:
    settings.SANDBOX = True
    code = pay(order)
    Dispute.objects.create(
        order=order,
        kind="CHARGEBACK",
        currency="COPM",
        claimed=50_025,
        amount=50_025,
        reason="unknown to the payer",
        opened_by="simulator",
        opened_at=clock.now(),
    )
    page = Client().get(f"/verify/{code}?lang=en").content.decode()
    assert "Paid, but contested</h1>" in page
    assert '<span class="tag">Test payment: there was no money</span>' in page


def test_simulator_says_what_it_is(order: Order, payer: Payer) -> None:
    for path, fields in (("/transfer", {}), ("/with/push_wallet", WALLET)):
        payer.choose(path, fields)
        desk = "wallet" if fields else "transfer"
        page = Client().get(f"/simulator/{desk}/{charge_of(order).provider_id}").content.decode()
        assert "SIMULADOR: nada aquí mueve dinero real." in page
