"""Magic values: a payer's document or an amount that makes the simulator behave in a chosen way.

The documents lie far above every number that Colombia has issued, and the amounts are odd ones, so
that ordinary payments are never disturbed. docs/simulator.md holds this table for readers.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from payments.providers.ports import ChargeRequest, ChargeStatus, Reason

# 9999000001 is the document of the first row of the table, and so on.
FIRST_DOCUMENT = 9_999_000_001
# What the payer pays for an order of 777,000,001 COP with the default fee of 0.05% (388,500).
FIRST_AMOUNT = 777_388_501
AUTOMATIC_SECONDS = 2
SLOW_SECONDS = 20
REPEATED_CALLBACKS = 3
UNANSWERED_QUERIES = 3


class Start(StrEnum):
    """What becomes of the call that starts a charge."""

    ANSWERED = "ANSWERED"
    REFUSED = "REFUSED"
    UNAVAILABLE = "UNAVAILABLE"
    LOST_AFTER = "LOST_AFTER"
    LOST_BEFORE = "LOST_BEFORE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Magic:
    """One row of the table. The defaults are an ordinary payment.

    outcome        the status that comes whatever the payer does; None leaves it to the payer.
    after_seconds  the outcome also comes by itself this long after the start: the clock sends it,
                   unless a query or a visit to the page found it before.
    waits          the payer's button decides nothing: the outcome comes with time alone.
    callbacks      how many times each news is sent: 0 means that only a query learns of it.
    confirmed_after_seconds
                   so long after the money the rail reaches finality, which only a query learns.
    """

    name: str = "ordinary"
    start: Start = Start.ANSWERED
    outcome: ChargeStatus | None = None
    reason: str = ""
    after_seconds: int | None = None
    waits: bool = False
    callbacks: int = 1
    unanswered_queries: int = 0
    confirmed_after_seconds: int = 0


ORDINARY = Magic()
TABLE = (
    Magic(name="approved", outcome=ChargeStatus.SUCCEEDED, after_seconds=AUTOMATIC_SECONDS),
    Magic(name="refused-at-start", start=Start.REFUSED, reason=Reason.REFUSED_BY_PROVIDER),
    Magic(
        name="refused",
        outcome=ChargeStatus.FAILED,
        reason=Reason.INSUFFICIENT_FUNDS,
        after_seconds=AUTOMATIC_SECONDS,
    ),
    Magic(
        name="slow",
        outcome=ChargeStatus.SUCCEEDED,
        after_seconds=SLOW_SECONDS,
        waits=True,
    ),
    Magic(name="answer-lost-after", start=Start.LOST_AFTER),
    Magic(name="answer-lost-before", start=Start.LOST_BEFORE),
    Magic(name="unavailable", start=Start.UNAVAILABLE),
    Magic(
        name="abandoned",
        outcome=ChargeStatus.ABANDONED,
        reason=Reason.CANCELLED_BY_PAYER,
        after_seconds=AUTOMATIC_SECONDS,
    ),
    Magic(name="callback-repeated", callbacks=REPEATED_CALLBACKS),
    Magic(name="callback-lost", callbacks=0),
    Magic(name="query-unavailable", unanswered_queries=UNANSWERED_QUERIES),
    Magic(name="confirmed-later", confirmed_after_seconds=SLOW_SECONDS),
)
BY_NAME = {ORDINARY.name: ORDINARY, **{magic.name: magic for magic in TABLE}}
BY_DOCUMENT = {str(FIRST_DOCUMENT + row): magic for row, magic in enumerate(TABLE)}
BY_AMOUNT = {Decimal(FIRST_AMOUNT + row): magic for row, magic in enumerate(TABLE)}


def of(request: ChargeRequest) -> Magic:
    """How to behave for this request: the document decides, then the amount (pesos only)."""
    document = "".join(c for c in request.payer.document_number if c.isalnum())
    if document in BY_DOCUMENT:
        return BY_DOCUMENT[document]
    return BY_AMOUNT.get(request.amount, ORDINARY) if request.currency == "COP" else ORDINARY
