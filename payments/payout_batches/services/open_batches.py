"""How many batches of one merchant a worker has at once: each has its turn between those of others.

A batch that waits for money is looked at again and again. Without a limit, thousands of them, or of
files to check, would delay the payouts of all merchants.
"""

from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.api.limits import RateLimitExceeded
from payments.core.errors import NotAllowed
from payments.payout_batches.models import BatchStatus, PayoutBatch

RUNNING_MAX = 500
CHECKING_MAX = 20
_RETRY_AFTER = "20"


class TooManyBatches(RateLimitExceeded):
    message = "Too many of your batches are running or wait for money. Send this one again later."


def check_running(merchant: Merchant) -> None:
    """Raises TooManyBatches."""
    if _count(merchant, BatchStatus.RUNNING) >= RUNNING_MAX:
        raise TooManyBatches(headers={"Retry-After": _RETRY_AFTER})


def check_checking(merchant: Merchant) -> None:
    """Raises NotAllowed."""
    if _count(merchant, BatchStatus.CHECKING) >= CHECKING_MAX:
        raise NotAllowed(
            _("Many of your files are being checked. Wait until they are, and try again.")
        )


def _count(merchant: Merchant, status: str) -> int:
    return PayoutBatch.objects.filter(
        merchant=merchant, status=status, due_at__isnull=False
    ).count()
