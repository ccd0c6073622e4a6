"""An operator's decision about unmatched funds. Once for each of them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine

Kind = Entry.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """order_id  the order that the payer meant.
    amount    in units of `currency` (COP is kept as COPM).
    """

    funds_id: str
    order_id: str
    merchant_id: str
    currency: str
    amount: Decimal


def unmatched_credited(waiting: Waiting, *, now: datetime) -> Entry:
    """The funds are the merchant's.

    ========================= ========
    suspense                   - amount
    available of the merchant  + amount
    ========================= ========
    """
    kept_in = money.balance_currency(waiting.currency)
    lines = [
        PostingLine(services.suspense(kept_in), -waiting.amount),
        PostingLine(services.available(waiting.merchant_id, kept_in), waiting.amount),
    ]
    return _post(Kind.UNMATCHED_CREDITED, waiting, lines, {}, now)


def unmatched_applied(
    waiting: Waiting, *, to_order_id: str, charge_id: str, now: datetime
) -> Entry:
    """The funds wait for another order, whose collect_settled takes them out of suspense.

    ======== ========
    suspense  - amount
    suspense  + amount
    ======== ========
    """
    suspense = services.suspense(money.balance_currency(waiting.currency))
    lines = [PostingLine(suspense, -waiting.amount), PostingLine(suspense, waiting.amount)]
    memo = {"to_order": to_order_id, "charge": charge_id}
    return _post(Kind.UNMATCHED_APPLIED, waiting, lines, memo, now)


def unmatched_returned(waiting: Waiting, *, rail: str, proof: str, now: datetime) -> Entry:
    """An operator returned the funds to the payer over `rail`.

    =============== ========
    suspense         - amount
    clearing:<rail>  + amount
    =============== ========
    """
    kept_in = money.balance_currency(waiting.currency)
    lines = [
        PostingLine(services.suspense(kept_in), -waiting.amount),
        PostingLine(services.clearing(rail, kept_in), waiting.amount),
    ]
    return _post(Kind.UNMATCHED_RETURNED, waiting, lines, {"rail": rail, "proof": proof}, now)


def _post(
    kind: Kind, waiting: Waiting, lines: list[PostingLine], memo: dict[str, str], now: datetime
) -> Entry:
    return services.post(
        kind=kind,
        subject_id=waiting.order_id,
        idempotency_key=waiting.funds_id,
        lines=lines,
        memo={"merchant": waiting.merchant_id, "funds": waiting.funds_id, **memo},
        now=now,
    )
