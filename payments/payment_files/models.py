"""Tables of payment files: batches, their lines, the files that were made, and the bank's answers.

Amounts are pesos. A line is one payment of a product; its payment is named by `reference`, because
payouts and refunds have tables of their own.
"""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


class BatchStatus(models.TextChoices):
    """OPEN takes lines. CLOSED waits for a second person. APPROVED has a file. SENT: the file was
    downloaded. DONE: each line is decided.
    """

    OPEN = "OPEN", _("Open")
    CLOSED = "CLOSED", _("Waits for approval")
    APPROVED = "APPROVED", _("Approved, not downloaded")
    SENT = "SENT", _("Downloaded")
    DONE = "DONE", _("Done")


# Back to CLOSED: another version of the file is wanted, which is approved again.
BATCH_MOVES: states.Moves = {
    BatchStatus.OPEN: frozenset({BatchStatus.CLOSED}),
    BatchStatus.CLOSED: frozenset({BatchStatus.APPROVED, BatchStatus.DONE}),
    BatchStatus.APPROVED: frozenset({BatchStatus.SENT, BatchStatus.CLOSED, BatchStatus.DONE}),
    BatchStatus.SENT: frozenset({BatchStatus.CLOSED, BatchStatus.DONE}),
}


class LineStatus(models.TextChoices):
    """FAILED: the bank did not pay, and never will. RETURNED: it paid, and the money came back."""

    PENDING = "PENDING", _("Pending")
    COMPLETED = "COMPLETED", pgettext_lazy("line", "Paid")
    FAILED = "FAILED", _("Not paid")
    RETURNED = "RETURNED", _("Came back")


LINE_MOVES: states.Moves = {
    LineStatus.PENDING: frozenset({LineStatus.COMPLETED, LineStatus.FAILED, LineStatus.RETURNED}),
    LineStatus.COMPLETED: frozenset({LineStatus.RETURNED}),
}


class PaymentBatch(models.Model):
    Status = BatchStatus
    MOVES: ClassVar[states.Moves] = BATCH_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "pfb"), editable=False)
    # Slug of the provider account.
    account = models.CharField(_("account"), max_length=40)
    # Counted by account, from 1.
    number = models.PositiveIntegerField(_("number"))
    status = models.CharField(
        _("status"), max_length=10, choices=BatchStatus.choices, default=BatchStatus.OPEN
    )
    # The day on which the bank pays.
    pay_on = models.DateField(_("to be paid on"), null=True)
    # Who closed it, or asked for another version.
    closed_by = models.CharField(pgettext_lazy("batch", "closed by"), max_length=150, blank=True)
    closed_at = models.DateTimeField(pgettext_lazy("batch", "closed at"), null=True)
    approved_by = models.CharField(
        pgettext_lazy("batch", "approved by"), max_length=150, blank=True
    )
    approved_at = models.DateTimeField(pgettext_lazy("batch", "approved at"), null=True)
    done_at = models.DateTimeField(_("done at"), null=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("payment batch")
        verbose_name_plural = _("payment batches")
        constraints = [
            models.UniqueConstraint(fields=["account", "number"], name="payment_batch_number"),
            models.UniqueConstraint(
                fields=["account"], condition=Q(status="OPEN"), name="payment_batch_one_open"
            ),
            models.CheckConstraint(
                condition=~Q(status__in=("APPROVED", "SENT"))
                | (
                    ~Q(approved_by="")
                    & ~Q(closed_by="")
                    & ~Q(approved_by=models.F("closed_by"))
                    & Q(pay_on__isnull=False)
                ),
                name="payment_batch_two_persons",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status", "id"], condition=~Q(status="DONE"), name="payment_batch_waiting"
            ),
        ]
        triggers = [
            states.guard(BATCH_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.number}"


class BatchFile(models.Model):
    """A version of a batch's file. Only the newest counts, and it is downloaded once."""

    id = IdField(primary_key=True, default=partial(new_id, "pff"), editable=False)
    batch = models.ForeignKey(
        PaymentBatch, models.PROTECT, related_name="files", verbose_name=_("payment batch")
    )
    account = models.CharField(max_length=40)
    version = models.PositiveIntegerField(_("version"))
    # The day of Bogotá, and the letter that tells the files of one day apart.
    made_on = models.DateField(_("made on"))
    sequence = models.CharField(_("letter"), max_length=1)
    content = models.BinaryField()
    size = models.PositiveIntegerField(_("bytes"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    lines = models.PositiveIntegerField(_("lines"))
    total = MoneyField(_("total"))
    made_by = models.CharField(_("made by"), max_length=150)
    made_at = models.DateTimeField(_("made at"))
    downloaded_by = models.CharField(_("downloaded by"), max_length=150, blank=True)
    downloaded_at = models.DateTimeField(_("downloaded at"), null=True)
    replaced_by = models.CharField(_("replaced by"), max_length=150, blank=True)
    replaced_at = models.DateTimeField(_("replaced at"), null=True)
    replace_reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("payment file")
        verbose_name_plural = _("payment files")
        constraints = [
            models.UniqueConstraint(fields=["batch", "version"], name="payment_file_version"),
            models.UniqueConstraint(
                fields=["batch"], condition=Q(replaced_at=None), name="payment_file_one_counts"
            ),
            models.UniqueConstraint(
                fields=["account", "made_on", "sequence"], name="payment_file_letter_of_day"
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="content_is_kept", fields=["batch", "version", "content", "sha256", "made_by"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id} v{self.version}"

    @property
    def name(self) -> str:
        return f"pab-{self.account}-{self.made_on:%Y%m%d}-{self.sequence}.txt"


class BankAnswer(models.Model):
    """A file in which an operator says what the bank did (docs/payment-files.md)."""

    id = IdField(primary_key=True, default=partial(new_id, "pfa"), editable=False)
    batch = models.ForeignKey(PaymentBatch, models.PROTECT, related_name="answers")
    name = models.CharField(_("file"), max_length=200)
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    rows = models.PositiveIntegerField(_("rows"))
    uploaded_by = models.CharField(_("uploaded by"), max_length=150)
    uploaded_at = models.DateTimeField(_("uploaded at"))

    class Meta:
        verbose_name = _("answer of the bank")
        verbose_name_plural = _("answers of the bank")
        constraints = [
            models.UniqueConstraint(fields=["batch", "sha256"], name="bank_answer_once"),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.name


class BatchLine(models.Model):
    """One payment in a batch, as it was when it came. It is never in two batches."""

    Status = LineStatus
    MOVES: ClassVar[states.Moves] = LINE_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "pfl"), editable=False)
    batch = models.ForeignKey(
        PaymentBatch, models.PROTECT, related_name="lines", verbose_name=_("payment batch")
    )
    account = models.CharField(_("account"), max_length=40)
    # Of the payment, as the engine of its product names it at the rail.
    reference = models.CharField(_("reference"), max_length=40, unique=True, db_collation="C")
    payment_id = models.CharField(_("payment"), max_length=40)
    # Nine digits with a check digit: what the bank's statement shows. No two lines have the same.
    code = models.CharField(_("code"), max_length=12, unique=True, db_collation="C")

    recipient_name = models.CharField(_("beneficiary"), max_length=200)
    document_type = models.CharField(_("document type"), max_length=3)
    document = models.CharField(_("document"), max_length=15)
    # Of ACH Colombia, such as 1007.
    bank = models.CharField(_("bank"), max_length=4)
    account_type = models.CharField(_("account type"), max_length=2)
    account_number = models.CharField(_("account number"), max_length=17)
    amount = MoneyField(_("amount"))

    status = models.CharField(
        _("status"), max_length=10, choices=LineStatus.choices, default=LineStatus.PENDING
    )
    # An OutgoingReason, and what a person or the bank wrote. Of FAILED and RETURNED.
    reason = models.CharField(_("reason"), max_length=30, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True)
    # The newest file that has it, and when a file with it was first downloaded: since then the
    # bank may have paid.
    file = models.ForeignKey(BatchFile, models.PROTECT, related_name="+", null=True)
    handed_over_at = models.DateTimeField(_("handed over at"), null=True)

    # The movements of the bank account, as reconciliation names them.
    debit_source = models.CharField(_("debit"), max_length=100, blank=True)
    debited_on = models.DateField(_("debited on"), null=True)
    return_source = models.CharField(_("return"), max_length=100, blank=True)
    returned_on = models.DateField(_("returned on"), null=True)

    # What one person says became of it, until another person agrees.
    declared_status = models.CharField(
        _("declared"), max_length=10, choices=LineStatus.choices, blank=True
    )
    declared_reason = models.CharField(max_length=30, blank=True)
    declared_note = models.CharField(_("reason"), max_length=500, blank=True)
    declared_by = models.CharField(_("declared by"), max_length=150, blank=True)
    declared_at = models.DateTimeField(_("declared at"), null=True)

    needs_operator = models.BooleanField(_("waits for an operator"), default=False)
    # When its state is reported to the engine of its payment. Null: it knows.
    report_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("line of a payment file")
        verbose_name_plural = _("lines of payment files")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="batch_line_amount"),
            models.UniqueConstraint(
                fields=["debit_source"],
                condition=~Q(debit_source=""),
                name="batch_line_debit_once",
            ),
            models.UniqueConstraint(
                fields=["return_source"],
                condition=~Q(return_source=""),
                name="batch_line_return_once",
            ),
        ]
        indexes = [
            models.Index(fields=["batch", "status"], name="batch_line_by_status"),
            models.Index(
                fields=["account", "created_at"],
                condition=Q(status="PENDING"),
                name="batch_line_waiting",
            ),
            models.Index(
                fields=["report_at"], condition=Q(report_at__isnull=False), name="batch_line_due"
            ),
            models.Index(
                fields=["id"], condition=Q(needs_operator=True), name="batch_line_exceptions"
            ),
            models.Index(
                fields=["id"], condition=~Q(declared_status=""), name="batch_line_declared"
            ),
            models.Index(fields=["payment_id"], name="batch_line_payment"),
        ]
        triggers = [
            states.guard(LINE_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="payment_is_kept",
                fields=[
                    *("batch", "account", "reference", "payment_id", "code", "amount"),
                    *("recipient_name", "document_type", "document"),
                    *("bank", "account_type", "account_number"),
                ],
            ),
        ]

    def __str__(self) -> str:
        return self.code


class FindingKind(models.TextChoices):
    """What the bank shows and the line does not allow. Nothing of it was applied."""

    SECOND_DEBIT = "SECOND_DEBIT", _("The bank paid it a second time")
    OTHER_AMOUNT = "OTHER_AMOUNT", _("The bank shows another amount")
    NOT_HANDED_OVER = "NOT_HANDED_OVER", _("The bank shows it, and no file with it was downloaded")
    PAID_AFTER_FAILED = "PAID_AFTER_FAILED", _("The bank paid it after it was declared not paid")
    SECOND_RETURN = "SECOND_RETURN", _("It came back a second time")
    RETURN_AFTER_FAILED = "RETURN_AFTER_FAILED", _("It came back after it was declared not paid")
    DEBIT_WITHDRAWN = "DEBIT_WITHDRAWN", _("The movement that proved it was assigned elsewhere")


class LineFinding(models.Model):
    """Calls an operator to a line, until one closes it."""

    id = models.BigAutoField(primary_key=True)
    line = models.ForeignKey(
        BatchLine, models.PROTECT, related_name="findings", verbose_name=_("line")
    )
    kind = models.CharField(_("finding"), max_length=30, choices=FindingKind.choices)
    amount = MoneyField(_("amount"))
    booked_on = models.DateField(_("booked on"))
    source = models.CharField(_("movement"), max_length=100)
    found_at = models.DateTimeField(_("found at"))
    closed_by = models.CharField(_("closed by"), max_length=150, blank=True)
    closed_at = models.DateTimeField(_("closed at"), null=True)
    close_reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        constraints = [
            models.UniqueConstraint(
                fields=["line", "kind", "source"], name="line_finding_once_by_movement"
            ),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.line_id} {self.kind}"
