"""Many threads on the same balances: no overdraft, no deadlock, nothing posted twice (F2)."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from merchants.models import Merchant
from payments.ledger import recipes, services
from payments.ledger.models import Account, Entry, Posting
from payments.ledger.services import PostingLine
from tests.ledger.books import NOW, balance, peso

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 16


def together(count: int, act: Callable[[int], object], threads: int = THREADS) -> Counter[str]:
    """Runs `act(number)` in a transaction each, `threads` at a time, and counts how they ended."""
    start = threading.Barrier(threads)
    wait_once = threading.local()

    def one(number: int) -> str:
        if not hasattr(wait_once, "done"):
            wait_once.done = True
            start.wait(timeout=60)
        try:
            with transaction.atomic():
                act(number)
        except Exception as error:
            return type(error).__name__
        return "done"

    def leave(_: int) -> None:
        start.wait(timeout=60)
        connection.close()

    with ThreadPoolExecutor(threads) as pool:
        ended = Counter(pool.map(one, range(count)))
        start.reset()
        list(pool.map(leave, range(threads)))
    return ended


def credit(merchant: Merchant, amount: int, reference: str = "demo") -> Entry:
    return recipes.sandbox_credited(
        merchant_id=merchant.pk, currency="COP", amount=peso(amount), reference=reference, now=NOW
    )


def move(*lines: tuple[services.AccountRef, int], idempotency_key: str) -> Entry:
    return services.post(
        kind="test",
        subject_id="po_1",
        idempotency_key=idempotency_key,
        lines=[PostingLine(book, peso(amount)) for book, amount in lines],
        now=NOW,
    )


def test_a_balance_for_73_debits_pays_exactly_73(merchant: Merchant) -> None:
    with transaction.atomic():
        credit(merchant, 73 * 1013)
    spendable, rail = services.available(merchant.pk, "COPM"), services.clearing("TEST", "COPM")

    ended = together(
        200, lambda number: move((spendable, -1013), (rail, 1013), idempotency_key=str(number))
    )

    print(f"200 debits against a balance for 73: {dict(ended)}, left {balance(merchant.pk)}")
    assert ended == {"done": 73, "InsufficientBalance": 127}
    assert balance(merchant.pk) == 0
    assert services.verify().problems == []


def test_opposite_orders_do_not_deadlock(merchant: Merchant, stranger: Merchant) -> None:
    with transaction.atomic():
        credit(merchant, 100_000)
        credit(stranger, 100_000)
    one, other = (services.available(owner.pk, "COPM") for owner in (merchant, stranger))

    def swap(number: int) -> Entry:
        giver, taker = (one, other) if number % 2 else (other, one)
        return move((giver, -10), (taker, 10), idempotency_key=str(number))

    ended = together(400, swap)

    print(f"400 transfers between two balances in both directions: {dict(ended)}")
    assert ended == {"done": 400}
    assert balance(merchant.pk) == balance(stranger.pk) == 100_000
    assert services.verify().problems == []


def test_one_fact_reported_at_once_is_posted_once(merchant: Merchant) -> None:
    ended = together(64, lambda _: credit(merchant, 1000))

    print(f"one fact reported 64 times at once: {dict(ended)}")
    assert ended == {"done": 1, "AlreadyPosted": 63}
    assert (Entry.objects.count(), Posting.objects.count()) == (1, 2)
    assert balance(merchant.pk) == 1000


def test_a_fact_may_be_posted_after_the_first_attempt_rolled_back(merchant: Merchant) -> None:
    class Cancelled(Exception):
        pass

    def fail_at_first(number: int) -> None:
        credit(merchant, 1000)
        if number < 32:
            raise Cancelled

    ended = together(64, fail_at_first)

    assert ended["done"] == 1
    assert ended["done"] + ended["AlreadyPosted"] + ended["Cancelled"] == 64
    assert balance(merchant.pk) == 1000
    assert services.verify().problems == []


def test_new_accounts_are_opened_once(merchant: Merchant, stranger: Merchant) -> None:
    """All threads need accounts that are new, named in different orders."""
    currencies = ["COPM", "USDT", "BTC", "ETH", "USDC"]

    def first_payment(number: int) -> Entry:
        owner = (merchant, stranger)[number % 2]
        currency = currencies[number // 2 % len(currencies)]
        lines = [
            (services.clearing("CRYPTO", currency), -3),
            (services.available(owner.pk, currency), 2),
            (services.fees(currency), 1),
        ]
        return move(*lines[:: 1 if number % 3 else -1], idempotency_key=str(number))

    ended = together(160, first_payment)

    assert ended == {"done": 160}
    assert Account.objects.count() == 4 * len(currencies)
    assert balance(merchant.pk, "BTC") == balance(stranger.pk, "ETH") == 32
    assert services.verify().problems == []


def test_no_balance_is_locked_while_waiting_for_a_new_account(
    merchant: Merchant, stranger: Merchant
) -> None:
    """The thread that makes the account may want that balance next: both would wait for ever."""
    with transaction.atomic():
        credit(merchant, 1000)
        credit(stranger, 1000)
    new = services.fees("COPM")

    def pay(owner: Merchant) -> None:
        with transaction.atomic():
            move((services.available(owner.pk, "COPM"), -1), (new, 1), idempotency_key=owner.pk)

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            move((services.available(stranger.pk, "COPM"), -1), (new, 1), idempotency_key="first")
            waiting = pool.submit(pay, merchant)
            wait_until_a_session_waits()
            locked = Account.objects.select_for_update(nowait=True).filter(merchant=merchant)
            assert [account.balance for account in locked] == [1000]
        waiting.result(timeout=60)
        pool.submit(lambda: connection.close()).result()

    assert balance(merchant.pk) == 999


def wait_until_a_session_waits() -> None:
    """Until another connection of this database waits for a lock."""
    for _ in range(6000):
        with connection.cursor() as cursor:
            # Not pg_stat_activity, which stands still during a transaction.
            cursor.execute(
                "SELECT count(*) FROM pg_locks AS waiting WHERE NOT granted AND EXISTS ("
                " SELECT FROM pg_locks AS held JOIN pg_database ON pg_database.oid = held.database"
                " WHERE held.pid = waiting.pid AND datname = current_database())"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise AssertionError("no session waits")


def test_verifying_while_payments_arrive_raises_no_alarm(merchant: Merchant) -> None:
    reports = []

    def work(number: int) -> None:
        if number % 20 == 10:
            return
        credit(merchant, 5, reference=str(number))

    watching = threading.Event()

    def watch() -> None:
        while not watching.is_set():
            reports.append(services.verify())
        connection.close()

    watcher = threading.Thread(target=watch)
    watcher.start()
    together(300, work, threads=4)
    watching.set()
    watcher.join()

    assert len(reports) > 1
    assert [report.problems for report in reports if not report.ok] == []
