"""Payments that a payer contests at their bank. Amounts are in units of the balance."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payments.collect.models.charges import Charge
from payments.collect.models.orders import Order
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


class DisputeStatus(models.TextChoices):
    OPEN = "OPEN", pgettext_lazy("dispute", "Open")
    WON = "WON", _("Won by the merchant")
    LOST = "LOST", _("Lost by the merchant")


DISPUTE_MOVES: states.Moves = {
    DisputeStatus.OPEN: frozenset({DisputeStatus.WON, DisputeStatus.LOST})
}


class DisputeQuerySet(models.QuerySet["Dispute"]):
    def taking(self, order: Order) -> "DisputeQuerySet":
        """Disputes of the order that took, or may still take, a part of the payment.

        A won dispute with a booked loss counts too, because the payer has the money.
        """
        return self.filter(order=order).exclude(status=DisputeStatus.WON, shortfall=0)

    def waiting(self) -> "DisputeQuerySet":
        """Open disputes, and disputes with a contradiction that an operator must resolve."""
        return self.filter(Q(status=DisputeStatus.OPEN) | Q(needs_operator=True))


class Dispute(models.Model):
    """A claim of the payer against a payment (contract, Event kinds).

    claimed    what the payer's bank claims, or took in the end.
    amount     the part of it that the merchant answers for: never more than came by the contested
               charge and is neither refunded nor disputed otherwise. It grows when a refund ends
               without taking its part.
    held       the part of `amount` that was in the balance, and is held.
    suspended  the part of `claimed` that lay in suspense when it was lost, and was taken there.
    shortfall  what neither of these covered when it was lost: the service bears it.
    """

    class Kind(models.TextChoices):
        """DISPUTE: the payer asks their bank. CHARGEBACK: the bank claims the money (contract)."""

        DISPUTE = "DISPUTE", _("Dispute")
        CHARGEBACK = "CHARGEBACK", _("Chargeback")

    Status = DisputeStatus
    MOVES: ClassVar[states.Moves] = DISPUTE_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "dis"), editable=False)
    order = models.ForeignKey(
        Order, on_delete=models.PROTECT, related_name="disputes", verbose_name=_("order")
    )
    # The charge that the rail named. Null if an operator opened the dispute and the order has
    # several charges.
    charge = models.ForeignKey(
        Charge,
        on_delete=models.PROTECT,
        related_name="disputes",
        verbose_name=_("charge"),
        null=True,
        blank=True,
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    status = models.CharField(
        _("status"), max_length=10, choices=DisputeStatus.choices, default=DisputeStatus.OPEN
    )
    # The currency of the balance that the order was credited to.
    currency = models.CharField(_("currency"), max_length=4)
    claimed = MoneyField(_("claimed"))
    amount = MoneyField(_("disputed"))
    held = MoneyField(_("held"), default=0)
    # Has a db_default, because processes of the previous release do not set it.
    suspended = MoneyField(_("taken from suspense"), default=0, db_default=0)
    shortfall = MoneyField(_("borne by the service"), default=0)
    reason = models.CharField(_("reason"), max_length=300)
    evidence = models.TextField(_("evidence and notes"), blank=True)
    evidence_due_at = models.DateTimeField(_("evidence due"), null=True, blank=True)
    # Empty if an operator opened the dispute and no rail has reported it yet.
    provider = models.CharField(_("provider"), max_length=40, blank=True)
    provider_reference = models.CharField(
        _("provider's reference"), max_length=100, null=True, blank=True
    )
    # The time of the last applied update: older ones are ignored.
    told_at = models.DateTimeField(null=True, blank=True)
    needs_operator = models.BooleanField(_("waits for an operator"), default=False)
    opened_by = models.CharField(_("opened by"), max_length=150)
    opened_at = models.DateTimeField(_("opened at"))
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = DisputeQuerySet.as_manager()

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "provider_reference", "charge"], name="dispute_told_once"
            ),
            models.CheckConstraint(
                condition=Q(
                    claimed__gt=0,
                    amount__gte=0,
                    held__gte=0,
                    suspended__gte=0,
                    shortfall__gte=0,
                    amount__lte=F("claimed"),
                    held__lte=F("amount"),
                    shortfall__lte=F("claimed") - F("suspended"),
                ),
                name="dispute_amounts",
            ),
            models.CheckConstraint(
                condition=Q(status="OPEN", closed_at=None)
                | ~Q(status="OPEN") & Q(closed_at__isnull=False),
                name="dispute_closed_is_decided",
            ),
        ]
        indexes = [
            models.Index(
                fields=["evidence_due_at"], condition=Q(status="OPEN"), name="dispute_open"
            ),
            models.Index(fields=["provider_reference"], name="dispute_provider_reference"),
        ]
        triggers = [
            states.guard(DISPUTE_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.pk
