"""Reorganisations, nodes that lag, lie, fall silent or change the chain, and scans at once."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payments.chains import tasks
from payments.chains.models import ChainCursor, CoinAddress, Deposit, ScannedBlock
from payments.chains.scanner import runs
from payments.chains.services import watching
from payments.collect.models import UnmatchedFunds
from payments.core import clock
from payments.core.ids import new_id
from payments.ledger import services as ledger
from tests.chains.fake_chain import FakeChain, Ledger, MempoolChain, doubtful, silent, transfer
from tests.chains.shop import buy, payment, report, scan, seen, statuses
from tests.support.concurrency import run_concurrently
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
WHOLE = "0.25012500"


@pytest.mark.parametrize("depth", range(1, 6))
def test_reorganisation_before_finality_credits_once(
    depth: int, api: ApiClient, chain: FakeChain
) -> None:
    chain.needed = 7
    charge = buy(api)
    first_seen = clock.now()
    chain.ledger.mine(payment(charge))
    chain.ledger.mine(count=depth - 1)
    scan(chain)
    assert seen(charge)[2] == WHOLE
    chain.ledger.reorganise(depth)
    chain.ledger.mine(count=depth)
    scan(chain)
    assert (statuses(), seen(charge)[2]) == (["IN_BLOCK"], WHOLE)
    chain.ledger.mine(count=7)
    scan(chain)
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert not UnmatchedFunds.objects.exists()
    assert abs(Deposit.objects.get().first_seen_at - first_seen) < timedelta(seconds=30)
    assert not ledger.verify().problems


def test_transaction_that_the_new_fork_does_not_have_is_gone(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge))
    scan(chain)
    chain.ledger.reorganise(1, returns=False)
    chain.ledger.mine(count=2)
    scan(chain)
    assert (statuses(), seen(charge)[1:]) == (["GONE"], ("0.00000000", "0.00000000"))
    chain.ledger.mine(count=10)
    scan(chain)
    assert seen(charge)[1] == "0.00000000"


def test_reorganisation_without_a_mempool(api: ApiClient, chain: FakeChain) -> None:
    """As of EVM: what the new fork has is never gone, and what it does not have is."""
    chain.__class__ = FakeChain
    kept, lost = buy(api), buy(api)
    paid = payment(kept)
    chain.ledger.mine(paid, payment(lost))
    scan(chain)
    chain.ledger.reorganise(1, returns=False)
    chain.ledger.mine(count=1)
    chain.ledger.mine(paid)
    scan(chain)
    assert sorted(statuses()) == ["GONE", "IN_BLOCK"]
    chain.ledger.mine()
    scan(chain)
    assert seen(kept)[:2] == ("COMPLETED", WHOLE)
    assert seen(lost)[1:] == ("0.00000000", "0.00000000")


def test_reorganisation_deeper_than_finality_calls_an_operator_and_takes_nothing_back(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api)
    paid = payment(charge)
    chain.ledger.mine(paid, count=3)
    scan(chain)
    assert seen(charge)[0] == "COMPLETED"
    chain.ledger.reorganise(3, returns=False)
    chain.ledger.mine(count=4)
    scan(chain)
    deposit = Deposit.objects.get()
    assert (deposit.status, deposit.contradicted_at is None) == ("FINAL", False)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    chain.ledger.mine(paid, count=2)
    scan(chain)
    assert Deposit.objects.get().contradicted_at is None, "it is on the chain again"
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert not UnmatchedFunds.objects.exists()
    assert not ledger.verify().problems


def test_node_behind_writes_nothing_and_stops_new_addresses(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge))
    chain.ledger.mine(count=5)
    scan(chain)
    assert seen(charge)[0] == "COMPLETED"
    later, chain.ledger.blocks = chain.ledger.blocks[-4:], chain.ledger.blocks[:-4]
    scan(chain)
    cursor = ChainCursor.objects.get()
    assert (cursor.problem, cursor.height) == ("BEHIND", 105)
    assert not watching.is_watched(chain.code, clock.now())
    assert Deposit.objects.get().contradicted_at is None
    chain.ledger.blocks += later
    scan(chain)
    assert watching.is_watched(chain.code, clock.now())
    assert ChainCursor.objects.get().problem_since is None


@pytest.mark.parametrize("trouble", [silent, doubtful])
def test_silent_node_loses_nothing(trouble: object, api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.problem = trouble()  # type: ignore[operator]
    chain.ledger.mine(payment(charge), count=2)
    scan(chain)
    since = ChainCursor.objects.get().problem_since
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        scan(chain)
    cursor = ChainCursor.objects.get()
    assert (cursor.problem, cursor.problem_since) == ("SILENT", since)
    assert not watching.is_watched(chain.code, clock.now())
    chain.problem = None
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_blocks_that_do_not_follow_each_other_are_not_believed(
    api: ApiClient, chain: FakeChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=3)
    original = FakeChain.read

    def skip_one(self: FakeChain, first: int, last: int) -> object:
        blocks = original(self, first, last)
        return [blocks[0], *blocks[2:]]

    with monkeypatch.context() as patched:
        patched.setattr(FakeChain, "read", skip_one)
        scan(chain)
    assert ChainCursor.objects.get().problem == "CONTRADICTS"
    assert not Deposit.objects.exists()
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_old_tip_stops_new_addresses_and_its_blocks_count(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)
    with time_machine.travel(clock.now() + timedelta(hours=1), tick=False):
        scan(chain)
        assert ChainCursor.objects.get().problem == "OLD_TIP"
        assert not watching.is_watched(chain.code, clock.now())
        assert seen(charge)[1] == WHOLE


def test_node_of_another_chain_waits_for_a_person(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)
    scan(chain)
    chain.ledger = Ledger("elsewhere")
    chain.ledger.mine(count=20)
    scan(chain)
    cursor = ChainCursor.objects.get()
    assert (cursor.problem, cursor.height) == ("OTHER_CHAIN", 101)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert Deposit.objects.get().contradicted_at is None


def test_chain_that_changes_while_it_is_read_is_read_again(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=3)

    def reorganise() -> None:
        chain.before_read = lambda: None
        chain.ledger.reorganise(4)
        chain.ledger.mine(count=6)

    chain.before_read = reorganise
    scan(chain)
    assert not Deposit.objects.filter(status="FINAL").exists()
    scan(chain)
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert Deposit.objects.count() == 1


def test_scan_that_dies_before_its_commit_is_repeated(
    api: ApiClient, chain: FakeChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)

    def die(*_: object) -> None:
        raise SystemError("the process was killed")

    with monkeypatch.context() as patched:
        patched.setattr("payments.chains.scanner.cursors.advance", die)
        with pytest.raises(SystemError):
            runs.scan_account(account=chain.code, now=clock.now())
    assert not Deposit.objects.exists()
    assert ChainCursor.objects.get().height == 99
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_long_absence_is_read_in_steps(api: ApiClient, chain: FakeChain, settings: object) -> None:
    settings.CHAIN_BLOCKS_PER_RUN = 20  # type: ignore[attr-defined]
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=90)
    for height in (119, 139, 159, 179, 189):
        scan(chain)
        assert ChainCursor.objects.get().height == height
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_hashes_of_old_blocks_are_forgotten(chain: FakeChain, settings: object) -> None:
    settings.CHAIN_KEPT_BLOCKS = 50  # type: ignore[attr-defined]
    chain.ledger.mine(count=120)
    scan(chain)
    assert ScannedBlock.objects.count() == 50


@pytest.mark.django_db(transaction=True)
def test_scans_at_once_credit_once(api: ApiClient, chain: FakeChain) -> None:
    charges = [buy(api) for _ in range(3)]
    for charge in charges:
        chain.ledger.mine(payment(charge))
    chain.ledger.mine(count=2)

    def act() -> None:
        for _ in range(3):
            runs.scan_account(account=chain.code, now=clock.now())
            report()

    results = run_concurrently([act] * 4)
    assert [one for one in results if isinstance(one, Exception)] == []
    report()
    for charge in charges:
        assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert statuses() == ["FINAL"] * 3
    assert not UnmatchedFunds.objects.exists()
    assert not ledger.verify().problems


def give_addresses(chain: FakeChain, count: int) -> None:
    now, start = clock.now(), CoinAddress.objects.count() + 1000
    CoinAddress.objects.bulk_create(
        CoinAddress(
            key_id=chain.key_id,
            index=index,
            address=chain.derive(index).text,
            target=chain.derive(index).target,
            account=chain.code,
            coin="BTC",
            network=chain.network,
            reference=new_id("chg"),
            amount=Decimal(1),
            expires_at=now,
            created_at=now,
        )
        for index in range(start, start + count)
    )


def queries_of_a_scan(chain: MempoolChain) -> int:
    """A block of a thousand transfers to strangers, and one to us."""
    ours = CoinAddress.objects.order_by("?").first()
    assert ours is not None
    strangers = [transfer(f"stranger{number}", 10**6) for number in range(1000)]
    chain.ledger.mine(transfer(ours.target, 10**6), *strangers)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        scan(chain, reports=False)
    return len(captured)


def test_block_costs_the_same_queries_with_many_addresses(chain: MempoolChain) -> None:
    give_addresses(chain, 10)
    few = queries_of_a_scan(chain)
    Deposit.objects.filter(status="IN_BLOCK").update(status="FINAL")
    give_addresses(chain, 990)
    assert queries_of_a_scan(chain) == few
    assert few < 40


def test_task_reads_each_chain_and_a_slow_node_takes_one_worker(
    api: ApiClient, chain: FakeChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)
    monkeypatch.setattr(tasks.scan_chain, "apply_async", lambda args, **_: tasks.scan_chain(*args))
    nested: list[int] = []

    def begin_another() -> None:
        before = len(chain.calls)
        tasks.scan_chain(chain.code)
        nested.append(len(chain.calls) - before)

    chain.before_read = begin_another
    tasks.scan_chains()
    assert nested == [0]
    report()
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    chain.before_read = lambda: None
    chain.calls.clear()
    tasks.scan_chains()
    assert chain.calls, "the place is free again"
