"""What acquirers say they sent to the bank. Amounts are pesos."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Charge
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.rails.models import ProviderAccount


class SettlementFile(models.Model):
    """A file of an acquirer that was taken whole. Refused files leave no row but an audit row."""

    id = IdField(primary_key=True, default=partial(new_id, "sef"), editable=False)
    account = models.ForeignKey(
        ProviderAccount, models.PROTECT, related_name="+", verbose_name=_("provider account")
    )
    name = models.CharField(_("file"), max_length=200)
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    size = models.PositiveBigIntegerField(_("bytes"))
    payments = models.PositiveIntegerField(_("payments"))
    # How many of them no earlier file had.
    new_payments = models.PositiveIntegerField(_("new payments"))
    imported_by = models.CharField(_("imported by"), max_length=150)
    imported_at = models.DateTimeField(_("imported at"))

    class Meta:
        verbose_name = _("settlement file")
        verbose_name_plural = _("settlement files")
        constraints = [
            models.UniqueConstraint(fields=["account", "sha256"], name="settlement_file_once"),
        ]
        triggers = [
            pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.name


class DisbursementStatus(models.TextChoices):
    """LATE: the bank's window is over, and no statement shows the money."""

    ANNOUNCED = "ANNOUNCED", _("Announced")
    LATE = "LATE", _("Late")
    ARRIVED = "ARRIVED", _("Arrived")


DISBURSEMENT_MOVES: states.Moves = {
    DisbursementStatus.ANNOUNCED: frozenset({DisbursementStatus.LATE, DisbursementStatus.ARRIVED}),
    DisbursementStatus.LATE: frozenset({DisbursementStatus.ARRIVED}),
    # An operator takes the match with the bank's line back.
    DisbursementStatus.ARRIVED: frozenset({DisbursementStatus.ANNOUNCED}),
}


class Disbursement(models.Model):
    """Payments that an acquirer sent to the bank as one sum.

    net = gross - the deductions, and is what the bank's line must show.
    """

    Status = DisbursementStatus
    MOVES: ClassVar[states.Moves] = DISBURSEMENT_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "dsb"), editable=False)
    account = models.ForeignKey(
        ProviderAccount, models.PROTECT, related_name="+", verbose_name=_("provider account")
    )
    file = models.ForeignKey(
        SettlementFile,
        models.PROTECT,
        related_name="disbursements",
        verbose_name=_("settlement file"),
    )
    day = models.DateField(_("day"))
    # The acquirer's own, where the file has one.
    number = models.CharField(_("acquirer's number"), max_length=100, blank=True)
    payments = models.PositiveIntegerField(_("payments"))
    gross = MoneyField(_("gross"))
    commission = MoneyField(_("commission"))
    vat = MoneyField(_("IVA of the commission"))
    ica_withheld = MoneyField(_("reteICA"))
    vat_withheld = MoneyField(_("reteIVA"))
    income_tax_withheld = MoneyField(_("retefuente"))
    consumption_tax = MoneyField(_("impoconsumo"))
    net = MoneyField(_("net"))
    status = models.CharField(
        _("status"),
        max_length=10,
        choices=DisbursementStatus.choices,
        default=DisbursementStatus.ANNOUNCED,
    )
    # The last day of the bank's window. After it the disbursement is late.
    due_on = models.DateField(_("expected until"))
    # The bank's day.
    arrived_on = models.DateField(_("arrived on"), null=True, blank=True)
    # The bank shows several as one sum, such as those of a weekend: the one that the match names.
    arrived_with = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(_("announced at"))

    class Meta:
        verbose_name = _("disbursement")
        verbose_name_plural = _("disbursements")
        constraints = [
            models.UniqueConstraint(fields=["account", "day", "number"], name="disbursement_once"),
            models.CheckConstraint(
                condition=Q(
                    net=F("gross")
                    - F("commission")
                    - F("vat")
                    - F("ica_withheld")
                    - F("vat_withheld")
                    - F("income_tax_withheld")
                    - F("consumption_tax")
                ),
                name="disbursement_net",
            ),
            models.CheckConstraint(
                condition=Q(status="ARRIVED", arrived_on__isnull=False)
                | ~Q(status="ARRIVED") & Q(arrived_on=None),
                name="disbursement_arrived_on",
            ),
        ]
        indexes = [
            models.Index(
                fields=["net"], condition=~Q(status="ARRIVED"), name="disbursement_on_its_way"
            ),
            models.Index(fields=["arrived_on"], name="disbursement_arrived"),
        ]
        triggers = [
            states.guard(DISBURSEMENT_MOVES),
            pgtrigger.ReadOnly(name="figures", exclude=["status", "arrived_on", "arrived_with"]),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.day} {self.net.normalize():f}"


class DisbursementRow(models.Model):
    """One payment of a disbursement. `gross` is below zero where the acquirer took it back."""

    id = models.BigAutoField(primary_key=True)
    disbursement = models.ForeignKey(
        Disbursement, models.PROTECT, related_name="rows", verbose_name=_("disbursement")
    )
    account = models.ForeignKey(ProviderAccount, models.PROTECT, related_name="+", db_index=False)
    file_line = models.PositiveIntegerField(_("line in the file"))
    # The acquirer's; ours where the file has no column of it.
    transaction_id = models.CharField(_("transaction"), max_length=100)
    reference = models.CharField(_("reference"), max_length=100, blank=True)
    # Null: no payment of ours.
    charge = models.ForeignKey(
        Charge, models.PROTECT, null=True, related_name="+", verbose_name=_("charge")
    )
    # In Bogotá; the day of the disbursement where the file has no other.
    paid_on = models.DateField(_("paid on"))
    gross = MoneyField(_("gross"))
    commission = MoneyField(_("commission"))
    vat = MoneyField(_("IVA of the commission"))
    ica_withheld = MoneyField(_("reteICA"))
    vat_withheld = MoneyField(_("reteIVA"))
    income_tax_withheld = MoneyField(_("retefuente"))
    consumption_tax = MoneyField(_("impoconsumo"))
    net = MoneyField(_("net"))
    is_reversal = models.BooleanField(_("taken back"))

    class Meta:
        verbose_name = _("payment of a disbursement")
        verbose_name_plural = _("payments of disbursements")
        constraints = [
            models.UniqueConstraint(
                fields=["account", "transaction_id", "is_reversal"],
                name="disbursement_row_once",
            ),
        ]
        indexes = [models.Index(fields=["account", "paid_on"], name="disbursement_row_day")]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.transaction_id} {self.gross.normalize():f}"


class ProviderTariff(models.Model):
    """What an acquirer's contract says that it takes. A check of its files, never the source.

    commission = rate * gross + fixed, its IVA, and retefuente and reteICA of the gross. Each is cut
    off after the cent (docs/settlement-files.md).
    """

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey(
        ProviderAccount, models.PROTECT, related_name="+", verbose_name=_("provider account")
    )
    # Counts for payments from this day on.
    first_day = models.DateField(_("counts from"))
    # A method of charges. Empty: every method without a tariff of its own.
    method = models.CharField(_("method"), max_length=60, blank=True)
    rate = models.DecimalField(_("part of the amount"), max_digits=8, decimal_places=6, default=0)
    fixed = MoneyField(_("fixed part"), default=0)
    vat_rate = models.DecimalField(
        _("IVA of the commission"), max_digits=8, decimal_places=6, default=0
    )
    income_tax_rate = models.DecimalField(
        _("retefuente"), max_digits=8, decimal_places=6, default=0
    )
    ica_rate = models.DecimalField(_("reteICA"), max_digits=8, decimal_places=6, default=0)
    created_by = models.CharField(_("created by"), max_length=150)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("tariff of an acquirer")
        verbose_name_plural = _("tariffs of acquirers")
        constraints = [
            models.UniqueConstraint(
                fields=["account", "method", "first_day"], name="provider_tariff_once"
            ),
            models.CheckConstraint(
                condition=Q(rate__gte=0, rate__lt=1, fixed__gte=0, vat_rate__gte=0)
                & Q(vat_rate__lt=1, income_tax_rate__gte=0, income_tax_rate__lt=1)
                & Q(ica_rate__gte=0, ica_rate__lt=1),
                name="provider_tariff_figures",
            ),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.account_id} {self.method or '*'} {self.first_day}"
