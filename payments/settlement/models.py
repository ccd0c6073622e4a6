"""Tables of settlements: a merchant's closed day, its tax lines, and the tax rules.

A closed day never changes: what happens later belongs to a later day.
"""

from functools import partial, partialmethod

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import money
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.core.models import append_only, no_truncate


class RateField(models.DecimalField):
    """A part of the base: 0.19 is 19%."""

    __init__ = partialmethod(models.DecimalField.__init__, max_digits=9, decimal_places=8)


class Settlement(models.Model):
    """A closed day in Bogotá of one balance of a merchant. Every figure is a sum of the ledger.

    Amounts are in `currency`, that of the balance (pesos are COPM). `fee` is ours without its tax.
    `opening_balance` and `closing_balance` are available + held.
    """

    id = IdField(primary_key=True, default=partial(new_id, "stl"), editable=False)
    merchant = models.ForeignKey(
        Merchant,
        models.PROTECT,
        related_name="settlements",
        db_index=False,
        verbose_name=_("merchant"),
    )
    date = models.DateField(_("day in Bogotá"))
    currency = models.CharField(_("currency"), max_length=4)
    collected = MoneyField(_("collected"))
    fee = MoneyField(_("fee"))
    tax = MoneyField(_("tax"))
    net = MoneyField(_("net"))
    refunded = MoneyField(_("refunded"))
    order_count = models.PositiveIntegerField(_("orders"))
    refund_count = models.PositiveIntegerField(_("refunds"))
    opening_balance = MoneyField(_("opening balance"))
    opening_held = MoneyField(_("held at the opening"))
    closing_balance = MoneyField(_("closing balance"))
    closing_held = MoneyField(_("held at the closing"))
    closed_at = models.DateTimeField(_("closed at"))

    class Meta:
        verbose_name = _("settlement")
        verbose_name_plural = _("settlements")
        constraints = [
            # In this order it also finds the last closed day of a balance.
            models.UniqueConstraint(
                fields=["merchant", "currency", "date"], name="settlement_closed_once"
            ),
            models.CheckConstraint(
                condition=Q(collected=F("net") + F("fee") + F("tax")), name="settlement_adds_up"
            ),
            models.CheckConstraint(
                condition=Q(fee__gte=0, tax__gte=0, net__gte=0, refunded__gte=0)
                & Q(opening_held__gte=0, closing_held__gte=0)
                & Q(opening_balance__gte=F("opening_held"))
                & Q(closing_balance__gte=F("closing_held")),
                name="settlement_not_below_zero",
            ),
        ]
        indexes = [
            models.Index(fields=["merchant", "-date", "currency"], name="settlement_of_merchant"),
            models.Index(fields=["-date", "-id"], name="settlement_newest"),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.date:%Y-%m-%d} {self.currency}"


class TaxKind(models.TextChoices):
    """INCLUDED is a part of our fee and moves to the tax account when the day is closed.
    WITHHELD is only on the statement: it moves nothing.
    """

    INCLUDED = "INCLUDED", _("part of our fee")
    WITHHELD = "WITHHELD", _("withholding, stated only")


class TaxRule(models.Model):
    """A tax on our fee, from one day to another (both included), of one merchant or of all.

    A merchant's own rule replaces the general one with the same name. Only `valid_to` can be set
    later: closed days keep their lines.
    """

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(_("name"), max_length=60)
    kind = models.CharField(_("kind"), max_length=10, choices=TaxKind.choices)
    rate = RateField(_("rate"))
    merchant = models.ForeignKey(
        Merchant, models.PROTECT, null=True, related_name="+", verbose_name=_("merchant")
    )
    valid_from = models.DateField(_("valid from"))
    valid_to = models.DateField(_("valid to"), null=True)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("tax rule")
        verbose_name_plural = _("tax rules")
        constraints = [
            models.CheckConstraint(condition=Q(rate__gte=0, rate__lt=1), name="tax_rate_is_a_part"),
            models.CheckConstraint(condition=Q(kind__in=TaxKind.values), name="tax_kind_known"),
            models.CheckConstraint(
                condition=Q(valid_to=None) | Q(valid_to__gte=F("valid_from")), name="tax_rule_lasts"
            ),
        ]
        indexes = [models.Index(fields=["valid_from"], name="tax_rule_from")]
        triggers = [
            pgtrigger.ReadOnly(name="dated", exclude=["valid_to"]),
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            no_truncate(),
        ]

    def __str__(self) -> str:
        return f"{self.name} {money.text(self.rate * 100)}%"


class SettlementLine(models.Model):
    """One tax of a closed day: `amount` is `rate` of `base`, our fee without its taxes."""

    id = models.BigAutoField(primary_key=True)
    settlement = models.ForeignKey(
        Settlement, models.PROTECT, related_name="tax_lines", verbose_name=_("settlement")
    )
    rule = models.ForeignKey(TaxRule, models.PROTECT, related_name="+", verbose_name=_("tax rule"))
    name = models.CharField(_("name"), max_length=60)
    kind = models.CharField(_("kind"), max_length=10, choices=TaxKind.choices)
    rate = RateField(_("rate"))
    base = MoneyField(_("base"))
    amount = MoneyField(_("amount"))

    class Meta:
        verbose_name = _("tax line")
        verbose_name_plural = _("tax lines")
        constraints = [models.UniqueConstraint(fields=["settlement", "name"], name="tax_line_once")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.name} {money.text(self.amount)}"
