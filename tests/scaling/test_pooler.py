"""PgBouncer in transaction mode: many clients, few connections, and none of them one's own."""

import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

import psycopg
import pytest

from config.devstack.demo.receiver import Receiver
from config.devstack.postgres import Postgres
from config.devstack.throwaway import make_throwaway
from tests.faults import SCALE, scaled
from tests.scaling import full_size_only
from tests.scaling.fleet import Fleet
from tests.scaling.operator import Operator
from tests.scaling.pooler import PgBouncer
from tests.support.live_service import LiveService, running, wrong_in
from tests.support.scenario import Inbox, Scenario, finish
from tests.support.traffic import Traffic, others

CONNECTIONS = 3
CLIENTS = 8 if SCALE >= 1 else 4
WRITES = scaled(200)
SAME = scaled(500)
GONE_SECONDS = 8
# query_wait_timeout, and what a new connection takes.
ANSWER_SECONDS, BACK_SECONDS = 10, 10
LONG_LIST = 2100  # rows; beyond what a request makes by itself
FILL = """
INSERT INTO core_auditentry (actor, action, subject_type, subject_id, reason, details, at)
SELECT 'tests', 'tests.filled', 'merchant', number::text, '', '{}', now()
FROM generate_series(1, %s) AS number
"""
# What a pooler cannot be told by the clients' `options`.
TIMEOUTS = """
ALTER ROLE postgres SET statement_timeout = '30s';
ALTER ROLE postgres SET lock_timeout = '15s';
ALTER ROLE postgres SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE postgres SET timezone = 'America/Bogota'
"""


@pytest.fixture(scope="module")
def pooler() -> Iterator[PgBouncer]:
    """Two connections in front of a PostgreSQL of its own."""
    root = make_throwaway("pooler")
    logs = root / "logs"
    logs.mkdir()
    postgres = Postgres(root, log=logs / "postgres.log", throwaway=True)
    bouncer = PgBouncer(postgres, log=logs / "pgbouncer.log", connections=2)
    try:
        postgres.start()
        bouncer.start()
        yield bouncer
    finally:
        bouncer.stop()
        postgres.stop()
        shutil.rmtree(root, ignore_errors=True)


def test_a_process_that_was_not_told_is_refused_at_once(pooler: PgBouncer) -> None:
    with pytest.raises(psycopg.OperationalError, match="unsupported startup parameter: options"):
        psycopg.connect(pooler.url, options="-c statement_timeout=30000")


def test_what_the_setting_switches_off_would_break(pooler: PgBouncer) -> None:
    """A prepared statement of one client's is looked for on the connection of another's."""
    with psycopg.connect(pooler.url, autocommit=True, prepare_threshold=0) as client:
        client.execute("SELECT %s::int", [1])
        with psycopg.connect(pooler.url) as other:
            other.execute("SELECT 1")  # and holds the connection until the transaction ends
            with pytest.raises(psycopg.errors.InvalidSqlStatementName):
                client.execute("SELECT %s::int", [2])


def test_the_service_works_behind_it() -> None:
    """Orders, payouts, webhooks, exports, one key at once, and the books at the end."""
    receiver = Receiver()
    inbox = Inbox(receiver)
    fleet = partial(Fleet, pooled=CONNECTIONS)
    with inbox.open(), running(fleet, WEB_THREADS="8") as live_service:
        pooler: PgBouncer = live_service.service("pgbouncer")
        merchant = live_service.create_merchant(
            f"--webhook-url={receiver.url}", "--event=payment.expired"
        )
        receiver.secret = merchant["webhookSecret"]
        with live_service.connection() as tables:
            tables.execute(TIMEOUTS)
            pooler.ask("RECONNECT")
            tables.execute(FILL, [LONG_LIST])
            scenario = Scenario(live_service, merchant, tables)
            with scenario.running(CLIENTS):
                scenario.wait_for_writes(WRITES)
                same = scenario.ask_with_one_key([scenario.open_client() for _ in range(SAME)])
                lines = long_file(live_service)
                clients, servers = pooler.clients(), pooler.servers()
            finished = finish(tables)
        assert not live_service.ended()
        found = live_service.compare(merchant["merchantId"], scenario.log())
        transactions, waited = pooler.transactions()
        with psycopg.connect(pooler.url) as through:
            limit = through.execute("SHOW statement_timeout").fetchone()
    kinds = scenario.kinds()
    told = Counter(kind for _, kind in scenario.events)
    print(
        f"PgBouncer, {CONNECTIONS} connections: {clients} clients of the service on {servers}"
        f" connections, {transactions:,} transactions, each waited {waited:.2f} ms;"
        f" {kinds.total():,} requests, others than 2xx {others(kinds, good) or 0};"
        f" {SAME} payouts with one key: {len(same)} id; {len(scenario.orders):,} orders,"
        f" {len(scenario.payouts):,} payouts, lost {len(found['lost'])}, doubled"
        f" {found['doubled']}, ended wrong {len(found['wrongEnds'])};"
        f" webhooks {told.total():,}, lost {len(scenario.events - set(inbox.events))};"
        f" exported {lines:,} rows; finished {finished:.1f} s after the load"
    )
    assert not scenario.problems
    assert set(kinds) == {"2xx"}
    assert servers <= CONNECTIONS < clients
    assert limit == ("30s",)
    assert len(same) == 1
    assert lines > LONG_LIST
    assert not inbox.forged
    assert set(inbox.events) == scenario.events
    assert wrong_in(found) == {}


@full_size_only
def test_the_database_goes_away_behind_it() -> None:
    """Clients hear 503 in time, not silence; nothing that was acknowledged is lost."""
    with running(partial(Fleet, pooled=CONNECTIONS), WEB_THREADS="8") as live_service:
        merchant = live_service.create_merchant()
        traffic = Traffic(live_service, merchant)
        with traffic.running(CLIENTS):
            traffic.wait_for_writes(WRITES)
            first = len(traffic.answers)
            live_service.postgres.process.send_signal(signal.SIGQUIT)
            live_service.postgres.process.wait(30)
            time.sleep(GONE_SECONDS)
            live_service.postgres.start()
            back_at = time.monotonic()
            traffic.wait_for_writes(WRITES)
        good_again = min(
            answer.ended_at
            for answer in traffic.answers
            if answer.began_at > back_at and answer.is_good
        )
        with live_service.connection() as tables:
            finished = finish(tables)
        found = live_service.compare(merchant["merchantId"], traffic.log())
    kinds = traffic.kinds()
    slowest = max(answer.seconds for answer in traffic.answers[first:])
    print(
        f"PgBouncer, database away for {GONE_SECONDS} s: {kinds.total():,} requests, {dict(kinds)},"
        f" slowest answer {slowest:.1f} s, first 2xx {good_again - back_at:.1f} s after its return;"
        f" {len(traffic.orders):,} orders, {len(traffic.payouts):,} payouts, lost"
        f" {len(found['lost'])}, doubled {found['doubled']}, ended wrong"
        f" {len(found['wrongEnds'])}; finished {finished:.1f} s after the load"
    )
    assert not traffic.problems
    assert set(kinds) == {"2xx", "503"}
    assert slowest < ANSWER_SECONDS
    assert good_again - back_at < BACK_SECONDS
    assert wrong_in(found) == {}


def good(kind: str) -> bool:
    return kind == "2xx"


def long_file(live_service: LiveService) -> int:
    """Rows of an export that the money worker makes."""
    person = Operator(live_service.postgres.data_dir)
    person.log_in(live_service.options)
    export = person.ask_for_file(live_service.options, "core/auditentry")
    person.wait_for_file(live_service.options, export)
    return person.rows(live_service.options, export)
