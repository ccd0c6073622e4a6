"""No payer pays twice by mistake, and a payer who reports a payment is helped."""

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.core.cache import cache

from payments.collect.checkout import payment_lookup
from payments.collect.models import Charge, Order
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers import ports
from payments.simulator import control
from payments.simulator.payin import SimulatorPayin
from tests.collect.test_pages.conftest import (
    PERSON,
    Payer,
    charge_of,
    magic_document,
    pass_deadline,
)

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED
OTHER = {**PERSON, "name": "Otra Persona"}
WALLET = {"phone": "3105551234", "consent": "on"}
STILL_OPEN = "A payment is still open"


@pytest.fixture
def payer(payer: Payer) -> Payer:
    """Reads English, which is how texts are written in the code."""
    payer.see("?lang=en")
    return payer


# --- Before a second payment ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "fields"),
    [("/pse", OTHER), ("/with/push_wallet", WALLET), ("/with/bank_redirect", {})],
)
def test_a_second_debit_needs_a_second_click(
    path: str, fields: dict[str, str], order: Order, payer: Payer
) -> None:
    payer.choose("/pse", PERSON)
    first = charge_of(order)
    page = payer.send(path, fields).content.decode()
    assert STILL_OPEN in page
    assert first.trace_code in page
    assert order.charges.count() == 1

    # The form of that page carries the choice as it was made.
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    assert hidden.pop("csrfmiddlewaretoken")
    assert hidden == {**fields, "seen": first.pk}
    assert f'action="{payer.url}{path}"' in page
    assert payer.send(path, hidden).status_code == 303
    assert order.charges.count() == 2


def test_the_id_of_another_payment_is_no_second_click(
    order: Order, payer: Payer, create: Callable[..., Order]
) -> None:
    payer.choose("/pse", PERSON)
    other = create()
    Payer(other).choose("/pse", PERSON)
    for seen in ("", "1", charge_of(other).pk):
        assert STILL_OPEN in payer.send("/pse", {**OTHER, "seen": seen}).content.decode()
    assert order.charges.count() == 1


def test_a_third_payment_shows_the_second(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    first = charge_of(order)
    payer.send("/pse", {**OTHER, "seen": first.pk})
    third = {**PERSON, "name": "Tercera", "seen": first.pk}
    page = payer.send("/pse", third).content.decode()
    assert charge_of(order).pk in page
    assert order.charges.count() == 2


def test_the_same_choice_again_is_the_same_payment(order: Order, payer: Payer) -> None:
    for _ in range(3):
        assert payer.send("/pse", PERSON).status_code == 303
    assert order.charges.count() == 1


def test_rail_is_queried_first_and_a_dead_payment_blocks_no_payer(
    order: Order, payer: Payer
) -> None:
    payer.choose("/pse", magic_document("callback-lost"))
    control.decide(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    assert charge_of(order).status == "PENDING"  # its callback was lost
    assert "Make the transfer" in payer.choose("/transfer")


def test_rail_is_queried_first_and_a_paid_order_shows_its_receipt(
    order: Order, payer: Payer
) -> None:
    payer.choose("/pse", magic_document("callback-lost"))
    control.decide(charge_of(order).pk, PAID)
    assert "Payment received" in payer.choose("/pse", OTHER)
    assert order.charges.count() == 1


@pytest.mark.parametrize("path", ["/methods", "/pse", "/crypto", "/with/push_wallet"])
def test_open_charge_is_shown_wherever_another_could_start(path: str, payer: Payer) -> None:
    payer.choose("/transfer")
    assert "If you sent the money already, do not pay again." in payer.see(path)
    payer.choose("/pse", PERSON)
    said = STILL_OPEN if path == "/crypto" else "A payment at your bank is still open"
    assert said in payer.see(path)


WAITS = "Waits until the open payment ends"


def test_methods_say_before_the_tap_that_they_wait_for_the_open_debit(payer: Payer) -> None:
    assert WAITS not in payer.see("/methods")
    payer.choose("/pse", PERSON)
    page = payer.see("/methods")
    assert "PSE · <bdi>" in page  # the open payment, with its bank
    assert "Continue with that payment" in page
    rows = re.findall(
        r'<li>\s*(?:<form.*?|<a class="method" )(?:action|href)="/pay/[^/]+(/[^"]+)".*?</li>',
        page,
        re.DOTALL,
    )
    waiting = re.findall(r"<li>.*?</li>", page, re.DOTALL)
    marked = {path for path, row in zip(rows, waiting, strict=True) if WAITS in row}
    assert marked == {"/transfer", "/crypto", "/with/breb_key", "/with/qr_code"} & set(rows)
    assert {"/transfer", "/crypto", "/with/breb_key"} <= marked


def test_coins_are_not_offered_beside_an_open_debit(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    page = payer.see("/crypto")
    assert STILL_OPEN in page
    assert "cancel it on your bank" in page
    assert "Choose the coin" not in page

    cache.clear()  # the rail is asked: a debit that has ended blocks no coin
    control.decide(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    assert "Choose the coin" in payer.see("/crypto")


def test_a_surplus_is_shown_on_the_receipt(order: Order, payer: Payer) -> None:
    payer.choose("/transfer")
    control.deposit(charge_of(order).pk, Decimal(60_025))
    page = payer.see()
    assert "You paid $ 10,000 COP too much." in page
    told = ("Total paid", "60,025", "Order total", "50,025", "Surplus, to be settled", "10,000")
    receipt = page.partition('<dl class="lines receipt">')[2]
    assert re.search(".*?".join(told), receipt, re.DOTALL)
    order.unmatched_funds.update(status="RETURNED", decided_at=clock.now(), proof="Folio 18")
    page = payer.see()
    assert "too much" not in page
    assert "Surplus, returned to you" in page


# --- A key whose time has passed ------------------------------------------------------------------


def test_an_expired_key_is_not_shown_and_a_new_one_is_offered(order: Order, payer: Payer) -> None:
    payer.choose("/with/breb_key")
    first = charge_of(order)
    Charge.objects.filter(pk=first.pk).update(expires_at=clock.now())
    page = payer.see()
    assert "The key has expired" in page
    assert first.key_value not in page
    page = payer.choose("/with/breb_key")
    assert charge_of(order).pk != first.pk
    assert charge_of(order).key_value in page


def test_expired_account_data_are_not_shown(order: Order, payer: Payer) -> None:
    payer.choose("/transfer")
    first = charge_of(order)
    Charge.objects.filter(pk=first.pk).update(expires_at=clock.now())
    page = payer.see()
    assert "The account data have expired" in page
    assert first.instructions["accountNumber"] not in page
    assert "Make the transfer" in payer.choose("/transfer")


# --- "I already paid" -----------------------------------------------------------------------------


@pytest.fixture
def late(order: Order, payer: Payer) -> Charge:
    """A transfer of an order that has expired since."""
    payer.choose("/transfer")
    pass_deadline(order)
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    return charge_of(order)


def test_an_expired_order_says_what_to_send_and_finds_late_money(
    late: Charge, order: Order, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f'href="{payer.url}/paid"' in payer.see()
    page = payer.see("/paid")
    assert "<h1>Did you pay already?</h1>" in page
    assert order.reference in page
    assert "Number of this try" in page
    assert late.pk in page
    assert "No money for this order has reached us so far." in page

    page = payer.choose("/paid")
    assert "We do not see your payment yet" in page
    assert "it has no money for this order yet." in page
    assert "Last query:" in page

    cache.clear()
    with monkeypatch.context() as patch:  # the rail's own call to us is lost
        patch.setattr("payments.simulator.callbacks.send", lambda *a, **k: 503)
        control.deposit(late.pk, Decimal(50_025))
    page = payer.choose("/paid")
    assert "<h1>Your money arrived</h1>" in page
    assert "$ 50,025 COP" in page
    order.unmatched_funds.update(status="RETURNED", decided_at=clock.now(), proof="Folio 18")
    assert "It was returned to you." in payer.see("/paid")


def test_rail_is_queried_at_most_every_few_seconds(
    late: Charge, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    query = SimulatorPayin.query
    monkeypatch.setattr(
        SimulatorPayin,
        "query",
        lambda port, known: asked.append(known.reference) or query(port, known),
    )
    for _ in range(4):  # more could take longer than the few seconds
        payer.choose("/paid")
    assert asked == [late.pk]


def test_looking_again_within_seconds_says_that_something_happened(
    late: Charge, payer: Payer
) -> None:
    just_before = "You can look again in some seconds."
    assert just_before not in payer.choose("/paid")
    assert just_before in payer.choose("/paid")
    assert just_before not in payer.see("/paid")  # for a later visitor


def test_address_beyond_its_limit_queries_nothing_and_sees_the_page(
    late: Charge, payer: Payer, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "already_paid": "2/m"}
    asked: list[Any] = []
    query = SimulatorPayin.query
    monkeypatch.setattr(
        SimulatorPayin,
        "query",
        lambda port, known: asked.append(known.reference) or query(port, known),
    )
    monkeypatch.setattr("payments.collect.checkout.double_payment.claim_query", lambda charge: True)
    with time_machine.travel(clock.now(), tick=False):  # one window
        for _ in range(4):
            assert "Last query:" in payer.choose("/paid")
    assert asked == [late.pk] * 2


def test_all_queries_together_have_one_deadline(
    order: Order, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    payer.choose("/transfer")
    payer.choose("/pse", magic_document("refused"))
    assert order.charges.count() == 2
    pass_deadline(order)
    asked: list[Any] = []

    def slow(port: SimulatorPayin, known: ports.Known) -> Any:
        asked.append(known.reference)
        raise ports.ProviderUnreachable("slow")

    monkeypatch.setattr(SimulatorPayin, "query", slow)
    clocked = iter([0.0, 1.0, 6.0])
    monkeypatch.setattr(payment_lookup, "time", SimpleNamespace(monotonic=lambda: next(clocked)))
    page = payer.choose("/paid")
    assert asked == [order.charges.latest("id").pk]
    assert "The payment network did not answer." in page


def test_unavailable_rail_is_not_shown_as_a_refusal(
    late: Charge, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(port: SimulatorPayin, known: ports.Known) -> None:
        raise ports.ProviderUnreachable("away")

    monkeypatch.setattr(SimulatorPayin, "query", away)
    page = payer.choose("/paid")
    assert "The payment network did not answer." in page
    assert "We do not see your payment yet" not in page


def test_failed_order_whose_bank_paid_after_all_shows_the_money(order: Order, payer: Payer) -> None:
    payer.choose("/pse", magic_document("refused"))
    control.decide(charge_of(order).pk, PAID)
    charge = charge_of(order)
    assert order.status == "FAILED"
    assert f'href="{payer.url}/paid"' in payer.see()
    page = payer.see("/paid")
    assert charge.trace_code in page
    assert "We do not see your payment yet" in payer.choose("/paid")


def test_order_without_charges_queries_no_rail(order: Order, payer: Payer) -> None:
    pass_deadline(order)
    page = payer.see("/paid")
    assert "No payment was started with this link" in page
    assert "Look for my payment" not in page
    assert payer.send("/paid").status_code == 303


def test_already_paid_page_of_a_paid_order_shows_its_receipt(order: Order, payer: Payer) -> None:
    payer.choose("/transfer")
    control.resolve(charge_of(order).pk, PAID)
    assert "Payment received" in payer.see("/paid", follow=True)


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("/transfer", {}, "A transfer can take up to some hours"),
        ("/with/breb_key", {}, "A payment to a key or a code arrives in seconds."),
        ("/pse", PERSON, "Your bank can need some minutes to answer."),
        ("/with/push_wallet", WALLET, "Your wallet can need some minutes to answer."),
        ("/crypto", {"coin": "BTC"}, "A payment with coins can take"),
    ],
)
def test_payer_is_told_how_long_the_method_that_was_used_takes(
    path: str, fields: dict[str, str], said: str, payer: Payer
) -> None:
    payer.choose(path, fields)
    page = payer.see("/paid")
    assert said in page
    times = {"/crypto": 2, "/with/breb_key": 0}
    assert page.count("some minutes") + page.count("some hours") == times.get(path, 1)
    assert "do not pay again" in page
    assert "Pay today before" not in page  # the page says to wait


@pytest.mark.parametrize("path", ["/with/breb_key", "/transfer"])
def test_payment_of_which_nothing_was_seen_is_not_called_under_way(path: str, payer: Payer) -> None:
    payer.choose(path)
    page = payer.see("/paid")
    assert "<h1>Did you pay already?</h1>" in page
    assert "No money for this order has reached us so far." in page
    assert "being processed" not in page
    assert "<h1>We do not see your payment yet</h1>" in payer.choose("/paid")


def test_rail_is_queried_only_by_the_form(late: Charge, payer: Payer) -> None:
    assert payer.post(f"{payer.url}/paid").status_code == 403


def test_payer_is_not_told_that_nothing_came_while_the_bank_decides(payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    assert "Your payment is being processed" in payer.choose("/paid")
    with time_machine.travel(clock.now() + timedelta(minutes=20)):
        assert "I already paid" in payer.see()
