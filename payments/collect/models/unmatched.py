"""Money that belongs to no open order. Amounts are in units of their currency."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.collect.models.charges import Charge
from payments.collect.models.orders import Order
from payments.core import money, states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


class FundsStatus(models.TextChoices):
    OPEN = "OPEN", _("Open")
    CREDITED = "CREDITED", _("Credited to the merchant")
    APPLIED = "APPLIED", _("Applied to another order")
    RETURNED = "RETURNED", _("Returned to the payer")


FUNDS_MOVES: states.Moves = {
    FundsStatus.OPEN: frozenset({FundsStatus.CREDITED, FundsStatus.APPLIED, FundsStatus.RETURNED})
}


class UnmatchedFunds(models.Model):
    Status = FundsStatus
    MOVES: ClassVar[states.Moves] = FUNDS_MOVES

    class Reason(models.TextChoices):
        LATE = "LATE", _("The order was final already")
        SECOND_SUCCESS = "SECOND_SUCCESS", _("The order was paid already")
        EXCESS = "EXCESS", _("More than the order asked")
        PARTIAL_EXPIRED = "PARTIAL_EXPIRED", _("Part of an order that ended unpaid")
        CURRENCY = "CURRENCY", _("Another currency than asked")
        ACCOUNT = "ACCOUNT", _("Paid at another provider account than the charge's")
        RATE = "RATE", _("A coin without a current exchange rate")

    id = IdField(primary_key=True, default=partial(new_id, "unm"), editable=False)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="unmatched_funds")
    charge = models.ForeignKey(Charge, on_delete=models.PROTECT, related_name="unmatched_funds")
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("amount"))
    # The provider account that has the money. Empty: the charge's.
    account = models.CharField(_("account"), max_length=40, blank=True, default="", db_default="")
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    trace_code = models.CharField(_("trace code"), max_length=100, blank=True)
    status = models.CharField(
        _("status"), max_length=20, choices=FundsStatus.choices, default=FundsStatus.OPEN
    )
    created_at = models.DateTimeField(_("created at"))
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)
    # The charge of the other order that represents this money.
    applied_charge = models.OneToOneField(
        Charge,
        on_delete=models.PROTECT,
        related_name="applied_funds",
        verbose_name=_("applied as"),
        null=True,
        blank=True,
    )
    # The bank's number of the transfer by which an operator returned the money.
    proof = models.CharField(_("proof"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("unmatched funds")
        verbose_name_plural = _("unmatched funds")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="unmatched_amount_positive"),
            models.CheckConstraint(
                condition=Q(status="OPEN", decided_at=None)
                | ~Q(status="OPEN") & Q(decided_at__isnull=False),
                name="unmatched_decided_has_time",
            ),
            models.CheckConstraint(
                condition=Q(status="APPLIED", applied_charge__isnull=False)
                | ~Q(status="APPLIED") & Q(applied_charge=None),
                name="unmatched_applied_has_charge",
            ),
            models.CheckConstraint(
                condition=Q(status="RETURNED") & ~Q(proof="") | ~Q(status="RETURNED") & Q(proof=""),
                name="unmatched_returned_has_proof",
            ),
        ]
        indexes = [
            models.Index(
                fields=["trace_code"], condition=~Q(trace_code=""), name="unmatched_trace_code"
            ),
            models.Index(fields=["id"], condition=Q(status="OPEN"), name="unmatched_open"),
        ]
        triggers = [
            states.guard(FUNDS_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {money.digits(self.amount, self.currency)} {self.currency}"
