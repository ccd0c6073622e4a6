"""Scans that are timed: `python -m benchmarks.scan_process ROUNDS`, with the service's settings.

Three accounts read the same blocks, in turn. Their keys have few, more and many addresses, which
all stand in one table. Prints JSON: chain -> addresses -> [[blocks, seconds, statements], ...].
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import django

SIZES = (10, 1_000, 100_000)
EVM, BITCOIN, MEMORY = "anvil", "bcoin", "in memory"
# Blocks of a round, and transfers of a block to strangers.
SHAPES = {EVM: (10, 20), BITCOIN: (10, 100), MEMORY: (10, 5_000)}
# One for each block. The subsidy of regtest halves after 150 blocks.
COINS = 100
_ADDRESSES = """
INSERT INTO chains_coinaddress (key_id, index, address, target, account, coin, network, reference,
    amount, expires_at, created_at)
SELECT %(key)s::text, n, %(account)s::text || n,
    %(prefix)s::text || substr(encode(sha256((%(key)s::text || n)::bytea), 'hex'), 1, 40),
    %(account)s::text, %(coin)s::text, %(network)s::text,
    'chg_' || lpad(n::text, 26, '0'), 1, now(), now()
FROM generate_series(0, %(count)s - 1) AS n
"""
_SOME = "SELECT target FROM chains_coinaddress WHERE account = %s ORDER BY random() LIMIT %s"
# Nothing of it is a charge's: the workers of the service must not look for them.
_QUIET = "UPDATE chains_coinaddress SET report_at = NULL WHERE report_at IS NOT NULL"


@dataclass(frozen=True)
class Contest:
    """`mine` puts a transfer to each of the targets into a block of its own kind."""

    name: str
    chains: dict[int, Any]
    coin: str
    prefix: str
    mine: Callable[[list[str], int], None]


def main() -> None:
    django.setup()
    rounds = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for contest in chain([_in_memory()], _on_nodes(Path(folder))):
            found[contest.name] = _measure(contest, rounds)
    print(json.dumps(found))


def _measure(contest: Contest, rounds: int) -> dict[int, list[list[float]]]:
    from django.db import connection

    for size, one in contest.chains.items():
        with connection.cursor() as cursor:
            values = {"key": one.key_id, "account": one.code, "network": one.network}
            values |= {"coin": contest.coin, "prefix": contest.prefix, "count": size}
            cursor.execute(_ADDRESSES, values)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE chains_coinaddress")
    for one in contest.chains.values():
        _scan(one)
    blocks, strangers = SHAPES[contest.name]
    found: dict[int, list[list[float]]] = {size: [] for size in SIZES}
    for number in range(rounds + 1):
        for targets in zip(*(_some(one, blocks) for one in contest.chains.values()), strict=True):
            contest.mine(list(targets), strangers)
        # Who comes first in a round changes.
        for size in (SIZES * 2)[number % len(SIZES) :][: len(SIZES)]:
            seconds, statements = _scan(contest.chains[size])
            if number:  # the first one warms up
                found[size].append([blocks, seconds, statements])
    with connection.cursor() as cursor:
        cursor.execute(_QUIET)
    return found


def _some(port: Any, count: int) -> list[str]:
    """As many targets as there are blocks."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_SOME, [port.code, count])
        return [row[0] for row in cursor.fetchall()]


def _scan(port: Any) -> tuple[float, int]:
    from django.db import connection

    from payments.chains.models import ChainCursor
    from payments.chains.scanner import runs
    from payments.chains.services import chain_accounts
    from payments.core import clock

    chain_accounts.find_chain = lambda _: port  # type: ignore[assignment]
    statements = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal statements
        statements += 1
        return execute(*arguments)

    began = time.perf_counter()
    with connection.execute_wrapper(count):
        runs.scan_account(account=port.code, now=clock.now())
    seconds = time.perf_counter() - began
    cursor = ChainCursor.objects.get(pk=port.code)
    assert (cursor.problem, cursor.height) == ("", cursor.tip_height), cursor.problem
    return seconds, statements


def _in_memory() -> Contest:
    from tests.chains import fake_chain

    ledger = fake_chain.Ledger("bench")

    def mine(targets: list[str], strangers: int) -> None:
        """No stranger is paid twice, so that all of them are looked for."""
        height = len(ledger.blocks)
        others = [fake_chain.digest(height, number)[:40] for number in range(strangers)]
        ledger.mine(*(fake_chain.transfer(one, 10**6) for one in (*targets, *others)))

    chains = {
        size: fake_chain.MempoolChain(
            f"memory-{size}", ledger=ledger, network="bench", key=fake_chain.digest("bench", size)
        )
        for size in SIZES
    }
    return Contest(MEMORY, chains, "BTC", "", mine)


def _on_nodes(folder: Path) -> Iterator[Contest]:
    """Each node runs while its contest does."""
    with _anvil() as contest:
        yield contest
    with _bcoin(folder) as contest:
        yield contest


@contextmanager
def _anvil() -> Iterator[Contest]:
    from payments.providers.account import Mode, RailAccount
    from payments.providers.evm.chain import EvmChain
    from tests.chains import wallets
    from tests.chains.nodes.anvil import running_anvil

    with running_anvil() as node:

        def mine(targets: list[str], strangers: int) -> None:
            for number in range(strangers):
                node.send(f"0x{number + 1:040x}", value=10**15)
            for one in targets:
                node.send(one, value=10**15)
            node.mine()

        chains = {
            size: EvmChain(
                RailAccount(
                    slug=f"anvil-{size}",
                    mode=Mode.SANDBOX,
                    base_url=node.url,
                    credentials=wallets.evm_credentials(node, {}, network="bench-evm"),
                )
            )
            for size in SIZES
        }
        yield Contest(EVM, chains, "ETH", "0x", mine)


@contextmanager
def _bcoin(folder: Path) -> Iterator[Contest]:
    from embit.script import Script

    from payments.providers.account import Mode, RailAccount
    from payments.providers.bitcoin.chain import BitcoinChain
    from tests.chains import wallets
    from tests.chains.nodes.bcoin import MATURITY, SUBSIDY, Bcoin

    node = Bcoin(folder)
    node.start()
    try:

        def mine(targets: list[str], strangers: int) -> None:
            others = [f"0014{number + 1:040x}" for number in range(strangers)]
            scripts = [Script(bytes.fromhex(one)) for one in (*targets, *others)]
            node.send(node.coins.pop(), [(one, 10_000) for one in scripts], 20_000)
            node.mine()

        for block in node.mine(MATURITY + COINS)[:COINS]:
            node.coins.append((node.ask("getblock", block)["tx"][0], 0, SUBSIDY))
        chains = {
            size: BitcoinChain(
                RailAccount(
                    slug=f"bcoin-{size}",
                    mode=Mode.SANDBOX,
                    base_url=node.url,
                    credentials=wallets.bitcoin_credentials(node),
                )
            )
            for size in SIZES
        }
        yield Contest(BITCOIN, chains, "BTC", "0014", mine)
    finally:
        node.stop()


if __name__ == "__main__":
    main()
