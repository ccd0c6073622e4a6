"""Money on its way back to payers. Amounts are in units of the balance that pays."""

from decimal import Decimal
from functools import partial

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from payments.collect.models.charges import Charge
from payments.collect.models.orders import Order
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.outgoing.models import OutgoingPayment, OutgoingStatus
from payments.rates.models import RateField


class RefundQuerySet(models.QuerySet["Refund"]):
    def taking(self, order: Order) -> "RefundQuerySet":
        """Refunds of the order that took, or may still take, a part of the payment."""
        ended_without = (OutgoingStatus.FAILED, OutgoingStatus.REFUNDED)
        return self.filter(order=order).exclude(status__in=ended_without)


class Refund(OutgoingPayment):
    """Returns a payment, or a part of it, to the payer (docs/gaps.md, Refunds).

    FAILED: the payer got nothing, or an operator rejected it. REFUNDED: the money left and came
    back; the merchant has it again.
    """

    ID_PREFIX = "ref"
    REFERENCE_PREFIX = "rfr"

    id = IdField(primary_key=True, default=partial(new_id, ID_PREFIX), editable=False)
    provider_reference = IdField(unique=True, default=partial(new_id, "rfr"), editable=False)
    order = models.ForeignKey(
        Order, on_delete=models.PROTECT, related_name="refunds", verbose_name=_("order")
    )
    # The rail returns at most the amount that it received for this charge.
    charge = models.ForeignKey(
        Charge, on_delete=models.PROTECT, related_name="refunds", verbose_name=_("charge")
    )
    # Any balance that an order may be credited to.
    currency = models.CharField(_("currency"), max_length=4)
    fee_amount = MoneyField(_("fee"), default=0)
    reason = models.CharField(_("reason"), max_length=300)
    needs_approval = models.BooleanField(_("waits for approval"), default=True)
    # The rail of the payment returns nothing: the payer names an account for a payout.
    needs_destination = models.BooleanField(
        _("waits for the payer's account"), default=False, db_default=False
    )
    # By the names of ports.PayoutRequest; of coins: `network` and `address`.
    destination = models.JSONField(default=dict, blank=True, db_default={})
    # Of a refund that an operator pays in coins (Refunds.BY_HAND), else empty. The amount and the
    # pesos for one coin are fixed at the approval.
    coin = models.CharField(_("coin"), max_length=4, blank=True, default="", db_default="")
    coin_network = models.CharField(
        _("network"), max_length=30, blank=True, default="", db_default=""
    )
    coin_amount = MoneyField(_("amount in coins"), null=True, blank=True)
    coin_rate = RateField(_("price of the coin"), null=True, blank=True)
    approved_at = models.DateTimeField(_("approved at"), null=True, blank=True)
    rejected_at = models.DateTimeField(_("rejected at"), null=True, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)

    objects = RefundQuerySet.as_manager()

    class Meta(OutgoingPayment.Meta):
        verbose_name = _("refund")
        verbose_name_plural = _("refunds")
        constraints = [
            *OutgoingPayment.Meta.constraints,
            models.CheckConstraint(condition=Q(debit=F("amount")), name="refund_debit_is_amount"),
        ]
        indexes = [
            *OutgoingPayment.Meta.indexes,
            models.Index(
                fields=["created_at"],
                condition=Q(needs_operator=True) | Q(needs_approval=True),
                name="refund_exceptions",
            ),
        ]

    @property
    def rail(self) -> str:
        """The rail of the payment. But a coin's rail returns pesos only as coins."""
        return self.charge.method if self.coin else self.charge.return_rail(self.currency)

    @property
    def paid_in(self) -> str:
        """Without exchange, unless coins are paid for pesos."""
        return self.currency if self.coin_amount is None else self.coin

    @property
    def paid_amount(self) -> Decimal:
        return self.amount if self.coin_amount is None else self.coin_amount

    @property
    def is_held_back(self) -> bool:
        return self.needs_approval or self.needs_destination

    @property
    def transaction(self) -> str:
        """Of a refund in coins: empty until an operator has entered it."""
        return self.provider_id if self.coin else ""
