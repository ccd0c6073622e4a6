"""Decisions about lines of statements."""

from functools import partial

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.reconciliation.models.statements import StatementLine
from payments.reconciliation.models.transfers import AwaitedTransfer


class MatchKind(models.TextChoices):
    """CHARGE: `subject_id` is a charge, of the rail `bankfile`. PAYOUT_LINE: a line of a payment
    file. DISBURSEMENT: of an acquirer. COST: a recipe of bank costs. MERCHANT: credited to one.
    RETURN: an earlier credit went back. OTHER: a movement that an operator named.
    """

    CHARGE = "CHARGE", _("Payment of an order")
    PAYOUT_LINE = "PAYOUT_LINE", _("Line of a payment file")
    DISBURSEMENT = "DISBURSEMENT", _("Disbursement of an acquirer")
    COST = "COST", _("Cost of the bank")
    MERCHANT = "MERCHANT", _("Credited to a merchant")
    RETURN = "RETURN", _("Returned")
    OTHER = "OTHER", _("Other movement")


class LineMatch(models.Model):
    """Why a line is what it is. A line has one that counts; those taken back stay."""

    id = IdField(primary_key=True, default=partial(new_id, "lma"), editable=False)
    line = models.ForeignKey(
        StatementLine, models.PROTECT, related_name="matches", verbose_name=_("bank movement")
    )
    kind = models.CharField(_("kind"), max_length=20, choices=MatchKind.choices)
    subject_id = models.CharField(_("subject"), max_length=60, blank=True)
    # Of kind CHARGE: the reference that the payer was given.
    transfer = models.ForeignKey(
        AwaitedTransfer,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
        verbose_name=_("awaited transfer"),
    )
    amount = MoneyField(_("amount"))
    # A list of {"fact", ...values}: services/matching/explanations.py makes sentences of it.
    explanation = models.JSONField(_("explanation"), default=list)
    # Empty: the matcher.
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)
    decided_at = models.DateTimeField(_("decided at"))
    undone_by = models.CharField(_("taken back by"), max_length=150, blank=True)
    undone_at = models.DateTimeField(_("taken back at"), null=True, blank=True)
    undo_reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(
                fields=["line"], condition=Q(undone_at=None), name="line_match_counts_once"
            ),
        ]
        indexes = [models.Index(fields=["kind", "subject_id"], name="line_match_subject")]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.line_id} -> {self.kind} {self.subject_id}"
