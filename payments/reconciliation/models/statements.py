"""The operator's own bank accounts, and what their banks say of them. Amounts are pesos."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.rails.models import SLUG


class BankAccount(models.Model):
    """An account of the operator at a bank. In the ledger it is `bank:<slug>:COPM`."""

    class Type(models.TextChoices):
        SAVINGS = "SAVINGS", _("Savings")
        CHECKING = "CHECKING", _("Checking")

    slug = models.CharField(_("name in URLs"), max_length=30, primary_key=True, validators=[SLUG])
    label = models.CharField(_("label"), max_length=60)
    # Of ACH Colombia, such as 1007.
    bank_code = models.CharField(_("bank"), max_length=4)
    number = models.CharField(_("account number"), max_length=20)
    account_type = models.CharField(_("account type"), max_length=10, choices=Type.choices)
    holder = models.CharField(_("holder"), max_length=100)
    document = models.CharField(_("NIT of the holder"), max_length=20)
    created_by = models.CharField(_("created by"), max_length=150)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("bank account")
        verbose_name_plural = _("bank accounts")
        constraints = [
            models.UniqueConstraint(fields=["bank_code", "number"], name="bank_account_once"),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.label} ({self.slug})"


class StatementFile(models.Model):
    """A file that was taken whole. Refused files leave no row but an audit row."""

    class Source(models.TextChoices):
        CONSOLE = "CONSOLE", _("Console")
        COMMAND = "COMMAND", _("Command")
        DIRECTORY = "DIRECTORY", _("Watched directory")

    id = IdField(primary_key=True, default=partial(new_id, "stf"), editable=False)
    account = models.ForeignKey(
        BankAccount, models.PROTECT, related_name="files", verbose_name=_("bank account")
    )
    format = models.CharField(_("format"), max_length=20)
    name = models.CharField(_("file"), max_length=200)
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    size = models.PositiveBigIntegerField(_("bytes"))
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    # Null where the format has none.
    opening = MoneyField(_("opening balance"), null=True)
    closing = MoneyField(_("closing balance"), null=True)
    is_complete = models.BooleanField(_("has all movements of its days"))
    # How many lines it has, and how many of them no earlier file had.
    lines = models.PositiveIntegerField(_("lines"))
    new_lines = models.PositiveIntegerField(_("new lines"))
    # Of the new lines.
    credits = MoneyField(_("credits"))
    debits = MoneyField(_("debits"))
    source = models.CharField(_("came by"), max_length=10, choices=Source.choices)
    imported_by = models.CharField(_("imported by"), max_length=150)
    imported_at = models.DateTimeField(_("imported at"))

    class Meta:
        verbose_name = _("statement")
        verbose_name_plural = _("statements")
        constraints = [
            models.UniqueConstraint(fields=["account", "sha256"], name="statement_file_once"),
        ]
        indexes = [models.Index(fields=["account", "last_day"], name="statement_file_day")]
        triggers = [
            pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.name


class LineStatus(models.TextChoices):
    """NEW: the matcher has not seen it. AMBIGUOUS and UNMATCHED wait for a person.

    MATCHED: it is money of one of our payments. BOOKED: a cost of the bank, or a movement that an
    operator named.
    """

    NEW = "NEW", _("New")
    AMBIGUOUS = "AMBIGUOUS", _("With candidates")
    UNMATCHED = "UNMATCHED", _("No candidate")
    MATCHED = "MATCHED", _("Matched")
    BOOKED = "BOOKED", _("Booked")


_DECIDED = frozenset({LineStatus.MATCHED, LineStatus.BOOKED})
_WAITING = frozenset({LineStatus.AMBIGUOUS, LineStatus.UNMATCHED})
LINE_MOVES: states.Moves = {
    LineStatus.NEW: _DECIDED | _WAITING,
    LineStatus.AMBIGUOUS: _DECIDED | {LineStatus.UNMATCHED},
    LineStatus.UNMATCHED: _DECIDED | {LineStatus.AMBIGUOUS},
    # An operator takes a decision back.
    LineStatus.MATCHED: _WAITING,
    LineStatus.BOOKED: _WAITING,
}


# Begins the description of a movement of which two formats do not say whose it is.
UNKNOWN_PAYER = "? "


class StatementLine(models.Model):
    """One movement of the account, however many files have it.

    Files have no id of a movement that all formats share. So the number-th line of an account, a
    day and an amount is the same movement in every file (services/imports.py).
    """

    Status = LineStatus
    MOVES: ClassVar[states.Moves] = LINE_MOVES

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey(
        BankAccount, models.PROTECT, related_name="lines", verbose_name=_("bank account")
    )
    booked_on = models.DateField(_("booked on"))
    # Above zero came in, below zero went out.
    amount = MoneyField(_("amount"))
    number = models.PositiveIntegerField()
    description = models.CharField(_("description"), max_length=300, blank=True)
    # As in formats.values.ParsedLine.
    reference = models.CharField(_("reference"), max_length=60, blank=True)
    document = models.CharField(_("document"), max_length=40, blank=True)
    counterparty = models.CharField(_("counterparty"), max_length=100, blank=True)
    code = models.CharField(_("bank's code"), max_length=20, blank=True)
    operation_id = models.CharField(_("bank's operation"), max_length=60, blank=True)
    # Of the first file that had it.
    file = models.ForeignKey(
        StatementFile, models.PROTECT, related_name="first_lines", verbose_name=_("statement")
    )
    file_line = models.PositiveIntegerField(_("line in the file"))
    status = models.CharField(
        _("status"), max_length=10, choices=LineStatus.choices, default=LineStatus.NEW
    )
    # When the matcher looks at it next.
    match_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(_("imported at"))

    class Meta:
        verbose_name = _("bank movement")
        verbose_name_plural = _("bank movements")
        constraints = [
            models.UniqueConstraint(
                fields=["account", "booked_on", "amount", "number"], name="statement_line_once"
            ),
            models.CheckConstraint(condition=~Q(amount=0), name="statement_line_not_zero"),
        ]
        indexes = [
            models.Index(
                fields=["match_at"],
                condition=Q(match_at__isnull=False),
                name="statement_line_due",
            ),
            models.Index(
                fields=["id"],
                condition=Q(status__in=["AMBIGUOUS", "UNMATCHED"]),
                name="statement_line_waits",
            ),
            models.Index(
                fields=["reference"], condition=~Q(reference=""), name="statement_line_reference"
            ),
            models.Index(
                fields=["document"], condition=~Q(document=""), name="statement_line_document"
            ),
            models.Index(fields=["amount"], name="statement_line_amount"),
        ]
        triggers = [
            states.guard(LINE_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.booked_on} {self.amount.normalize():f} {self.description}"

    @property
    def is_of_unknown_payer(self) -> bool:
        """Whether the description is that of several movements (services/merging.py)."""
        return self.description.startswith(UNKNOWN_PAYER)


class LineSource(models.Model):
    """A file that has the movement, the first one included, and what its format says of it."""

    id = models.BigAutoField(primary_key=True)
    line = models.ForeignKey(StatementLine, models.PROTECT, related_name="sources")
    file = models.ForeignKey(
        StatementFile, models.PROTECT, related_name="sources", verbose_name=_("statement")
    )
    file_line = models.PositiveIntegerField(_("line in the file"))
    # In files of one format, movements with different ones are different movements.
    operation_id = models.CharField(_("bank's operation"), max_length=60, blank=True)
    reference = models.CharField(_("reference"), max_length=60, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "file_line"], name="line_source_once"),
        ]

    def __str__(self) -> str:
        return f"{self.file_id}:{self.file_line}"


class StatementGap(models.Model):
    """An operator imported a statement though movements before it are missing.

    Until these are imported, `suspense:bank` has `amount` - `explained` for them.
    """

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey(
        BankAccount, models.PROTECT, related_name="gaps", verbose_name=_("bank account")
    )
    # The statement after the gap.
    file = models.OneToOneField(
        StatementFile, models.PROTECT, related_name="gap", verbose_name=_("statement")
    )
    # The days that may have the missing movements.
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    # Opening balance - the balance before the gap. Null where one of them is not known.
    amount = MoneyField(_("missing amount"), null=True)
    # The sum of the movements that were imported later.
    explained = MoneyField(_("imported later"), default=0)
    reason = models.CharField(_("reason"), max_length=500)
    accepted_by = models.CharField(_("accepted by"), max_length=150)
    accepted_at = models.DateTimeField(_("accepted at"))

    class Meta:
        verbose_name = _("gap between statements")
        verbose_name_plural = _("gaps between statements")
        indexes = [models.Index(fields=["account", "last_day"], name="statement_gap_day")]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.account_id} {self.first_day} - {self.last_day}"
