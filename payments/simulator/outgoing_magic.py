"""Magic values of money on its way out: who is paid makes the simulator misbehave.

One table for all products: a payout is named by the beneficiary's document, a top-up by the
phone, a bill by what its reference begins with, a refund by the payer's document.
docs/simulator.md holds the tables for readers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from payments.providers.ports import OutgoingReason, OutgoingState

# An ordinary payout: with a look of the clock and our own work it ends within three seconds.
ORDINARY_SECONDS = 1
AUTOMATIC_SECONDS = 2
SLOW_SECONDS = 20
REPEATED_CALLBACKS = 3
# One is enough to make us ask twice, and few enough to learn the truth within two minutes.
UNANSWERED_QUERIES = 1
UNREACHABLE_SENDS = 2


class Product(StrEnum):
    """What kind of payment it is: the word in the URL of its callbacks, too."""

    PAYOUT = "payout"
    TOPUP = "topup"
    BILL = "bill"
    REFUND = "refund"


# The first row of each table has this name, the second the next number, and so on. The documents
# lie far above every number that Colombia has issued and apart from those of payers (`magic`); no
# operator has 399.
FIRST = {
    Product.PAYOUT: 9_999_001_001,
    Product.TOPUP: 3_990_001_001,
    Product.BILL: 9_999_003_001,
    Product.REFUND: 9_999_002_001,
}
FIRST_DEBT = 9_999_003_101
KEY_LENGTH = 10


class Answer(StrEnum):
    """What becomes of the answer to the call that was taken.

    LATE  nothing is heard for as long as the caller waits.
    """

    GIVEN = "GIVEN"
    LOST = "LOST"
    ERROR = "ERROR"
    LATE = "LATE"


class Debt(StrEnum):
    """What is owed on a bill's reference, and how asking for it goes (`bill_world`)."""

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
class Magic:
    """One row of a table. With the defaults a payment is pending until it is resolved.

    refused            a definite no to every send, with `reason`; the reference stays unknown.
    unreachable_sends  so many sends do not reach the simulator, which the sender knows.
    lost_sends         so many sends are lost on the way, which the sender does not know.
    at_once            the state in which a payment that was taken begins.
    answer             what becomes of the answer to the send that was taken; later ones get it.
    later              the state that comes by itself `after_seconds` after the send, with `reason`.
    by_clock           `later` comes only where the simulator has its clock (SIMULATOR_CLOCK);
                       without one the payment waits to be resolved.
    callbacks          how many times each news is sent: 0 means that only a query learns of it.
    debt               bills: what is owed.
    """

    name: str = "ordinary"
    refused: bool = False
    unreachable_sends: int = 0
    lost_sends: int = 0
    at_once: OutgoingState = OutgoingState.PENDING
    answer: Answer = Answer.GIVEN
    later: OutgoingState | None = None
    after_seconds: int = AUTOMATIC_SECONDS
    reason: str = ""
    by_clock: bool = False
    callbacks: int = 1
    unanswered_queries: int = 0
    debt: Debt = Debt.ORDINARY


COMPLETED = OutgoingState.COMPLETED
# A payout takes a moment, as banks do; the others are done when they are asked for.
ORDINARY = {
    Product.PAYOUT: Magic(later=COMPLETED, by_clock=True, after_seconds=ORDINARY_SECONDS),
    Product.TOPUP: Magic(at_once=COMPLETED),
    Product.BILL: Magic(at_once=COMPLETED),
    Product.REFUND: Magic(at_once=COMPLETED),
}
_REFUSALS = {Product.TOPUP: OutgoingReason.NUMBER_NOT_FOUND}
_FAILURES = {
    Product.PAYOUT: OutgoingReason.ACCOUNT_NOT_FOUND,
    Product.TOPUP: OutgoingReason.NUMBER_NOT_FOUND,
}
_RETURNS = {Product.PAYOUT: OutgoingReason.ACCOUNT_CLOSED}
_NO = OutgoingReason.REFUSED_BY_PROVIDER


def _rows(product: Product) -> Iterator[Magic]:
    is_payout = product is Product.PAYOUT
    is_awaited = product in (Product.TOPUP, Product.BILL)  # by the request that asks for it
    slow = Answer.LATE if is_awaited else Answer.GIVEN
    yield Magic(name="clean", at_once=COMPLETED)
    yield Magic(name="refused", refused=True, reason=_REFUSALS.get(product, _NO))
    yield Magic(name="slow", later=COMPLETED, after_seconds=SLOW_SECONDS, callbacks=0, answer=slow)
    yield Magic(name="answer-lost-after", at_once=COMPLETED, answer=Answer.LOST, callbacks=0)
    yield Magic(name="answer-lost-before", at_once=COMPLETED, lost_sends=1)
    yield Magic(name="error-after", at_once=COMPLETED, answer=Answer.ERROR, callbacks=0)
    yield Magic(
        name="query-unavailable",
        at_once=COMPLETED,
        answer=Answer.LOST,
        callbacks=0,
        unanswered_queries=UNANSWERED_QUERIES,
    )
    yield Magic(
        name="returned-later",
        at_once=COMPLETED,
        later=OutgoingState.RETURNED,
        reason=_RETURNS.get(product, _NO),
    )
    yield Magic(name="completed-later", later=COMPLETED)
    yield Magic(name="failed-later", later=OutgoingState.FAILED, reason=_FAILURES.get(product, _NO))
    yield Magic(name="unavailable", at_once=COMPLETED, unreachable_sends=UNREACHABLE_SENDS)
    yield Magic(
        name="callback-repeated",
        later=COMPLETED,
        by_clock=is_payout,
        callbacks=REPEATED_CALLBACKS,
    )
    yield Magic(name="callback-lost", later=COMPLETED, by_clock=is_payout, callbacks=0)
    yield Magic(name="pending")


DEBTS = tuple(
    Magic(name=debt, at_once=COMPLETED, debt=debt) for debt in Debt if debt is not Debt.ORDINARY
)
TABLES = {product: tuple(_rows(product)) for product in Product}
BY_KEY = {
    product: {str(key): row for key, row in zip(count(FIRST[product]), table, strict=False)}
    for product, table in TABLES.items()
}
BY_KEY[Product.BILL] |= {str(FIRST_DEBT + row): magic for row, magic in enumerate(DEBTS)}
_BY_NAME = {
    product: {magic.name: magic for magic in (ORDINARY[product], *rows.values())}
    for product, rows in BY_KEY.items()
}


def of(product: Product, key: str) -> Magic:
    """How to behave for this payment: the document, phone or bill reference decides, and nothing
    else. A bill's reference may go on after its ten digits: each is another bill, paid once.
    """
    text = plain(key)
    if product is Product.BILL:
        text = text[:KEY_LENGTH]
    return BY_KEY[product].get(text, ORDINARY[product])


def named(product: Product, name: str) -> Magic:
    """The row with this name, as the books keep it."""
    return _BY_NAME[product][name]


def plain(key: str) -> str:
    """A document or reference without what people write between its letters and digits."""
    return "".join(character for character in key if character.isalnum()).upper()
