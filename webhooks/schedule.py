"""When a failed delivery is sent again (contract, Retries; docs/gaps.md, Webhooks)."""

from datetime import datetime, timedelta

from django.conf import settings


def first_attempt_at(published_at: datetime) -> datetime:
    """At once (contract), unless the first delay of the setting is above zero."""
    return published_at + timedelta(seconds=settings.WEBHOOK_RETRY_DELAYS[0])


def next_attempt_at(failed_attempt: int, failed_at: datetime) -> datetime | None:
    """The time of the attempt after number `failed_attempt`; None when that was the last one.

    WEBHOOK_RETRY_DELAYS[n] is the delay in seconds between the failure of attempt n and attempt
    n + 1, so its length is the number of POSTs in all.
    """
    delays = settings.WEBHOOK_RETRY_DELAYS
    if failed_attempt >= len(delays):
        return None
    return failed_at + timedelta(seconds=delays[failed_attempt])


def failed_since(now: datetime, period: timedelta) -> datetime:
    """Deliveries that failed for good within the period before `now` were written after this."""
    return now - period - timedelta(seconds=sum(settings.WEBHOOK_RETRY_DELAYS))
