"""A payment in coins goes back by an operator's wallet, and only the chain completes it."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.test import Client

from merchants.models import Merchant
from payments.collect.models import Refund
from payments.collect.services.orders import retention
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.ledger.models import Entry, Posting
from payments.providers.ports import ProviderUnreachable
from payments.rates.models import ExchangeRate
from tests.chains.accounts import chain_accounts  # noqa: F401 (a fixture)
from tests.chains.coin_refunds import (
    ADDRESS,
    DUE,
    TARGET,
    asked_for,
    charge_of,
    connected,
    enter,
    look_again,
    name_address,
    on_desk,
    paid_in_coins,
    path_of,
    pay,
    write,
)
from tests.chains.fake_chain import TOKEN, FakeChain
from tests.collect.test_pages.conftest import Payer
from tests.support.charges import books_are_clean
from tests.support.fixtures import ApiClient
from tests.support.quotes import books_agree, set_price
from tests.support.refunds import approve, ask, told

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("chain_accounts", "every_event"),
]
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _english(settings: object) -> None:
    settings.LANGUAGE_CODE = "en"  # type: ignore[attr-defined]


@pytest.fixture
def chain(chain_accounts: None) -> FakeChain:  # noqa: F811
    return connected()


def reads(api: ApiClient, refund: Refund) -> dict[str, object]:
    answer = api.get(f"/collect/{refund.order_id}/refunds/{refund.pk}")
    return dict(answer.body["data"])


def test_paid_order_goes_back_in_coins_from_the_address_to_the_events(
    api: ApiClient, merchant: Merchant, chain: FakeChain
) -> None:
    order = paid_in_coins(api)
    data = asked_for(api, order)
    coins = {"amount": None, "currency": "USDT", "network": "fakenet", "transaction": None}
    assert (data["waitsFor"], data["coins"]) == ("DESTINATION", coins)

    name_address(order, data)
    refund = Refund.objects.get()
    assert reads(api, refund)["waitsFor"] == "APPROVAL"
    refund = approve(refund)
    assert (refund.status, refund.coin_amount, refund.provider) == ("PROCESSING", DUE, "fake")
    shown = reads(api, refund)
    assert (shown["waitsFor"], shown["coins"]) == ("PAYMENT", {**coins, "amount": DUE})

    transaction = pay(chain)
    refund = enter(refund, transaction)
    assert (refund.status, reads(api, refund)["waitsFor"]) == ("PROCESSING", "CONFIRMATIONS")
    chain.ledger.mine()
    assert look_again(refund).status == "PROCESSING"
    chain.ledger.mine()
    assert look_again(refund).status == "COMPLETED"

    shown = reads(api, refund)
    assert (shown["waitsFor"], shown["destinationUrl"]) == (None, None)
    assert shown["coins"] == {**coins, "amount": DUE, "transaction": transaction}
    order.refresh_from_db()
    assert order.refunded_amount == 20_000
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 30_000
    kinds = [kind for kind, _ in told(order)]
    assert kinds[-2:] == ["refund.completed", "payment.partially_refunded"]
    last = told(order)[-1][1]
    assert (last["refundedAmount"], "coins" in last) == (20_000, False)
    assert books_are_clean()
    books_agree()


def test_coins_leave_the_account_of_the_coin_and_pesos_that_of_the_merchant(
    api: ApiClient, chain: FakeChain
) -> None:
    refund = enter(on_desk(api, paid_in_coins(api)), pay(chain))
    chain.ledger.mine(count=2)
    look_again(refund)
    entry = Entry.objects.get(kind="refund_completed")
    lines = {str(one.account): one.amount for one in Posting.objects.filter(entry=entry)}
    assert lines[f"clearing:{chain.code}:USDT"] == DUE
    assert lines["conversion:USDT"] == -DUE
    assert lines["conversion:COPM"] == 20_000


def test_order_in_a_coin_is_returned_in_that_coin_to_the_unit(
    api: ApiClient, merchant: Merchant, chain: FakeChain
) -> None:
    order = paid_in_coins(api, amount=1000.5, currency="USDT", allowedMethods=["CRYPTO"])
    refund = on_desk(api, order, amount=1000.5)
    assert (refund.coin_amount, refund.coin_rate) == (Decimal("1000.5"), None)
    enter(refund, pay(chain, 1_000_500_000))
    chain.ledger.mine(count=6)
    assert look_again(refund).status == "COMPLETED"
    assert ledger.balances(merchant.pk)["USDT"]["available"] == 0
    assert books_are_clean()


def test_pesos_buy_coins_at_the_price_of_the_approval_for_which_the_service_buys(
    api: ApiClient, chain: FakeChain
) -> None:
    order = paid_in_coins(api)
    data = asked_for(api, order)
    name_address(order, data)
    rate = ExchangeRate(currency="USDT", price_cop=3900, ask_cop=4000, effective_at=clock.now())
    rate.save()
    refund = approve(Refund.objects.get())
    assert (refund.coin_amount, refund.coin_rate) == (5, 4000)
    set_price(1, "USDT")
    refund.refresh_from_db()
    assert refund.coin_amount == 5


def test_nothing_is_approved_without_a_current_price(
    api: ApiClient, chain: FakeChain, settings: object
) -> None:
    order = paid_in_coins(api)
    name_address(order, asked_for(api, order))
    settings.RATE_MAX_AGE_SECONDS = 60  # type: ignore[attr-defined]
    later = clock.now() + HOUR
    with time_machine.travel(later), pytest.raises(NotAllowed, match="no current price"):
        approve(Refund.objects.get())
    assert Refund.objects.get().needs_approval


def test_amount_that_the_network_takes_for_dust_is_not_approved(
    api: ApiClient, chain: FakeChain
) -> None:
    order = paid_in_coins(api)
    name_address(order, asked_for(api, order, 2))
    with pytest.raises(NotAllowed, match="too small"):
        approve(Refund.objects.get())


class TestAddress:
    """The payer writes it, compares it, and only then it is kept."""

    def test_page_names_coin_and_network_and_asks_for_a_second_look(
        self, api: ApiClient, chain: FakeChain
    ) -> None:
        order = paid_in_coins(api)
        path = path_of(asked_for(api, order))
        page = Payer(order).get(path).content.decode()
        assert "<strong>USDT</strong> on <strong>Fakenet</strong>" in page
        assert "FAKE-20" in page
        assert "Coins sent to a wrong address or on another network cannot be recovered" in page
        second = write(order, path)
        assert second.status_code == 200
        text = second.content.decode()
        assert "Check the first and last characters" in text
        assert f"<strong>{ADDRESS[:6]}</strong>{ADDRESS[6:-6]}<strong>{ADDRESS[-6:]}" in text
        assert Refund.objects.get().needs_destination
        assert write(order, path, compared=ADDRESS).status_code == 303
        kept = Refund.objects.get()
        assert kept.destination == {"network": "fakenet", "address": ADDRESS}
        assert "under way" in Payer(order).get(path).content.decode()

    def test_address_that_was_changed_after_the_look_is_shown_again(
        self, api: ApiClient, chain: FakeChain
    ) -> None:
        order = paid_in_coins(api)
        path = path_of(asked_for(api, order))
        other = "addr" + "66" * 20
        assert write(order, path, other, compared=ADDRESS).status_code == 200
        assert Refund.objects.get().needs_destination

    @pytest.mark.parametrize(
        ("address", "message"),
        [
            ("", "Enter your address."),
            ("bc1qother", "This is no address of the network."),
            ("addr" + "00" * 20, "This is no address of the network."),
            ("addr0xusdt", "the address of the coin itself"),
            ("ours", "an address of the shop"),
            ("addr\x00", "Null characters are not allowed."),
        ],
    )
    def test_address_that_would_lose_the_coins_is_refused(
        self, api: ApiClient, chain: FakeChain, address: str, message: str
    ) -> None:
        order = paid_in_coins(api)
        if address == "ours":
            address = charge_of(order).provider_id
        answer = write(order, path_of(asked_for(api, order)), address, compared=address)
        assert answer.status_code == 200
        assert message in answer.content.decode()
        assert Refund.objects.get().needs_destination

    def test_address_is_named_once(self, api: ApiClient, chain: FakeChain) -> None:
        order = paid_in_coins(api)
        data = asked_for(api, order)
        name_address(order, data)
        other = "addr" + "66" * 20
        Client().post(path_of(data), {"address": other, "consent": "on", "compared": other})
        assert Refund.objects.get().destination["address"] == ADDRESS
        assert "<form" not in Client().get(path_of(data)).content.decode()

    def test_audit_rows_hold_a_fingerprint_and_no_address(
        self, api: ApiClient, chain: FakeChain
    ) -> None:
        on_desk(api, paid_in_coins(api))
        rows = AuditEntry.objects.filter(action__in=["refund.destination_given", "refund.approved"])
        given, approved = (row.details for row in rows.order_by("id"))
        assert given["destination"] == approved["destination"]
        assert approved["coin_amount"] == "5.063291"
        assert ADDRESS not in str([given, approved])

    def test_forgotten_payer_leaves_no_address(self, api: ApiClient, chain: FakeChain) -> None:
        refund = enter(on_desk(api, paid_in_coins(api)), pay(chain))
        chain.ledger.mine(count=2)
        look_again(refund)
        retention._forget([refund.order_id])
        refund.refresh_from_db()
        assert (refund.destination, refund.provider_state) == ({}, {})


def test_coin_that_is_switched_off_has_no_refund_until_it_is_on(
    api: ApiClient, chain: FakeChain
) -> None:
    order = paid_in_coins(api)
    chain.coins = tuple(one for one in chain.coins if one.code != TOKEN.code)
    assert ask(api, order, amount=20_000).status_code == 503
    assert TARGET not in str(Refund.objects.values())


def test_node_that_is_away_at_the_approval_only_delays_the_desk(
    api: ApiClient, chain: FakeChain
) -> None:
    order = paid_in_coins(api)
    name_address(order, asked_for(api, order))
    chain.problem = ProviderUnreachable("away")
    refund = approve(Refund.objects.get())
    assert (refund.status, refund.provider_state) == ("PROCESSING", {})
    chain.problem = None
    with time_machine.travel(clock.now() + HOUR):
        look_again(refund)
        assert enter(refund, pay(chain)).transaction
