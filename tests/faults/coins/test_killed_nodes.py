"""F26: payers pay over two nodes that are killed and lose blocks, while scanners are killed too."""

import itertools
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path

import pytest

from config.devstack.options import PROJECT
from tests.chains import wallets
from tests.faults import scaled
from tests.faults.coins import books, page_payer
from tests.faults.coins.books import Payment
from tests.faults.coins.killable_nodes import KillableAnvil, KillableBcoin, KillableNode
from tests.support.factories import order_body
from tests.support.live_service import LiveService, running, wait_until, wrong_in
from tests.support.measurements import record, seeded
from tests.support.traffic import Client, Traffic

pytestmark = [pytest.mark.faults("F26"), pytest.mark.slow]
PAYMENTS = scaled(500)
KILLS = max(3, scaled(20))
# One payment of so many is in BTC, and so is one kill.
BITCOIN_OF = 10
PAYERS = 3
BLOCK_SECONDS = 0.3
DOWN_SECONDS = (0.2, 2.0)
# Payments in so many blocks are final (tests.chains.wallets.FINALITY).
LOST_BLOCKS = wallets.FINALITY - 1
FINISHED_SECONDS = 120
SETTINGS = {"CHAIN_SCAN_SECONDS": "1"}
PRICES = {"ETH": 12_000_000, "USDT": 4_000, "USDC": 4_000, "BTC": 400_000_000}
OPEN = "SELECT count(*) FROM collect_order WHERE status <> 'COMPLETED'"


class CoinTraffic(Traffic):
    """Orders whose payers read an address on the page and pay it: once, in parts, or too much."""

    def __init__(
        self,
        live_service: LiveService,
        merchant: dict[str, str],
        evm: KillableNode,
        btc: KillableNode,
    ) -> None:
        super().__init__(live_service, merchant)
        self.payments: list[Payment] = []
        # How often a payer was offered no address, because the chain was not watched.
        self.refused = 0
        self._nodes = evm, btc

    def acts(self, _client: str) -> Iterator[object]:
        return itertools.repeat(self._sell)

    def _sell(self, client: Client) -> None:
        number = next(self._keys)
        if number > PAYMENTS:
            self._stopping.set()
            return
        key = f"order-{number}"
        body = order_body(reference=key, amount=50_000 + number, expirationMinutes=240)
        order = self.orders[key] = client.write("/collect", body, key)
        client.close()
        node = self._nodes[number % BITCOIN_OF == 0]
        currency = node.currencies[number % len(node.currencies)]
        shown = page_payer.choose_coin(
            self.address, order["collectUrl"], f"{currency}-{node.network}"
        )
        self.refused += shown.tries - 1
        units = [node.pay(currency, shown.address, part) for part in parts(number, shown.amount)]
        self.payments.append(Payment(order["id"], currency, shown.address, sum(units)))


def parts(number: int, amount: Decimal) -> list[Decimal]:
    if number % 7 == 1:
        first = round(amount / 3, 6)
        return [first, amount - first]
    return [amount + round(amount / 10, 6)] if number % 7 == 2 else [amount]


class Scanners:
    """tests.faults.coins.scanners."""

    def __init__(self, live_service: LiveService, accounts: list[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.faults.coins.scanners", *accounts],
            cwd=PROJECT,
            env=live_service.options.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def kill(self, number: int) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline().strip() == "-9", "a scanner ended by itself"

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(30)


@contextmanager
def mining(node: KillableNode) -> Iterator[None]:
    stopping = threading.Event()

    def mine() -> None:
        while not stopping.wait(BLOCK_SECONDS):
            node.mine()

    thread = threading.Thread(target=mine, name=f"miner-{node.code}")
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def connect(
    live_service: LiveService, merchant: dict[str, str], evm: KillableAnvil, btc: KillableBcoin
) -> None:
    accounts = [
        [evm.code, "evm", evm.node.url, wallets.evm_credentials(evm.node, evm.tokens)],
        [btc.code, "bitcoin", btc.node.url, wallets.bitcoin_credentials(btc.node)],
    ]
    live_service.connect_coins(merchant["merchantId"], accounts, PRICES)


def break_everything(
    live_service: LiveService,
    traffic: CoinTraffic,
    scanners: Scanners,
    nodes: tuple[KillableNode, KillableNode],
) -> dict[str, int]:
    chance = seeded(26)
    done = {"scanners killed": 0, "workers killed": 0, "reorganisations": 0}
    for number in range(KILLS):
        wait_until(
            lambda goal=number * PAYMENTS // KILLS: bool(  # type: ignore[misc]
                len(traffic.payments) >= goal or traffic.problems
            ),
            seconds=300,
            what=f"payments before kill {number}",
        )
        scanners.kill(number % 2)
        done["scanners killed"] += 1
        if number % 5 == 1:
            live_service.kill("money")
            live_service.start("money")
            done["workers killed"] += 1
        nodes[number % 4 == 2].lose(chance.randint(0, LOST_BLOCKS), chance.uniform(*DOWN_SECONDS))
        if number % 3 == 2:
            nodes[number % 2].reorganise(chance.randint(1, LOST_BLOCKS))
            done["reorganisations"] += 1
    return done


def test_payments_over_nodes_that_are_killed(tmp_path: Path) -> None:
    with ExitStack() as stack:
        evm = KillableAnvil(make(tmp_path / "anvil"))
        stack.callback(evm.close)
        btc = KillableBcoin(make(tmp_path / "bcoin"), PAYMENTS // BITCOIN_OF * 2 + 5)
        stack.callback(btc.close)
        live_service = stack.enter_context(running(**SETTINGS))
        merchant = live_service.create_merchant()
        connect(live_service, merchant, evm, btc)
        scanners = Scanners(live_service, [evm.code, btc.code])
        stack.callback(scanners.close)
        traffic = CoinTraffic(live_service, merchant, evm, btc)
        tables = stack.enter_context(live_service.connection())
        with mining(evm), mining(btc):
            with traffic.running(PAYERS):
                done = break_everything(live_service, traffic, scanners, (evm, btc))
                wait_until(
                    lambda: len(traffic.payments) == PAYMENTS or bool(traffic.problems),
                    seconds=600,
                    what="all payments",
                )
            assert traffic.problems == []
            finished = wait_until(
                lambda: tables.execute(OPEN).fetchone() == (0,),
                seconds=FINISHED_SECONDS,
                what="the end of all orders",
            )
        verdict = books.compare(tables, merchant["merchantId"], traffic.payments, evm, btc)
        contradicted, unsettled = tables.execute(books.STRANGE).fetchone() or (0, 0)
        checked = live_service.run(["manage.py", "verify_ledger"])
        found = live_service.compare(merchant["merchantId"], traffic.log())
    record(
        f"{PAYMENTS} payments ({traffic.refused} times no address was offered), nodes killed"
        f" {evm.kills} + {btc.kills} times with {evm.lost_blocks} + {btc.lost_blocks} blocks lost,"
        f" {done}; {verdict.credited_once} credited once, {len(verdict.lost)} lost,"
        f" {len(verdict.doubled)} doubled; the blocks brought {dict(verdict.units)}; all over"
        f" {finished:.1f} s after the last payment; {checked.strip()}",
        payments=PAYMENTS,
        kills_of_nodes=evm.kills + btc.kills,
        blocks_lost=evm.lost_blocks + btc.lost_blocks,
        credited_once=verdict.credited_once,
        lost=len(verdict.lost),
        doubled=len(verdict.doubled),
    )
    assert (verdict.lost, verdict.doubled) == ([], [])
    assert verdict.credited_once == PAYMENTS
    assert (contradicted, unsettled) == (0, 0)
    assert '"ok":true' in checked
    assert wrong_in(found) == {}


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder
