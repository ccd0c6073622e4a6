"""Reconciled days: what our books, the provider and the bank say of a day. Amounts are pesos."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core.fields import MoneyField


class AccountKind(models.TextChoices):
    """`slug` is that of a BankAccount, or of the provider account of an acquirer."""

    BANK = "BANK", _("Bank account")
    ACQUIRER = "ACQUIRER", _("Acquirer")


class Flow(models.TextChoices):
    """What a movement of a day was for, in the order of the page."""

    COLLECTIONS = "COLLECTIONS", _("Collections")
    DISBURSEMENTS = "DISBURSEMENTS", _("Disbursements of acquirers")
    PAYOUTS = "PAYOUTS", _("Payouts")
    REFUNDS = "REFUNDS", _("Refunds and returns")
    COSTS = "COSTS", _("Costs and taxes")
    OWN = "OWN", _("Own movements")
    UNDECIDED = "UNDECIDED", _("Undecided")


class DayStatus(models.TextChoices):
    """GREY: there is nothing to compare. OPEN: differences that may still end by themselves."""

    GREEN = "GREEN", _("Reconciled")
    OPEN = "OPEN", _("Differences not due yet")
    RED = "RED", _("Overdue differences")
    GREY = "GREY", _("Nothing to compare")


class DifferenceKind(models.TextChoices):
    """LATE: MISSING_THERE after its time."""

    MISSING_THERE = "MISSING_THERE", _("Missing there")
    MISSING_HERE = "MISSING_HERE", _("Missing here")
    AMOUNT_DIFFERS = "AMOUNT_DIFFERS", _("Amount differs")
    DUPLICATED = "DUPLICATED", _("Duplicated")
    LATE = "LATE", _("Late")


class ReconciledDay(models.Model):
    """The last figures of a day. A page computes them again; calendars and metrics show these."""

    Status = DayStatus

    id = models.BigAutoField(primary_key=True)
    account_kind = models.CharField(_("kind"), max_length=10, choices=AccountKind.choices)
    account = models.CharField(_("account"), max_length=30)
    day = models.DateField(_("day"))
    status = models.CharField(_("status"), max_length=10, choices=DayStatus.choices)
    # {flow: [books, provider, bank]} as text.
    flows = models.JSONField(default=dict)
    computed_at = models.DateTimeField(_("computed at"))

    class Meta:
        verbose_name = _("reconciled day")
        verbose_name_plural = _("reconciled days")
        constraints = [
            models.UniqueConstraint(
                fields=["account_kind", "account", "day"], name="reconciled_day_once"
            ),
        ]
        indexes = [models.Index(fields=["status", "day"], name="reconciled_day_status")]

    def __str__(self) -> str:
        return f"{self.account} {self.day}"


class DayDifference(models.Model):
    """Something that the columns of a day do not agree about. It ends when they do."""

    Kind = DifferenceKind

    id = models.BigAutoField(primary_key=True)
    account_kind = models.CharField(_("account kind"), max_length=10, choices=AccountKind.choices)
    account = models.CharField(_("account"), max_length=30)
    day = models.DateField(_("day"))
    flow = models.CharField(_("flow"), max_length=20, choices=Flow.choices)
    kind = models.CharField(_("kind"), max_length=20, choices=DifferenceKind.choices)
    # What it is about, the same at each look.
    key = models.CharField(max_length=80)
    # What each column has of it.
    books = MoneyField(_("our books"))
    provider = MoneyField(_("the provider"))
    bank = MoneyField(_("the bank"))
    # services/days/sentences.py makes sentences of both.
    cause = models.CharField(max_length=40)
    facts = models.JSONField(default=dict)
    # {"model": "app.model", "pk": ...} of the records concerned.
    records = models.JSONField(default=list)
    # The last day on which it may still end by itself.
    due_on = models.DateField(_("expected to end until"))
    found_at = models.DateTimeField(_("found at"))
    closed_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        verbose_name = _("difference")
        verbose_name_plural = _("differences")
        constraints = [
            models.UniqueConstraint(
                fields=["account_kind", "account", "day", "key"],
                condition=Q(closed_at=None),
                name="day_difference_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["account_kind", "account", "day"],
                condition=Q(closed_at=None),
                name="day_difference_open",
            ),
            models.Index(fields=["due_on"], condition=Q(closed_at=None), name="day_difference_due"),
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.day} {self.cause}"
