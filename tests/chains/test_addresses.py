"""One address, one charge, never again; and none while its chain is not watched."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.core.management import CommandError, call_command

from payments.chains.models import AddressSequence, ChainCursor, CoinAddress
from payments.chains.payin import CoinPayin
from payments.chains.services.addresses import NewAddress, allocate_address
from payments.core import clock
from payments.core.ids import new_id
from payments.providers import ports
from tests.chains.fake_chain import KEY, NATIVE, TOKEN, FakeChain
from tests.support.concurrency import run_concurrently

pytestmark = pytest.mark.django_db


def watch(chain: FakeChain) -> None:
    now = clock.now()
    ChainCursor.objects.create(
        account=chain.code,
        network=chain.network,
        height=99,
        hash="h",
        tip_height=99,
        tip_time=now,
        scanned_at=now,
    )


def request(reference: str = "", **changes: object) -> ports.ChargeRequest:
    values: dict[str, object] = {
        "reference": reference or new_id("chg"),
        "method": ports.Rail.CRYPTO,
        "amount": Decimal("0.5"),
        "currency": "BTC",
        "description": "Café",
        "payer": ports.Payer(name="Ana", email="a@example.com"),
        "fields": {"coin": "BTC", "network": "fakenet"},
        "return_url": "",
        "callback_url": "",
        "expires_at": clock.now() + timedelta(minutes=15),
        **changes,
    }
    return ports.ChargeRequest(**values)  # type: ignore[arg-type]


def test_charge_gets_an_address_and_the_same_one_again() -> None:
    chain = FakeChain()
    watch(chain)
    asked = request()
    first = CoinPayin(chain).start(asked, 5)
    assert CoinPayin(chain).start(asked, 5) == first
    assert first.instructions["address"] == chain.derive(0).text
    assert first.instructions["uri"].startswith("fake:addr")
    assert CoinPayin(chain).start(request(), 5).instructions["address"] == chain.derive(1).text
    assert chain.calls == [], "no node is called"


def test_accounts_with_one_key_never_give_the_same_address() -> None:
    one, other = FakeChain("one"), FakeChain("two", network="othernet")
    for index, chain in enumerate([one, other, one]):
        made = allocate_address(
            chain=chain,
            new=NewAddress(
                reference=new_id("chg"),
                coin=NATIVE,
                amount=Decimal(1),
                expires_at=clock.now(),
            ),
            now=clock.now(),
        )
        assert made.index == index
    assert AddressSequence.objects.get().next_index == 3


@pytest.mark.django_db(transaction=True)
def test_charges_at_the_same_instant_get_indices_without_gap() -> None:
    chain, reference = FakeChain(), new_id("chg")
    watch(chain)
    twice = [lambda: CoinPayin(chain).start(request(reference), 5)] * 2
    others = [lambda: CoinPayin(chain).start(request(), 5)] * 6
    results = run_concurrently([*twice, *others])
    assert not [one for one in results if isinstance(one, Exception)]
    assert sorted(CoinAddress.objects.values_list("index", flat=True)) == list(range(7))
    assert AddressSequence.objects.get(key_id=KEY).next_index == 7


def test_addresses_that_a_backup_does_not_know_are_left_out() -> None:
    chain = FakeChain()
    watch(chain)
    CoinPayin(chain).start(request(), 5)
    call_command("skip_coin_addresses", "50")
    assert CoinPayin(chain).start(request(), 5).provider_id == chain.derive(51).text
    for wrong in ("0", "-1", "100001"):
        with pytest.raises(CommandError):
            call_command("skip_coin_addresses", wrong)


def test_no_address_while_the_chain_is_not_watched() -> None:
    chain = FakeChain()
    rail, asked = CoinPayin(chain), request()
    with pytest.raises(ports.ProviderUnreachable):
        rail.start(asked, 5)
    watch(chain)
    given = rail.start(asked, 5)
    with time_machine.travel(clock.now() + timedelta(seconds=130), tick=False):
        with pytest.raises(ports.ProviderUnreachable):
            rail.start(request(), 5)
        assert rail.start(asked, 5) == given, "a given address stays"
    ChainCursor.objects.update(problem="BEHIND")
    with pytest.raises(ports.ProviderUnreachable):
        rail.start(request(), 5)
    ChainCursor.objects.update(problem="", tip_time=clock.now() - timedelta(hours=1))
    with pytest.raises(ports.ProviderUnreachable):
        rail.start(request(), 5)
    ChainCursor.objects.update(tip_time=clock.now(), tip_height=1000)
    with pytest.raises(ports.ProviderUnreachable):
        rail.start(request(), 5)
    assert CoinAddress.objects.count() == 1


def test_account_pauses_while_its_chain_is_not_watched() -> None:
    payin = CoinPayin(FakeChain())
    assert isinstance(payin, ports.HasPauses)
    assert payin.is_paused()
    watch(FakeChain())
    assert not payin.is_paused()


def test_dust_gets_no_address() -> None:
    chain = FakeChain()
    watch(chain)
    with pytest.raises(ports.ProviderRefused) as refused:
        CoinPayin(chain).start(request(amount=Decimal("0.00000545")), 5)
    assert refused.value.reason == ports.Reason.AMOUNT_TOO_SMALL
    assert not CoinAddress.objects.exists()
    assert CoinPayin(chain).start(request(amount=Decimal("0.00000546")), 5).provider_id


def test_coin_of_another_network_is_refused() -> None:
    chain = FakeChain(coins=(TOKEN,))
    watch(chain)
    with pytest.raises(ports.ProviderRefused):
        CoinPayin(chain).start(request(), 5)
    fields = {"coin": "USDT", "network": "polygon"}
    with pytest.raises(ports.ProviderRefused):
        CoinPayin(chain).start(request(currency="USDT", fields=fields), 5)


def test_query_knows_only_charges_with_an_address() -> None:
    chain = FakeChain()
    watch(chain)
    asked = request()
    rail = CoinPayin(chain)
    unknown = rail.query(ports.Known(reference=asked.reference))
    assert unknown.status == ports.ChargeStatus.UNKNOWN
    rail.start(asked, 5)
    known = rail.query(ports.Known(reference=asked.reference))
    assert (known.status, known.received, known.currency) == (
        ports.ChargeStatus.PENDING,
        0,
        "BTC",
    )
