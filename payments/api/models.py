"""The log of API calls, written by payments.api.request_log and kept for API_LOG_DAYS days.

A process that is killed loses the calls that it has not written yet.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField


class ApiCall(models.Model):
    at = models.DateTimeField(_("when"))
    # Without a constraint, so that the insert neither waits for the merchant's row nor fails
    # because of it.
    merchant = models.ForeignKey(
        "merchants.Merchant",
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="+",
        verbose_name=_("merchant"),
    )
    key = models.CharField(_("X-Api-Key"), max_length=64, blank=True)
    method = models.CharField(_("method"), max_length=10)
    # Empty for a path without a route.
    route = models.CharField(_("route"), max_length=120, blank=True)
    path = models.CharField(_("path"), max_length=500)
    status = models.PositiveSmallIntegerField(_("status"))
    code = models.CharField(_("error code"), max_length=60, blank=True)
    duration_ms = models.PositiveIntegerField(_("duration"))
    request_id = models.CharField("X-Request-Id", max_length=64)
    # The caller's address without its last part, so that it names a network and no person.
    address = models.CharField(_("network"), max_length=45, blank=True)
    idempotency_key = models.CharField("Idempotency-Key", max_length=255, blank=True)
    subject_id = IdField(_("about"), blank=True)
    # Of failed calls only, without secrets and personal data (redaction.py).
    request_body = models.TextField(_("body"), blank=True)
    answer_body = models.TextField(_("answer"), blank=True)

    class Meta:
        verbose_name = _("API call")
        verbose_name_plural = _("API calls")
        indexes = [
            models.Index(fields=["at"], name="api_call_at"),
            models.Index(fields=["merchant", "at"], name="api_call_of_merchant"),
            models.Index(fields=["request_id"], name="api_call_request"),
            models.Index(fields=["key", "at"], name="api_call_key"),
            models.Index(
                fields=["subject_id"], name="api_call_subject", condition=~Q(subject_id="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path.partition('?')[0]}"
