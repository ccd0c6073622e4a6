"""Tables: what a coin costs, and what a payer was quoted. Rows are never changed."""

from datetime import datetime
from functools import partial
from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core import money
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.core.models import append_only


class RateField(models.DecimalField):
    """numeric(36, 18): a peso in bitcoin needs more places than an amount has."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max_digits": 36, "decimal_places": 18, **kwargs})


class ExchangeRate(models.Model):
    """What one coin costs in pesos since `effective_at`. The newest counts."""

    class Currency(models.TextChoices):
        USDT = "USDT", "Tether USDT"
        USDC = "USDC", "USD Coin"
        BTC = "BTC", "Bitcoin"
        ETH = "ETH", "Ether"

    id = models.BigAutoField(primary_key=True)
    currency = models.CharField(_("currency"), max_length=4, choices=Currency.choices)
    price_cop = MoneyField(_("price in COP"))
    source = models.CharField(_("source"), max_length=100)
    effective_at = models.DateTimeField(_("effective at"))
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("exchange rate")
        verbose_name_plural = _("exchange rates")
        constraints = [
            models.CheckConstraint(condition=Q(price_cop__gt=0), name="rate_above_zero"),
        ]
        indexes = [models.Index(fields=["currency", "-effective_at", "-id"], name="rate_newest")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"1 {self.currency} = {money.grouped(money.text(self.price_cop))} COP"


class Quote(models.Model):
    """So much of `counter_currency` pays for so much of `base_currency`, until `expires_at`.

    `amount_in` is what the payer sends, `amount_out` what it pays for. `rate` is what one unit of
    `counter_currency` buys; the spread is in it already.
    """

    id = IdField(primary_key=True, default=partial(new_id, "quo"), editable=False)
    base_currency = models.CharField(_("currency of the order"), max_length=4)
    counter_currency = models.CharField(_("currency of the payer"), max_length=4)
    amount_in = MoneyField(_("amount in"))
    amount_out = MoneyField(_("amount out"))
    rate = RateField(verbose_name=_("rate"))
    spread = models.DecimalField(_("spread"), max_digits=9, decimal_places=8)
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("expires at"))

    class Meta:
        verbose_name = _("quote")
        verbose_name_plural = _("quotes")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_in__gt=0, amount_out__gt=0, rate__gt=0), name="quote_above_zero"
            ),
        ]
        triggers = [pgtrigger.Protect(name="never_changed", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        paid, covered = (
            money.grouped(money.text(part)) for part in (self.amount_in, self.amount_out)
        )
        return f"{paid} {self.counter_currency} = {covered} {self.base_currency}"

    def is_expired(self, now: datetime) -> bool:
        return now >= self.expires_at
