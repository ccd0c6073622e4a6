"""Magic values of payouts: a beneficiary's document that makes the simulator misbehave.

The documents lie far above every number that Colombia has issued and apart from those of payers
(`magic`). docs/simulator.md holds this table for readers.
"""

from dataclasses import dataclass
from enum import StrEnum

from payments.providers.ports import PayoutReason, PayoutRequest, PayoutState

# 9999001001 is the document of the first row of the table, and so on.
FIRST_DOCUMENT = 9_999_001_001
AUTOMATIC_SECONDS = 2
SLOW_SECONDS = 20
REPEATED_CALLBACKS = 3
# One is enough to make us ask twice, and few enough to learn the truth within two minutes.
UNANSWERED_QUERIES = 1
UNREACHABLE_SENDS = 2


class Answer(StrEnum):
    """What becomes of the answer to the call that was taken."""

    GIVEN = "GIVEN"
    LOST = "LOST"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Magic:
    """One row of the table. The defaults are an ordinary payout, which waits to be resolved.

    refused            a definite no to every send, with `reason`; the reference stays unknown.
    unreachable_sends  so many sends do not reach the simulator, which the sender knows.
    lost_sends         so many sends are lost on the way, which the sender does not know.
    at_once            the state in which a payout that was taken begins.
    answer             what becomes of the answer to the send that was taken; later ones get it.
    later              the state that comes by itself `after_seconds` after the send, with `reason`.
    callbacks          how many times each news is sent: 0 means that only a query learns of it.
    """

    name: str = "ordinary"
    refused: bool = False
    unreachable_sends: int = 0
    lost_sends: int = 0
    at_once: PayoutState = PayoutState.PENDING
    answer: Answer = Answer.GIVEN
    later: PayoutState | None = None
    after_seconds: int = AUTOMATIC_SECONDS
    reason: str = ""
    callbacks: int = 1
    unanswered_queries: int = 0


ORDINARY = Magic()
COMPLETED = PayoutState.COMPLETED
TABLE = (
    Magic(name="clean", at_once=COMPLETED),
    Magic(name="refused", refused=True, reason=PayoutReason.REFUSED_BY_PROVIDER),
    Magic(name="slow", later=COMPLETED, after_seconds=SLOW_SECONDS, callbacks=0),
    Magic(name="answer-lost-after", at_once=COMPLETED, answer=Answer.LOST, callbacks=0),
    Magic(name="answer-lost-before", at_once=COMPLETED, lost_sends=1),
    Magic(name="error-after", at_once=COMPLETED, answer=Answer.ERROR, callbacks=0),
    Magic(
        name="query-unavailable",
        at_once=COMPLETED,
        answer=Answer.LOST,
        callbacks=0,
        unanswered_queries=UNANSWERED_QUERIES,
    ),
    Magic(
        name="returned-later",
        at_once=COMPLETED,
        later=PayoutState.RETURNED,
        reason=PayoutReason.ACCOUNT_CLOSED,
    ),
    Magic(name="completed-later", later=COMPLETED),
    Magic(name="failed-later", later=PayoutState.FAILED, reason=PayoutReason.ACCOUNT_NOT_FOUND),
    Magic(name="unavailable", at_once=COMPLETED, unreachable_sends=UNREACHABLE_SENDS),
    Magic(name="callback-repeated", callbacks=REPEATED_CALLBACKS),
    Magic(name="callback-lost", callbacks=0),
)
BY_NAME = {ORDINARY.name: ORDINARY, **{magic.name: magic for magic in TABLE}}
BY_DOCUMENT = {str(FIRST_DOCUMENT + row): magic for row, magic in enumerate(TABLE)}


def of(request: PayoutRequest) -> Magic:
    """How to behave for this request: the beneficiary's document decides, and nothing else."""
    document = "".join(c for c in request.document_number if c.isalnum())
    return BY_DOCUMENT.get(document, ORDINARY)
