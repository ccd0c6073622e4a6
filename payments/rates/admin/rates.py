"""Console pages of rates: the history of prices, and a form for a new one. Old ones stay."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminSelectWidget

from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, said
from payments.console.changelist import DaysFilter
from payments.console.formatting import actor, amount, amount_column, badge, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import clock, money
from payments.core.fields import TypedMoney
from payments.rates.feed.decisions import set_rate_by_hand
from payments.rates.models import ExchangeRate, Quote
from payments.rates.services import DEFAULT_SOURCE, is_stale


class RateForm(ReasonForm):
    currency = forms.ChoiceField(
        label=_("Currency"), choices=ExchangeRate.Currency.choices, widget=UnfoldAdminSelectWidget()
    )
    price_cop = TypedMoney(
        label=_("Price of one in COP"),
        max_digits=money.MAX_DIGITS,
        decimal_places=money.DECIMAL_PLACES,
        widget=UnfoldAdminDecimalFieldWidget(),
    )

    field_order = ["currency", "price_cop", "reason"]


def source_name(source: str) -> str:
    """`buda+kraken` and people as they are."""
    return gettext("Test price") if source == DEFAULT_SOURCE else source


SET_RATE = ConfirmedAction(
    verb="add",
    needs_reauthentication=True,
    title=_("Set exchange rate"),
    explanation=_(
        "Quotes made from now on use it. Quotes that payers hold already keep theirs. The price "
        "feed leaves this coin alone until you end that on its page."
    ),
    submit=_("Set rate"),
    form_class=RateForm,
)


@admin.register(ExchangeRate)
class ExchangeRateAdmin(ReadOnlyAdmin):
    """Prices of the coins; the newest counts."""

    effective = timestamp_column("effective_at", _("effective at"))
    shown_if_empty = _(
        "What a coin costs in pesos. Orders can be paid in a coin once it has a price."
    )
    list_display = ["effective", "price", "state", "currency", "source_shown"]
    list_filter = ["currency", ("effective_at", DaysFilter)]
    ordering = ["-effective_at", "-id"]
    fields = list_display
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ExchangeRate]:
        """Each with the id of the price of its coin that counts now: one row of an index."""
        rates: QuerySet[ExchangeRate] = super().get_queryset(request)
        same = ExchangeRate.objects.filter(
            currency=OuterRef("currency"), effective_at__lte=clock.now()
        )
        newest = same.order_by("-effective_at", "-id").values("pk")[:1]
        return rates.annotate(in_force=Subquery(newest))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Prices are never changed: a new price is a new row."""
        return bool(request.user.has_perm("rates.add_exchangerate"))

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            rate = ExchangeRate(currency=form["currency"], price_cop=form["price_cop"])
            rate.source, rate.effective_at = actor(request), clock.now()
            set_rate_by_hand(rate, actor=actor(request), reason=form["reason"])
            self.message_user(request, said(SET_RATE))
            return redirect("admin:rates_exchangerate_changelist")

        return self.confirm_first(request, None, SET_RATE, perform)

    @display(description=_("source"), ordering="source")
    def source_shown(self, rate: ExchangeRate) -> str:
        return source_name(rate.source)

    @display(description=_("price"), ordering="price_cop")
    def price(self, rate: ExchangeRate) -> SafeString:
        """`1 ETH = 13.800.000 COP`."""
        style = "font-semibold text-important whitespace-nowrap"
        shown = amount(rate.price_cop, "COP")
        return format_html('<span class="{}">1 {} = {}</span>', style, rate.currency, shown)

    @display(description=_("status"))
    def state(self, rate: Any) -> SafeString:
        now = clock.now()
        if rate.effective_at > now:
            return badge(gettext("Not in force yet"), "info")
        if rate.pk != rate.in_force:
            return badge(gettext("Out of force"), "default")
        if is_stale(rate, now):
            return badge(gettext("Too old to be used"), "warning")
        return badge(gettext("Counts now"), "success")


@admin.register(Quote)
class QuoteAdmin(ReadOnlyAdmin):
    paid = amount_column("amount_in", _("the payer sends"), currency="counter_currency")
    bought = amount_column("amount_out", _("which pays for"), currency="base_currency")
    created = timestamp_column("created_at", _("created at"))
    expires = timestamp_column("expires_at", _("expires at"))
    list_display = ["id", "paid", "bought", "rate_shown", "spread_shown", "created", "expires"]
    list_filter = ["counter_currency", ("created_at", DaysFilter)]
    search_fields = ["id__exact"]
    ordering = ["-id"]
    fields = list_display
    readonly_fields = fields

    @display(description=_("rate"))
    def rate_shown(self, quote: Quote) -> str:
        return money.grouped(money.text(quote.rate))

    @display(description=_("spread"))
    def spread_shown(self, quote: Quote) -> str:
        return money.grouped(money.text(quote.spread))
