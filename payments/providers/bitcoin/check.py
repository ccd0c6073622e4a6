"""What `manage.py rail_check` says of a Bitcoin account: its addresses and its nodes."""

from collections.abc import Iterator

from django.utils.translation import gettext

from payments.core import clock
from payments.providers.account import CheckLine, Finding, RailAccount
from payments.providers.bitcoin.chain import BitcoinChain
from payments.providers.bitcoin.node import BitcoinNode, ChainInfo
from payments.providers.ports import ProviderError

# Blocks come every ten minutes. Among 100,000 pauses one is longer.
TIP_AGE_MAX_SECONDS = 2 * 3600
COMPARED_ADDRESSES = 3
Lines = Iterator[CheckLine]


def check(account: RailAccount) -> Lines:
    chain = BitcoinChain(account)
    yield from _addresses(chain)
    try:
        info = chain.node.info()
    except ProviderError as error:
        yield _line("node", Finding.FAILED, str(error))
        return
    yield _chain("chain", chain, info)
    for subject, ask in (("tip", _tip), ("transactions", _transactions)):
        try:
            yield ask(chain.node, info)
        except ProviderError as error:
            yield _line(subject, Finding.FAILED, str(error))
    yield _pruning(info)
    if chain.witness is not None:
        yield _witness(chain, chain.witness, info)


def _addresses(chain: BitcoinChain) -> Lines:
    """To be compared with the operator's wallet."""
    for number in range(COMPARED_ADDRESSES):
        yield _line("address", Finding.UNCHECKED, f"m/0/{number} {chain.derive(number).text}")


def _chain(subject: str, chain: BitcoinChain, info: ChainInfo) -> CheckLine:
    named = chain.settings.network.chain
    text = gettext("the node's chain is %(found)s, and the account's %(named)s")
    is_right = info.chain == named
    return _line(subject, _finding(is_right), text % {"found": info.chain, "named": named})


def _tip(node: BitcoinNode, info: ChainInfo) -> CheckLine:
    if info.is_downloading:
        text = gettext("the node is still downloading the chain; it is at block %d")
        return _line("tip", Finding.FAILED, text % info.height)
    age = round((clock.now() - node.header(info.hash).time).total_seconds())
    text = gettext("block %(height)d, %(age)d s old") % {"height": info.height, "age": age}
    return _line("tip", _finding(abs(age) <= TIP_AGE_MAX_SECONDS), text)


def _transactions(node: BitcoinNode, info: ChainInfo) -> CheckLine:
    """Whether the node finds a transaction that is in a block: the first one of the tip."""
    first = node.block(info.hash).transactions[0].id
    if node.place(first) is not None:
        return _line("transactions", Finding.OK, gettext("the node finds those of all blocks"))
    text = gettext(
        "the node finds only those that wait, and those with an output that is not spent. With "
        "txindex=1 it finds all, which proves refunds."
    )
    return _line("transactions", Finding.UNCHECKED, text)


def _pruning(info: ChainInfo) -> CheckLine:
    if not info.is_pruned:
        return _line("blocks", Finding.OK, gettext("the node keeps all blocks"))
    text = gettext(
        "the node deletes old blocks. If we were off for longer than it keeps them, payments "
        "of that time are lost to us."
    )
    return _line("blocks", Finding.UNCHECKED, text)


def _witness(chain: BitcoinChain, witness: BitcoinNode, info: ChainInfo) -> CheckLine:
    """The second node may be a block behind, so both are asked about an older one."""
    height = max(0, info.height - chain.settings.large)
    try:
        second = witness.info()
        is_same = witness.block_hash(height) == chain.node.block_hash(height)
    except ProviderError as error:
        return _line("witness", Finding.FAILED, str(error))
    if second.chain != info.chain:
        return _chain("witness", chain, second)
    agrees = gettext("the second node agrees on block %d")
    differs = gettext("the second node does not have the same block %d")
    return _line("witness", _finding(is_same), (agrees if is_same else differs) % height)


def _finding(is_right: bool) -> Finding:
    return Finding.OK if is_right else Finding.FAILED


def _line(subject: str, finding: Finding, text: str) -> CheckLine:
    return CheckLine(subject=subject, finding=finding, text=text)
