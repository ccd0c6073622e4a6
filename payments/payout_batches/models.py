"""Tables of batches of payouts: the batch, its lines, and the file until it is checked."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.outgoing.models import BalanceCurrency
from payments.payout.models import AccountType, Bank, KeyType, Network, Payout


class BatchStatus(models.TextChoices):
    CHECKING = "CHECKING", _("Being checked")
    REFUSED = "REFUSED", _("File refused")
    CHECKED = "CHECKED", _("Checked")
    WAITING = "WAITING_APPROVAL", _("To approve")
    RUNNING = "RUNNING", _("On the way")
    PAUSED = "PAUSED", _("Paused")
    DONE = "DONE", _("Payouts created")
    CANCELLED = "CANCELLED", _("Cancelled")
    REJECTED = "REJECTED", _("Rejected")
    DISCARDED = "DISCARDED", _("Discarded")


# DONE: each line has its payout or was refused. CANCELLED: the lines without a payout never get
# one. DISCARDED: withdrawn before anything was paid, or replaced by a mended file.
BATCH_MOVES: states.Moves = {
    BatchStatus.CHECKING: frozenset(
        {BatchStatus.REFUSED, BatchStatus.CHECKED, BatchStatus.DISCARDED}
    ),
    BatchStatus.REFUSED: frozenset({BatchStatus.DISCARDED}),
    BatchStatus.CHECKED: frozenset(
        {BatchStatus.WAITING, BatchStatus.RUNNING, BatchStatus.DISCARDED}
    ),
    BatchStatus.WAITING: frozenset(
        {BatchStatus.RUNNING, BatchStatus.REJECTED, BatchStatus.DISCARDED}
    ),
    BatchStatus.RUNNING: frozenset({BatchStatus.PAUSED, BatchStatus.DONE, BatchStatus.CANCELLED}),
    BatchStatus.PAUSED: frozenset({BatchStatus.RUNNING, BatchStatus.CANCELLED}),
}
# Nothing was paid yet, and people may still discard it.
DRAFTS = (BatchStatus.CHECKING, BatchStatus.REFUSED, BatchStatus.CHECKED, BatchStatus.WAITING)


# The code of an error of the service: of a line that is refused for it, and of a batch that has
# paused because of too many, so that an operator looks at it.
UNEXPECTED = "UNEXPECTED_ERROR"
STOPPED = Q(status="PAUSED", cause=UNEXPECTED)


class LineStatus(models.TextChoices):
    WRONG = "WRONG", _("Wrong")
    WAITING = "WAITING", _("Waiting")
    CREATED = "CREATED", _("Payout created")
    REFUSED = "REFUSED", _("Refused")
    CANCELLED = "CANCELLED", _("Cancelled")


LINE_MOVES: states.Moves = {
    LineStatus.WAITING: frozenset(
        {LineStatus.WRONG, LineStatus.CREATED, LineStatus.REFUSED, LineStatus.CANCELLED}
    ),
}


class PayoutBatch(models.Model):
    ID_PREFIX = "pob"
    Status = BatchStatus
    MOVES: ClassVar[states.Moves] = BATCH_MOVES

    class Source(models.TextChoices):
        FILE = "FILE", _("File")
        API = "API", _("API")

    id = IdField(primary_key=True, default=partial(new_id, ID_PREFIX), editable=False)
    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT, verbose_name=_("merchant"))
    source = models.CharField(_("source"), max_length=4, choices=Source.choices)
    # One batch for each key. A file has its own: the id of its batch.
    idempotency_key = models.CharField(_("idempotency key"), max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    name = models.CharField(_("name"), max_length=200, blank=True)
    format = models.CharField(_("format"), max_length=4, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    headings = models.JSONField(default=list)
    ignored = models.JSONField(default=list)
    currency = models.CharField(
        _("paid from"), max_length=4, choices=BalanceCurrency.choices, default=BalanceCurrency.COPM
    )
    status = models.CharField(
        _("status"), max_length=20, choices=BatchStatus.choices, default=BatchStatus.CHECKING
    )
    # Why the file was refused, or why the lines wait: a code with its figures.
    cause = models.CharField(max_length=40, blank=True)
    cause_values = models.JSONField(default=dict)

    # Of the lines that can be paid, in pesos.
    line_count = models.PositiveIntegerField(_("lines"), default=0)
    amount = MoneyField(_("amount"), default=0)
    fee_amount = MoneyField(_("fee"), default=0)
    wrong_count = models.PositiveIntegerField(_("wrong lines"), default=0)
    warning_count = models.PositiveIntegerField(_("lines with a warning"), default=0)
    # Keys of Bre-B: how many the rail was asked for, and how many it was not.
    keys_asked = models.PositiveIntegerField(default=0)
    keys_left = models.PositiveIntegerField(default=0)

    created_by = models.CharField(_("made by"), max_length=150)
    created_at = models.DateTimeField(_("created at"))
    # An operator approves, too: the sum is above the operators' limit of the account, or the
    # merchant's team has too few approvers.
    needs_operator = models.BooleanField(default=False)
    # Its payouts are then not approved one by one.
    operator_approved = models.BooleanField(default=False, db_default=False)
    submitted_by = models.CharField(_("sent by"), max_length=150, blank=True)
    submitted_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    approved_by = models.CharField(_("approved by"), max_length=150, blank=True)
    approved_at = models.DateTimeField(_("approved at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    replaces = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="replaced_by",
        verbose_name=_("replaces"),
    )
    # When a worker looks at it next. Null if there is nothing to do.
    due_at = models.DateTimeField(null=True, blank=True)
    # Turns that began since the last one that ended.
    attempts = models.PositiveSmallIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("payout batch")
        verbose_name_plural = _("payout batches")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"], name="payout_batch_key_once"
            )
        ]
        indexes = [
            models.Index(fields=["merchant", "-id"], name="payout_batch_newest"),
            models.Index(
                fields=["due_at"], condition=Q(due_at__isnull=False), name="payout_batch_due"
            ),
            models.Index(
                fields=["created_at"],
                condition=Q(status="WAITING_APPROVAL"),
                name="payout_batch_approval",
            ),
            models.Index(fields=["created_at"], condition=STOPPED, name="payout_batch_stopped"),
        ]
        triggers = [states.guard(BATCH_MOVES)]

    def __str__(self) -> str:
        return self.name or str(self.pk)

    @property
    def keys_count(self) -> int:
        return self.keys_asked + self.keys_left

    @property
    def has_own_key(self) -> bool:
        """Whether a backend chose its idempotency key."""
        return self.idempotency_key != self.pk


class BatchFile(models.Model):
    """What was uploaded, compressed, until the check has ended."""

    batch = models.OneToOneField(
        PayoutBatch, on_delete=models.CASCADE, primary_key=True, related_name="file"
    )
    content = models.BinaryField()

    def __str__(self) -> str:
        return str(self.batch_id)


class BatchLine(models.Model):
    """One payout to be made. Its content never changes after the check."""

    Status = LineStatus
    MOVES: ClassVar[states.Moves] = LINE_MOVES

    batch = models.ForeignKey(
        PayoutBatch, on_delete=models.PROTECT, related_name="lines", verbose_name=_("batch")
    )
    # Of the file, as a spreadsheet counts; of the API from 1.
    number = models.PositiveIntegerField(_("line"))
    status = models.CharField(
        _("status"), max_length=10, choices=LineStatus.choices, default=LineStatus.WAITING
    )
    reference = models.CharField(_("reference"), max_length=100, blank=True)
    recipient_name = models.CharField(_("beneficiary"), max_length=200, blank=True)
    doc_type = models.CharField(_("document type"), max_length=3, blank=True)
    doc_number = models.CharField(_("document number"), max_length=40, blank=True)
    network = models.CharField(_("network"), max_length=10, choices=Network.choices, blank=True)
    bank = models.ForeignKey(
        Bank, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("bank")
    )
    account_type = models.CharField(max_length=10, choices=AccountType.choices, blank=True)
    account_number = models.CharField(_("account"), max_length=20, blank=True)
    key_type = models.CharField(max_length=15, choices=KeyType.choices, blank=True)
    key_value = models.CharField(_("key"), max_length=92, blank=True)
    amount = MoneyField(_("amount"), null=True, blank=True)
    fee_amount = MoneyField(_("fee"), null=True, blank=True)
    description = models.CharField(_("description"), max_length=40, blank=True)
    # JSON text. Of the API: a file has no column for it.
    metadata = models.TextField(default="{}", db_default="{}")
    # As in the file, for the copy with the errors. Deleted when the batch is sent.
    cells = models.JSONField(null=True, blank=True)
    faults = models.JSONField(default=list)
    warnings = models.JSONField(default=list)
    # KeyCheck.Result, and the holder, masked. Empty: not asked.
    key_result = models.CharField(max_length=20, blank=True)
    key_holder = models.CharField(_("holder of the key"), max_length=100, blank=True)
    payout = models.OneToOneField(
        Payout,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="batch_line",
        verbose_name=_("payout"),
    )
    # Why no payout was created, as the API says it.
    refusal_code = models.CharField(max_length=40, blank=True)
    refusal = models.CharField(_("why refused"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("line of a payout batch")
        verbose_name_plural = _("lines of payout batches")
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="payout_batch_line_once"),
            models.CheckConstraint(
                condition=Q(status="CREATED", payout__isnull=False)
                | ~Q(status="CREATED") & Q(payout=None),
                name="payout_batch_line_has_payout",
            ),
            models.CheckConstraint(
                condition=Q(status="WRONG") | Q(amount__gt=0, fee_amount__gte=0),
                name="payout_batch_line_amounts",
            ),
        ]
        indexes = [
            models.Index(fields=["batch", "status", "number"], name="payout_batch_line_status"),
            # For forget_drafts: few lines have cells for long.
            models.Index(
                fields=["batch"],
                condition=Q(cells__isnull=False),
                name="payout_batch_line_cells",
            ),
        ]
        triggers = [
            states.guard(LINE_MOVES),
            pgtrigger.ReadOnly(
                name="content",
                fields=[
                    *("batch", "number", "reference", "recipient_name", "doc_type", "doc_number"),
                    *("network", "bank", "account_type", "account_number", "key_type"),
                    *("key_value", "amount", "fee_amount", "description"),
                ],
            ),
            pgtrigger.ReadOnly(name="metadata", fields=["metadata"]),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id} {self.number}"

    @property
    def payout_key(self) -> str:
        """The idempotency key of its payout: one for ever, whichever process creates it."""
        return f"{self.batch_id}:{self.number}"
