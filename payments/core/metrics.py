"""Metrics that an app reads from its tables, declared as `metrics` on its AppConfig.

No count reads more than %(cap)s rows, and no statement reads a whole table. Statements may use the
parameters of config.metrics.collector.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MetricQuery:
    """Each row has the labels, then a value for each metric. `metrics` maps names to help texts."""

    labels: tuple[str, ...]
    metrics: dict[str, str]
    sql: str


@dataclass(frozen=True, slots=True)
class Figures:
    """As MetricQuery, of what is in the shared cache instead of a table."""

    labels: tuple[str, ...]
    metrics: dict[str, str]
    rows: Sequence[tuple[float | str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingTable:
    table: str
    has_approval: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppMetrics:
    """
    outgoing   the table of outgoing payments of each product, by the product's name.
    ages       SQL with the columns: scanner, seconds for which its oldest row has been due.
    decisions  SQL with the columns: what, for whom, number of rows that wait for a decision.
    cached     the path of a function that yields Figures. It may raise the cache's error.
    """

    queries: tuple[MetricQuery, ...] = ()
    outgoing: Mapping[str, OutgoingTable] = field(default_factory=dict)
    ages: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    cached: str = ""


def age(scanner: str, table: str, due: str) -> str:
    """`scanner` is an entry of the beat schedule, `due` the column of the due time."""
    return f"""
        SELECT '{scanner}', (SELECT extract(epoch FROM %(now)s - {due}) FROM {table}
            WHERE {due} IS NOT NULL ORDER BY {due} LIMIT 1)"""  # noqa: S608
