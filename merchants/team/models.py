"""Invitations, and what an administrator of a merchant requests of a second person."""

from datetime import datetime
from functools import partial

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payments.core.fields import IdField
from payments.core.ids import new_id


class Invitation(models.Model):
    """A link that lets one person in. The table has only a digest of its secret part.

    Without a merchant it invites an operator.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", _("Waiting")
        ACCEPTED = "ACCEPTED", _("Accepted")
        REVOKED = "REVOKED", _("Revoked")
        EXPIRED = "EXPIRED", _("Expired")

    id = IdField(primary_key=True, default=partial(new_id, "inv"), editable=False)
    merchant = models.ForeignKey(
        "merchants.Merchant",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("merchant"),
    )
    email = models.EmailField(_("e-mail"))
    name = models.CharField(_("name"), max_length=150)
    roles = ArrayField(models.CharField(max_length=150), verbose_name=_("roles"))
    token_digest = models.BinaryField(max_length=32, unique=True, editable=False)
    invited_by = models.CharField(_("invited by"), max_length=150)
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("good until"))
    revoked_at = models.DateTimeField(null=True)
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        default_permissions = ("view",)
        constraints = [
            models.CheckConstraint(
                condition=Q(revoked_at=None) | Q(accepted_at=None), name="invitation_ends_once"
            ),
            models.UniqueConstraint(
                "merchant",
                "email",
                condition=Q(revoked_at=None, accepted_at=None),
                nulls_distinct=False,
                name="invitation_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.email}"

    @staticmethod
    def is_open(now: datetime) -> Q:
        """As the state OPEN, for queries."""
        return Q(accepted_at=None, revoked_at=None, expires_at__gt=now)

    def state(self, now: datetime) -> State:
        if self.accepted_at is not None:
            return self.State.ACCEPTED
        if self.revoked_at is not None:
            return self.State.REVOKED
        return self.State.EXPIRED if now >= self.expires_at else self.State.OPEN


class AccessRequest(models.Model):
    """What moves money only after a second person has agreed: a key for payouts, or an approver.

    The row stays, so that who requested it, who agreed and who uses it can be compared.
    """

    class Kind(models.TextChoices):
        PAYOUT_KEY = "PAYOUT_KEY", _("API key that creates payouts")
        APPROVER = "APPROVER", _("Role: Merchant approver")

    class Status(models.TextChoices):
        """DONE: the key was issued, or the role was given."""

        WAITING = "WAITING", _("Waiting for a second person")
        APPROVED = "APPROVED", pgettext_lazy("access request", "Approved")
        REJECTED = "REJECTED", pgettext_lazy("access request", "Rejected")
        DONE = "DONE", pgettext_lazy("access request", "Done")

    id = IdField(primary_key=True, default=partial(new_id, "req"), editable=False)
    merchant = models.ForeignKey(
        "merchants.Merchant", models.PROTECT, related_name="+", verbose_name=_("merchant")
    )
    kind = models.CharField(_("what"), max_length=10, choices=Kind.choices)
    status = models.CharField(
        _("status"), max_length=8, choices=Status.choices, default=Status.WAITING
    )
    # Of a role: who gets it. Of a key: its alias.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="+",
        verbose_name=_("person"),
    )
    label = models.CharField(_("alias"), max_length=100, blank=True)
    requested_by = models.CharField(_("requested by"), max_length=150)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("requested at"))
    expires_at = models.DateTimeField(_("good until"))
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True)
    key = models.ForeignKey(
        "merchants.ApiKey", models.PROTECT, null=True, related_name="+", verbose_name=_("API key")
    )

    class Meta:
        verbose_name = _("request for access")
        verbose_name_plural = _("requests for access")
        default_permissions = ("view",)
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="APPROVER", user__isnull=False)
                | Q(kind="PAYOUT_KEY", user__isnull=True),
                name="access_request_of_a_person_or_key",
            ),
            models.CheckConstraint(
                condition=Q(status="WAITING", decided_at=None, decided_by="")
                | ~Q(status="WAITING") & Q(decided_at__isnull=False) & ~Q(decided_by=""),
                name="access_request_says_who_decided",
            ),
            models.UniqueConstraint(
                fields=["merchant", "user"],
                condition=Q(status="WAITING", kind="APPROVER"),
                name="access_request_of_a_person_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["expires_at"],
                condition=Q(status="WAITING"),
                name="access_request_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.user or self.label or self.pk}"

    def is_waiting(self, now: datetime) -> bool:
        return self.status == self.Status.WAITING and now < self.expires_at

    @property
    def is_withdrawn(self) -> bool:
        """The person who requested it ended it."""
        is_own = self.decided_by == self.requested_by
        return self.status == self.Status.REJECTED and is_own

    @property
    def person(self) -> User:
        """Who gets the role. Only requests for a role have one."""
        if self.user is None:
            raise ValueError("not a request for a role")
        return self.user
