"""Tables: events, their deliveries to endpoints, and the attempts of each delivery.

endpoint_models.py has the endpoints. services.py publishes events, dispatcher.py sends deliveries,
feed.py numbers events.
"""

from functools import partial

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from merchants.models import Merchant
from payments.core import states
from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.core.models import append_only, no_truncate
from webhooks.endpoint_models import Endpoint


class Event(models.Model):
    """Append-only. `body` has the bytes that are signed and sent."""

    id = IdField(primary_key=True, default=partial(new_id, "evt"), editable=False)
    merchant = models.ForeignKey(
        Merchant,
        on_delete=models.PROTECT,
        related_name="webhook_events",
        db_index=False,
        verbose_name=_("merchant"),
    )
    kind = models.CharField(_("event"), max_length=60)
    subject_id = IdField(_("about"), blank=True)
    body = models.BinaryField(_("body"))
    # "payment.completed:col_...": EventKey.
    dedupe_key = models.CharField(max_length=120, null=True, editable=False)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("webhook event")
        verbose_name_plural = _("webhook events")
        indexes = [
            models.Index(fields=["merchant", "-created_at", "-id"], name="event_of_merchant"),
            models.Index(fields=["subject_id"], name="event_of_subject"),
        ]
        triggers = [
            *append_only(),
            pgtrigger.Trigger(
                name="awaits_number",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                func="""
                    INSERT INTO webhooks_eventnumber (event_id, merchant_id)
                    VALUES (NEW.id, NEW.merchant_id);
                    RETURN NULL;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id}"


class EventKey(models.Model):
    """One event per key, across callers and retries, also when the event was dropped long ago."""

    dedupe_key = models.CharField(max_length=120, primary_key=True, db_collation="C")
    event_id = IdField()

    class Meta:
        verbose_name = _("event key")
        verbose_name_plural = _("event keys")
        default_permissions = ()
        triggers = append_only()

    def __str__(self) -> str:
        return self.dedupe_key


class EventNumber(models.Model):
    """The place of an event in the gap-free sequence of its merchant, from 1.

    A trigger inserts the row with the event; feed.py writes the number after the commit.
    """

    # The order of events within one transaction, which ids of the same millisecond do not keep.
    id = models.BigAutoField(primary_key=True)
    # Without a constraint, as between the other tables here: months are detached (history.py).
    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, db_constraint=False, related_name="place"
    )
    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    number = models.BigIntegerField(_("number"), null=True)

    class Meta:
        verbose_name = _("event number")
        verbose_name_plural = _("event numbers")
        constraints = [
            models.UniqueConstraint(fields=["merchant", "number"], name="event_number_once"),
            models.CheckConstraint(
                condition=Q(number=None) | Q(number__gte=1), name="event_number_from_one"
            ),
        ]
        indexes = [
            models.Index(
                fields=["merchant", "id"], condition=Q(number=None), name="event_unnumbered"
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="numbered_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__number__isnull=False),
            ),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
            no_truncate(),
        ]

    def __str__(self) -> str:
        return f"{self.merchant_id} {self.number}: {self.event_id}"


class Cause(models.TextChoices):
    EVENT = "event", _("Event")
    RESEND = "resend", _("Sent again")
    TEST = "test", _("Test")


class Status(models.TextChoices):
    """PENDING until a 2xx response or the last failed attempt (contract, Retries).

    WAITING when it was due and the merchant had no webhook URL, or its endpoint was off
    (waiting.py).
    """

    PENDING = "PENDING", _("Pending")
    WAITING = "WAITING", _("Waiting for a webhook URL")
    DELIVERED = "DELIVERED", pgettext_lazy("webhook delivery", "Delivered")
    FAILED = "FAILED", _("Failed")


MOVES = {
    Status.PENDING.value: frozenset(
        {Status.DELIVERED.value, Status.FAILED.value, Status.WAITING.value}
    ),
    Status.WAITING.value: frozenset({Status.PENDING.value}),
}


class Delivery(models.Model):
    """Due when PENDING and `next_attempt_at` has passed.

    A dispatcher that leases it moves `next_attempt_at` to the lease's end, so that it becomes due
    again after a crash. leases.py changes the status of many rows without `states.move`; the
    attempts are the history.
    """

    id = IdField(primary_key=True, default=partial(new_id, "del"), editable=False)
    event = models.ForeignKey(
        Event,
        on_delete=models.PROTECT,
        db_constraint=False,
        related_name="deliveries",
        verbose_name=_("event"),
    )
    merchant = models.ForeignKey(
        Merchant,
        on_delete=models.PROTECT,
        related_name="webhook_deliveries",
        db_index=False,
        verbose_name=_("merchant"),
    )
    # None: to the webhook URL of the account.
    endpoint = models.ForeignKey(
        Endpoint,
        on_delete=models.PROTECT,
        related_name="deliveries",
        null=True,
        db_index=False,
        verbose_name=_("endpoint"),
    )
    cause = models.CharField(_("cause"), max_length=10, choices=Cause.choices, default=Cause.EVENT)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.PENDING
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt at"), null=True)
    lease_token = models.UUIDField(null=True, editable=False)
    leased_until = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(_("created at"))
    delivered_at = models.DateTimeField(_("delivered at"), null=True)

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        indexes = [
            # For leases.py, by destination: the endpoint, or the merchant for its own URL.
            models.Index(
                Coalesce("endpoint", "merchant"),
                "next_attempt_at",
                "id",
                condition=Q(status="PENDING"),
                name="delivery_due_at_destination",
            ),
            # Of the release before endpoints, which may still run, and for the metrics.
            models.Index(
                fields=["merchant", "next_attempt_at", "id"],
                condition=Q(status="PENDING"),
                name="delivery_due",
            ),
            models.Index(
                fields=["merchant"], condition=Q(lease_token__isnull=False), name="delivery_leased"
            ),
            # For waiting.py.
            models.Index(
                Coalesce("endpoint", "merchant"),
                "id",
                condition=Q(status="WAITING"),
                name="delivery_waiting_destination",
            ),
            # Of the release before endpoints.
            models.Index(
                fields=["merchant", "id"], condition=Q(status="WAITING"), name="delivery_waiting"
            ),
            models.Index(fields=["merchant", "-created_at", "-id"], name="delivery_history"),
            models.Index(
                fields=["endpoint", "-created_at", "-id"],
                condition=Q(endpoint__isnull=False),
                name="delivery_of_endpoint",
            ),
            # For the console's list. A list of all deliveries uses the ids, which sort by time.
            models.Index(
                fields=["-created_at", "-id"], condition=Q(status="FAILED"), name="delivery_failed"
            ),
            # For the page of a merchant.
            models.Index(
                fields=["merchant", "-created_at", "-id"],
                condition=Q(status="FAILED"),
                name="delivery_failed_of_merchant",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=Status.values), name="delivery_status_known"
            ),
            models.CheckConstraint(
                condition=Q(cause__in=Cause.values), name="delivery_cause_known"
            ),
            models.CheckConstraint(
                condition=Q(status="PENDING", next_attempt_at__isnull=False)
                | (~Q(status="PENDING") & Q(next_attempt_at__isnull=True)),
                name="delivery_pending_has_next_attempt",
            ),
            models.CheckConstraint(
                condition=Q(status="DELIVERED", delivered_at__isnull=False)
                | (~Q(status="DELIVERED") & Q(delivered_at__isnull=True)),
                name="delivery_delivered_has_time",
            ),
            models.CheckConstraint(
                condition=Q(lease_token__isnull=True, leased_until__isnull=True)
                | Q(status="PENDING", lease_token__isnull=False, leased_until__isnull=False),
                name="delivery_lease_whole",
            ),
        ]
        triggers = [states.guard(MOVES)]

    def __str__(self) -> str:
        return f"{self.pk} {self.get_status_display()}"


class Failure(models.TextChoices):
    """Why an attempt failed. Operators search by these codes and have alerts on them."""

    TIMEOUT = "TIMEOUT", _("No answer in time")
    DNS = "DNS", _("The host name does not resolve")
    CONNECT = "CONNECT", _("No connection")
    TLS = "TLS", _("TLS failed")
    BLOCKED_ADDRESS = "BLOCKED_ADDRESS", _("Blocked address")
    INVALID_URL = "INVALID_URL", _("Invalid URL")
    # Of earlier releases. Today such a delivery is WAITING.
    NO_URL = "NO_URL", _("The merchant has no webhook URL")
    DISCONNECTED = "DISCONNECTED", _("Connection lost before the answer")
    INVALID_ANSWER = "INVALID_ANSWER", _("The answer is not HTTP")
    REDIRECT = "REDIRECT", _("Redirects are not followed")
    HTTP_STATUS = "HTTP_STATUS", _("The answer is not 2xx")
    INTERNAL = "INTERNAL", _("A failure on our side")


class Attempt(models.Model):
    """One POST and its response. Append-only.

    Two attempts have the same number if a dispatcher lost its lease between sending and recording.
    """

    id = IdField(primary_key=True, default=partial(new_id, "att"), editable=False)
    delivery = models.ForeignKey(
        Delivery,
        on_delete=models.PROTECT,
        db_constraint=False,
        related_name="history",
        verbose_name=_("delivery"),
    )
    number = models.PositiveSmallIntegerField(_("number"))
    url = models.CharField(_("URL"), max_length=2000, blank=True)
    started_at = models.DateTimeField(_("started at"))
    duration_ms = models.PositiveIntegerField(_("duration in ms"))
    response_status = models.PositiveSmallIntegerField(_("HTTP status"), null=True)
    response_excerpt = models.TextField(_("beginning of the answer"), blank=True)
    error = models.CharField(_("error"), max_length=20, choices=Failure.choices, blank=True)

    class Meta:
        verbose_name = _("webhook attempt")
        verbose_name_plural = _("webhook attempts")
        ordering = ["started_at", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1), name="attempt_number_from_one"),
            models.CheckConstraint(
                condition=Q(
                    error="",
                    # A comparison with NULL is not false, and would pass.
                    response_status__isnull=False,
                    response_status__gte=200,
                    response_status__lte=299,
                )
                | Q(error__in=Failure.values),
                name="attempt_error_unless_2xx",
            ),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.delivery_id} #{self.number} {self.error or self.response_status}"
