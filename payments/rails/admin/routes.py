"""Console pages of routes, and which account would serve a payment."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NoReturn

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminSelectWidget

from merchants.models import Merchant
from payments.console import crumbs
from payments.console.actions import ReasonForm
from payments.console.formatting import actor, badge, list_url, table
from payments.console.model_admins import ConsoleAdmin
from payments.console.widgets import RecordPicker
from payments.core import clock
from payments.providers import registry
from payments.providers.ports import Rail
from payments.rails.admin.health import health_context
from payments.rails.admin.methods import (
    OpenChoice,
    account_names,
    coin_choices,
    currency_choices,
    method_choices,
    name_of,
    network_choices,
)
from payments.rails.admin.route_changes import difference_lines
from payments.rails.models import ProviderAccount, Route, RouteChange, product_choices
from payments.rails.services import route_changes
from payments.rails.services.errors import ChangeWaits
from payments.rails.services.overview import methods_of
from payments.rails.services.routes import find_routable, save_route
from payments.rails.services.routing import Demand, RouteTable

METHODS = _("Each account carries some of them: the page Health of accounts lists them.")
# Fields of the page of an example payment.
AMOUNTS = ("min_amount", "max_amount")
ONLY_COINS = ("coin", "network")
CURRENCIES = _("Of the order, or the coin that it is paid with.")


def account_choices() -> list[tuple[str, str]]:
    """Provider accounts, and the rails that need none."""
    entered = ProviderAccount.objects.order_by("slug")
    rails = [(code, code) for code in registry.rails()]
    return [*((one.slug, str(one)) for one in entered.only("slug", "label")), *rails]


class RouteForm(ReasonForm, forms.ModelForm):
    """Reads as a sentence: which payments, and then which account takes them, in which order.

    Without conditions it takes all payments of the product.
    """

    account = forms.ChoiceField(
        label=_("Account"), choices=account_choices, widget=UnfoldAdminSelectWidget()
    )

    method = OpenChoice(label=_("Method or network"), choices=method_choices, help_text=METHODS)
    currency = OpenChoice(label=_("Currency"), choices=currency_choices, help_text=CURRENCIES)

    class Meta:
        model = Route
        fields = [
            *("product", "method", "currency", "merchant", "min_amount", "max_amount"),
            *("account", "priority", "is_enabled"),
        ]
        help_texts: ClassVar[dict[str, Any]] = {
            "merchant": _("Empty: any merchant."),
            "priority": _("The account with the lowest number is tried first."),
            "min_amount": _("In the currency of the payment. Empty: no limit."),
        }
        labels: ClassVar[dict[str, Any]] = {"is_enabled": pgettext_lazy("route", "Enabled")}

    def clean(self) -> dict[str, Any]:
        """Checks that the account exists here and carries the product."""
        data: dict[str, Any] = super().clean() or {}
        if self.instance.pk and route_changes.is_waiting(self.instance):
            raise ValidationError(gettext(ChangeWaits.message))
        rail = find_routable(data.get("account", ""))
        if rail is None:
            raise ValidationError({"account": gettext("There is no such account.")})
        product, method = data.get("product"), data.get("method")
        if product and product not in rail.adapters:
            _refuse("account", rail.adapters)
        if product and method and method not in (methods := methods_of(rail, product)):
            _refuse("method", methods)
        return data

    def clean_currency(self) -> str:
        """A route for a currency that does not exist would never take a payment."""
        currency = str(self.cleaned_data["currency"]).upper()
        if currency and currency not in settings.CURRENCIES:
            raise ValidationError(gettext("There are: %s") % ", ".join(settings.CURRENCIES))
        return currency


def _refuse(field: str, carried: Iterable[str]) -> NoReturn:
    raise ValidationError({field: gettext("It carries only: %s") % ", ".join(carried)})


class TryForm(forms.Form):
    """The properties of an example payment."""

    product = forms.ChoiceField(
        label=_("Product"), choices=product_choices, widget=UnfoldAdminSelectWidget()
    )
    method = OpenChoice(label=_("Method or network"), choices=method_choices)
    currency = OpenChoice(label=_("Currency of the order"), choices=currency_choices)
    coin = OpenChoice(
        label=_("Coin"),
        choices=coin_choices,
        help_text=_("Only for cryptocurrencies."),
    )
    network = OpenChoice(
        label=_("Network of the coin"),
        choices=network_choices,
        help_text=_("Only for cryptocurrencies."),
    )
    merchant_id = forms.ModelChoiceField(
        Merchant.objects.defer("webhook_secret"),
        label=_("Merchant"),
        required=False,
        help_text=_("Empty: any merchant."),
        widget=RecordPicker(Route._meta.get_field("merchant"), admin.site),
    )
    amount = forms.DecimalField(
        label=_("Amount"),
        required=False,
        help_text=_("In the currency of the order. Empty: any amount."),
        widget=UnfoldAdminDecimalFieldWidget(),
    )


@admin.register(Route)
class RouteAdmin(ConsoleAdmin):
    """Which account takes which payments. Without a route the settings name the rail."""

    form = RouteForm
    actions = None
    shown_if_empty = _(
        "A route says which account takes which payments. Without any, the rail of the "
        "settings takes all."
    )
    list_display = [
        "product",
        "method_shown",
        "currency_shown",
        "merchant_shown",
        "account_shown",
        "priority",
        "is_enabled",
    ]
    list_filter = ["product", "is_enabled"]
    ordering = ["product", "priority", "id"]
    fieldsets = [
        (
            _("Which payments"),
            {"fields": ["product", ("method", "currency"), "merchant", AMOUNTS]},
        ),
        (_("Who takes them"), {"fields": ["account", ("priority", "is_enabled"), "reason"]}),
    ]
    forms_need_reauthentication = True
    change_form_show_cancel_button = True
    actions_list = ["try_out", "health"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Route]:
        """Defers the merchant's webhook secret, which is slow to decrypt."""
        routes: QuerySet[Route] = super().get_queryset(request)
        return routes.select_related("merchant").defer("merchant__webhook_secret")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Other records are chosen, never made on the side."""
        if db_field.name == "merchant":
            return db_field.formfield(
                **{**kwargs, "widget": RecordPicker(db_field, self.admin_site)}
            )
        if db_field.is_relation:
            return self.formfield_for_foreignkey(db_field, request, **kwargs)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @display(description=_("method or network"))
    def method_shown(self, route: Route) -> str:
        return name_of(route.method) if route.method else gettext("Any")

    @display(description=_("currency"), ordering="currency")
    def currency_shown(self, route: Route) -> str:
        return route.currency or gettext("Any")

    @display(description=_("merchant"))
    def merchant_shown(self, route: Route) -> str:
        return str(route.merchant) if route.merchant else gettext("Any")

    @display(description=_("account"), ordering="account")
    def account_shown(self, route: Route) -> str:
        label = account_names().get(route.account)
        return f"{label} ({route.account})" if label else route.account

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **named: Any
    ) -> HttpResponse:
        """A route is saved once, and then seen in its list."""
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        response: HttpResponse = super().render_change_form(request, context, *args, **named)
        return response

    def save_model(self, request: HttpRequest, obj: Route, form: Any, change: bool) -> None:
        save_route(
            route=obj,
            actor=actor(request),
            reason=form.cleaned_data["reason"],
            now=clock.now(),
        )

    def response_add(
        self, request: HttpRequest, obj: Route, post_url_continue: str | None = None
    ) -> HttpResponse:
        if obj._state.adding:
            return self._say_that_it_waits(request)
        response: HttpResponse = super().response_add(request, obj, post_url_continue)
        return response

    def response_change(self, request: HttpRequest, obj: Route) -> HttpResponse:
        if route_changes.is_waiting(obj):
            return self._say_that_it_waits(request)
        response: HttpResponse = super().response_change(request, obj)
        return response

    def _say_that_it_waits(self, request: HttpRequest) -> HttpResponse:
        text = gettext("This route is for real money. It waits until another person approves it.")
        self.message_user(request, text, level=messages.WARNING)
        return redirect(list_url(RouteChange))

    @action(description=_("Which account would serve?"), icon="alt_route", permissions=["view"])
    def try_out(self, request: HttpRequest) -> HttpResponse:
        form = TryForm(request.GET or None)
        tables = []
        if form.is_bound and form.is_valid():
            product = form.cleaned_data["product"]
            demand = _demand(form.cleaned_data)
            routes = RouteTable.load(product)
            chosen = routes.accounts_for(demand)[:1]
            names = account_names()
            rows = [
                [
                    _account(one.account, names),
                    one.obstacle or _serves(one.account in chosen),
                    one.priority or "-",
                ]
                for one in routes.explain(demand)
            ]
            headers = [_("account"), _("result"), _("priority")]
            tables = [table(_answer(chosen, names), headers, rows), *_waiting(product)]
        return self.page(
            request,
            "admin/rails_try.html",
            title=gettext("Which account would serve?"),
            crumbs=crumbs.crumbs(request, self, None),
            form=form,
            only_coins=ONLY_COINS,
            tables=tables,
        )

    @action(description=_("Health of accounts"), icon="vital_signs", permissions=["view"])
    def health(self, request: HttpRequest) -> HttpResponse:
        return self.page(
            request,
            "admin/rails_health.html",
            title=gettext("Health of accounts"),
            crumbs=crumbs.crumbs(request, self, None),
            **health_context(request),
        )


def _account(slug: str, names: dict[str, str]) -> str:
    return f"{names[slug]} ({slug})" if slug in names else slug


def _demand(given: dict[str, Any]) -> Demand:
    """The page hides the fields of coins beside another method: what is left in them is nothing."""
    merchant = given["merchant_id"]
    if given["method"] not in ("", Rail.CRYPTO):
        given = given | dict.fromkeys(ONLY_COINS, "")
    named = {name: given[name] for name in ("method", "currency", "coin", "network", "amount")}
    return Demand(**named, merchant_id=merchant.pk if merchant else "")


def _answer(chosen: Sequence[str], names: dict[str, str]) -> str:
    if not chosen:
        return gettext("No account would take this payment.")
    return gettext("%s would take this payment.") % names.get(chosen[0], chosen[0])


def _waiting(product: str) -> list[dict[str, object]]:
    """What would be different if the waiting changes were approved."""
    rows = [
        [one.values["account"], " · ".join(difference_lines(one)), one.requested_by]
        for one in route_changes.waiting()
        if product in (one.values["product"], one.route and one.route.product)
    ]
    headers = [_("account"), _("what changes"), _("requested by")]
    return [table(gettext("Waits for a second person"), headers, rows)] if rows else []


def _serves(is_first: bool) -> SafeString:
    if is_first:
        return badge(gettext("would serve"), "success")
    return badge(gettext("stands by"), "default")
