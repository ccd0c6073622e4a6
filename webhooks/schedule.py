"""When a failed delivery is sent again (contract, Retries; docs/gaps.md, Webhooks)."""

from datetime import datetime, timedelta

from django.conf import settings


def first_attempt_at(published_at: datetime) -> datetime:
    """At once, as the contract says, unless the first delay of the setting is above zero."""
    return published_at + timedelta(seconds=settings.WEBHOOK_RETRY_DELAYS[0])


def next_attempt_at(failed_attempt: int, failed_at: datetime) -> datetime | None:
    """The time of the next attempt, None when `failed_attempt` was the last one.

    WEBHOOK_RETRY_DELAYS[n] is the delay in seconds from the failure of attempt n to attempt n + 1.
    """
    delays = settings.WEBHOOK_RETRY_DELAYS
    if failed_attempt >= len(delays):
        return None
    return failed_at + timedelta(seconds=delays[failed_attempt])


def failed_since(now: datetime, period: timedelta) -> datetime:
    """A lower bound of `created_at` of the deliveries that failed for good within `period`."""
    return now - period - timedelta(seconds=sum(settings.WEBHOOK_RETRY_DELAYS))
