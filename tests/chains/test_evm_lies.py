"""A node that sends nonsense, or contradicts itself: nothing is believed, and nothing is lost."""

import pytest

from payments.providers.evm import identity
from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from tests.chains.evm_accounts import chain
from tests.chains.lying_node import lying_node
from tests.chains.nodes import contracts
from tests.chains.nodes.anvil import running_anvil

OTHER = "0x" + "ab" * 32


@pytest.fixture(scope="module")
def anvil():
    """Block 1 has the token, 2 and 3 a payment of each kind, and 4 to 6 nothing."""
    with running_anvil() as node:
        node.usdt = contracts.deploy_token(node, "USDT")
        node.payment = node.send(chain().derive(20).text, value=10**18)
        node.mine()
        node.token_payment = node.usdt.send(chain().derive(20).text, 7)
        node.mine(4)
        yield node


@pytest.fixture
def lies(anvil):
    identity.forget()
    with lying_node(anvil.url) as lies:
        yield lies


@pytest.fixture
def ours(anvil, lies):
    return chain(lies.url, usdt_contract=anvil.usdt.address, finality="finalized")


def changed(**changes):
    return lambda result: result and {**result, **changes}


def in_receipts(change):
    return lambda result: [change(one) for one in result]


def in_logs(**changes):
    """Of the receipts of a block."""
    return in_receipts(lambda one: {**one, "logs": [{**log, **changes} for log in one["logs"]]})


READERS = {
    "tip": lambda ours, anvil: ours.tip(),
    "block_hash": lambda ours, anvil: ours.block_hash(2),
    "read": lambda ours, anvil: ours.read(1, 3),
    "find_transaction": lambda ours, anvil: ours.find_transaction(anvil.payment),
    "balances": lambda ours, anvil: ours.untouched_balances([ours.derive(20).target], 3),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html><body>Welcome to the proxy</body></html>"),
        (502, b"<html>bad gateway</html>"),
        (404, b"not found"),
        (200, b""),
        (200, b"{}"),
        (200, b"[]"),
        (200, b"null"),
        (200, b'{"jsonrpc": "2.0", "id": 1, "result": "0x1"}'),
        (200, b'[{"jsonrpc": "2.0", "id": 1, "result": {}}]'),
        (200, b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32005, "message": "limit"}}'),
    ],
)
def test_nonsense_is_never_an_empty_chain(ours, anvil, lies, reader, status, body):
    lies.status, lies.body = status, body

    with pytest.raises((ProviderTimeout, ProviderUnreachable)):
        READERS[reader](ours, anvil)


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("eth_getBlockByNumber", changed(number="0x63")),
        ("eth_getBlockByNumber", changed(hash="0x12")),
        ("eth_getBlockByNumber", changed(hash=OTHER)),
        ("eth_getBlockByNumber", changed(parentHash=OTHER)),
        ("eth_getBlockByNumber", changed(transactions=None)),
        ("eth_getBlockByNumber", changed(transactions=[OTHER])),
        ("eth_getBlockByNumber", changed(timestamp="0x" + "f" * 16)),
        ("eth_getBlockByNumber", changed(timestamp="yesterday")),
        ("eth_getBlockByNumber", lambda block: "block"),
        ("eth_getBlockReceipts", lambda listed: {}),
        ("eth_getBlockReceipts", in_receipts(changed(blockHash=OTHER))),
        ("eth_getBlockReceipts", in_receipts(changed(status=None))),
        ("eth_getBlockReceipts", in_receipts(changed(logs=None))),
        ("eth_getBlockReceipts", in_receipts(lambda one: "receipt")),
        ("eth_getBlockReceipts", in_logs(removed=True)),
        ("eth_getBlockReceipts", in_logs(blockHash=OTHER)),
        ("eth_getBlockReceipts", in_logs(transactionHash=OTHER)),
        ("eth_getBlockReceipts", in_logs(topics=[1])),
        ("eth_getBlockReceipts", in_logs(address="0x12")),
    ],
)
def test_blocks_that_contradict_themselves_are_not_believed(ours, lies, method, change):
    assert len(ours.read(1, 3)) == 3
    lies.changes[method] = change

    with pytest.raises(ProviderTimeout):
        ours.read(1, 3)


def test_block_that_is_left_out_is_no_end_of_the_chain(ours, lies):
    lies.changes["eth_getBlockByNumber"] = lambda block: block if block["number"] != "0x2" else None

    with pytest.raises(ProviderTimeout, match="leaves out a block"):
        ours.read(1, 3)


@pytest.mark.parametrize("lack", ["no method", "null", "empty"])
def test_receipts_that_are_not_in_the_list_are_read_one_by_one(ours, anvil, lies, lack):
    complete = ours.read(1, 6)
    if lack == "no method":
        lies.errors["eth_getBlockReceipts"] = {"code": -32601, "message": "Method not found"}
    else:
        lies.changes["eth_getBlockReceipts"] = lambda _: [] if lack == "empty" else None

    assert ours.read(1, 6) == complete
    assert {one.transaction for block in complete for one in block.transfers} >= {
        anvil.payment,
        anvil.token_payment,
    }


def test_block_without_its_receipts_is_not_read_as_if_nothing_came(ours, lies):
    lies.changes["eth_getBlockReceipts"] = lambda _: []
    lies.changes["eth_getTransactionReceipt"] = lambda _: None

    with pytest.raises(ProviderTimeout, match="no receipt"):
        ours.read(1, 3)


def test_error_of_one_question_is_an_error_of_the_whole(ours, lies):
    lies.errors["eth_getBalance"] = {"code": -32000, "message": "missing trie node"}

    with pytest.raises(ProviderTimeout, match="missing trie node"):
        ours.untouched_balances([ours.derive(1).target], 2)


@pytest.mark.parametrize("balance", ["7", 7, None, "0xzz", "0x" + "f" * 65])
def test_balance_of_another_shape_is_none(ours, lies, balance):
    lies.changes["eth_getBalance"] = lambda _: balance

    with pytest.raises(ProviderTimeout):
        ours.untouched_balances([ours.derive(1).target], 2)


def test_other_transaction_than_the_one_asked_for_is_refused(ours, anvil, lies):
    lies.changes["eth_getTransactionByHash"] = changed(hash=OTHER)

    with pytest.raises(ProviderTimeout, match="another one"):
        ours.find_transaction(anvil.payment)


def test_node_without_the_tag_has_no_tip(ours, lies):
    """Never counted by confirmations in its place: the operator chose the chain's own rule."""
    lies.changes["eth_getBlockByNumber"] = lambda block: block if block["number"] != "0x0" else None

    with pytest.raises(ProviderTimeout):
        ours.tip()


def test_finalized_block_above_the_tip_is_the_tip(ours, lies):
    lies.changes["eth_getBlockByNumber"] = lambda block: (
        {**block, "number": "0x99"} if block["number"] == "0x0" else block
    )

    assert ours.tip().final_height == ours.tip().height == 6


def test_nothing_that_is_secret_is_in_an_error_or_in_the_log(anvil, lies, caplog, capsys):
    lies.body = b"<html>"
    secret = chain(lies.url, node_user="u", node_password="pass-word", node_key="key/of?path")

    with pytest.raises(ProviderTimeout) as error:
        secret.tip()

    assert lies.paths == ["/key%2Fof%3Fpath"]
    assert lies.headers["Authorization"] == "Basic dTpwYXNzLXdvcmQ="
    told = f"{error.value!r} {caplog.text} {capsys.readouterr()} {secret.node!r} {secret.account!r}"
    assert not [one for one in ("pass-word", "dTpwYXN", "key%2F", "key/of") if one in told]
