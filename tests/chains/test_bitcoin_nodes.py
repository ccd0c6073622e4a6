"""The adapter of Bitcoin on whole nodes: bcoin, and Bitcoin Core's code in litecoind."""

from decimal import Decimal

import pytest
from embit import script
from embit.networks import NETWORKS

from payments.core import clock
from payments.providers.account import Finding
from payments.providers.bitcoin import networks
from payments.providers.bitcoin.chain import BitcoinChain
from payments.providers.bitcoin.check import check
from payments.providers.ports import ProviderError, ProviderTimeout, ProviderUnreachable
from tests.chains.bitcoin_accounts import LITECOIN, account
from tests.chains.nodes.bcoin import Bcoin
from tests.chains.nodes.litecoin import Litecoin
from tests.chains.nodes.lying_proxy import LyingProxy

pytestmark = pytest.mark.slow
AMOUNT = Decimal("0.01234567")
UNITS = 1234567
NODES = {"bcoin": Bcoin, "litecoind": Litecoin}


@pytest.fixture(scope="module", params=NODES)
def node(request, tmp_path_factory):
    made = NODES[request.param](tmp_path_factory.mktemp(request.param))
    made.start()
    made.fund()
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def _litecoin(monkeypatch):
    monkeypatch.setitem(networks.NETWORKS, "litecoin", LITECOIN)


def chain_of(node, url="", **more):
    network = "litecoin" if node.name == "litecoind" else "regtest"
    given = {"node_user": node.user, "node_password": node.password, "network": network}
    return BitcoinChain(account(url or node.url, **{**given, **more}))


@pytest.fixture
def chain(node):
    return chain_of(node)


@pytest.fixture
def proxy(node):
    with LyingProxy(node.url).serving() as made:
        yield made


def transfers_to(address, found):
    return [one for one in found if one.target == address.target]


def in_blocks(chain, address, first=0):
    blocks = chain.read(first, chain.tip().height)
    return [(one.height, it) for one in blocks for it in transfers_to(address, one.transfers)]


def test_tip_is_the_nodes_and_blocks_are_a_chain_to_it(node, chain):
    tip = chain.tip()
    assert (tip.height, tip.hash) == (node.height, node.ask("getbestblockhash"))
    assert tip.final_height is None
    assert abs((clock.now() - tip.time).total_seconds()) < 4 * 3600
    blocks = chain.read(tip.height - 5, tip.height + 5)
    assert [one.height for one in blocks] == list(range(tip.height - 5, tip.height + 1))
    assert [one.parent for one in blocks[1:]] == [one.hash for one in blocks[:-1]]
    assert blocks[-1].hash == tip.hash == chain.block_hash(tip.height)
    assert chain.block_hash(tip.height + 1) is None
    assert chain.read(tip.height + 1, tip.height + 3) == []


def test_a_payment_is_seen_waiting_and_then_in_its_block(node, chain):
    address, first = chain.derive(7), node.height + 1
    transaction = node.pay(address.text, AMOUNT)
    waiting = chain.mempool(frozenset(), 100)
    assert transaction in waiting.transactions
    (seen,) = transfers_to(address, waiting.transfers)
    assert (seen.units, seen.transaction, seen.token) == (UNITS, transaction, "")
    assert transfers_to(address, chain.mempool(waiting.transactions, 100).transfers) == []
    assert chain.find_transaction(transaction).height is None
    (block_hash,) = node.mine()
    assert in_blocks(chain, address, first) == [(first, seen)]
    assert transaction not in chain.mempool(frozenset(), 100).transactions
    found = chain.find_transaction(transaction)
    assert (found.height, found.block_hash) == (first, block_hash)
    assert transfers_to(address, found.transfers) == [seen]


def test_raw_blocks_say_what_the_node_decodes(node, chain):
    node.pay(chain.derive(8).text, AMOUNT)
    node.mine()
    for height in (0, 1, node.height):
        judged = node.ask("getblock", *_decoded(node, height))
        block = chain.node.block(judged["hash"])
        assert [one.id for one in block.transactions] == [one["txid"] for one in judged["tx"]]
        assert [
            (one.units, one.script.hex()) for tx in block.transactions for one in tx.outputs
        ] == [
            (round(Decimal(str(out["value"])) * 10**8), out["scriptPubKey"]["hex"])
            for tx in judged["tx"]
            for out in tx["vout"]
        ]
        assert int(block.header.time.timestamp()) == judged["time"]
        assert block.header.parent == judged.get("previousblockhash", "0" * 64) or height == 0


def _decoded(node, height):
    block_hash = node.ask("getblockhash", height)
    return (block_hash, True, True) if node.name == "bcoin" else (block_hash, 2)


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_a_reorganisation_puts_the_payment_into_another_block(node, chain, depth):
    address, first = chain.derive(20 + depth), node.height + 1
    transaction = node.pay(address.text, AMOUNT)
    node.mine(depth)
    old = chain.tip()
    ((height, before),) = in_blocks(chain, address, first)
    node.reorganise(depth)
    node.mine()
    assert chain.block_hash(old.height) != old.hash
    ((_, after),) = in_blocks(chain, address, first)
    assert height == first
    assert after == before, "the same transaction and position, so it cannot count twice"
    assert chain.find_transaction(transaction).height >= first


def test_a_mempool_that_is_still_loaded_after_a_start_makes_no_payment_vanish(node, proxy):
    ours = chain_of(node, proxy.url)
    ours.mempool([], 10)
    proxy.lies["getmempoolinfo"] = lambda params, found: {**found, "loaded": False}
    with pytest.raises(ProviderUnreachable):
        ours.mempool([], 10)


def test_of_more_waiting_transactions_than_the_limit_the_rest_is_read_next(node, chain):
    sent = {node.pay(chain.derive(number).text, AMOUNT) for number in range(40, 43)}
    known: set[str] = set()
    for _ in range(len(chain.mempool([], 100).transactions)):
        known |= set(chain.mempool(known, 1).read)
    assert sent <= known
    node.mine()


def test_a_replaced_payment_leaves_the_mempool_and_its_replacement_comes(node, chain):
    if node.name == "bcoin":
        pytest.skip("bcoin replaces no transaction; litecoind does.")
    address = chain.derive(30)
    first = node.pay(address.text, AMOUNT)
    assert transfers_to(address, chain.mempool(frozenset(), 100).transfers)
    second = node.replace(first)
    waiting = chain.mempool({first}, 100)
    assert first not in waiting.transactions
    assert second in waiting.transactions
    (seen,) = transfers_to(address, waiting.transfers)
    assert (seen.transaction, seen.units) == (second, UNITS)
    node.mine()
    assert chain.find_transaction(second).height == node.height


def test_the_mempool_is_read_in_parts(node, chain):
    address = chain.derive(31)
    sent = {node.pay(address.text, AMOUNT) for _ in range(3)}
    known, seen = set(), []
    while part := chain.mempool(known, 2).transfers:
        seen += transfers_to(address, part)
        known |= {one.transaction for one in part}
    assert {one.transaction for one in seen} == sent
    assert len(seen) == 3
    node.mine()


def test_unknown_transactions_are_none(chain):
    assert chain.find_transaction("ab" * 32) is None


def test_a_transaction_is_found_without_an_index_by_its_unspent_outputs(node, proxy):
    chain = chain_of(node, proxy.url)
    address = chain.derive(32)
    transaction = node.pay(address.text, AMOUNT)
    (block_hash,) = node.mine()
    node.mine(2)
    node_place = chain.node.place
    object.__setattr__(chain, "node", _WithoutIndex(chain.node))
    found = chain.find_transaction(transaction)
    assert found == chain_of(node).find_transaction(transaction)
    assert (found.height, found.block_hash) == (node.height - 2, block_hash)
    assert node_place(transaction) is not None


class _WithoutIndex:
    def __init__(self, node):
        self._node = node

    def place(self, transaction):
        return None

    def __getattr__(self, name):
        return getattr(self._node, name)


def test_a_node_that_stopped_is_unreachable_and_goes_on_when_it_is_back(tmp_path):
    node = Litecoin(tmp_path)
    node.start()
    chain = chain_of(node)
    node.mine(3)
    tip = chain.tip()
    node.stop()
    for call in (chain.tip, lambda: chain.read(1, 2), lambda: chain.mempool((), 5)):
        with pytest.raises(ProviderUnreachable):
            call()
    node.start()
    try:
        assert chain.tip() == tip
    finally:
        node.stop()


def test_a_node_of_another_chain_or_without_blocks_or_password_is_no_node(node, proxy):
    proxy.lies = {"getblockchaininfo": lambda _, found: {**found, "chain": "main"}}
    with pytest.raises(ProviderUnreachable, match="'main'"):
        chain_of(node, proxy.url).tip()
    proxy.lies = {"getblockchaininfo": lambda _, found: {**found, "initialblockdownload": True}}
    with pytest.raises(ProviderUnreachable, match="downloading"):
        chain_of(node, proxy.url).tip()
    with pytest.raises(ProviderUnreachable, match="credentials"):
        chain_of(node, node_password="otra").tip()


def test_a_silent_node_is_doubtful_when_its_time_is_over(node, settings):
    import socket

    settings.PROVIDER_TIMEOUT_SECONDS = 0.3
    with socket.create_server(("127.0.0.1", 0)) as silent:
        chain = chain_of(node, f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(ProviderTimeout):
            chain.tip()


@pytest.mark.parametrize(
    "whole",
    [
        lambda status, body: (200, b"<html>Please log in</html>"),
        lambda status, body: (200, body[: len(body) // 2]),
        lambda status, body: (502, b"Bad Gateway"),
        lambda status, body: (404, b"{}"),
        lambda status, body: (200, b"[]"),
        lambda status, body: (200, b"[{}]"),
        lambda status, body: (200, b"null"),
        lambda status, body: (200, b'[{"id": 0, "result": null}]'),
        lambda status, body: (200, b'[{"result": 7, "error": {"code": -28}}]'),
    ],
)
def test_what_is_no_answer_of_a_node_changes_nothing(node, proxy, whole):
    proxy.whole = whole
    chain = chain_of(node, proxy.url)
    for call in (
        chain.tip,
        lambda: chain.read(1, 3),
        lambda: chain.block_hash(1),
        lambda: chain.mempool((), 5),
        lambda: chain.find_transaction("ab" * 32),
    ):
        with pytest.raises(ProviderError):
            call()


def _other_byte(text, at):
    return text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]


LIES = {
    "another block": {"getblockhash": lambda params, _: "ab" * 32},
    "no hash": {"getblockhash": lambda params, _: 7},
    "upper case": {"getblockhash": lambda params, found: found.upper() + "A"},
    "a changed header": {"getblock": lambda params, found: _other_byte(found, 8)},
    "a changed transaction": {"getblock": lambda params, found: _other_byte(found, 200)},
    "a cut block": {"getblock": lambda params, found: found[:-2]},
    "half a byte": {"getblock": lambda params, found: found[:-1]},
    "more than a block": {"getblock": lambda params, found: found + "00"},
    "no block": {"getblock": lambda params, found: None},
    "decoded": {"getblock": lambda params, found: {"tx": []}},
    "no transactions": {"getblock": lambda params, found: found[:160] + "00"},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_blocks_that_contradict_themselves_are_refused(node, proxy, lie):
    proxy.lies = lie
    with pytest.raises(ProviderTimeout):
        chain_of(node, proxy.url).read(node.height - 1, node.height)


def test_blocks_of_two_branches_are_refused(node, proxy):
    """The node went to another branch between two questions."""
    heights = {node.height: node.ask("getblockhash", node.height - 2)}
    proxy.lies = {"getblockhash": lambda params, found: heights.get(params[0], found)}
    with pytest.raises(ProviderTimeout, match="changed"):
        chain_of(node, proxy.url).read(node.height - 1, node.height)


def test_a_transaction_that_is_another_one_is_refused(node, proxy, chain):
    sent = [node.pay(chain.derive(40 + n).text, AMOUNT) for n in range(2)]
    raw = node.ask("getrawtransaction", sent[0])
    proxy.lies = {"getrawtransaction": lambda params, found: raw}
    with pytest.raises(ProviderTimeout, match="another"):
        chain_of(node, proxy.url).mempool((), 10)
    node.mine()


def test_a_transaction_that_has_just_left_the_mempool_is_left_out(node, proxy, chain):
    transaction = node.pay(chain.derive(42).text, AMOUNT)
    proxy.lies = {"getrawmempool": lambda params, found: [*found, "cd" * 32]}
    seen = chain_of(node, proxy.url).mempool((), 10)
    assert [one.transaction for one in transfers_to(chain.derive(42), seen.transfers)] == [
        transaction
    ]
    node.mine()


def test_a_second_node_says_what_it_has(node, chain, proxy):
    assert not chain.has_witness
    watched = chain_of(
        node,
        witness_url=proxy.url,
        witness_user=node.user,
        witness_password=node.password,
    )
    assert watched.has_witness
    height = node.height
    assert watched.witness_hash(height) == chain.block_hash(height)
    assert watched.witness_hash(height + 1) is None
    proxy.lies = {"getblockhash": lambda params, found: "ab" * 32}
    assert watched.witness_hash(height) != watched.block_hash(height)
    assert proxy.asked


def findings(chain):
    return {line.subject: line for line in check(chain.account)}


def test_check_says_what_the_node_is(node, proxy):
    lines = list(check(chain_of(node).account))
    addresses = [line.text for line in lines if line.subject == "address"]
    assert addresses == [f"m/0/{n} {chain_of(node).derive(n).text}" for n in range(3)]
    by_subject = {line.subject: line for line in lines}
    assert {name: line.finding for name, line in by_subject.items() if name != "tip"} == {
        "address": Finding.UNCHECKED,
        "chain": Finding.OK,
        "transactions": Finding.OK,
        "blocks": Finding.OK,
    }
    assert str(node.height) in by_subject["tip"].text
    proxy.lies = {"getblockchaininfo": lambda _, found: {**found, "pruned": True, "chain": "test"}}
    lines = findings(chain_of(node, proxy.url))
    assert lines["chain"].finding is Finding.FAILED
    assert lines["blocks"].finding is Finding.UNCHECKED
    stopped = findings(chain_of(node, "http://127.0.0.1:1/"))
    assert stopped["node"].finding is Finding.FAILED


def test_check_compares_the_second_node(node, proxy):
    def witness():
        return findings(
            chain_of(
                node,
                witness_url=proxy.url,
                witness_user=node.user,
                witness_password=node.password,
            )
        )["witness"]

    assert witness().finding is Finding.OK
    proxy.lies = {"getblockhash": lambda params, found: "ab" * 32}
    assert witness().finding is Finding.FAILED
    proxy.lies = {"getblockchaininfo": lambda _, found: {**found, "chain": "main"}}
    assert witness().finding is Finding.FAILED


def test_addresses_equal_those_of_another_library(node, chain):
    from tests.chains.bitcoin_accounts import ROOT

    theirs = ROOT.derive("m/84h/1h/0h/0")
    network = {**NETWORKS["regtest"], "bech32": chain.settings.network.hrp}
    for index in range(1000):
        judged = script.p2wpkh(theirs.derive([index]))
        ours = chain.derive(index)
        assert (ours.text, ours.target) == (judged.address(network), judged.data.hex())
        assert chain.target_of(ours.text) == ours.target
