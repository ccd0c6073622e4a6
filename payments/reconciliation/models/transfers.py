"""Transfers that payers were asked for."""

from decimal import Decimal

from django.db import models
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField, MoneyField


class AwaitedTransfer(models.Model):
    """A reference that the rail `bankfile` gave to a payer. Amounts are pesos.

    A line that is matched to it sets `report_at`: then its charge is told the sum of its matches.
    """

    id = models.BigAutoField(primary_key=True)
    # The slug of the provider account.
    account = models.CharField(_("account"), max_length=40)
    reference = models.CharField(_("reference"), max_length=20)
    # Of the charge; empty if a rail test asked for it.
    charge_id = IdField(blank=True)
    amount = MoneyField(_("amount"))
    # All that was ever matched, also what was taken back later: what a charge received never falls.
    received = MoneyField(_("received"), default=0)
    expires_at = models.DateTimeField(_("expires at"))
    created_at = models.DateTimeField(_("created at"))
    report_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("awaited transfer")
        verbose_name_plural = _("awaited transfers")
        constraints = [
            models.UniqueConstraint(fields=["reference", "account"], name="awaited_transfer_once"),
        ]
        indexes = [
            models.Index(
                fields=["account", "amount", "created_at"], name="awaited_transfer_amount"
            ),
            models.Index(
                fields=["account", "id"],
                condition=models.Q(received__gt=0, received__lt=models.F("amount")),
                name="awaited_transfer_partial",
            ),
            models.Index(fields=["charge_id"], name="awaited_transfer_charge"),
            models.Index(fields=["account", "created_at"], name="awaited_transfer_day"),
            models.Index(
                fields=["report_at"],
                condition=models.Q(report_at__isnull=False),
                name="awaited_transfer_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} at {self.account}"

    @property
    def missing(self) -> Decimal:
        return max(self.amount - self.received, Decimal(0))
