"""Charges and their states. Amounts are in units of the charge's currency."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Method
from payments.collect.models.orders import Order
from payments.core import money, states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.rates.models import RateField


class ChargeStatus(models.TextChoices):
    """A coin or transfer may arrive in parts: RECEIVED."""

    STARTING = "STARTING", _("Starting")  # committed before the provider is called
    PENDING = "PENDING", _("Pending")
    RECEIVED = "RECEIVED", _("Partly received")
    SUCCEEDED = "SUCCEEDED", _("Succeeded")
    FAILED = "FAILED", _("Failed")
    ABANDONED = "ABANDONED", _("Abandoned")


_ENDS = frozenset({ChargeStatus.SUCCEEDED, ChargeStatus.FAILED, ChargeStatus.ABANDONED})
_MONEY = frozenset({ChargeStatus.RECEIVED, ChargeStatus.SUCCEEDED})
# FAILED and ABANDONED can still turn into money: a rail may refuse first and pay later.
CHARGE_MOVES: states.Moves = {
    ChargeStatus.STARTING: frozenset({ChargeStatus.PENDING, ChargeStatus.RECEIVED}) | _ENDS,
    ChargeStatus.PENDING: frozenset({ChargeStatus.RECEIVED}) | _ENDS,
    ChargeStatus.RECEIVED: _ENDS,
    ChargeStatus.FAILED: _MONEY,
    ChargeStatus.ABANDONED: _MONEY,
}


class Flow(models.TextChoices):
    """What the payer does next; the values of ports.Flow."""

    REDIRECT = "REDIRECT", _("Goes to the provider's page")
    PUSH = "PUSH", _("Approves in an app")
    KEY = "KEY", _("Pays to an instant key")
    INSTRUCTIONS = "INSTRUCTIONS", _("Sends to an account or address")


# Decided once, by the payer's yes or no. Charges of earlier releases have no flow.
DEBIT = Q(method=Method.PSE) | Q(flow__in=[Flow.REDIRECT, Flow.PUSH])


class ChargeQuerySet(models.QuerySet["Charge"]):
    def at_bank(self, order: Order) -> "ChargeQuerySet":
        """Debits that the payer may be authorising now, at a bank or in an app.

        A push whose start is in doubt may have woken the app; no payer was sent to a doubtful bank.
        """
        pending = DEBIT & Q(status=ChargeStatus.PENDING)
        pushed = Q(flow=Flow.PUSH, status=ChargeStatus.STARTING)
        return self.filter(pending | pushed, order=order)

    def on_its_way(self, order: Order) -> "ChargeQuerySet":
        """Coins that were seen and wait for their confirmations."""
        return self.filter(order=order, unconfirmed__gt=0, status__in=Charge.OPEN)

    def holding(self, order: Order) -> "ChargeQuerySet":
        """Charges that may bring money any time: they keep the order from expiring or failing."""
        debit = DEBIT & Q(status__in=[ChargeStatus.STARTING, ChargeStatus.PENDING])
        coin = Q(unconfirmed__gt=0, status__in=Charge.OPEN)
        return self.filter(debit | coin, order=order)


class Charge(models.Model):
    """One attempt to pay an order over a rail. Its id is our reference at the provider."""

    Status = ChargeStatus
    MOVES: ClassVar[states.Moves] = CHARGE_MOVES
    OPEN: ClassVar[frozenset[str]] = frozenset(
        {ChargeStatus.STARTING, ChargeStatus.PENDING, ChargeStatus.RECEIVED}
    )

    id = IdField(primary_key=True, default=partial(new_id, "chg"), editable=False)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="charges")
    # The charge whose money an operator applied here: the rail knows that one, and not this.
    origin = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        related_name="applied",
        db_index=False,
        null=True,
        blank=True,
    )
    method = models.CharField(_("method"), max_length=20, choices=Method.choices)
    # The provider's method behind it (contract, Direct API); empty for the page's own three.
    direct_method = models.CharField(_("direct method"), max_length=60, blank=True)
    flow = models.CharField(_("flow"), max_length=20, choices=Flow.choices, blank=True)
    provider = models.CharField(_("provider"), max_length=40)
    provider_id = models.CharField(_("provider's id"), max_length=100, blank=True)
    status = models.CharField(
        _("status"), max_length=20, choices=ChargeStatus.choices, default=ChargeStatus.STARTING
    )
    # In the currency the payer pays with: the order's, or the coin's.
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("amount due"))
    received = MoneyField(_("received"), default=0)
    # Seen on its way and not final: never booked, but it holds the order.
    unconfirmed = MoneyField(_("on its way"), default=0)
    seen_at = models.DateTimeField(_("first seen at"), null=True, blank=True)
    # Of a quoted coin, at most `amount` (coin_values.py). By the quote's end: what was final,
    # and what was seen, final or not, when the rail last reported that time (`in_time_at`).
    in_time_received = MoneyField(default=0, db_default=0)
    in_time_seen = MoneyField(default=0, db_default=0)
    in_time_at = models.DateTimeField(null=True, blank=True)
    # After the quote's end: the least that was seen in all, final or not.
    late_seen = MoneyField(null=True, blank=True)
    # In the order's currency: what paying `amount` covers, and what `received` was worth.
    covers = MoneyField(_("covers of the order"))
    credited = MoneyField(_("credited to the order"), default=0)
    # Of a quoted coin: `credited` before it was rounded down, each part at its own price.
    worth = RateField(default=0, db_default=0)
    redirect_url = models.CharField(max_length=2000, blank=True)
    key_value = models.CharField(_("instant key"), max_length=200, blank=True)
    return_url = models.CharField(max_length=2000, blank=True)
    instructions = models.JSONField(default=dict, blank=True)
    payer = models.JSONField(default=dict, blank=True)
    fields = models.JSONField(default=dict, blank=True)
    trace_code = models.CharField(_("trace code"), max_length=100, blank=True, db_index=True)
    failure_reason = models.CharField(_("failure reason"), max_length=300, blank=True)
    quote_id = IdField(null=True, blank=True)
    quote_expires_at = models.DateTimeField(null=True, blank=True)
    # The rail's own limit.
    expires_at = models.DateTimeField(null=True, blank=True)
    reconcile_at = models.DateTimeField(null=True, blank=True)
    reconcile_attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    objects = ChargeQuerySet.as_manager()

    class Meta:
        verbose_name = _("charge")
        verbose_name_plural = _("charges")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="charge_amount_positive"),
            models.CheckConstraint(condition=Q(received__gte=0), name="charge_received_positive"),
        ]
        indexes = [
            models.Index(
                fields=["reconcile_at"], condition=Q(reconcile_at__isnull=False), name="charge_due"
            ),
            models.Index(
                fields=["provider_id"], condition=~Q(provider_id=""), name="charge_provider_id"
            ),
        ]
        triggers = [
            states.guard(CHARGE_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.pk

    @property
    def is_debit(self) -> bool:
        """Decided once, by the payer's yes or no; else paid by deposits, whose number is free."""
        return self.method == Method.PSE or self.flow in (Flow.REDIRECT, Flow.PUSH)

    @property
    def root_id(self) -> str:
        """Of the charge that the rail knows: this one, or the one whose money was applied here."""
        return self.origin_id or self.pk

    def return_rail(self, currency: str) -> str:
        """The rail that money in `currency` (or its balance) goes back over: its own, but pesos
        never went over that of coins.
        """
        is_fiat = money.balance_currency(currency) == money.BALANCE_OF_FIAT
        if self.method == Method.CRYPTO and is_fiat:
            return Method.BANK_TRANSFER.value
        return self.method

    @property
    def is_answered(self) -> bool:
        """Whether the result of the start is known: it always names the rail's limit."""
        return self.expires_at is not None
