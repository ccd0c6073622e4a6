"""What EvmChain reads of a real chain: anvil."""

from itertools import pairwise

import pytest

from payments.providers.evm import identity
from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from payments.providers.ports.chain import ChainTransfer
from tests.chains.evm_accounts import chain
from tests.chains.nodes import contracts
from tests.chains.nodes.anvil import running_anvil

ETHER = 10**18
SPLITTER = "0x00000000000000000000000000000000000f0f0f"
REFUSER = "0x00000000000000000000000000000000000f0f0e"


@pytest.fixture(autouse=True)
def new_process():
    identity.forget()


@pytest.fixture
def node():
    with running_anvil() as node:
        yield node


@pytest.fixture
def usdt(node):
    return contracts.deploy_token(node, "USDT")


@pytest.fixture
def ours(node, usdt):
    return chain(node.url, usdt_contract=usdt.address)


@pytest.fixture
def address(ours):
    return ours.derive(20)


def arrived(ours, node, target, blocks=1):
    """The transfers to the address in the last blocks."""
    found = ours.read(node.height - blocks + 1, node.height)
    return [one for block in found for one in block.transfers if one.target == target]


def test_coins_of_the_network_and_of_a_token_are_read_with_their_positions(
    node, usdt, ours, address
):
    ether = node.send(address.text, value=3 * ETHER)
    tether = usdt.send(address.text, 12_345_678)
    node.mine()

    assert arrived(ours, node, address.target) == [
        ChainTransfer(
            target=address.target, token="", units=3 * ETHER, transaction=ether, position=0
        ),
        ChainTransfer(
            target=address.target,
            token=usdt.address,
            units=12_345_678,
            transaction=tether,
            position=1,
        ),
    ]


def test_position_in_the_transaction_stays_after_a_reorganisation(node, usdt, ours, address):
    before = usdt.send(node.accounts[5], 1)
    payment = usdt.send(address.text, 7, sender=0)
    node.mine()
    (first,) = arrived(ours, node, address.target)
    assert (first.transaction, first.position) == (payment, 1)
    raw = [node.call("eth_getRawTransactionByHash", one) for one in (before, payment)]

    # The new chain has them in two blocks, so that the number of the log in its block changes.
    node.call("anvil_reorg", 1, [])
    for one in raw:
        node.call("eth_sendRawTransaction", one)
        node.mine()

    assert arrived(ours, node, address.target) == [first]


def test_failed_transactions_moved_nothing(node, usdt, ours, address):
    target = contracts.put_code(node, address.target, contracts.REFUSER)
    failed = node.send(target, value=ETHER)
    too_much = usdt.send(address.text, 1, sender=3)  # has none
    node.mine()

    statuses = [node.call("eth_getTransactionReceipt", one)["status"] for one in (failed, too_much)]
    assert statuses == ["0x0", "0x0"]
    assert arrived(ours, node, target) == []
    assert ours.find_transaction(failed) is None


def test_another_token_is_shown_with_its_contract_and_a_collectible_is_not(node, ours, address):
    wrong = contracts.deploy_token(node, "WRONG", decimals=18)
    pictures = contracts.deploy_collectibles(node)
    wrong.send(address.text, 5)
    contracts.mint_collectible(node, pictures, address.text)
    node.mine()

    assert [one.token for one in arrived(ours, node, address.target)] == [wrong.address]


def test_coins_that_a_contract_sends_are_in_the_balance_and_in_no_transfer(node, ours, address):
    splitter = contracts.put_code(node, SPLITTER, contracts.FORWARDER)
    contracts.forward(node, splitter, address.text, 5 * ETHER)
    node.send(address.text, value=2 * ETHER)
    node.mine()

    assert [one.units for one in arrived(ours, node, address.target)] == [2 * ETHER]
    assert ours.untouched_balances([address.target], node.height) == {address.target: 7 * ETHER}
    assert ours.untouched_balances([address.target], node.height - 1) == {address.target: 0}


def test_balances_leave_out_an_address_that_has_sent(node, ours):
    sender, fresh = node.accounts[2].lower(), ours.derive(30).target
    node.send(fresh, value=1, sender=2)
    node.mine()

    # Several calls to the node.
    many = [ours.derive(index).target for index in range(100, 220)]
    balances = ours.untouched_balances([*many, sender, fresh], node.height)

    assert balances == {**dict.fromkeys(many, 0), fresh: 1}


def test_blocks_are_a_chain_and_end_where_the_chain_ends(node, ours):
    node.mine(30)

    found = ours.read(1, 1000)

    assert [block.height for block in found] == list(range(1, node.height + 1))
    assert all(after.parent == before.hash for before, after in pairwise(found))
    assert ours.read(node.height + 1, node.height + 9) == []
    assert ours.block_hash(3) == found[2].hash
    assert ours.block_hash(node.height + 1) is None


def test_after_a_reorganisation_the_dropped_payment_is_gone(node, ours, address):
    node.mine(3)
    payment = node.send(address.text, value=ETHER)
    node.mine(3)
    before = ours.tip()
    assert ours.find_transaction(payment).height == node.height - 2

    node.reorganise(3)

    assert (ours.tip().height, ours.tip().hash != before.hash) == (before.height, True)
    assert ours.block_hash(before.height) != before.hash
    assert arrived(ours, node, address.target, blocks=5) == []
    assert ours.find_transaction(payment) is None


def test_height_after_which_the_node_says_final(node, usdt):
    ours = chain(node.url, usdt_contract=usdt.address, finality="finalized")
    node.mine(100)

    tip = ours.tip()

    assert tip.height == node.height
    assert tip.final_height == int(
        node.call("eth_getBlockByNumber", "finalized", False)["number"], 16
    )
    assert 0 < tip.final_height < tip.height
    assert chain(node.url, finality="12").tip().final_height is None


def test_transaction_is_found_while_it_waits_and_in_its_block(node, usdt, ours, address):
    payment = node.send(address.text, value=ETHER)
    waiting = ours.find_transaction(payment)
    assert (waiting.height, waiting.block_hash) == (None, "")
    assert [one.units for one in waiting.transfers] == [ETHER]

    node.mine()
    found = ours.find_transaction(payment.upper().replace("0X", "0x"))

    assert (found.transaction, found.height) == (payment, node.height)
    assert found.block_hash == ours.block_hash(node.height)
    assert found.transfers == waiting.transfers
    assert ours.find_transaction("0x" + "11" * 32) is None
    assert ours.find_transaction("no hash") is None


def test_node_that_restarts_with_its_chain_is_read_on(node, ours, address):
    payment = node.send(address.text, value=ETHER)
    node.mine()
    before = ours.read(1, node.height)

    node.stop()
    with pytest.raises(ProviderUnreachable):
        ours.tip()
    with pytest.raises(ProviderUnreachable):
        ours.read(1, 2)
    node.start()

    assert [block.ref for block in ours.read(1, 99)] == [block.ref for block in before]
    assert ours.find_transaction(payment).transfers[0].units == ETHER


def test_second_node_says_which_blocks_it_has(node, ours):
    node.mine(3)
    with running_anvil() as other:
        other.mine(1)
        both = chain(node.url, witness_url=other.url)

        assert (ours.has_witness, both.has_witness) == (False, True)
        assert both.witness_hash(1) == chain(other.url).block_hash(1) != both.block_hash(1)
        assert both.witness_hash(3) is None


def test_node_of_another_chain_is_refused_in_words(node):
    other = chain(node.url, chain_id="137", network="polygon")

    with pytest.raises(ProviderUnreachable, match="of chain 31337, and the account of chain 137"):
        other.tip()


def test_token_with_other_decimals_or_no_contract_is_refused_in_words(node):
    eighteen = contracts.deploy_token(node, "USDT", decimals=18)

    with pytest.raises(ProviderUnreachable, match="USDT says 18 decimals, not 6"):
        chain(node.url, usdt_contract=eighteen.address).tip()
    with pytest.raises(ProviderUnreachable, match="no token at the contract of USDC"):
        chain(node.url, usdc_contract="0x" + "12" * 20).tip()


def test_identity_is_asked_once_an_hour(node, ours, monkeypatch):
    ours.tip()
    asked = []
    real = identity.read_chain_id
    monkeypatch.setattr(identity, "read_chain_id", lambda one: asked.append(1) or real(one))

    ours.tip()
    assert asked == []
    monkeypatch.setattr(identity, "SECONDS", 0)
    identity.forget()
    ours.tip()
    ours.tip()
    assert len(asked) == 2


def test_account_without_an_address_of_a_node_is_unreachable():
    with pytest.raises((ProviderUnreachable, ProviderTimeout)):
        chain("").tip()
