"""Magic values: a document, an amount, a phone or a bill reference that chooses an outcome.

A charge is named by the payer's document or its amount, a payout by the beneficiary's document, a
top-up by the phone, a bill by the first ten digits of its reference, a refund by the payer's
document. The documents lie far above every number that Colombia has issued, no operator has 399,
and the amounts are odd ones, so that ordinary payments are never disturbed. docs/simulator.md
holds the tables for readers.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import count

from payments.providers.ports import (
    ChargeRequest,
    ChargeStatus,
    OutgoingReason,
    OutgoingState,
    Reason,
)

# With the half second of the clock and our own work an ordinary payout ends within three seconds.
ORDINARY_SECONDS = 1
AUTOMATIC_SECONDS = 2
SLOW_SECONDS = 20
REPEATED_CALLBACKS = 3
UNANSWERED_CHARGE_QUERIES = 3
# One unanswered query makes the service query twice, and it still learns the outcome in two
# minutes.
UNANSWERED_OUTGOING_QUERIES = 1
UNREACHABLE_SENDS = 2


class OutgoingProduct(StrEnum):
    """The product of an outgoing payment, as the URL of its callbacks spells it."""

    PAYOUT = "payout"
    TOPUP = "topup"
    BILL = "bill"
    REFUND = "refund"


# The first row of each table has this key, the second the next number, and so on.
FIRST_DOCUMENT = 9_999_000_001
# What the payer pays for an order of 777,000,001 COP with the default fee of 0.05% (388,500).
FIRST_AMOUNT = 777_388_501
FIRST_KEYS = {
    OutgoingProduct.PAYOUT: 9_999_001_001,
    OutgoingProduct.TOPUP: 3_990_001_001,
    OutgoingProduct.BILL: 9_999_003_001,
    OutgoingProduct.REFUND: 9_999_002_001,
}
FIRST_DEBT = 9_999_003_101
KEY_LENGTH = 10


class CallOutcome(StrEnum):
    """What the caller gets for a call that was carried out.

    LATE  no response while the caller waits.
    """

    ANSWER = "ANSWER"
    LOST = "LOST"
    ERROR = "ERROR"
    LATE = "LATE"


class Debt(StrEnum):
    """What is owed on a bill's reference, and what a check of it gets (`fake_billers`)."""

    ORDINARY = "ordinary"
    SEVERAL = "several-bills"
    RANGE = "amount-range"
    NOTHING = "nothing-owed"
    EXPIRED = "expired"
    UNKNOWN = "unknown-reference"
    CHANGED = "changed"
    UNAVAILABLE = "check-unavailable"
    SLOW = "check-slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """What every row has.

    refused            every call is a definite no, with `reason`; the reference stays unknown.
    unreachable_calls  this many calls do not reach the simulator, with an error for the caller.
    lost_calls         this many calls are lost on the way, without an error for the caller.
    call               what the caller gets for the call that was carried out.
    callbacks          how many times each change is sent. 0: only a query learns of it.
    """

    name: str = "ordinary"
    refused: bool = False
    reason: str = ""
    unreachable_calls: int = 0
    lost_calls: int = 0
    call: CallOutcome = CallOutcome.ANSWER
    callbacks: int = 1
    unanswered_queries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeBehaviour(Behaviour):
    """With the defaults a charge waits for its payer.

    outcome                  the status that comes in any case; None: the payer decides.
    after_seconds            `outcome` also comes with time alone, this long after the start.
    waits                    the payer's button decides nothing: only time does.
    confirmed_after_seconds  this long after the money the rail reaches finality; only a query
                             learns of it.
    """

    outcome: ChargeStatus | None = None
    after_seconds: int | None = None
    waits: bool = False
    confirmed_after_seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingBehaviour(Behaviour):
    """With the defaults a payment is pending until it is resolved.

    at_once   the first state of a payment that was accepted.
    later     the state that the payment reaches by itself, `after_seconds` after the send, with
              `reason`.
    by_clock  `later` comes only where the simulator has its clock (SIMULATOR_CLOCK); without one
              the payment waits to be resolved.
    debt      bills: what is owed.
    """

    at_once: OutgoingState = OutgoingState.PENDING
    later: OutgoingState | None = None
    after_seconds: int = AUTOMATIC_SECONDS
    by_clock: bool = False
    debt: Debt = Debt.ORDINARY


ORDINARY_CHARGE = ChargeBehaviour()
CHARGES = (
    ChargeBehaviour(
        name="approved", outcome=ChargeStatus.SUCCEEDED, after_seconds=AUTOMATIC_SECONDS
    ),
    ChargeBehaviour(name="refused-at-start", refused=True, reason=Reason.REFUSED_BY_PROVIDER),
    ChargeBehaviour(
        name="refused",
        outcome=ChargeStatus.FAILED,
        reason=Reason.INSUFFICIENT_FUNDS,
        after_seconds=AUTOMATIC_SECONDS,
    ),
    ChargeBehaviour(
        name="slow", outcome=ChargeStatus.SUCCEEDED, after_seconds=SLOW_SECONDS, waits=True
    ),
    ChargeBehaviour(name="answer-lost-after", call=CallOutcome.LOST),
    ChargeBehaviour(name="answer-lost-before", lost_calls=1),
    ChargeBehaviour(name="unavailable", unreachable_calls=sys.maxsize),
    ChargeBehaviour(
        name="abandoned",
        outcome=ChargeStatus.ABANDONED,
        reason=Reason.CANCELLED_BY_PAYER,
        after_seconds=AUTOMATIC_SECONDS,
    ),
    ChargeBehaviour(name="callback-repeated", callbacks=REPEATED_CALLBACKS),
    ChargeBehaviour(name="callback-lost", callbacks=0),
    ChargeBehaviour(name="query-unavailable", unanswered_queries=UNANSWERED_CHARGE_QUERIES),
    ChargeBehaviour(name="confirmed-later", confirmed_after_seconds=SLOW_SECONDS),
)
CHARGES_BY_DOCUMENT = {str(FIRST_DOCUMENT + row): found for row, found in enumerate(CHARGES)}
CHARGES_BY_AMOUNT = {Decimal(FIRST_AMOUNT + row): found for row, found in enumerate(CHARGES)}
CHARGES_BY_NAME = {found.name: found for found in (ORDINARY_CHARGE, *CHARGES)}

COMPLETED = OutgoingState.COMPLETED
# A payout takes a moment, as banks do; the others complete in the call that sends them.
ORDINARY_OUTGOING = {
    OutgoingProduct.PAYOUT: OutgoingBehaviour(
        later=COMPLETED, by_clock=True, after_seconds=ORDINARY_SECONDS
    ),
    OutgoingProduct.TOPUP: OutgoingBehaviour(at_once=COMPLETED),
    OutgoingProduct.BILL: OutgoingBehaviour(at_once=COMPLETED),
    OutgoingProduct.REFUND: OutgoingBehaviour(at_once=COMPLETED),
}
_REFUSALS = {OutgoingProduct.TOPUP: OutgoingReason.NUMBER_NOT_FOUND}
_FAILURES = {OutgoingProduct.PAYOUT: OutgoingReason.ACCOUNT_NOT_FOUND, **_REFUSALS}
_RETURNS = {OutgoingProduct.PAYOUT: OutgoingReason.ACCOUNT_CLOSED}
_NO = OutgoingReason.REFUSED_BY_PROVIDER


def _rows(product: OutgoingProduct) -> Iterator[OutgoingBehaviour]:
    is_payout = product is OutgoingProduct.PAYOUT
    # The merchant's request waits for a top-up and for a bill payment.
    is_awaited = product in (OutgoingProduct.TOPUP, OutgoingProduct.BILL)
    silent = OutgoingBehaviour(at_once=COMPLETED, call=CallOutcome.LOST, callbacks=0)
    yield OutgoingBehaviour(name="clean", at_once=COMPLETED)
    yield OutgoingBehaviour(name="refused", refused=True, reason=_REFUSALS.get(product, _NO))
    yield OutgoingBehaviour(
        name="slow",
        later=COMPLETED,
        after_seconds=SLOW_SECONDS,
        callbacks=0,
        call=CallOutcome.LATE if is_awaited else CallOutcome.ANSWER,
    )
    yield replace(silent, name="answer-lost-after")
    yield OutgoingBehaviour(name="answer-lost-before", at_once=COMPLETED, lost_calls=1)
    yield replace(silent, name="error-after", call=CallOutcome.ERROR)
    yield replace(silent, name="query-unavailable", unanswered_queries=UNANSWERED_OUTGOING_QUERIES)
    yield OutgoingBehaviour(
        name="returned-later",
        at_once=COMPLETED,
        later=OutgoingState.RETURNED,
        reason=_RETURNS.get(product, _NO),
    )
    yield OutgoingBehaviour(name="completed-later", later=COMPLETED)
    yield OutgoingBehaviour(
        name="failed-later", later=OutgoingState.FAILED, reason=_FAILURES.get(product, _NO)
    )
    yield OutgoingBehaviour(
        name="unavailable", at_once=COMPLETED, unreachable_calls=UNREACHABLE_SENDS
    )
    later = OutgoingBehaviour(later=COMPLETED, by_clock=is_payout)
    yield replace(later, name="callback-repeated", callbacks=REPEATED_CALLBACKS)
    yield replace(later, name="callback-lost", callbacks=0)
    yield OutgoingBehaviour(name="pending")


DEBTS = tuple(
    OutgoingBehaviour(name=debt, at_once=COMPLETED, debt=debt)
    for debt in Debt
    if debt is not Debt.ORDINARY
)
OUTGOING = {product: tuple(_rows(product)) for product in OutgoingProduct}
OUTGOING_BY_KEY = {
    product: {str(key): row for key, row in zip(count(FIRST_KEYS[product]), rows, strict=False)}
    for product, rows in OUTGOING.items()
}
OUTGOING_BY_KEY[OutgoingProduct.BILL] |= {
    str(FIRST_DEBT + row): found for row, found in enumerate(DEBTS)
}
OUTGOING_BY_NAME = {
    product: {found.name: found for found in (ORDINARY_OUTGOING[product], *rows.values())}
    for product, rows in OUTGOING_BY_KEY.items()
}


def for_charge(request: ChargeRequest) -> ChargeBehaviour:
    """The document decides, then the amount (pesos only)."""
    found = CHARGES_BY_DOCUMENT.get(plain(request.payer.document_number))
    if found is None and request.currency == "COP":
        found = CHARGES_BY_AMOUNT.get(request.amount)
    return found or ORDINARY_CHARGE


def for_outgoing(product: OutgoingProduct, key: str) -> OutgoingBehaviour:
    """The document, phone or bill reference decides.

    A bill's reference may go on after its ten digits: each is another bill, paid once.
    """
    text = plain(key)
    if product is OutgoingProduct.BILL:
        text = text[:KEY_LENGTH]
    return OUTGOING_BY_KEY[product].get(text, ORDINARY_OUTGOING[product])


def plain(key: str) -> str:
    """A document or reference without what people write between its letters and digits."""
    return "".join(character for character in key if character.isalnum()).upper()
