"""What an adapter needs for its next call, kept while the call under way is the newest."""

from typing import Any, Protocol

import structlog
from django.db import transaction
from django.db.models import QuerySet

from payments.providers import ports

log = structlog.get_logger(__name__)


class Payment(Protocol):
    """A charge or an outgoing payment."""

    pk: Any
    provider: str
    provider_state: Any


def keep(*, payment: Payment, calls: QuerySet[Any], state: ports.State) -> None:
    """Commits it with the payment. Raises CallOvertaken.

    `calls` is the payment's row, and nothing once another call has begun.
    """
    with transaction.atomic(durable=True):
        is_kept = calls.update(provider_state=dict(state))
    if not is_kept:
        log.warning("rail.call_overtaken", payment=payment.pk, account=payment.provider)
        raise ports.CallOvertaken
    payment.provider_state = dict(state)
