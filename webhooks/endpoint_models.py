"""Tables: the endpoints of merchants, their earlier secrets, and requests about them."""

from functools import partial

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core.fields import EncryptedTextField, IdField
from payments.core.ids import new_id
from payments.core.models import append_only, no_truncate

# Of a merchant, with the URL of the account.
ENDPOINTS_MAX = 16


class Endpoint(models.Model):
    """A URL of the merchant beside the one of the account, which is in the merchant's row.

    A deleted endpoint stays, for its deliveries.
    """

    id = IdField(primary_key=True, default=partial(new_id, "whe"), editable=False)
    merchant = models.ForeignKey(
        Merchant,
        on_delete=models.PROTECT,
        related_name="webhook_endpoints",
        verbose_name=_("merchant"),
    )
    url = models.CharField(_("URL"), max_length=2000)
    kinds = ArrayField(models.CharField(max_length=60), verbose_name=_("events"))
    secret = EncryptedTextField(_("webhook secret"), editable=False)
    description = models.CharField(_("description"), max_length=200, blank=True)
    is_enabled = models.BooleanField(_("on"), default=True)
    idempotency_key = models.CharField(max_length=255, null=True, editable=False)
    fingerprint = models.BinaryField(max_length=32, editable=False)
    created_by = models.CharField(max_length=150, editable=False)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(_("updated at"))
    deleted_at = models.DateTimeField(_("deleted at"), null=True)

    class Meta:
        verbose_name = _("webhook endpoint")
        verbose_name_plural = _("webhook endpoints")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"], name="endpoint_once_per_key"
            ),
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(is_enabled=False), name="endpoint_deleted_is_off"
            ),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete), no_truncate()]

    def __str__(self) -> str:
        return self.description or self.url


class EarlierSecret(models.Model):
    """The secret before the last rotation. It is valid beside the new one until `until`."""

    # The id of the endpoint, or of the merchant for the URL of the account.
    destination = IdField(primary_key=True)
    secret = EncryptedTextField()
    until = models.DateTimeField(_("valid until"))
    # Whether the contract's header, which has room for one signature, is made with it.
    signs_contract = models.BooleanField()

    class Meta:
        verbose_name = _("earlier webhook secret")
        verbose_name_plural = _("earlier webhook secrets")
        default_permissions = ()

    def __str__(self) -> str:
        return self.destination

    @property
    def contract_signature(self) -> str:
        return "OLD" if self.signs_contract else "NEW"


class EndpointAction(models.TextChoices):
    ROTATE = "rotate", _("New secret")
    RESEND = "resend", _("Sent again")


class EndpointRequest(models.Model):
    """What a request of the API did to an endpoint, so that the same key does it once."""

    id = IdField(primary_key=True, default=partial(new_id, "whr"), editable=False)
    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT, related_name="+")
    # None: the URL of the account.
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="+", null=True)
    action = models.CharField(max_length=10, choices=EndpointAction.choices)
    idempotency_key = models.CharField(max_length=255, null=True)
    fingerprint = models.BinaryField(max_length=32)
    # Of a rotation the hash of the new secret, of sending again how many events.
    result = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("request about an endpoint")
        verbose_name_plural = _("requests about endpoints")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"], name="endpoint_request_once_per_key"
            ),
            models.CheckConstraint(
                condition=Q(action__in=EndpointAction.values), name="endpoint_request_action_known"
            ),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.pk} {self.action}"
