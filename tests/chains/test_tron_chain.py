"""What TronChain shows of money, over the fake API."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest

from payments.core import clock
from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from payments.providers.ports.chain import ChainTransaction, ReadsByAddress
from payments.providers.tron import identity
from payments.providers.tron.chain import TronChain
from tests.chains.tron_account import (
    API_KEY,
    FIRST,
    FORGERY,
    SECOND,
    USDT,
    chain,
    mine,
    pay,
    running_tron,
)
from tests.rails.fake_server.server import RunningServer

ELSEWHERE = "TTRmEA73gpoxK2KRmhL7GtcYLh88VefYss"


@pytest.fixture
def tron() -> Iterator[RunningServer]:
    """No test leaves a complaint: the fake refuses what no document allows."""
    with running_tron() as server:
        yield server
        assert server.control.complaints() == []


def moved(found: list[ChainTransaction]) -> list[tuple[str, int]]:
    return [(one.token, one.units) for each in found for one in each.transfers]


def test_it_is_a_chain_that_is_asked_by_address(tron: RunningServer) -> None:
    assert isinstance(chain(tron), ReadsByAddress)


def test_one_coin_is_offered_with_its_network_and_standard(tron: RunningServer) -> None:
    (coin,) = chain(tron).coins
    assert (coin.code, coin.network, coin.standard) == ("USDT", "tron-test", "TRC-20")
    assert coin.amount(15_500_000) == Decimal("15.5")
    assert chain(tron).payment_uri(coin, FIRST, Decimal(1)) == ""


def test_the_tip_has_the_solid_block_as_the_final_one(tron: RunningServer) -> None:
    tip = chain(tron).tip()
    assert tip.height - 19 == tip.final_height
    assert int(tip.hash[:16], 16) == tip.height
    assert abs(tip.time - clock.now()) < timedelta(seconds=30)


def test_a_tip_of_an_old_node_is_read_by_the_older_call(tron: RunningServer) -> None:
    expected = chain(tron).tip()
    tron.control.set(getblock=False)
    assert chain(tron).tip().height == expected.height


def test_an_api_that_lies_behind_shows_an_old_tip(tron: RunningServer) -> None:
    tron.control.set(tip_age_seconds=900)
    assert clock.now() - chain(tron).tip().time > timedelta(seconds=800)


def test_a_solid_block_that_stands_still_is_an_error(tron: RunningServer) -> None:
    tron.control.set(solidity_lag_blocks=1000)
    with pytest.raises(ProviderTimeout, match="blocks behind"):
        chain(tron).tip()


def test_a_solid_block_above_the_newest_one_is_an_error(tron: RunningServer) -> None:
    tron.control.set(solidity_lag_blocks=-30)
    with pytest.raises(ProviderTimeout, match="below the solid"):
        chain(tron).tip()


def test_a_payment_is_on_its_way_first_and_has_its_block_when_it_is_solid(
    tron: RunningServer,
) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 15_500_000})
    (seen,) = chain(tron).received(FIRST)
    assert (seen.transaction, seen.height) == (transaction, None)
    height = chain(tron).tip().height
    mine(tron, 18)
    assert chain(tron).received(FIRST)[0].height is None
    mine(tron, 1)
    (solid,) = chain(tron).received(FIRST)
    final_height = chain(tron).tip().final_height
    assert final_height is not None
    assert solid.height == height <= final_height
    assert solid.transfers == seen.transfers
    assert solid.time is not None
    assert timedelta(seconds=50) < clock.now() - solid.time < timedelta(seconds=90)
    (transfer,) = solid.transfers
    assert (transfer.target, transfer.token, transfer.units) == (FIRST, USDT, 15_500_000)


def test_a_payment_to_another_address_is_not_shown(tron: RunningServer) -> None:
    pay(tron, {"to": SECOND, "value": 5_000_000})
    pay(tron, {"to": ELSEWHERE, "from": FIRST, "value": 5_000_000})
    mine(tron)
    assert chain(tron).received(FIRST) == []


def test_an_address_without_payments_has_none(tron: RunningServer) -> None:
    assert chain(tron).received(FIRST) == []


def test_tokens_of_other_contracts_are_shown_with_their_contract_only(
    tron: RunningServer,
) -> None:
    """A contract of anybody may call itself USDT, with any number of decimals."""
    named = {"symbol": "USDT", "name": "Tether USD", "decimals": 6}
    tron.control.call("POST", "tokens", {"address": FORGERY, **named})
    pay(tron, {"to": FIRST, "value": 15_500_000, "token": FORGERY})
    mine(tron)
    found = chain(tron).received(FIRST)
    assert moved(found) == [(FORGERY, 15_500_000)]
    assert FORGERY not in {coin.token for coin in chain(tron).coins}


def test_one_transaction_with_the_coin_and_a_forgery_shows_both(tron: RunningServer) -> None:
    real = {"to": FIRST, "value": 1_000_000}
    pay(tron, {**real, "token": FORGERY}, real)
    mine(tron)
    (found,) = chain(tron).received(FIRST)
    assert moved([found]) == [(FORGERY, 1_000_000), (USDT, 1_000_000)]
    assert [one.position for one in found.transfers] == [0, 1]


def test_a_token_that_its_transaction_created_hides_nothing(tron: RunningServer) -> None:
    """The API has no name for it, and sends an empty token_info."""
    pay(tron, {"to": FIRST, "value": 7, "token": FORGERY})
    pay(tron, {"to": FIRST, "value": 2_000_000})
    mine(tron)
    assert sorted(moved(chain(tron).received(FIRST))) == [(USDT, 2_000_000), (FORGERY, 7)]


def test_a_flood_of_foreign_tokens_hides_no_confirmed_payment(tron: RunningServer) -> None:
    pay(tron, {"to": FIRST, "value": 2_000_000})
    for number in range(250):
        pay(tron, {"to": FIRST, "value": number + 1, "token": FORGERY})
    mine(tron)
    found = moved(chain(tron).received(FIRST))
    assert (USDT, 2_000_000) in found
    assert len(found) == 21
    receipts = tron.control.state()["requests"]["POST /walletsolidity/gettransactioninfobyid"]
    assert receipts == 21


def test_more_transfers_than_a_page_are_read_to_the_end(tron: RunningServer) -> None:
    """The oldest of 205, by one transaction for each five."""
    for number in range(41):
        values = range(5 * number, 5 * number + 5)
        pay(tron, *({"to": FIRST, "value": 20_000 + value} for value in values))
    mine(tron)
    found = moved(chain(tron).received(FIRST))
    assert sorted(units for _, units in found) == list(range(20_000, 20_205))


@pytest.mark.parametrize(
    "transfer",
    [
        {"to": FIRST, "value": 0},
        {"to": FIRST, "from": FIRST, "value": 5_000_000},
        {"to": FIRST, "value": 5_000_000, "type": "Approval"},
    ],
    ids=["of nothing", "to oneself", "an approval"],
)
def test_what_moves_nothing_is_not_shown(tron: RunningServer, transfer: dict[str, object]) -> None:
    pay(tron, transfer)
    pay(tron, transfer, {"to": FIRST, "value": 3_000_000})
    mine(tron)
    found = chain(tron).received(FIRST)
    assert moved(found) == [(USDT, 3_000_000)]
    assert found[0].transfers[0].position == 1


def test_a_failed_transaction_moved_nothing(tron: RunningServer) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 5_000_000}, result="OUT_OF_ENERGY")
    mine(tron)
    assert chain(tron).received(FIRST) == []
    assert chain(tron).find_transaction(transaction) is None


def test_positions_stay_when_the_transaction_moves_to_another_block(
    tron: RunningServer,
) -> None:
    pay(tron, {"to": FIRST, "value": 1_000_000}, {"to": FIRST, "value": 1_000_000}, logs_before=3)
    before = chain(tron).received(FIRST)[0].transfers
    assert [one.position for one in before] == [3, 4]
    tron.control.call("POST", "fork", {"depth": 1})
    assert chain(tron).received(FIRST)[0].transfers == before
    mine(tron)
    assert chain(tron).received(FIRST)[0].transfers == before


def test_a_payment_that_a_fork_dropped_is_shown_no_more(tron: RunningServer) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 1_000_000})
    assert len(chain(tron).received(FIRST)) == 1
    tron.control.call("POST", "fork", {"depth": 1, "dropped": [transaction]})
    assert chain(tron).received(FIRST) == []
    mine(tron, 19, transactions=[transaction])
    mine(tron, 1)
    assert chain(tron).received(FIRST)[0].height is not None


@pytest.mark.parametrize(
    "settings",
    [
        {"lost_confirmed": True},
        {"repeats": 3},
        {"only_to_works": False},
        {"list_order": "any"},
        {"has_links": False},
        {"token_info": "hex"},
        {"token_info": "empty"},
        {"row_addresses": "hex"},
        {"value_as": "number"},
        {"log_addresses": "tron"},
        {"success_word": "SUCESS"},
    ],
    ids=str,
)
def test_variants_of_the_api_show_the_same_payment(
    tron: RunningServer, settings: dict[str, object]
) -> None:
    """What no document fixes is read both ways, and one list of two may lose a payment."""
    transaction = pay(tron, {"to": FIRST, "value": 4_000_000})
    pay(tron, {"to": ELSEWHERE, "from": FIRST, "value": 1_000_000})
    mine(tron)
    expected = chain(tron).received(FIRST)
    lost = {"lost_confirmed": [transaction]} if "lost_confirmed" in settings else {}
    tron.control.set(**{**settings, **lost})
    assert chain(tron).received(FIRST) == expected
    assert moved(expected) == [(USDT, 4_000_000)]


def test_a_payment_that_is_lost_among_the_unconfirmed_comes_when_it_is_solid(
    tron: RunningServer,
) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 4_000_000})
    tron.control.set(lost_unconfirmed=[transaction])
    assert chain(tron).received(FIRST) == []
    mine(tron)
    assert len(chain(tron).received(FIRST)) == 1


def test_an_index_that_is_faster_than_the_node_waits_for_it(tron: RunningServer) -> None:
    pay(tron, {"to": FIRST, "value": 4_000_000})
    tron.control.set(receipt_lag_blocks=5)
    assert chain(tron).received(FIRST) == []
    mine(tron, 5)
    assert len(chain(tron).received(FIRST)) == 1


def test_a_solidity_node_that_lies_behind_leaves_a_payment_on_its_way(
    tron: RunningServer,
) -> None:
    pay(tron, {"to": FIRST, "value": 4_000_000})
    mine(tron)
    tron.control.set(solidity_lag_blocks=10)
    assert [one.height for one in chain(tron).received(FIRST)] == [None]


def test_receipts_of_solid_blocks_are_read_once(tron: RunningServer) -> None:
    pay(tron, {"to": FIRST, "value": 4_000_000})
    mine(tron)
    for _ in range(3):
        assert len(chain(tron).received(FIRST)) == 1
    requests = tron.control.state()["requests"]
    assert requests["POST /walletsolidity/gettransactioninfobyid"] == 1
    assert "POST /wallet/gettransactioninfobyid" not in requests


def test_a_transaction_is_found_by_its_id_with_all_its_transfers(tron: RunningServer) -> None:
    transaction = pay(
        tron, {"to": FIRST, "value": 1_000_000}, {"to": ELSEWHERE, "value": 2_000_000}
    )
    seen = chain(tron).find_transaction(transaction)
    assert seen is not None
    assert seen.height is None
    assert [(one.target, one.units) for one in seen.transfers] == [
        (FIRST, 1_000_000),
        (ELSEWHERE, 2_000_000),
    ]
    mine(tron)
    solid = chain(tron).find_transaction(transaction.upper())
    assert solid is not None
    assert solid.height is not None


@pytest.mark.parametrize("text", ["", "00" * 32, "zz" * 32, "0x", "ab", "' OR 1=1"])
def test_what_is_no_transaction_is_not_found(tron: RunningServer, text: str) -> None:
    assert chain(tron).find_transaction(text) is None


def test_dust_does_not_count(tron: RunningServer) -> None:
    it = chain(tron)
    assert not it.counts(it.coins[0], 9_999)
    assert it.counts(it.coins[0], 10_000)


def test_transactions_have_a_page_in_the_explorer(tron: RunningServer) -> None:
    assert chain(tron).transaction_url("ab") == "https://nile.tronscan.org/#/transaction/ab"
    own = chain(tron, explorer="https://explorer.example/{transaction}/es")
    assert own.transaction_url("ab") == "https://explorer.example/ab/es"


def test_a_sandbox_account_reads_no_real_coins(tron: RunningServer) -> None:
    tron.control.set(chain_id="2b6653dc")
    with pytest.raises(ProviderUnreachable, match="main network"):
        chain(tron).tip()


def test_a_token_with_other_decimals_is_not_read(tron: RunningServer) -> None:
    named = {"symbol": "USDT", "name": "Tether USD", "decimals": 18}
    tron.control.call("POST", "tokens", {"address": FORGERY, **named})
    with pytest.raises(ProviderUnreachable, match="18 decimals"):
        chain(tron, usdt_contract=FORGERY).tip()


def test_the_network_is_asked_for_once_an_hour(tron: RunningServer) -> None:
    for _ in range(3):
        chain(tron).tip()
    assert tron.control.state()["requests"]["POST /wallet/getblockbynum"] == 1
    identity.forget()
    chain(tron).tip()
    assert tron.control.state()["requests"]["POST /wallet/getblockbynum"] == 2


def test_accounts_with_the_same_key_have_the_same_addresses(tron: RunningServer) -> None:
    one, other = chain(tron), chain(tron, api_key=API_KEY)
    assert one.key_id == other.key_id
    assert len(one.key_id) == 64
    assert one.derive(3) == other.derive(3)


def test_nothing_of_the_account_is_in_the_text_of_the_chain(tron: RunningServer) -> None:
    it: TronChain = chain(tron)
    assert API_KEY not in repr(it) + repr(vars(it))
