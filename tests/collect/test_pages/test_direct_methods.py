"""The provider's own methods on our page: a push, a key, a button of a bank."""

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.core import clock
from payments.providers import ports
from payments.simulator import control
from payments.simulator.payin import SimulatorPayin
from tests.collect.test_pages.conftest import PERSON, Payer, charge_of

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED
WALLET = {"phone": "+57 310 555 1234", "consent": "on"}
ENGLISH = "?lang=en"


@pytest.fixture
def payer(payer: Payer) -> Payer:
    """Reads English, which is how these texts are written in the code."""
    payer.see(ENGLISH)
    return payer


def test_payer_pays_by_a_method_of_the_provider(order: Order, payer: Payer) -> None:
    assert f'href="{payer.url}/with/push_wallet"' in payer.see()
    form = payer.see("/with/push_wallet")
    assert "$ 50,025 COP" in form
    assert "Law 1581 of 2012" in form

    page = payer.choose("/with/push_wallet", WALLET)

    charge = charge_of(order)
    assert (charge.method, charge.direct_method) == ("BANK_TRANSFER", "push_wallet")
    assert charge.fields == {"phone": "3105551234"}
    assert (order.status, order.selected_method) == ("PROCESSING", "BANK_TRANSFER")
    assert "Approve the payment in your wallet" in page
    assert "ends in <strong>1234</strong>" in page
    assert "3105551234" not in page

    control.decide(charge.pk, PAID)

    receipt = payer.see()
    assert "Payment received" in receipt
    assert "Digital wallet (Nequi, DaviPlata)" in receipt
    assert charge_of(order).trace_code in receipt


def test_a_key_is_shown_with_the_amount_and_then_what_is_missing(
    order: Order, payer: Payer
) -> None:
    page = payer.choose("/with/breb_key")
    charge = charge_of(order)
    assert order.status == "WAITING_TRANSFER"
    assert f'data-copy="{charge.key_value}"' in page
    assert 'data-copy="50025"' in page

    control.deposit(charge.pk, Decimal(20000))
    page = payer.see()
    assert f'data-copy="{charge.key_value}"' in page
    assert 'data-copy="30025"' in page
    with time_machine.travel(clock.now(), tick=False):  # the countdown is on the page
        assert payer.choose("/with/breb_key") == payer.see()
    assert order.charges.count() == 1

    control.deposit(charge.pk, Decimal(30025))
    assert "Payment received" in payer.see()


def test_the_button_of_a_bank_leads_to_the_bank_and_back(order: Order, payer: Payer) -> None:
    going = payer.choose("/with/bank_redirect")
    charge = charge_of(order)
    assert f'content="0;url={charge.redirect_url}"' in going
    assert charge.return_url == f"{order.collect_url}/return"
    assert "Your payment is at the bank" in payer.see()
    control.decide(charge.pk, PAID)
    assert "Payment received" in payer.see("/return", follow=True)


def test_pse_has_its_own_form_and_is_not_offered_twice(order: Order, payer: Payer) -> None:
    page = payer.see()
    assert page.count(f"/{order.token}/pse") == 1  # its mark has the name, too
    assert "/with/pse" not in page
    assert "not available" in payer.see("/with/pse")


def test_a_shop_that_is_not_enabled_offers_none(order: Order, payer: Payer) -> None:
    Merchant.objects.update(direct_api_enabled=False)
    assert "/with/" not in payer.see()
    for key in ("push_wallet", "breb_key"):
        assert "not available" in payer.send(f"/with/{key}", WALLET).content.decode()
    assert not order.charges.exists()


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({"allowedMethods": ["PSE"]}, ["bank_redirect"]),
        ({"allowedMethods": ["BANK_TRANSFER"]}, ["push_wallet", "breb_key"]),
        ({"allowedMethods": ["CRYPTO"]}, []),
        ({"amount": 4000}, ["push_wallet", "breb_key"]),
        ({"currency": "USDT"}, []),
    ],
)
def test_an_order_offers_what_can_pay_it(
    create: Callable[..., Order], changes: dict[str, object], offered: list[str]
) -> None:
    payer = Payer(create(**changes))
    assert re.findall(r"/with/(\w+)\"", payer.see("/methods")) == offered


def test_a_provider_that_is_away_takes_nothing_from_the_page(
    payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(port: SimulatorPayin) -> None:
        raise ports.ProviderUnreachable("away")

    monkeypatch.setattr(SimulatorPayin, "direct_methods", away)
    page = payer.see()
    assert "PSE" in page
    assert "/with/" not in page


def test_unknown_method_leads_back_to_the_choice(order: Order, payer: Payer) -> None:
    for key in ("nothing", "%00", "x" * 3000):
        assert "not available" in payer.see(f"/with/{key}")
        assert payer.send(f"/with/{key}").status_code == 200
    assert not order.charges.exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"phone": ""}, "It has 10 digits and starts with 3."),
        ({"phone": "601 555 1234"}, "It has 10 digits and starts with 3."),
        ({"phone": "310555"}, "It has 10 digits and starts with 3."),
        ({"phone": "3" * 21}, "at most 20 characters"),
        ({"consent": ""}, "Please tick the box to authorise us."),
    ],
)
def test_a_wrong_field_is_explained_beside_it(
    changes: dict[str, str], message: str, order: Order, payer: Payer
) -> None:
    page = payer.send("/with/push_wallet", {**WALLET, **changes}).content.decode()
    assert page.count(message) == 1  # beside the field; the line above leads to it
    assert f'<a href="#id_{next(iter(changes))}">' in page.split('id="errors"')[1].split("</ul>")[0]
    assert not order.charges.exists()


def test_a_double_click_asks_the_wallet_once(order: Order, payer: Payer) -> None:
    for _ in range(20):
        assert payer.send("/with/push_wallet", WALLET).status_code == 303
        assert payer.send("/with/breb_key").status_code == 200
    assert order.charges.count() == 1


def test_while_the_wallet_asks_nothing_else_can_be_paid_to(order: Order, payer: Payer) -> None:
    payer.choose("/with/push_wallet", WALLET)
    assert "A payment waits for your approval in your wallet" in payer.see("/methods")
    for path in ("/transfer", "/with/breb_key"):
        page = payer.send(path).content.decode()
        assert "A payment is still open" in page
        assert "refuse it in your wallet" in page
        seen = {"seen": charge_of(order).pk}  # also for a payer who insists
        assert "still under way" in payer.send(path, seen).content.decode()
    assert order.charges.count() == 1

    control.decide(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    assert "Your last try ended" in payer.see()
    assert "Pay to this key" in payer.choose("/with/breb_key")


def test_a_refusal_of_the_wallet_fails_the_order(order: Order, payer: Payer) -> None:
    payer.choose("/with/push_wallet", WALLET)
    control.decide(charge_of(order).pk, ports.ChargeStatus.FAILED)
    assert "Your wallet did not approve it." in payer.see()
    assert charge_of(order).order.status == "FAILED"


def test_after_its_time_the_wallet_is_waited_for(order: Order, payer: Payer) -> None:
    payer.choose("/with/push_wallet", WALLET)
    with time_machine.travel(clock.now() + timedelta(minutes=16)):
        page = payer.see()
    assert "The time to approve it was over at" in page
    assert "Do not pay again until you see the answer here." in page
    assert "Approve it before" not in page
    assert "••• ••• 1234" in page


def test_a_push_whose_start_is_in_doubt_is_being_checked(
    create: Callable[..., Order],
) -> None:
    order = create(customerDocNumber="9999000005")
    payer = Payer(order)
    payer.see(ENGLISH)
    assert "We are checking your payment" in payer.choose("/with/push_wallet", WALLET)
    assert charge_of(order).status == "STARTING"

    # The app may have rung already: nothing that could be paid beside it is shown.
    assert "A payment is still open" in payer.send("/with/breb_key").content.decode()
    assert "Approve the payment" in payer.choose("/with/push_wallet", WALLET)
    assert order.charges.count() == 1


def test_a_cancelled_debit_shows_the_account_of_before_and_no_payment_that_was_never_seen(
    order: Order, payer: Payer
) -> None:
    payer.choose("/transfer")
    payer.choose("/pse", PERSON)
    control.decide(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    assert "Make the transfer" in payer.see()
    assert Charge.objects.filter(unconfirmed__gt=0).count() == 0
