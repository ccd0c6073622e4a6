"""The columns that the tables of outgoing payments share. It has no tables of its own.

Amounts are pesos unless a field says otherwise.
"""

from decimal import Decimal
from typing import ClassVar, Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import money, states
from payments.core.fields import IdField, MoneyField
from payments.outgoing.errors import AmountAboveLimit, AmountBelowMinimum
from payments.providers.ports import OutgoingReason
from payments.rails.models import AtRail

# Merchants read this code instead of an operator's text.
DECIDED_BY_OPERATOR = "DECIDED_BY_OPERATOR"


class OutgoingStatus(models.TextChoices):
    """Contract, Payout statuses. In the API they are in lower case, except for payouts."""

    PENDING = "PENDING", _("Pending")
    PROCESSING = "PROCESSING", _("Processing")
    COMPLETED = "COMPLETED", _("Completed")
    FAILED = "FAILED", _("Failed")
    REFUNDED = "REFUNDED", _("Refunded")


# docs/gaps.md, Payouts. FAILED: the money never left. REFUNDED: the money left and came back.
OUTGOING_MOVES: states.Moves = {
    OutgoingStatus.PENDING: frozenset({OutgoingStatus.PROCESSING, OutgoingStatus.FAILED}),
    OutgoingStatus.PROCESSING: frozenset(
        {OutgoingStatus.COMPLETED, OutgoingStatus.FAILED, OutgoingStatus.REFUNDED}
    ),
    OutgoingStatus.COMPLETED: frozenset({OutgoingStatus.REFUNDED}),
}
OPEN = (OutgoingStatus.PENDING, OutgoingStatus.PROCESSING)


class BalanceCurrency(models.TextChoices):
    """The balance that pays (contract, Payout). Other payments are paid from COPM."""

    COPM = "COPM", "COPM"
    USDT = "USDT", "USDT"


class SingleRow(models.Model):
    """A table of one row that switches something on or off. A constraint keeps `id` at 1."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    is_enabled: "models.BooleanField[bool, bool]"

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return gettext("on") if self.is_enabled else gettext("off")


def check_limits(
    amount: Decimal, minimum: Decimal | None, maximum: Decimal | None, field: str
) -> None:
    """Raises AmountAboveLimit or AmountBelowMinimum; None is no limit."""
    if maximum is not None and amount > maximum:
        raise AmountAboveLimit(maximum, field)
    if minimum is not None and amount < minimum:
        raise AmountBelowMinimum(minimum, field)


class Terms(models.Model):
    """Fees and limits that an operator edits. A change counts for payments created after it."""

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

    def fee_of(self, amount: Decimal) -> Decimal:
        """The fee on top, in whole pesos.

        A flat amount plus a part of the amount, rounded half up.
        """
        fee = self.fee_flat + money.percentage_fee(amount, self.fee_rate, money.FIAT)
        return money.quantize(fee, money.FIAT)

    def check_amount(self, amount: Decimal, field: str = "amount") -> None:
        """Raises AmountAboveLimit or AmountBelowMinimum, naming the request's `field`."""
        check_limits(amount, self.min_amount, self.max_amount, field)


class OutgoingPayment(AtRail):
    """Each product adds the destination, a `provider_reference` with its prefix, and its `rail`."""

    Status = OutgoingStatus
    MOVES: ClassVar[states.Moves] = OUTGOING_MOVES
    ID_PREFIX: ClassVar[str]
    REFERENCE_PREFIX: ClassVar[str]

    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, db_index=False, verbose_name=_("merchant")
    )
    idempotency_key = models.CharField(_("idempotency key"), max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    # The id of an API key, or the name of an operator.
    requested_by = models.CharField(_("requested by"), max_length=150)

    amount = MoneyField(_("amount"))
    fee_amount = MoneyField(_("fee"))
    currency = models.CharField(
        _("paid from"), max_length=4, choices=BalanceCurrency.choices, default=BalanceCurrency.COPM
    )
    # The held amount, in `currency`.
    debit = MoneyField(_("debit"))

    status = models.CharField(
        _("status"), max_length=20, choices=OutgoingStatus.choices, default=OutgoingStatus.PENDING
    )
    provider = models.CharField(_("provider"), max_length=40)
    # Our idempotency key at a provider that takes it, stored before the first call. It never
    # changes.
    provider_reference = IdField(unique=True, editable=False)
    provider_id = models.CharField(_("provider's id"), max_length=100, blank=True)
    # The rail's approval code, for tickets. With db_default for processes of the previous release.
    authorization = models.CharField(
        _("authorization"), max_length=40, blank=True, default="", db_default=""
    )
    failure_reason = models.CharField(_("failure reason"), max_length=300, blank=True)
    needs_operator = models.BooleanField(_("waits for an operator"), default=False)
    # The time of the engine's next send or query. Null if there is nothing to do.
    next_action_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(_("handed to the rail at"), null=True, blank=True)
    # Until this time the call may be under way, and operators cannot decide that no money left.
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
            # For support, which searches by the provider's id.
            models.Index(
                fields=["provider_id"], condition=~Q(provider_id=""), name="%(class)s_provider_id"
            ),
        ]
        triggers = [
            states.guard(OUTGOING_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def own_reference(self) -> str:
        return self.provider_reference

    @property
    def rail(self) -> str:
        """The network or product, for readers of the ledger's entries."""
        raise NotImplementedError

    @property
    def paid_in(self) -> str:
        """The currency of `amount` and `fee_amount` in the ledger. Beneficiaries get pesos."""
        return money.BALANCE_OF_FIAT

    @property
    def paid_amount(self) -> Decimal:
        """What the beneficiary gets, in `paid_in`."""
        return self.amount

    @property
    def is_held_back(self) -> bool:
        """Whether a PENDING payment must not be handed to the rail yet."""
        return False

    @property
    def has_ended(self) -> bool:
        """Whether a return is the only change that can still happen."""
        return self.status not in OPEN

    @property
    def public_status(self) -> str:
        """The status in the API. Payouts have it in upper case."""
        return self.status.lower()

    @property
    def ticket(self) -> Self | None:
        """The content of a ticket. A payment that came back has no ticket."""
        return self if self.status == OutgoingStatus.COMPLETED else None

    @property
    def public_reason(self) -> str | None:
        """The rail's code for a failure or a return. Merchants do not read the text of an operator
        (docs/gaps.md)."""
        reason = self.failure_reason
        if not reason:
            return None
        return reason if reason in set(OutgoingReason) else DECIDED_BY_OPERATOR

    def set_price(self, amount: Decimal, fee: Decimal) -> None:
        """For a balance in pesos."""
        self.amount, self.fee_amount, self.debit = amount, fee, amount + fee
