"""Tables of collections, the states of an order and of a charge, and what the database enforces.

What can be done with them is in services/. Amounts are in units of their currency.
"""

import secrets
from functools import partial
from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Currency, Merchant, Method
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


def new_token() -> str:
    """128 random bits: whoever holds the link may pay the order, nobody can guess it."""
    return secrets.token_urlsafe(16)


class OrderStatus(models.TextChoices):
    """Contract, Collection order statuses."""

    PENDING = "PENDING", _("Pending")
    PROCESSING = "PROCESSING", _("Processing")
    WAITING_TRANSFER = "WAITING_TRANSFER", _("Waiting for transfer")
    COMPLETED = "COMPLETED", _("Completed")
    FAILED = "FAILED", _("Failed")
    EXPIRED = "EXPIRED", _("Expired")


# docs/gaps.md, Orders: COMPLETED, FAILED and EXPIRED are final.
ORDER_MOVES: states.Moves = {
    OrderStatus.PENDING: frozenset(
        {
            OrderStatus.PROCESSING,
            OrderStatus.WAITING_TRANSFER,
            OrderStatus.COMPLETED,
            OrderStatus.EXPIRED,
        }
    ),
    OrderStatus.WAITING_TRANSFER: frozenset(
        {OrderStatus.PROCESSING, OrderStatus.COMPLETED, OrderStatus.FAILED, OrderStatus.EXPIRED}
    ),
    OrderStatus.PROCESSING: frozenset(
        {
            OrderStatus.WAITING_TRANSFER,
            OrderStatus.COMPLETED,
            OrderStatus.FAILED,
            OrderStatus.EXPIRED,
        }
    ),
}


class ChargeStatus(models.TextChoices):
    """States of a try to pay. A coin or transfer may arrive in parts: RECEIVED."""

    STARTING = "STARTING", _("Starting")  # committed before the provider is called
    PENDING = "PENDING", _("Pending")
    RECEIVED = "RECEIVED", _("Partly received")
    SUCCEEDED = "SUCCEEDED", _("Succeeded")
    FAILED = "FAILED", _("Failed")
    ABANDONED = "ABANDONED", _("Abandoned")


_ENDS = frozenset({ChargeStatus.SUCCEEDED, ChargeStatus.FAILED, ChargeStatus.ABANDONED})
_MONEY = frozenset({ChargeStatus.RECEIVED, ChargeStatus.SUCCEEDED})
# FAILED and ABANDONED can still turn into money: a rail may say no first and pay later.
CHARGE_MOVES: states.Moves = {
    ChargeStatus.STARTING: frozenset({ChargeStatus.PENDING, ChargeStatus.RECEIVED}) | _ENDS,
    ChargeStatus.PENDING: frozenset({ChargeStatus.RECEIVED}) | _ENDS,
    ChargeStatus.RECEIVED: _ENDS,
    ChargeStatus.FAILED: _MONEY,
    ChargeStatus.ABANDONED: _MONEY,
}


class Order(models.Model):
    """A collection order (contract, Collection order)."""

    Status = OrderStatus
    MOVES: ClassVar[states.Moves] = ORDER_MOVES
    FINAL: ClassVar[frozenset[str]] = frozenset(
        {OrderStatus.COMPLETED, OrderStatus.FAILED, OrderStatus.EXPIRED}
    )

    id = IdField(primary_key=True, default=partial(new_id, "col"), editable=False)
    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, db_index=False, verbose_name=_("merchant")
    )
    reference = models.CharField(_("reference"), max_length=100)
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    currency = models.CharField(_("currency"), max_length=4, choices=Currency.choices)
    amount = MoneyField(_("total the payer pays"))
    base_amount = MoneyField(_("amount for the merchant"), null=True)
    fee_amount = MoneyField(_("fee"), null=True)
    description = models.CharField(_("description"), max_length=500, blank=True)
    customer_name = models.CharField(_("customer"), max_length=200)
    customer_email = models.CharField(_("e-mail"), max_length=254)
    customer_doc_type = models.CharField(_("document type"), max_length=3)
    customer_doc_number = models.CharField(_("document number"), max_length=40)
    # Letters and digits only, upper case: what search and rails use (docs/gaps.md, Documents).
    customer_document = models.CharField(max_length=120, editable=False)
    allowed_methods = ArrayField(
        models.CharField(max_length=20, choices=Method.choices), verbose_name=_("allowed methods")
    )
    selected_method = models.CharField(
        _("method"), max_length=20, choices=Method.choices, null=True, blank=True
    )
    callback_url = models.CharField(max_length=2000, null=True, blank=True)
    # JSON text as it is answered: numbers and the order of keys come back as they were sent.
    metadata = models.TextField(default="{}")
    status = models.CharField(
        _("status"), max_length=20, choices=OrderStatus.choices, default=OrderStatus.PENDING
    )
    expires_at = models.DateTimeField(_("expires at"))
    # When the clock next looks at the order: its expiry, later while the payer is at the bank.
    expire_check_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(_("paid at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)
    fingerprint = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        constraints = [
            models.UniqueConstraint(fields=["merchant", "reference"], name="order_reference_once"),
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
                name="order_idempotency_key_once",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="order_amount_positive"),
            models.CheckConstraint(
                condition=Q(base_amount=None) | Q(amount=F("base_amount") + F("fee_amount")),
                name="order_amount_is_base_plus_fee",
            ),
            models.CheckConstraint(
                condition=Q(paid_at=None) | Q(status="COMPLETED"), name="order_paid_is_completed"
            ),
        ]
        indexes = [
            models.Index(fields=["merchant", "-created_at", "-id"], name="order_newest"),
            models.Index(
                fields=["merchant", "status", "-created_at", "-id"], name="order_newest_by_status"
            ),
            models.Index(
                fields=["expire_check_at"],
                condition=Q(expire_check_at__isnull=False),
                name="order_due",
            ),
            models.Index(fields=["customer_document"], name="order_customer_document"),
        ]
        triggers = [
            states.guard(ORDER_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
            pgtrigger.Trigger(
                name="tally",
                when=pgtrigger.After,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("status"),
                # Rows are taken in the order of their status, so that two moves in opposite
                # directions cannot wait for each other.
                func="""
                    IF TG_OP = 'UPDATE' AND OLD.status = NEW.status THEN RETURN NULL; END IF;
                    INSERT INTO collect_ordertally AS tally
                        (merchant_id, day, currency, status, orders, amount)
                    SELECT NEW.merchant_id, (NEW.created_at AT TIME ZONE 'UTC')::date,
                        NEW.currency, change.*
                    FROM (
                        SELECT NEW.status, 1, NEW.amount
                        UNION ALL
                        SELECT OLD.status, -1, -OLD.amount WHERE TG_OP = 'UPDATE'
                    ) AS change (status, orders, amount)
                    ORDER BY change.status
                    ON CONFLICT (merchant_id, day, currency, status) DO UPDATE
                    SET orders = tally.orders + EXCLUDED.orders,
                        amount = tally.amount + EXCLUDED.amount;
                    RETURN NULL;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.pk

    @property
    def collect_url(self) -> str:
        """The payment link that the payer opens."""
        return f"{settings.PUBLIC_URL}/pay/{self.token}"

    @property
    def is_final(self) -> bool:
        """Whether the status can never change again."""
        return self.status in self.FINAL


class OrderTally(models.Model):
    """How many orders of a day a merchant has in each status, and their sum.

    `day` is the UTC date of the orders' creation. Kept by the trigger `tally` in the transaction of
    the order itself, so that statistics, totals and far pages cost the same at ten orders and at
    ten million.
    """

    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT, db_index=False)
    day = models.DateField()
    currency = models.CharField(max_length=4)
    status = models.CharField(max_length=20)
    orders = models.BigIntegerField()
    amount = models.DecimalField(max_digits=36, decimal_places=8)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "day", "currency", "status"], name="tally_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.merchant_id} {self.day} {self.status}: {self.orders}"


class ChargeQuerySet(models.QuerySet["Charge"]):
    """Reads of charges that more than one service needs."""

    def at_bank(self, order: Order) -> "ChargeQuerySet":
        """Bank debits that the payer may be authorising at this moment."""
        return self.filter(order=order, method=Method.PSE, status=ChargeStatus.PENDING)

    def on_its_way(self, order: Order) -> "ChargeQuerySet":
        """Coins that were seen and wait for their confirmations."""
        return self.filter(order=order, unconfirmed__gt=0, status__in=Charge.OPEN)

    def holding(self, order: Order) -> "ChargeQuerySet":
        """Tries that may bring money any moment: the order is neither expired nor failed."""
        debit = Q(method=Method.PSE, status__in=[ChargeStatus.STARTING, ChargeStatus.PENDING])
        coin = Q(unconfirmed__gt=0, status__in=Charge.OPEN)
        return self.filter(debit | coin, order=order)


class Charge(models.Model):
    """One try to pay an order over a rail. Its id is our reference at the provider."""

    Status = ChargeStatus
    MOVES: ClassVar[states.Moves] = CHARGE_MOVES
    OPEN: ClassVar[frozenset[str]] = frozenset(
        {ChargeStatus.STARTING, ChargeStatus.PENDING, ChargeStatus.RECEIVED}
    )

    id = IdField(primary_key=True, default=partial(new_id, "chg"), editable=False)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="charges")
    method = models.CharField(_("method"), max_length=20, choices=Method.choices)
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
    # In the order's currency: what paying `amount` covers, and what `received` was worth.
    covers = MoneyField(_("covers of the order"))
    credited = MoneyField(_("credited to the order"), default=0)
    redirect_url = models.CharField(max_length=2000, blank=True)
    return_url = models.CharField(max_length=2000, blank=True)
    instructions = models.JSONField(default=dict, blank=True)
    payer = models.JSONField(default=dict, blank=True)
    fields = models.JSONField(default=dict, blank=True)
    trace_code = models.CharField(_("trace code"), max_length=100, blank=True, db_index=True)
    failure_reason = models.CharField(_("failure reason"), max_length=300, blank=True)
    quote_id = IdField(null=True, blank=True)
    quote_expires_at = models.DateTimeField(null=True, blank=True)
    # The rail's own limit for this try.
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
                fields=["reconcile_at"],
                condition=Q(reconcile_at__isnull=False),
                name="charge_due",
            )
        ]
        triggers = [
            states.guard(CHARGE_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.pk


class UnmatchedFunds(models.Model):
    """Money that arrived and belongs to no open order. It waits in suspense for an operator."""

    class Reason(models.TextChoices):
        """Why the money could not be applied."""

        LATE = "LATE", _("The order was final already")
        SECOND_SUCCESS = "SECOND_SUCCESS", _("The order was paid already")
        EXCESS = "EXCESS", _("More than the order asked")
        PARTIAL_EXPIRED = "PARTIAL_EXPIRED", _("Part of an order that ended unpaid")
        CURRENCY = "CURRENCY", _("Another currency than asked")
        RATE = "RATE", _("A coin without a current exchange rate")

    class Status(models.TextChoices):
        """Open: an operator has to decide what becomes of the money."""

        OPEN = "OPEN", _("Open")

    id = IdField(primary_key=True, default=partial(new_id, "unm"), editable=False)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="unmatched_funds")
    charge = models.ForeignKey(Charge, on_delete=models.PROTECT, related_name="unmatched_funds")
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("amount"))
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    trace_code = models.CharField(_("trace code"), max_length=100, blank=True)
    status = models.CharField(
        _("status"), max_length=20, choices=Status.choices, default=Status.OPEN
    )
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("unmatched funds")
        verbose_name_plural = _("unmatched funds")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="unmatched_amount_positive")
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.pk}: {self.amount} {self.currency}"
