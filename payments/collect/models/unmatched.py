"""Money that belongs to no open order. Amounts are in units of their currency."""

from functools import partial

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.collect.models.charges import Charge
from payments.collect.models.orders import Order
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


class UnmatchedFunds(models.Model):
    """Money that arrived and belongs to no open order. It waits in suspense for an operator."""

    class Reason(models.TextChoices):
        """Why the money could not be applied."""

        LATE = "LATE", _("The order was final already")
        SECOND_SUCCESS = "SECOND_SUCCESS", _("The order was paid already")
        EXCESS = "EXCESS", _("More than the order asked")
        PARTIAL_EXPIRED = "PARTIAL_EXPIRED", _("Part of an order that ended unpaid")
        CURRENCY = "CURRENCY", _("Another currency than asked")
        RATE = "RATE", _("A coin without a current exchange rate")

    class Status(models.TextChoices):
        """Open: an operator has to decide what becomes of the money."""

        OPEN = "OPEN", _("Open")

    id = IdField(primary_key=True, default=partial(new_id, "unm"), editable=False)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="unmatched_funds")
    charge = models.ForeignKey(Charge, on_delete=models.PROTECT, related_name="unmatched_funds")
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("amount"))
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    trace_code = models.CharField(_("trace code"), max_length=100, blank=True)
    status = models.CharField(
        _("status"), max_length=20, choices=Status.choices, default=Status.OPEN
    )
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("unmatched funds")
        verbose_name_plural = _("unmatched funds")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="unmatched_amount_positive")
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.pk}: {self.amount} {self.currency}"
