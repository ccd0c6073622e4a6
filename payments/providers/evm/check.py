"""What `manage.py rail_check` says of an account: its chain, its node and its tokens."""

from collections.abc import Iterator

from django.utils.translation import gettext

from payments.core import clock
from payments.providers.account import CheckLine, Finding, RailAccount
from payments.providers.evm.account import TOKENS
from payments.providers.evm.blocks import header_of
from payments.providers.evm.chain import EvmChain
from payments.providers.evm.identity import TokenFacts, read_chain_id, read_tokens
from payments.providers.evm.values import object_of
from payments.providers.ports.chain import Coin
from payments.providers.ports.errors import ProviderError

# An older last block means that the node lies behind, or the chain stands still.
TIP_AGE_MAX_SECONDS = 300
COMPARED_ADDRESSES = 3
WITNESS_BEHIND = 32
# Issuers have several spellings of one coin.
SYMBOLS = {"USDT": {"USDT", "USDT0", "USD₮", "USD₮0"}, "USDC": {"USDC"}}
Lines = Iterator[CheckLine]


def check(account: RailAccount) -> Lines:
    """Each part by itself: a node that cannot say one thing may say the others."""
    chain = EvmChain(account)
    yield from _addresses(chain)
    for subject, lines in (
        ("chain_id", _chain_id),
        ("tip", _tip),
        ("finality", _finality),
        ("syncing", _syncing),
        ("tokens", _tokens),
        ("witness_url", _witness),
    ):
        try:
            yield from lines(chain)
        except ProviderError as error:
            yield _line(subject, Finding.FAILED, str(error))


def _addresses(chain: EvmChain) -> Lines:
    """To be compared with the operator's wallet."""
    for number in range(COMPARED_ADDRESSES):
        yield _line("address", Finding.UNCHECKED, f"m/0/{number} {chain.derive(number).text}")


def _chain_id(chain: EvmChain) -> Lines:
    found, named = read_chain_id(chain.node), chain.settings.chain_id
    text = gettext("the node's chain is %(found)d, and the account's %(named)d")
    yield _line("chain_id", _finding(found == named), text % {"found": found, "named": named})


def _tip(chain: EvmChain) -> Lines:
    latest = header_of(object_of(chain.node.ask("eth_getBlockByNumber", "latest", False), "block"))
    age = round((clock.now() - latest.time).total_seconds())
    text = gettext("block %(height)d, %(age)d s old") % {"height": latest.height, "age": age}
    yield _line("tip", _finding(abs(age) <= TIP_AGE_MAX_SECONDS), text)


def _finality(chain: EvmChain) -> Lines:
    if depth := chain.settings.finality:
        yield _line("finality", Finding.OK, gettext("%d confirmations") % depth)
        return
    found = chain.node.ask("eth_getBlockByNumber", "finalized", False)
    if found is None:
        text = gettext("the node names no finalized block: enter a number of blocks instead")
        yield _line("finality", Finding.FAILED, text)
        return
    height = header_of(object_of(found, "block")).height
    yield _line("finality", Finding.OK, gettext("the node names block %d as finalized") % height)


def _syncing(chain: EvmChain) -> Lines:
    is_done = chain.node.ask("eth_syncing") is False
    text = gettext("the node has all blocks") if is_done else gettext("the node is behind")
    yield _line("syncing", _finding(is_done), text)


def _tokens(chain: EvmChain) -> Lines:
    for coin, facts in read_tokens(chain.node, chain.settings.tokens):
        yield _line(TOKENS[coin.code], _finding(_is_token(coin, facts)), _described(facts))


def _witness(chain: EvmChain) -> Lines:
    """The second node may be some blocks behind, so both are asked about an older one."""
    if chain.witness is None:
        return
    latest = header_of(object_of(chain.node.ask("eth_getBlockByNumber", "latest", False), "block"))
    height = max(0, latest.height - WITNESS_BEHIND)
    is_same = chain.witness_hash(height) == chain.block_hash(height)
    agrees = gettext("the second node agrees on block %d")
    differs = gettext("the second node does not have the same block %d")
    yield _line("witness_url", _finding(is_same), (agrees if is_same else differs) % height)


def _is_token(coin: Coin, facts: TokenFacts) -> bool:
    return facts.decimals == coin.decimals and facts.symbol.upper() in SYMBOLS[coin.code]


def _described(facts: TokenFacts) -> str:
    if facts.decimals is None:
        return gettext("there is no token at this address")
    text = gettext("the contract says: %(symbol)s, %(decimals)d decimals")
    return text % {"symbol": facts.symbol, "decimals": facts.decimals}


def _finding(is_right: bool) -> Finding:
    return Finding.OK if is_right else Finding.FAILED


def _line(subject: str, finding: Finding, text: str) -> CheckLine:
    return CheckLine(subject=subject, finding=finding, text=text)
