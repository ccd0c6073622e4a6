"""Orders that ended unpaid: cancelled, expired and failed each say what happened, what to do."""

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache

from payments.collect.models import Charge, Order, Receipt
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers import ports
from payments.simulator import control
from tests.collect.test_pages.conftest import (
    PERSON,
    Payer,
    charge_of,
    magic_document,
    pass_deadline,
)
from tests.support.charges import say
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
CANCELLED = "This order was cancelled"
EXPIRED = "The time to pay is over"
FAILED = "The payment was not approved"


@pytest.fixture
def payer(payer: Payer) -> Payer:
    """Reads English, which is how texts are written in the code."""
    payer.see("?lang=en")
    return payer


@pytest.fixture
def cancel(api: ApiClient) -> Callable[[Order], None]:
    """The merchant's backend cancels, as over the API."""

    def cancel(order: Order) -> None:
        answer = api.post(f"/collect/{order.pk}/cancel")
        assert answer.status_code == 200, answer.content

    return cancel


def heading(page: str) -> str:
    (text,) = re.findall(r"<h1[^>]*>([^<]+)</h1>", page)
    assert page.split("<title>")[1].startswith(text)
    return str(text)


def moment(value: datetime) -> str:
    """As the page writes it for a payer in Bogotá who reads English."""
    local = value.astimezone(ZoneInfo("America/Bogota"))
    return f"{local:%B} {local.day}, {local.year}, {local.hour % 12 or 12}:{local:%M}"


def main(page: str) -> str:
    return str(re.findall(r"<main.*?</main>", page, re.DOTALL)[0])


def test_cancelled_order_tells_payer_it_was_cancelled(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    cancel(order)
    page = payer.see()
    assert heading(page) == CANCELLED
    order.refresh_from_db()
    assert order.cancelled_at is not None
    assert moment(order.cancelled_at) in main(page)
    # The deadline that it had is still ahead.
    assert moment(order.expires_at) not in page
    assert EXPIRED not in page
    assert "Nothing was charged." in page
    assert f'href="{payer.url}/paid"' not in page
    assert "cafeandino.example/gracias" in page
    assert "status=EXPIRED" in page
    assert heading(payer.see("?lang=es")) == "Esta orden se canceló"


def test_transfer_under_way_when_cancelled_is_spoken_of(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    payer.choose("/transfer")
    charge = charge_of(order)
    cancel(order)
    page = payer.see()
    assert heading(page) == CANCELLED
    assert "Do not send money for this order any more." in page
    assert "If you already sent money" in page
    assert "Your money is safe: when it arrives" in page
    assert f'href="{payer.url}/paid"' in page
    assert charge.instructions["accountNumber"] not in page
    assert "Nothing was charged." not in page


def test_late_money_of_cancelled_order_is_told_on_its_page(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    payer.choose("/transfer")
    cancel(order)
    control.deposit(charge_of(order).pk, Decimal(50_025))
    [funds] = order.unmatched_funds.all()
    for path, said in (("", "Your money came late"), ("/paid", "Your money arrived")):
        page = payer.see(path)
        assert heading(page) == said
        assert main(page).count(said) == 1
        for shown in ("$ 50,025 COP", "Bank transfer", funds.trace_code):
            assert shown in main(page)
        assert "Do not pay again." in page
    assert "The order was cancelled on" in payer.see()
    assert "It came after the order was cancelled." in payer.see("/paid")
    assert "I already paid" not in payer.see()
    assert f'data-copy="{order.reference}"' in payer.see()
    order.unmatched_funds.update(status="RETURNED", decided_at=clock.now(), proof="Folio 18")
    assert "It was returned to you." in payer.see()


def test_page_of_an_ended_order_notices_late_money_by_itself(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    payer.choose("/transfer")
    cancel(order)
    page, state = payer.see(), payer.get(f"{payer.url}/state").json()
    assert f'data-watch="version" data-seen="{state["version"]}"' in page
    control.deposit(charge_of(order).pk, Decimal(50_025))
    assert payer.get(f"{payer.url}/state").json()["version"] != state["version"]


def test_page_of_an_order_that_ended_without_a_try_asks_for_nothing(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    cancel(order)
    assert "data-state" not in payer.see()


def test_part_that_arrived_before_the_cancellation_is_told(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    payer.choose("/transfer")
    control.deposit(charge_of(order).pk, Decimal(20_000))
    cancel(order)
    page = payer.see()
    assert heading(page) == CANCELLED
    assert "$ 20,000 COP" in main(page)
    assert "The order was cancelled before it was paid in full." in page


def test_already_paid_says_that_the_order_was_cancelled(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    payer.choose("/transfer")
    cancel(order)
    page = payer.see("/paid")
    assert "This order was cancelled: do not send money for it any more." in page
    cache.clear()
    assert "We do not see your payment yet" in payer.choose("/paid")


def test_cancelled_order_has_no_receipt(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    cancel(order)
    assert "/verify/" not in payer.see()
    assert not Receipt.objects.exists()


def test_every_form_of_a_cancelled_order_leads_to_its_page(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    payer.see("/methods")
    cancel(order)
    for path in ("/methods", "/pse", "/crypto"):
        assert heading(payer.see(path, follow=True)) == CANCELLED
    for path, fields in (("/pse", PERSON), ("/transfer", {}), ("/crypto", {"coin": "BTC"})):
        assert heading(payer.choose(path, fields)) == CANCELLED
    assert not order.charges.exists()


def test_a_page_that_waits_is_told_of_the_cancellation(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    def state() -> dict[str, str]:
        return dict(payer.get(f"{payer.url}/state").json())

    payer.choose("/transfer")
    before = state()
    assert f'data-seen="{before["version"]}"' in payer.see()
    cancel(order)
    assert state()["version"] != before["version"]
    assert state()["status"] != before["status"]


def test_cancelling_after_the_deadline_is_told_as_a_cancellation(
    order: Order, payer: Payer, cancel: Callable[[Order], None]
) -> None:
    pass_deadline(order)
    assert heading(payer.see()) == EXPIRED
    cancel(order)
    assert heading(payer.see()) == CANCELLED


def test_expired_order_is_not_called_cancelled(order: Order, payer: Payer) -> None:
    payer.choose("/transfer")
    pass_deadline(order)
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    page = payer.see()
    assert heading(page) == EXPIRED
    assert "cancelled" not in main(page)
    control.deposit(charge_of(order).pk, Decimal(50_025))
    page = payer.see()
    assert heading(page) == "Your money came late"
    assert ", and the money came afterwards." in page


def test_failed_order_shows_money_that_came_all_the_same(order: Order, payer: Payer) -> None:
    payer.choose("/pse", magic_document("refused"))
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    page = payer.see()
    assert heading(page) == FAILED
    assert "Nothing was charged." in page
    charge = charge_of(order)
    assert charge.status == Charge.Status.FAILED
    say(charge, "SUCCEEDED", 50_025)  # the rail said no first, and pays later
    page = payer.see()
    assert "Your money arrived." in page
    assert "Nothing was charged." not in page
