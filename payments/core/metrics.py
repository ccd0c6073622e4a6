"""Metrics that an app reads from its tables, declared as `metrics` on its AppConfig.

No count reads more than %(cap)s rows, and no statement reads a whole table. Statements may use the
parameters of config.metrics.collector.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MetricQuery:
    """A row has the labels first, then a value for each metric. `metrics`: {name: help}."""

    labels: tuple[str, ...]
    metrics: dict[str, str]
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingTable:
    """`provider` is the setting with the provider's code."""

    table: str
    provider: str
    has_approval: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppMetrics:
    """
    queries    metrics of the app alone.
    outgoing   {product: its table of outgoing payments}
    ages       SQL of (scanner, seconds that its oldest row has been due).
    decisions  SQL of (what, for whom, number of rows that wait for a decision).
    """

    queries: tuple[MetricQuery, ...] = ()
    outgoing: Mapping[str, OutgoingTable] = field(default_factory=dict)
    ages: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


def age(scanner: str, table: str, due: str) -> str:
    """`scanner` is an entry of the beat schedule, `due` the column of the due time."""
    return f"""
        SELECT '{scanner}', (SELECT extract(epoch FROM %(now)s - {due}) FROM {table}
            WHERE {due} IS NOT NULL ORDER BY {due} LIMIT 1)"""  # noqa: S608
