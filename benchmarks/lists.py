"""What a list, a far page and the statistics cost as a merchant's history grows."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import psycopg

from benchmarks import messages
from benchmarks.client import Request, ask, drive
from benchmarks.endpoints import API
from benchmarks.machine import Machine
from benchmarks.messages import credentials
from benchmarks.report import Part, Table, at_most, below, milliseconds, number, times
from benchmarks.rounds import Size
from benchmarks.statements import logging

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = SIZES[:3]
# Every merchant has been there for a year: what grows is how many orders a day has.
DAYS = 365
LIST_TARGET, OFFSET_TARGET_MS, STATS_TARGET_MS = 1.2, 40.0, 1.0
STATISTICS = "stats"
# As the service writes them, most of them ended. Triggers stand aside; the tally is made below.
_FILL = """
INSERT INTO collect_order (id, merchant_id, reference, token, currency, amount, base_amount,
    fee_amount, description, customer_name, customer_email, customer_doc_type, customer_doc_number,
    customer_document, allowed_methods, metadata, status, expires_at, paid_at, refunded_amount,
    created_at, updated_at, fingerprint)
SELECT 'col_' || lpad((%(first)s + n)::text, 26, '0'), %(merchant)s, 'PEDIDO-' || n,
    lpad((%(first)s + n)::text, 22, '0'), 'COP', 50025, 50000, 25, 'Café de Nariño, 2 libras',
    'María Fernanda Ñáñez', 'maria' || n %% 50000 || '@example.com', 'CC', n %% 50000, n %% 50000,
    '{PSE,BANK_TRANSFER,CRYPTO}', '{}', status, at + interval '1 hour',
    CASE status WHEN 'COMPLETED' THEN at END, 0, at, at, ''
FROM generate_series(1, %(count)s) AS n, LATERAL (
    SELECT CASE WHEN n %% 20 = 0 THEN 'PENDING' WHEN n %% 10 = 1 THEN 'FAILED'
        WHEN n %% 4 = 2 THEN 'EXPIRED' ELSE 'COMPLETED' END,
        %(start)s + n * %(step)s
) AS moment (status, at)
"""
_TALLY = """
INSERT INTO collect_ordertally (merchant_id, day, currency, status, orders, amount)
SELECT merchant_id, (created_at AT TIME ZONE 'UTC')::date, currency, status, count(*), sum(amount)
FROM collect_order WHERE merchant_id = %(merchant)s GROUP BY 1, 2, 3, 4
"""


@dataclass(slots=True)
class Cell:
    """One question to one merchant: milliseconds of SQL, and seconds over HTTP, of each round."""

    sql: list[float] = field(default_factory=list)
    http: list[float] = field(default_factory=list)

    @property
    def sql_ms(self) -> float:
        """Every statement of the request, that of the authentication included."""
        return statistics.median(self.sql)

    @property
    def http_seconds(self) -> float:
        """One client."""
        return statistics.median(self.http)


# Question -> size -> what it cost.
Grid = dict[str, dict[int, Cell]]


def measure(machine: Machine, size: Size) -> Part:
    """Each question goes to the merchants in turn, the small one and the large one alike."""
    sizes = QUICK_SIZES if size.is_quick else SIZES
    start = datetime.now(UTC) - timedelta(days=DAYS)
    asked: dict[int, dict[str, Request]] = {}
    keys: dict[int, str] = {}
    with machine.connect() as connection:
        for place, count in enumerate(sizes, 1):
            own = machine.create_merchant()
            fill(connection, own["merchantId"], count, start, first=place * 10**9)
            asked[count] = dict(questions(credentials(own), count, start))
            keys[count] = own["apiKey"]
        connection.execute("VACUUM (ANALYZE) collect_order, collect_ordertally")
    grid: Grid = {name: {count: Cell() for count in sizes} for name in asked[sizes[0]]}
    _over_http(machine, asked, grid, size)
    _in_sql(machine, asked, keys, grid, 5 if size.is_quick else 15)
    return _part(grid, sizes)


def fill(
    connection: psycopg.Connection, merchant: str, count: int, start: datetime, *, first: int
) -> None:
    """`count` orders spread evenly over DAYS, with the tally that the trigger would have kept."""
    values = {
        "merchant": merchant,
        "count": count,
        "first": first,
        "start": start,
        "step": timedelta(days=DAYS) / (count + 1),
    }
    with connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute(_FILL, values)
        connection.execute(_TALLY, values)


def questions(
    headers: dict[str, str], count: int, start: datetime
) -> Iterator[tuple[str, Request]]:
    """A page of 20 with each filter, far pages, and the statistics."""
    # Neither is midnight: the days at both ends are cut in two.
    since = _moment(start + timedelta(days=200, hours=5))
    until = _moment(start + timedelta(days=230, hours=7))
    for name, query in (
        ("first page", ""),
        ("status=COMPLETED", "?status=COMPLETED"),
        ("status=PENDING", "?status=PENDING"),
        ("reference", f"?reference=PEDIDO-{count // 2}"),
        ("createdFrom", f"?createdFrom={since}"),
        ("createdTo", f"?createdTo={until}"),
        ("createdFrom, createdTo, status", f"?createdFrom={since}&createdTo={until}&status=FAILED"),
        ("offset 10%", f"?offset={count // 10}"),
        ("offset 50%", f"?offset={count // 2}"),
        ("offset 90%", f"?offset={count * 9 // 10}"),
    ):
        yield name, messages.request("GET", f"{API}/collect{query}", headers)
    yield STATISTICS, messages.request("GET", f"{API}/collect/stats", headers)


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _over_http(
    machine: Machine, asked: dict[int, dict[str, Request]], grid: Grid, size: Size
) -> None:
    seconds = size.round_seconds / 10
    for round_ in range(size.rounds + 1):
        for name, cells in grid.items():
            for count, cell in cells.items():
                request = asked[count][name]
                sample = drive(machine.address, request, first=0, seconds=seconds, clients=1)
                if round_:  # the first one warms up
                    cell.http.append(sample.percentile(0.5))


def _in_sql(
    machine: Machine,
    asked: dict[int, dict[str, Request]],
    keys: dict[int, str],
    grid: Grid,
    times_: int,
) -> None:
    """As the server says: every duration that it logs on the connection of the request."""
    with logging(machine) as captured:
        for _ in range(times_):
            for name, cells in grid.items():
                for count, cell in cells.items():
                    request = asked[count][name](0)
                    said = captured(lambda r=request: ask(machine.address, r), keys[count])  # type: ignore[misc]
                    cell.sql.append(said.milliseconds)


def _part(grid: Grid, sizes: tuple[int, ...]) -> Part:
    sql = [
        [name, *(number(cell.sql_ms) for cell in cells.values()), times(_growth(cells))]
        for name, cells in grid.items()
    ]
    http = [
        [
            name,
            *(milliseconds(cell.http_seconds) for cell in cells.values()),
            times(cells[sizes[-1]].http_seconds / cells[sizes[0]].http_seconds),
        ]
        for name, cells in grid.items()
    ]
    counts = [f"{count:,}" for count in sizes]
    last = f"{counts[-1]} / {counts[0]}"
    return Part(
        name="lists",
        title="Lists and statistics of a long history",
        method=(
            f"Merchants with {', '.join(counts)} orders of one year in one table, queried in turn; "
            "20 orders a page. *SQL*: the sum of what the server logs as the duration of every "
            "statement of the request, the authentication's included. *HTTP*: the median of one "
            "client."
        ),
        tables=[
            Table(["SQL, ms", *counts, last], sql),
            Table(["HTTP, ms", *counts, last], http),
            _targets(grid, sizes),
        ],
    )


def _growth(cells: dict[int, Cell]) -> float:
    smallest, *_, largest = cells.values()
    return largest.sql_ms / smallest.sql_ms


def _targets(grid: Grid, sizes: tuple[int, ...]) -> Table:
    lists = {name: cells for name, cells in grid.items() if "offset" not in name}
    lists.pop(STATISTICS)
    worst = max(lists, key=lambda name: _growth(lists[name]))
    largest = sizes[-1]
    rows = [
        [f"worst list ({worst}), SQL", *at_most(_growth(lists[worst]), LIST_TARGET)],
        [
            f"offset {largest * 9 // 10:,}, SQL",
            *below(grid["offset 90%"][largest].sql_ms, OFFSET_TARGET_MS, "ms"),
        ],
        [
            f"statistics of {largest:,}, SQL",
            *below(grid[STATISTICS][largest].sql_ms, STATS_TARGET_MS, "ms"),
        ],
    ]
    return Table(["Subject", "Figure", "Target", "Verdict"], rows)
