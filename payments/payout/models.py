"""Tables of payouts: the catalogue that an operator edits, and the payouts with their states.

What can be done with them is in services/. Amounts are pesos unless a field says otherwise.
"""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


class Network(models.TextChoices):
    """How the money travels (contract, Payout)."""

    BANK = "BANK", _("Bank account")
    BREB = "BREB", _("Bre-B instant key")


class BalanceCurrency(models.TextChoices):
    """The balance that pays (contract, Payout)."""

    COPM = "COPM", "COPM"
    USDT = "USDT", "USDT"


class AccountType(models.TextChoices):
    """Contract, Payout."""

    SAVINGS = "SAVINGS", _("Savings")
    CHECKING = "CHECKING", _("Checking")


class KeyType(models.TextChoices):
    """Kinds of an instant key (contract, Payout)."""

    PHONE = "PHONE", _("Phone")
    EMAIL = "EMAIL", _("E-mail")
    ALPHANUMERIC = "ALPHANUMERIC", _("Alphanumeric")
    ID = "ID", _("Document")
    BCODE = "BCODE", _("Merchant code")


class PayoutStatus(models.TextChoices):
    """Contract, Payout statuses."""

    PENDING = "PENDING", _("Pending")
    PROCESSING = "PROCESSING", _("Processing")
    COMPLETED = "COMPLETED", _("Completed")
    FAILED = "FAILED", _("Failed")
    REFUNDED = "REFUNDED", _("Refunded")


# docs/gaps.md, Payouts. FAILED: it never left. REFUNDED: it left and came back.
PAYOUT_MOVES: states.Moves = {
    PayoutStatus.PENDING: frozenset({PayoutStatus.PROCESSING, PayoutStatus.FAILED}),
    PayoutStatus.PROCESSING: frozenset(
        {PayoutStatus.COMPLETED, PayoutStatus.FAILED, PayoutStatus.REFUNDED}
    ),
    PayoutStatus.COMPLETED: frozenset({PayoutStatus.REFUNDED}),
}


class PayoutSwitch(models.Model):
    """One row: whether payouts are sent at all."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    is_enabled = models.BooleanField(_("payouts are enabled"), default=True)

    class Meta:
        verbose_name = _("payout switch")
        verbose_name_plural = _("payout switch")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="payout_switch_is_one")]

    def __str__(self) -> str:
        return "on" if self.is_enabled else "off"


class PayoutMethod(models.Model):
    """A row of the catalogue (contract, Payout catalog): limits and fees that an operator edits."""

    method = models.CharField(_("method"), max_length=10, primary_key=True)
    label = models.CharField(_("label"), max_length=60)
    network = models.CharField(_("network"), max_length=10, choices=Network.choices, unique=True)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    min_amount = MoneyField(_("minimum"), null=True, blank=True)
    max_amount = MoneyField(_("cap per payout"))
    fee_flat = MoneyField(_("fee, flat"), default=0)
    fee_rate = models.DecimalField(
        _("fee, part of the amount"), max_digits=8, decimal_places=6, default=0
    )

    class Meta:
        verbose_name = _("payout method")
        verbose_name_plural = _("payout methods")
        constraints = [
            models.CheckConstraint(
                condition=Q(max_amount__gt=0, fee_flat__gte=0, fee_rate__gte=0, fee_rate__lt=1),
                name="payout_method_figures",
            )
        ]

    def __str__(self) -> str:
        return self.label


class Bank(models.Model):
    """A bank that payouts reach. `codes` maps a rail to its own code for it."""

    slug = models.SlugField(_("bankCanonicalId"), max_length=60, primary_key=True)
    name = models.CharField(_("name"), max_length=100)
    codes = models.JSONField(_("codes by rail"), default=dict)
    is_enabled = models.BooleanField(_("enabled"), default=True)

    class Meta:
        verbose_name = _("bank")
        verbose_name_plural = _("banks")

    def __str__(self) -> str:
        return self.name


class Payout(models.Model):
    """Money on its way to a beneficiary (contract, Payout)."""

    Status = PayoutStatus
    MOVES: ClassVar[states.Moves] = PAYOUT_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "po"), editable=False)
    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, db_index=False, verbose_name=_("merchant")
    )
    idempotency_key = models.CharField(_("idempotency key"), max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    requested_by = models.CharField(_("requested by"), max_length=64)

    amount = MoneyField(_("amount"))
    fee_amount = MoneyField(_("fee"))
    currency = models.CharField(_("paid from"), max_length=4, choices=BalanceCurrency.choices)
    # What is held of the balance, in `currency`; for USDT at the rate fixed at creation.
    debit = MoneyField(_("debit"))
    rate = models.DecimalField(max_digits=36, decimal_places=18, null=True, blank=True)
    spread = models.DecimalField(max_digits=8, decimal_places=6, null=True, blank=True)

    recipient_name = models.CharField(_("beneficiary"), max_length=200)
    recipient_doc_type = models.CharField(_("document type"), max_length=3)
    recipient_doc_number = models.CharField(_("document number"), max_length=40)
    recipient_document = models.CharField(max_length=120, editable=False)
    network = models.CharField(_("network"), max_length=10, choices=Network.choices)
    bank = models.ForeignKey(
        Bank, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("bank")
    )
    # The rail's code for the bank, as it was when the payout was made.
    bank_code = models.CharField(max_length=40, blank=True)
    account_type = models.CharField(max_length=10, choices=AccountType.choices, blank=True)
    account_number = models.CharField(_("account"), max_length=20, blank=True)
    key_type = models.CharField(max_length=15, choices=KeyType.choices, blank=True)
    key_value = models.CharField(_("key"), max_length=92, blank=True)
    description = models.CharField(_("description"), max_length=40, blank=True)

    status = models.CharField(
        _("status"), max_length=20, choices=PayoutStatus.choices, default=PayoutStatus.PENDING
    )
    provider = models.CharField(_("provider"), max_length=40)
    # Ours, stored before the first call: the idempotency key at the provider. One for ever.
    provider_reference = IdField(unique=True, default=partial(new_id, "por"), editable=False)
    provider_id = models.CharField(_("provider's id"), max_length=100, blank=True)
    failure_reason = models.CharField(_("failure reason"), max_length=300, blank=True)
    needs_approval = models.BooleanField(_("waits for approval"), default=False)
    needs_operator = models.BooleanField(_("waits for an operator"), default=False)
    # When the engine next sends or asks; null when there is nothing to do.
    next_action_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(_("handed to the rail at"), null=True, blank=True)
    # While a call may still be under way, nobody may decide that the payout never left.
    last_sent_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(_("completed at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("payout")
        verbose_name_plural = _("payouts")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"], name="payout_idempotency_key_once"
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0, fee_amount__gte=0, debit__gt=0),
                name="payout_amounts_positive",
            ),
            models.CheckConstraint(
                condition=~Q(currency="COPM") | Q(debit=F("amount") + F("fee_amount")),
                name="payout_debit_is_amount_plus_fee",
            ),
        ]
        indexes = [
            models.Index(fields=["merchant", "-created_at", "-id"], name="payout_newest"),
            models.Index(
                fields=["merchant", "status", "-created_at", "-id"], name="payout_newest_by_status"
            ),
            models.Index(
                fields=["next_action_at"],
                condition=Q(next_action_at__isnull=False),
                name="payout_due",
            ),
            models.Index(
                fields=["created_at"],
                condition=Q(needs_operator=True) | Q(needs_approval=True),
                name="payout_exceptions",
            ),
            models.Index(fields=["recipient_document"], name="payout_recipient_document"),
        ]
        triggers = [
            states.guard(PAYOUT_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.pk
