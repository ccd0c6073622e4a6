"""Orders, their states, their tally by day, and what the database enforces.

Amounts are in units of the order's currency.
"""

import secrets
from functools import partial
from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from merchants.models import Currency, Merchant, Method
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id


def new_token() -> str:
    """128 random bits, because anyone who has the link can pay the order."""
    return secrets.token_urlsafe(16)


class OrderStatus(models.TextChoices):
    PENDING = "PENDING", _("Pending")
    PROCESSING = "PROCESSING", _("Processing")
    WAITING_TRANSFER = "WAITING_TRANSFER", _("Waiting for transfer")
    COMPLETED = "COMPLETED", _("Completed")
    FAILED = "FAILED", _("Failed")
    EXPIRED = "EXPIRED", _("Expired")


# docs/gaps.md, Orders.
_FINAL = frozenset({OrderStatus.COMPLETED, OrderStatus.FAILED, OrderStatus.EXPIRED})
_PAYING = frozenset({OrderStatus.PROCESSING, OrderStatus.WAITING_TRANSFER})
ORDER_MOVES: states.Moves = {
    OrderStatus.PENDING: _PAYING | _FINAL - {OrderStatus.FAILED},
    OrderStatus.WAITING_TRANSFER: _FINAL | {OrderStatus.PROCESSING},
    OrderStatus.PROCESSING: _FINAL | {OrderStatus.WAITING_TRANSFER},
}


class Order(models.Model):
    """A collection order (contract, Collection order)."""

    Status = OrderStatus
    MOVES: ClassVar[states.Moves] = ORDER_MOVES
    FINAL: ClassVar[frozenset[str]] = _FINAL

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
    # JSON text, returned as it was sent: with the same numbers and order of keys.
    metadata = models.TextField(default="{}")
    status = models.CharField(
        _("status"), max_length=20, choices=OrderStatus.choices, default=OrderStatus.PENDING
    )
    expires_at = models.DateTimeField(_("expires at"))
    # When the order is checked next: at its expiry, or later while the payer is at the bank.
    expire_check_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(_("paid at"), null=True, blank=True)
    # When the money became final: the rail can no longer reverse it (contract, payment.confirmed).
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True)
    # When the merchant or an operator cancelled the order. Its status is EXPIRED.
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    # The charge whose money completed the order. Null if unpaid, and on orders of earlier releases.
    settled_by = models.ForeignKey(
        "collect.Charge",
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("settled by"),
        null=True,
        blank=True,
    )
    # The refused order that this one repeats. Never a sibling: all siblings name the first order.
    retry_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        related_name="siblings",
        db_index=False,
        db_constraint=False,
        verbose_name=_("repeats"),
        null=True,
        blank=True,
        editable=False,
    )
    # What refunds have returned to the payer so far.
    refunded_amount = MoneyField(_("refunded"), default=0)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)
    fingerprint = models.BinaryField(max_length=32)
    # Orders that a payer made with a payment link (payments.links) have the link's id.
    link_id = IdField(_("payment link"), blank=True, default="", db_default="", editable=False)
    # Asked by a payment link. POST /collect has no such field.
    customer_phone = models.CharField(
        _("phone"), max_length=20, blank=True, default="", db_default=""
    )

    # The merchant left the document to the payment page. It is empty until a payer gives it.
    document_by_payer = models.BooleanField(default=False, db_default=False, editable=False)

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
            # One sibling at most can be paid, and none after one was paid.
            models.UniqueConstraint(
                fields=["retry_of"],
                condition=Q(status__in=["PENDING", "PROCESSING", "WAITING_TRANSFER", "COMPLETED"]),
                name="order_one_live_sibling",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="order_amount_positive"),
            models.CheckConstraint(
                condition=Q(base_amount=None) | Q(amount=F("base_amount") + F("fee_amount")),
                name="order_amount_is_base_plus_fee",
            ),
            models.CheckConstraint(
                condition=Q(paid_at=None) | Q(status="COMPLETED"), name="order_paid_is_completed"
            ),
            models.CheckConstraint(
                condition=Q(confirmed_at=None) | Q(status="COMPLETED"),
                name="order_confirmed_is_completed",
            ),
            models.CheckConstraint(
                condition=Q(cancelled_at=None) | Q(status="EXPIRED"),
                name="order_cancelled_is_expired",
            ),
            models.CheckConstraint(
                condition=Q(refunded_amount=0)
                | Q(status="COMPLETED", refunded_amount__gt=0, refunded_amount__lte=F("amount")),
                name="order_refunded_within_paid",
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
            models.Index(
                fields=["retry_of"], condition=Q(retry_of__isnull=False), name="order_siblings"
            ),
            # For the console's search.
            models.Index(Lower("customer_email"), name="order_customer_email"),
            models.Index(
                fields=["link_id", "-created_at", "-id"],
                condition=~Q(link_id=""),
                name="order_of_link",
            ),
            # The sums on the console's first page are read from this index alone.
            models.Index(
                fields=["paid_at"],
                include=["merchant", "currency", "amount"],
                condition=Q(paid_at__isnull=False),
                name="order_paid",
            ),
        ]
        triggers = [
            states.guard(ORDER_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
            pgtrigger.Trigger(
                name="tally",
                when=pgtrigger.After,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("status"),
                # Rows are locked in the order of their status, so that two moves in opposite
                # directions cannot deadlock.
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
            # Its name sorts after `tally`, so PostgreSQL runs it after that one and every payment
            # locks the two rows in the same order. `paid_at` is written once, with the status. A
            # correction by hand moves the amount to the other day.
            pgtrigger.Trigger(
                name="tally_paid",
                when=pgtrigger.After,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("paid_at"),
                func="""
                    IF TG_OP = 'INSERT' AND NEW.paid_at IS NULL THEN RETURN NULL; END IF;
                    INSERT INTO collect_paidtally AS tally
                        (merchant_id, day, currency, orders, amount)
                    SELECT NEW.merchant_id, change.day, NEW.currency, sum(change.orders),
                        sum(change.amount)
                    FROM (
                        SELECT (NEW.paid_at AT TIME ZONE 'America/Bogota')::date, 1, NEW.amount
                        UNION ALL
                        SELECT (OLD.paid_at AT TIME ZONE 'America/Bogota')::date, -1, -OLD.amount
                        WHERE TG_OP = 'UPDATE'
                    ) AS change (day, orders, amount)
                    WHERE change.day IS NOT NULL
                    GROUP BY change.day HAVING sum(change.orders) <> 0
                    ORDER BY change.day
                    ON CONFLICT (merchant_id, day, currency) DO UPDATE
                    SET orders = tally.orders + EXCLUDED.orders,
                        amount = tally.amount + EXCLUDED.amount;
                    RETURN NULL;
                """,
            ),
            pgtrigger.Trigger(
                name="link_tally",
                when=pgtrigger.After,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("status"),
                condition=pgtrigger.Condition("NEW.link_id <> ''"),
                func="""
                    IF TG_OP = 'UPDATE' AND OLD.status = NEW.status THEN RETURN NULL; END IF;
                    INSERT INTO collect_linktally AS tally (link_id, status, orders, amount)
                    SELECT NEW.link_id, change.*
                    FROM (
                        SELECT NEW.status, 1, coalesce(NEW.base_amount, NEW.amount)
                        UNION ALL
                        SELECT OLD.status, -1, -coalesce(OLD.base_amount, OLD.amount)
                        WHERE TG_OP = 'UPDATE'
                    ) AS change (status, orders, amount)
                    ORDER BY change.status
                    ON CONFLICT (link_id, status) DO UPDATE
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
        return f"{settings.PUBLIC_URL}/pay/{self.token}"

    @property
    def return_url(self) -> str:
        """The URL to which the bank sends the payer back."""
        return f"{self.collect_url}/return"

    @property
    def is_final(self) -> bool:
        return self.status in self.FINAL

    @property
    def awaits_document(self) -> bool:
        return self.document_by_payer and not self.customer_doc_type

    @property
    def known_doc_type(self) -> str | None:
        return None if self.awaits_document else self.customer_doc_type

    @property
    def known_doc_number(self) -> str | None:
        return None if self.awaits_document else self.customer_doc_number


class OrderTally(models.Model):
    """How many orders of a day a merchant has in each status, and their sum.

    `day` is the UTC date of creation. The trigger `tally` updates the row in the order's
    transaction. So statistics, totals and far pages cost the same at ten orders and at ten
    million.
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


class PaidTally(models.Model):
    """How many orders of a merchant were paid on a day, and their sum, refunded or not.

    `day` is the date of payment in Bogotá. The trigger `tally_paid` updates the row in the
    transaction of the payment.
    """

    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT, db_index=False)
    day = models.DateField()
    currency = models.CharField(max_length=4)
    orders = models.BigIntegerField()
    amount = models.DecimalField(max_digits=36, decimal_places=8)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["merchant", "day", "currency"], name="paid_tally_once")
        ]
        # For the days of all merchants together.
        indexes = [models.Index(fields=["day"], name="paid_tally_day")]

    def __str__(self) -> str:
        return f"{self.merchant_id} {self.day}: {self.orders} {self.currency}"


class LinkTally(models.Model):
    """How many orders of a payment link are in each status, and their sum for the merchant.

    The trigger `link_tally` updates the row in the order's transaction. The uses of a link that are
    left are computed from it, so an order that ends unpaid gives its use back by itself.
    """

    link_id = IdField()
    status = models.CharField(max_length=20)
    orders = models.BigIntegerField()
    amount = models.DecimalField(max_digits=36, decimal_places=8)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["link_id", "status"], name="link_tally_once")
        ]

    def __str__(self) -> str:
        return f"{self.link_id} {self.status}: {self.orders}"
