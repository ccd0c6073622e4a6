"""What payers of coins see: prices before the choice, one network of several, and each mistake."""

import re
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from payments.collect.admin.tables import tables
from payments.collect.checkout import receipt_pdf
from payments.collect.models import Charge, Order
from payments.collect.services.endings import expiry
from payments.collect.services.orders import receipts
from payments.collect.templatetags.pay import shortened
from payments.core import clock
from payments.simulator import control
from tests.collect.test_pages.conftest import Payer, charge_of, pass_deadline
from tests.support.charges import say

pytestmark = pytest.mark.django_db
LINK = re.compile(r'href="((?:bitcoin|ethereum|tron|javascript):[^"]*)"')


@pytest.fixture
def payer(payer: Payer) -> Payer:
    """Reads English, which is how texts are written in the code."""
    payer.see("?lang=en")
    return payer


@pytest.fixture
def sent(order: Order, payer: Payer) -> Charge:
    """The payer chose bitcoin, and sees the address."""
    payer.choose("/crypto", {"coin": "BTC"})
    return charge_of(order)


def end_price(charge: Charge) -> None:
    Charge.objects.filter(pk=charge.pk).update(quote_expires_at=clock.now())


def text(page: str) -> str:
    """The words of the task, without markup."""
    (main,) = re.findall(r"<main.*?</main>", page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


# --- The address ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coin", "links"),
    [
        ("BTC", "bitcoin:{address}?amount=0.00012665"),
        ("ETH", "ethereum:{address}@1?value=3625000000000000"),
        ("USDC", f"ethereum:0xSIM{'0' * 37}@137/transfer?address={{address}}&amp;uint256=12664557"),
        ("USDT", ""),
    ],
)
def test_wallet_opens_with_address_and_amount(
    coin: str, links: str, order: Order, payer: Payer
) -> None:
    page = payer.choose("/crypto", {"coin": coin})
    address = charge_of(order).instructions["address"]
    assert LINK.findall(page) == ([links.format(address=address)] if links else [])
    assert page.count('class="qr"') == (2 if links else 1)


def test_link_of_a_rail_that_is_no_wallets_is_not_shown(sent: Charge, payer: Payer) -> None:
    Charge.objects.filter(pk=sent.pk).update(
        instructions={**sent.instructions, "uri": "javascript:alert(1)"}
    )
    page = payer.see()
    assert "javascript:" not in page
    assert LINK.findall(page) == []


def test_what_the_page_of_an_address_costs(
    sent: Charge, payer: Payer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    payer.see()
    # The order, the sums of its tries, the open try, the routes, money that does not count, the
    # price, the tries in coins, the address.
    with django_assert_num_queries(8):
        payer.see()


# --- Mistakes -------------------------------------------------------------------------------------


def test_too_little_on_its_way_asks_for_the_rest_at_the_same_address(
    sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, Decimal("0.0001"), confirmed=False)
    page = payer.see()
    assert "Send the rest in BTC" in text(page)
    seen = "We saw $ 39,498 COP of your payment. Send the rest to the same address."
    assert seen in text(page)
    assert "Seen, waiting for confirmation 0.0001 BTC" in text(page)
    # Pesos and coins agree: 0.00002665 BTC at 395,000,000 are 10,526.75.
    assert "To be confirmed $ 39,498 COP Still missing $ 10,527 COP" in text(page)
    assert "We have received" not in page
    assert 'data-copy="0.00002665"' in page
    assert sent.instructions["address"] in page
    # A wallet opens with what is missing, and not with the whole amount.
    (link,) = LINK.findall(page)
    assert link.endswith("?amount=0.00002665")

    control.deposit(sent.pk, Decimal("0.00002665"), confirmed=False)
    page = text(payer.see())
    assert "We have seen your payment" in page
    assert "do not send it again" in page


def test_too_little_after_the_price_waits_for_the_network_and_then_for_a_new_price(
    order: Order, sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, Decimal("0.0001"), confirmed=False)
    end_price(sent)
    page = payer.see()
    assert "<h1>We have seen a part of your payment</h1>" in page
    assert "To be confirmed $ 39,498 COP Still missing $ 10,527 COP" in text(page)
    assert "You can close this page" in page
    assert "As soon as the network confirms this part, you get a new price here" in page
    assert "Get a new price in BTC" not in page
    assert "Look for my payment" not in page
    assert f'action="{payer.url}/crypto"' not in page  # the button waits
    assert sent.instructions["address"] not in page

    control.confirm(sent.pk)
    assert "Get a new price in BTC" in payer.see()
    page = text(payer.choose("/crypto", {"coin": sent.coin_key}))
    again = charge_of(order)
    assert again.pk != sent.pk
    assert "We have received $ 39,498 COP Still missing $ 10,527 COP" in page
    assert "Confirmed 0.0001 BTC" in page
    assert f"Amount {again.amount:f} BTC" in page


def test_address_that_asks_for_more_than_is_missing_is_not_shown(
    order: Order, sent: Charge, payer: Payer
) -> None:
    """The payer went back to an older address and paid a part there."""
    payer.choose("/crypto", {"coin": "ETH"})
    newer = charge_of(order)
    control.deposit(sent.pk, Decimal("0.0001"))
    page = payer.see()
    assert "The amount has changed" in page
    assert newer.instructions["address"] not in page
    assert "Get a new price in ETH" in page


def test_too_much_is_told_before_and_after_its_confirmation(
    order: Order, sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, Decimal("0.0002"), confirmed=False)
    page = payer.see()
    assert "<h1>You sent too much</h1>" in page
    assert "The rest is safe: we settle with the shop" in page
    assert "You sent $ 78,998 COP Order total $ 50,025 COP Overpaid $ 28,973 COP" in text(page)
    assert "Still missing" not in page
    control.confirm(sent.pk)
    page = text(payer.see())
    assert "Payment received" in page
    assert "You paid $ 28,973 COP too much." in page


def test_coins_after_the_price_are_told_how_they_count(sent: Charge, payer: Payer) -> None:
    end_price(sent)
    control.deposit(sent.pk, sent.amount, confirmed=False)
    page = payer.see()
    assert "We have seen your payment" in page
    assert "It came after its price had expired" in page
    assert "To be confirmed, at the current price $ 50,026 COP" in text(page)
    assert "Still missing" not in page


def test_coins_without_a_price_are_not_told_in_pesos(
    sent: Charge, payer: Payer, settings: Any
) -> None:
    end_price(sent)
    control.deposit(sent.pk, sent.amount, confirmed=False)
    settings.RATE_MAX_AGE_SECONDS = -1  # of no age
    assert "no price right now Still missing $ 50,025 COP" in text(payer.see())


def test_coins_in_time_keep_their_price_whenever_they_are_confirmed(
    sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, sent.amount, confirmed=False)
    end_price(sent)
    assert "It came after its price had expired" not in payer.see()


def test_part_on_its_way_after_the_deadline_asks_for_nothing_more(
    order: Order, sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, Decimal("0.0001"), confirmed=False)
    pass_deadline(order)
    page = payer.see()
    assert "the time to pay is over: do not send more" in page
    assert "To be confirmed $ 39,498 COP Still missing $ 10,527 COP" in text(page)
    assert sent.instructions["address"] not in page


def test_coins_for_an_ended_order_are_told_while_they_come_and_after(
    order: Order, sent: Charge, payer: Payer
) -> None:
    def version() -> str:
        return str(payer.get(f"{payer.url}/state").json()["version"])

    pass_deadline(order)
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    page = payer.see()
    assert f'data-seen="{version()}"' in page  # it goes on looking
    control.deposit(sent.pk, sent.amount, confirmed=False)
    assert f'data-seen="{version()}"' not in page
    page = payer.see()
    assert "We have seen your coins." in page
    assert "Look for my payment" not in page
    assert "and the money came afterwards." in page
    assert "0.00012665 BTC" in page

    control.confirm(sent.pk)
    page = payer.see()
    assert "We have seen your coins." not in page
    assert "Your money came late" in page
    assert "0.00012665 BTC" in page


def test_another_coin_at_the_address_is_told_and_the_page_learns_of_it(
    order: Order, payer: Payer
) -> None:
    payer.choose("/crypto", {"coin": "USDC"})
    charge = charge_of(order)
    before = payer.get(f"{payer.url}/state").json()["version"]
    Order.objects.update(callback_url="https://cafeandino.example/gracias")
    say(charge, "PENDING", 12, currency="USDT")
    assert payer.get(f"{payer.url}/state").json()["version"] != before
    html = payer.see()
    page = text(html)
    assert "<h1>You sent USDT instead of USDC</h1>" in html
    assert f"Reference {order.reference}" in page
    assert "Order number" not in page  # one number is enough
    assert f"Back to {order.merchant.name}" in page
    assert f'href="{payer.url}/paid"' not in html
    assert "You sent 12.00 USDT It arrived on" in page
    assert f"To the address {charge.instructions['address'][:10]}…" in page
    assert "This address expects USDC on the Polygon (PoS) network." in page
    assert "then credits it or returns it to you" in page
    assert charge.instructions["address"] in html  # the order can still be paid


def test_payer_may_close_the_page_while_the_network_confirms(
    order: Order, sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, sent.amount, confirmed=False)
    Order.objects.update(callback_url="https://cafeandino.example/gracias")
    page = payer.see()
    assert "You can close this page: your payment goes through without it." in page
    assert "We also mail it" not in page
    assert f"https://cafeandino.example/gracias?id={order.pk}&amp;reference=" in page
    assert "status=PROCESSING" in page
    order.merchant.receipts_by_mail = True
    order.merchant.save(update_fields=["receipts_by_mail"])
    assert "We also mail it to m***@" in payer.see()


def test_charge_of_an_earlier_release_does_not_call_polygon_erc_20(
    order: Order, payer: Payer
) -> None:
    payer.choose("/crypto", {"coin": "USDC"})
    charge = charge_of(order)
    charge.instructions = {**charge.instructions, "standard": "ERC-20"}
    charge.save(update_fields=["instructions"])
    page = text(payer.see())
    assert "Network Polygon (PoS)" in page
    assert "not on Ethereum (ERC-20)" in page


def test_dropped_coins_leave_the_page_of_the_address(sent: Charge, payer: Payer) -> None:
    control.deposit(sent.pk, sent.amount, confirmed=False)
    assert "We have seen your payment" in payer.see()
    say(sent, "PENDING", unconfirmed=Decimal(0))
    page = payer.see()
    assert "Send BTC" in page
    assert sent.instructions["address"] in page


def test_receipt_shows_coin_network_and_transaction(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "USDC"})
    charge = charge_of(order)
    control.deposit(charge.pk, charge.amount)
    page = text(payer.see())
    assert "Paid with 12.664557 USDC" in page
    assert "Network Polygon (PoS)" in page
    assert f"Transaction {shortened(charge_of(order).trace_code)}" in page
    assert charge_of(order).trace_code in page  # on paper


def test_receipt_shows_the_transactions_of_both_prices(
    order: Order, sent: Charge, payer: Payer
) -> None:
    control.deposit(sent.pk, Decimal("0.0001"))
    end_price(sent)
    payer.choose("/crypto", {"coin": sent.coin_key})
    again = charge_of(order)
    control.deposit(again.pk, again.amount)
    page = payer.see()
    assert "Payment received" in page
    sent.refresh_from_db()
    again.refresh_from_db()
    assert sent.trace_code != again.trace_code
    for one in (sent, again):
        assert f'data-copy="{one.trace_code}"' in page
        assert f"Paid with {one.received.normalize():f} BTC" in text(page)
    order.refresh_from_db()
    rows = list(receipt_pdf.rows_of(order, again, receipts.paid_of(order)))
    codes = {value for _label, value in rows}
    assert {sent.trace_code, again.trace_code} <= codes


def test_console_names_coin_and_network(order: Order, sent: Charge) -> None:
    (table,) = tables(order)
    assert "BTC, Bitcoin" in str(table["table"]["rows"])


def test_a_few_pesos_that_rounding_leaves_over_are_a_row_and_no_warning(
    sent: Charge, payer: Payer, order: Order
) -> None:
    order.refresh_from_db()
    say(sent, "SUCCEEDED", Decimal("0.00012666"), currency="BTC")
    found = receipts.paid_of(order).surplus
    assert found
    assert all(0 < one.amount < 100 for one in found)
    page = text(payer.see())
    assert "Surplus, to be settled" in page
    assert "You paid" not in page
