"""An operator's decision about unmatched funds. Once for each of them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry

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

    @property
    def kept_in(self) -> str:
        return money.balance_currency(self.currency)


def unmatched_credited(waiting: Waiting, *, now: datetime) -> Entry:
    """The funds go to the merchant's available balance."""
    available = services.available(waiting.merchant_id, waiting.kept_in)
    return _leave_suspense(Kind.UNMATCHED_CREDITED, waiting, available, now)


def unmatched_applied(
    waiting: Waiting, *, to_order_id: str, charge_id: str, now: datetime
) -> Entry:
    """The funds stay in suspense for another order, whose collect_settled takes them from there."""
    suspense = services.suspense(waiting.kept_in)
    memo = {"to_order": to_order_id, "charge": charge_id}
    return _leave_suspense(Kind.UNMATCHED_APPLIED, waiting, suspense, now, **memo)


def unmatched_returned(waiting: Waiting, *, account: str, proof: str, now: datetime) -> Entry:
    """An operator returned the funds to the payer: they leave the clearing account of `account`."""
    clearing = services.clearing(account, waiting.kept_in)
    memo = {"account": account, "proof": proof}
    return _leave_suspense(Kind.UNMATCHED_RETURNED, waiting, clearing, now, **memo)


def _leave_suspense(
    kind: Kind, waiting: Waiting, target: services.AccountRef, now: datetime, **memo: str
) -> Entry:
    return services.post(
        kind=kind,
        subject_id=waiting.order_id,
        idempotency_key=waiting.funds_id,
        lines=services.transfer(services.suspense(waiting.kept_in), target, waiting.amount),
        memo={"merchant": waiting.merchant_id, "funds": waiting.funds_id, **memo},
        now=now,
    )
