"""Tables of rates: the price of a coin, and the quotes for payers, whose rows never change.

And what the price feed knows of each coin.
"""

from datetime import datetime
from functools import partial, partialmethod

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.core import money
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.core.models import append_only
from payments.rates.reasons import Reason


class RateField(models.DecimalField):
    """numeric(36, 18), because a peso in bitcoin needs more decimals than an amount has."""

    __init__ = partialmethod(models.DecimalField.__init__, max_digits=36, decimal_places=18)


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
    # What one costs when the service has to buy it. Null: the price counts for both.
    ask_cop = MoneyField(_("price in COP when we buy"), null=True, blank=True)
    source = models.CharField(_("source"), max_length=100)
    effective_at = models.DateTimeField(_("effective at"))
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("exchange rate")
        verbose_name_plural = _("exchange rates")
        constraints = [
            models.CheckConstraint(condition=Q(price_cop__gt=0), name="rate_above_zero"),
            models.CheckConstraint(
                condition=Q(ask_cop__isnull=True) | Q(ask_cop__gte=models.F("price_cop")),
                name="rate_ask_above_bid",
            ),
        ]
        indexes = [models.Index(fields=["currency", "-effective_at", "-id"], name="rate_newest")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"1 {self.currency} = {money.grouped(money.text(self.price_cop))} COP"


class Quote(models.Model):
    """Until `expires_at`, `amount_in` of `counter_currency`, which the payer sends, pays for
    `amount_out` of `base_currency`.

    `rate` is what one unit of `counter_currency` buys; it includes the spread.
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


class CoinFeed(models.Model):
    """How a coin gets its price, and a price that waits for a person.

    `outcome` is that of the last run of the feed, at `checked_at`.
    """

    class Outcome(models.TextChoices):
        PRICED = "PRICED", _("priced")
        NO_AGREEMENT = "NO_AGREEMENT", _("the sources do not agree")
        WAITS = "WAITS", _("waits for a person")
        REFUSED = "REFUSED", _("refused by a person")
        BY_HAND = "BY_HAND", _("typed by a person")

    currency = models.CharField(
        _("currency"), max_length=4, choices=ExchangeRate.Currency.choices, primary_key=True
    )
    is_by_hand = models.BooleanField(_("typed price counts"), default=False, db_default=False)
    # A person typed, accepted or refused a price then.
    decided_at = models.DateTimeField(_("decided at"), null=True)
    decided_by = models.CharField(_("decided by"), max_length=150, default="", db_default="")
    checked_at = models.DateTimeField(_("last look at the sources"), null=True)
    outcome = models.CharField(
        _("outcome"), max_length=12, choices=Outcome.choices, default="", db_default=""
    )
    disagreement = models.DecimalField(
        _("disagreement"), max_digits=18, decimal_places=6, null=True
    )
    waiting_bid = MoneyField(_("price that waits"), null=True)
    waiting_ask = MoneyField(null=True)
    waiting_sources = models.CharField(max_length=100, default="", db_default="")
    # Prices near it are not offered again.
    refused_bid = MoneyField(_("price that was refused"), null=True)
    # Another run of the feed leaves the coin alone until then.
    claimed_until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("price of the feed")
        verbose_name_plural = _("price feed")
        permissions = [
            ("decide_coinfeed", gettext_noop("Can accept and refuse jumps of prices")),
            ("resume_coinfeed", gettext_noop("Can let the price feed set prices again")),
        ]

    def __str__(self) -> str:
        return self.currency


class SourceAnswer(models.Model):
    """The last answer of a source about a coin. `reason` is empty if it counted."""

    feed = models.ForeignKey(CoinFeed, on_delete=models.CASCADE, related_name="answers")
    source = models.CharField(_("source"), max_length=20)
    bid = MoneyField(_("buyers give"), null=True)
    ask = MoneyField(_("sellers want"), null=True)
    answered_at = models.DateTimeField(_("time of the answer"), null=True)
    checked_at = models.DateTimeField(_("asked at"))
    reason = models.CharField(_("why it does not count"), max_length=20, choices=Reason.choices)
    detail = models.CharField(_("detail"), max_length=200)
    # Answers that did not count, by reason.
    refusals = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("answer of a source")
        verbose_name_plural = _("answers of sources")
        constraints = [models.UniqueConstraint(fields=["feed", "source"], name="answer_once")]

    def __str__(self) -> str:
        return f"{self.source} {self.feed_id}"
