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
from payments.providers import networks
from payments.providers.ports import Reason
from payments.rails.models import AtRail
from payments.rates.models import RateField


class ChargeStatus(models.TextChoices):
    """RECEIVED: a part of the amount has arrived."""

    STARTING = "STARTING", _("Starting")  # committed before the provider is called
    PENDING = "PENDING", _("Pending")
    RECEIVED = "RECEIVED", _("Partly received")
    SUCCEEDED = "SUCCEEDED", _("Succeeded")
    FAILED = "FAILED", _("Failed")
    ABANDONED = "ABANDONED", _("Abandoned")


_ENDS = frozenset({ChargeStatus.SUCCEEDED, ChargeStatus.FAILED, ChargeStatus.ABANDONED})
_MONEY = frozenset({ChargeStatus.RECEIVED, ChargeStatus.SUCCEEDED})
# FAILED and ABANDONED charges can still receive money, because a rail may refuse first and pay
# later.
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
    QR = "QR", _("Scans a code")


# The payer accepts or refuses a debit once. Charges of earlier releases have no flow.
DEBIT = Q(method=Method.PSE) | Q(flow__in=[Flow.REDIRECT, Flow.PUSH])


class ChargeQuerySet(models.QuerySet["Charge"]):
    def at_bank(self, order: Order) -> "ChargeQuerySet":
        """Debits that the payer may be authorising now, at a bank or in an app.

        A push whose start is doubtful may have reached the app. A redirect whose start is
        doubtful has led no payer to a bank.
        """
        pending = DEBIT & Q(status=ChargeStatus.PENDING)
        pushed = Q(flow=Flow.PUSH, status=ChargeStatus.STARTING)
        return self.filter(pending | pushed, order=order)

    def on_its_way(self, order: Order) -> "ChargeQuerySet":
        """Coins that the network has seen, but not confirmed yet."""
        return self.filter(order=order, unconfirmed__gt=0, status__in=Charge.OPEN)

    def holding(self, order: Order) -> "ChargeQuerySet":
        """Charges that may still bring money.

        While an order has one, the order does not expire or fail.
        """
        debit = DEBIT & Q(status__in=[ChargeStatus.STARTING, ChargeStatus.PENDING])
        coin = Q(unconfirmed__gt=0, status__in=Charge.OPEN)
        return self.filter(debit | coin, order=order)


class Charge(AtRail):
    """One attempt to pay an order over a rail. Its id is our reference of it."""

    Status = ChargeStatus
    MOVES: ClassVar[states.Moves] = CHARGE_MOVES
    OPEN: ClassVar[frozenset[str]] = frozenset(
        {ChargeStatus.STARTING, ChargeStatus.PENDING, ChargeStatus.RECEIVED}
    )

    id = IdField(primary_key=True, default=partial(new_id, "chg"), editable=False)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="charges")
    # Set if an operator applied money here: the charge that received the money. The rail knows that
    # charge, but not this one.
    origin = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        related_name="applied",
        db_index=False,
        null=True,
        blank=True,
    )
    method = models.CharField(_("method"), max_length=20, choices=Method.choices)
    # The key of the provider's own method (contract, Direct API). Empty for the three methods of
    # our page.
    direct_method = models.CharField(_("direct method"), max_length=60, blank=True)
    flow = models.CharField(_("flow"), max_length=20, choices=Flow.choices, blank=True)
    provider = models.CharField(_("provider"), max_length=40)
    provider_id = models.CharField(_("provider's id"), max_length=100, blank=True)
    status = models.CharField(
        _("status"), max_length=20, choices=ChargeStatus.choices, default=ChargeStatus.STARTING
    )
    # The currency that the payer pays with: the order's currency or a coin.
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("amount due"))
    received = MoneyField(_("received"), default=0)
    # Money that was seen but is not final. It is not posted, but keeps the order open.
    unconfirmed = MoneyField(_("on its way"), default=0)
    seen_at = models.DateTimeField(_("first seen at"), null=True, blank=True)
    # For a quoted coin, before the end of the quote, at most `amount` (coin_values.py): the total
    # that was final, and the total that was seen, by the last report from that time (`in_time_at`).
    in_time_received = MoneyField(default=0, db_default=0)
    in_time_seen = MoneyField(default=0, db_default=0)
    in_time_at = models.DateTimeField(null=True, blank=True)
    # After the end of the quote: the smallest total that was seen, final or not.
    late_seen = MoneyField(null=True, blank=True)
    # In the order's currency: the part of the order that `amount` pays, and the value of
    # `received`.
    covers = MoneyField(_("covers of the order"))
    credited = MoneyField(_("credited to the order"), default=0)
    # For a quoted coin: the sum of all parts at their prices. `credited` is this sum rounded down.
    worth = RateField(default=0, db_default=0)
    redirect_url = models.CharField(max_length=2000, blank=True)
    key_value = models.CharField(_("instant key"), max_length=200, blank=True)
    # The text of a QR code, or its picture as a `data:` URI.
    qr_text = models.CharField(max_length=1000, blank=True, default="", db_default="")
    qr_image = models.TextField(blank=True, default="", db_default="")
    return_url = models.CharField(max_length=2000, blank=True)
    instructions = models.JSONField(default=dict, blank=True)
    payer = models.JSONField(default=dict, blank=True)
    fields = models.JSONField(default=dict, blank=True)
    # The payer's browser: `ip`, `user_agent`.
    client = models.JSONField(default=dict, db_default={}, blank=True)
    # The rail's documents that the payer accepted: `at`, `ip`, and `documents` with `label`, `url`.
    accepted_terms = models.JSONField(default=dict, db_default={}, blank=True)
    trace_code = models.CharField(_("trace code"), max_length=100, blank=True, db_index=True)
    failure_reason = models.CharField(_("failure reason"), max_length=300, blank=True)
    quote_id = IdField(null=True, blank=True)
    quote_expires_at = models.DateTimeField(null=True, blank=True)
    # After this time the rail accepts no payment for the charge.
    expires_at = models.DateTimeField(null=True, blank=True)
    reconcile_at = models.DateTimeField(null=True, blank=True)
    reconcile_attempts = models.PositiveIntegerField(default=0)
    # The newest call that starts the charge at `provider`, and whether it is under way. Committed
    # before the call (start_calls.py). Charges of earlier releases have no time.
    last_started_at = models.DateTimeField(null=True, blank=True)
    is_being_started = models.BooleanField(default=False, db_default=False)
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

    @staticmethod
    def public_reason(reason: str) -> str:
        """Merchants get codes; operators and older adapters wrote sentences."""
        return reason if not reason or reason in set(Reason) else Reason.REFUSED_BY_PROVIDER.value

    @property
    def own_reference(self) -> str:
        return self.pk

    @property
    def is_debit(self) -> bool:
        """Whether the payer accepts or refuses once.

        Other charges are paid by any number of deposits.
        """
        return self.method == Method.PSE or self.flow in (Flow.REDIRECT, Flow.PUSH)

    @property
    def is_code_missing(self) -> bool:
        """Whether the rail sends its QR code later."""
        return self.flow == Flow.QR and not (self.qr_text or self.qr_image)

    @property
    def root_id(self) -> str:
        """The id of the charge that the rail knows.

        It is this charge, or the one whose money was applied here.
        """
        return self.origin_id or self.pk

    @property
    def accepted_urls(self) -> list[str]:
        return [document["url"] for document in self.accepted_terms.get("documents", [])]

    @property
    def coin_key(self) -> str:
        """As ports.Coin.key. The coin alone where an earlier release kept no network."""
        names = (self.fields.get("coin"), self.fields.get("network"))
        return "-".join(name for name in names if name)

    @property
    def network_name(self) -> str:
        """Of a coin, as wallets and exchanges write it: `Tron (TRC-20)`. Empty without one."""
        network, standard = (self.instructions.get(name, "") for name in ("network", "standard"))
        # Charges of earlier releases have ERC-20 for every chain of Ethereum's kind.
        standard = standard and networks.standard_of(self.fields.get("network", ""), standard)
        return networks.written(network, standard)

    @property
    def is_mistaken_for_ethereum(self) -> bool:
        """Whether wallets take the address for one of Ethereum."""
        return networks.is_mistaken_for_ethereum(self.fields.get("network", ""))

    def return_rail(self, currency: str) -> str:
        """The rail over which money in `currency` is returned.

        It is the charge's own rail. But a coin's rail never returns pesos.
        """
        is_fiat = money.balance_currency(currency) == money.BALANCE_OF_FIAT
        if self.method == Method.CRYPTO and is_fiat:
            return Method.BANK_TRANSFER.value
        return self.method

    def return_account(self, currency: str) -> str:
        """The owner of the clearing account that money in `currency` leaves when it goes back.

        It is the account that received the money. But an account of coins has no pesos. They are
        returned by hand over a bank, which has the code of the rail in the ledger.
        """
        rail = self.return_rail(currency)
        return self.provider if rail == self.method else rail

    @property
    def is_answered(self) -> bool:
        """Whether the result of the start is known. A known result always has the rail's limit."""
        return self.expires_at is not None
