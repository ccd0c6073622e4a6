"""What the tables of payouts, top-ups and bill payments have in common. No tables of its own.

Amounts are pesos unless a field says otherwise.
"""

from typing import Any, ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import money, states
from payments.core.fields import IdField, MoneyField
from payments.providers.ports import OutgoingReason

# What a merchant is told where a person decided: their words are not for merchants.
DECIDED_BY_OPERATOR = "DECIDED_BY_OPERATOR"


class OutgoingStatus(models.TextChoices):
    """Contract, Payout statuses. Top-ups and bill payments answer them in lower case."""

    PENDING = "PENDING", _("Pending")
    PROCESSING = "PROCESSING", _("Processing")
    COMPLETED = "COMPLETED", _("Completed")
    FAILED = "FAILED", _("Failed")
    REFUNDED = "REFUNDED", _("Refunded")


# docs/gaps.md, Payouts. FAILED: it never left. REFUNDED: it left and came back.
OUTGOING_MOVES: states.Moves = {
    OutgoingStatus.PENDING: frozenset({OutgoingStatus.PROCESSING, OutgoingStatus.FAILED}),
    OutgoingStatus.PROCESSING: frozenset(
        {OutgoingStatus.COMPLETED, OutgoingStatus.FAILED, OutgoingStatus.REFUNDED}
    ),
    OutgoingStatus.COMPLETED: frozenset({OutgoingStatus.REFUNDED}),
}
OPEN = (OutgoingStatus.PENDING, OutgoingStatus.PROCESSING)


class BalanceCurrency(models.TextChoices):
    """The balance that pays (contract, Payout). Top-ups and bills are paid from COPM."""

    COPM = "COPM", "COPM"
    USDT = "USDT", "USDT"


class Terms(models.Model):
    """Fees and limits that an operator edits. They count for what is created from now on."""

    is_enabled = models.BooleanField(_("enabled"), default=True)
    min_amount = MoneyField(_("minimum"), null=True, blank=True)
    max_amount = MoneyField(_("cap per transaction"))
    fee_flat = MoneyField(_("fee, flat"), default=0)
    fee_rate = models.DecimalField(
        _("fee, part of the amount"), max_digits=8, decimal_places=6, default=0
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(max_amount__gt=0, fee_flat__gte=0, fee_rate__gte=0, fee_rate__lt=1),
                name="%(class)s_figures",
            )
        ]


class OutgoingPayment(models.Model):
    """Money on its way out. Each product adds where it goes.

    A subclass sets `provider_reference` with a prefix of its own, and says its `rail`.
    """

    Status = OutgoingStatus
    MOVES: ClassVar[states.Moves] = OUTGOING_MOVES
    ID_PREFIX: ClassVar[str]
    REFERENCE_PREFIX: ClassVar[str]

    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, db_index=False, verbose_name=_("merchant")
    )
    idempotency_key = models.CharField(_("idempotency key"), max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    # An API key, or an operator by name: as long as those may be.
    requested_by = models.CharField(_("requested by"), max_length=150)

    amount = MoneyField(_("amount"))
    fee_amount = MoneyField(_("fee"))
    currency = models.CharField(
        _("paid from"),
        max_length=4,
        choices=BalanceCurrency.choices,
        default=BalanceCurrency.COPM,
    )
    # What is held of the balance, in `currency`.
    debit = MoneyField(_("debit"))

    status = models.CharField(
        _("status"), max_length=20, choices=OutgoingStatus.choices, default=OutgoingStatus.PENDING
    )
    provider = models.CharField(_("provider"), max_length=40)
    # Ours, stored before the first call: the idempotency key at the provider. One for ever.
    provider_reference = IdField(unique=True, editable=False)
    provider_id = models.CharField(_("provider's id"), max_length=100, blank=True)
    # The rail's own approval, as it stands on tickets.
    # The default is the database's, for processes of the release before.
    authorization = models.CharField(
        _("authorization"), max_length=40, blank=True, default="", db_default=""
    )
    failure_reason = models.CharField(_("failure reason"), max_length=300, blank=True)
    needs_operator = models.BooleanField(_("waits for an operator"), default=False)
    # When the engine next sends or asks; null when there is nothing to do.
    next_action_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(_("handed to the rail at"), null=True, blank=True)
    # While a call may still be under way, nobody may decide that the money never left.
    last_sent_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(_("completed at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"], name="%(class)s_idempotency_key_once"
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0, fee_amount__gte=0, debit__gt=0),
                name="%(class)s_amounts_positive",
            ),
            models.CheckConstraint(
                condition=~Q(currency="COPM") | Q(debit=F("amount") + F("fee_amount")),
                name="%(class)s_debit_is_amount_plus_fee",
            ),
        ]
        indexes = [
            models.Index(fields=["merchant", "-created_at", "-id"], name="%(class)s_newest"),
            models.Index(
                fields=["merchant", "status", "-created_at", "-id"],
                name="%(class)s_newest_by_status",
            ),
            models.Index(
                fields=["next_action_at"],
                condition=Q(next_action_at__isnull=False),
                name="%(class)s_due",
            ),
            # What the rail calls it, as people read it out to us.
            models.Index(
                fields=["provider_id"],
                condition=~Q(provider_id=""),
                name="%(class)s_provider_id",
            ),
        ]
        triggers = [
            states.guard(OUTGOING_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def rail(self) -> str:
        """The clearing account that the money passes: what a statement of the rail is tied to."""
        raise NotImplementedError

    @property
    def paid_in(self) -> str:
        """The currency of `amount` and `fee_amount` in the books: beneficiaries get pesos."""
        return money.BALANCE_OF_FIAT

    @property
    def is_held_back(self) -> bool:
        """Whether it must not be handed to the rail yet, although it is PENDING."""
        return False

    @property
    def has_ended(self) -> bool:
        """Whether nothing but a return can happen any more."""
        return self.status not in OPEN

    @property
    def public_reason(self) -> str | None:
        """Why nothing arrived, or why it came back, as the merchant is told: the rail's reason as a
        code. What a person wrote is for operators (docs/gaps.md). None while there is no reason.
        """
        reason = self.failure_reason
        return (
            (reason if reason in set(OutgoingReason) else DECIDED_BY_OPERATOR) if reason else None
        )

    def set_price(self, amount: Any, fee: Any) -> None:
        """Sets what it costs from a balance in pesos."""
        self.amount, self.fee_amount, self.debit = amount, fee, amount + fee
