"""The hosted payment page: one order, one task per screen, no JavaScript needed.

A successful POST redirects to a GET.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from merchants.models import Method
from payments.collect.checkout import (
    bank_names,
    coin_pages,
    double_payment,
    screen_details,
    view_models,
)
from payments.collect.checkout.decorators import SeeOther, add_privacy_headers, payer_page
from payments.collect.checkout.forms import (
    CoinForm,
    DirectForm,
    PseForm,
    TermsForm,
    chosen_fields,
    find_coin,
)
from payments.collect.checkout.payer_client import client_of
from payments.collect.checkout.payer_fields import has_authorised
from payments.collect.models import Charge, Flow, Order
from payments.collect.services.charges import (
    charge_creation,
    direct_methods,
    payer_facts,
    payin_accounts,
    reconciliation,
)
from payments.collect.services.charges.charge_creation import PaymentChoice
from payments.collect.services.errors import (
    AmountTooSmall,
    ChargeRefused,
    MethodNotAvailable,
    OrderNotFound,
    OrderNotPayable,
    PayerFactsMissing,
    ProviderUnavailable,
    TermsNotAccepted,
)
from payments.collect.services.orders import charge_bank, charge_method, lookup, retries
from payments.core import clock
from payments.providers import ports
from payments.rails.services import rail_lists
from payments.rails.services.routing import RouteTable
from payments.rates.services import StaleRate

NOT_AVAILABLE = _("This way to pay is not available here. Choose another one.")
REFUSED = _(
    "The payment was not accepted and nothing was charged. Check your details, or choose another "
    "bank or another way to pay."
)
TOO_SMALL = _(
    "This amount is too small to send in this coin on this network. Nothing was charged. Choose "
    "another coin or network, or another way to pay."
)
NO_PRICE = _(
    "There is no price for this coin right now. Choose another coin, or try again in a few minutes."
)
AT_THE_BANK = _(
    "A payment of this order is still under way. Finish or cancel it first; then choose again."
)
AWAY = _(
    "We cannot reach the payment network right now. Nothing was charged. Try again in a minute, "
    "or choose another way to pay."
)
NEW_FACTS = _("This way to pay needs more details now. Nothing was charged. Choose it again.")
NEW_TERMS = _("The documents to accept have changed. Nothing was charged. Read them and try again.")

REFUSALS: dict[type[Exception], object] = {
    MethodNotAvailable: NOT_AVAILABLE,
    ChargeRefused: REFUSED,
    AmountTooSmall: TOO_SMALL,
    StaleRate: NO_PRICE,
    OrderNotPayable: AT_THE_BANK,
    ProviderUnavailable: AWAY,
    PayerFactsMissing: NEW_FACTS,
    TermsNotAccepted: NEW_TERMS,
}


@require_safe
@payer_page
def show(request: HttpRequest, order: Order) -> HttpResponse:
    """The state of the payment, and what the payer can do next."""
    now = clock.now()
    if live := retries.find_live_sibling(order):
        return SeeOther(f"/pay/{live.token}")
    summary = lookup.summarize_charges(order=order)
    charge = None if order.is_final else charge_creation.get_open_charge(order)
    screen = view_models.choose_screen(order, charge, now)
    page = view_models.build_context(screen, order, now, "version", summary)
    if screen == "methods" and page["only_form"]:
        return SeeOther(f"/pay/{order.token}/{page['only_form']}")
    shown = screen_details.Shown(order, charge, now, summary)
    facts = screen_details.build_details(screen, shown)
    return render(request, f"pay/{screen}.html", page | facts)


@require_safe
@payer_page
def methods(request: HttpRequest, order: Order) -> HttpResponse:
    return _show_choice(request, "methods", order, payin_accounts.load_routes())


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def pse(request: HttpRequest, order: Order) -> HttpResponse:
    routes = payin_accounts.load_routes()
    try:
        serving = payin_accounts.serving_account(order, Method.PSE, routes)
        banks = rail_lists.banks(serving.account)
    except (ports.ProviderError, ProviderUnavailable):
        return _show_choice(request, "methods", order, routes, error=AWAY)
    data = request.POST if request.method == "POST" else None
    last_bank = bank_names.last_used(request)
    form = PseForm(data, banks=banks, serving=serving, order=order, last_bank=last_bank)
    if not form.is_valid():
        return _show_choice(request, "pse", order, routes, form=form)
    choice = _chosen(request, order, form, Method.PSE)
    # Its bank has the code of this account's list.
    choice = replace(choice, account=serving.account)
    response = _start(request, order, choice, "pse", routes, form=form)
    bank_names.remember(response, choice.fields["bankCode"])
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def transfer(request: HttpRequest, order: Order) -> HttpResponse:
    """One click, unless the rail has documents to accept, or needs to know more of the payer."""
    if request.method != "POST":
        return SeeOther(f"/pay/{order.token}")
    routes = payin_accounts.load_routes()
    form = TermsForm(request.POST, **_asked(order, Method.BANK_TRANSFER, routes))
    if form.is_step and not form.is_valid():
        if waiting := _wait_for_debit(request, order, ports.Flow.INSTRUCTIONS):
            return waiting
        return _show_choice(request, "transfer", order, routes, form=form)
    choice = _chosen(request, order, form, Method.BANK_TRANSFER)
    screen = "transfer" if form.is_step else "methods"
    return _start(request, order, choice, screen, routes, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def crypto(request: HttpRequest, order: Order) -> HttpResponse:
    """The page to choose a coin.

    After the choice it shows a quote and an address, and renews an expired quote.
    """
    routes = payin_accounts.load_routes()
    coins = [coin for coin, _account in payin_accounts.coin_options(order, routes)]
    if not coins:
        return _show_choice(request, "methods", order, routes, error=NOT_AVAILABLE)
    if waiting := _wait_for_debit(request, order, ports.Flow.INSTRUCTIONS):
        return waiting
    data = request.POST if request.method == "POST" else None
    chosen = chosen_fields(find_coin(coins, data.get("coin", ""))) if data else {}
    form = CoinForm(data, coins=coins, **_asked(order, Method.CRYPTO, routes, chosen))
    if not form.is_valid():
        return _show_choice(request, "crypto", order, routes, form=form)
    choice = _chosen(request, order, form, Method.CRYPTO)
    return _start(request, order, choice, "crypto", routes, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def direct_method(request: HttpRequest, order: Order, key: str) -> HttpResponse:
    """Starts one of the provider's own methods, and asks for its fields first if it has any."""
    routes = payin_accounts.load_routes()
    try:
        offered = direct_methods.list_page_methods(order=order, now=clock.now(), table=routes)
        method = direct_methods.find_method(offered, key)
    except MethodNotAvailable:
        return _show_choice(request, "methods", order, routes, error=NOT_AVAILABLE)
    data = request.POST if request.method == "POST" else None
    form = DirectForm(data, method=method, is_authorised=has_authorised(order))
    if not method.has_form and request.method != "POST":
        return SeeOther(f"/pay/{order.token}")
    if not form.is_valid():
        if waiting := _wait_for_debit(request, order, method.flow):
            return waiting
        return _show_choice(request, "direct", order, routes, form=form, method=method)
    choice = _chosen(request, order, form, method.category, direct=method)
    screen = "direct" if method.has_form else "methods"
    return _start(request, order, choice, screen, routes, form=form, method=method)


@require_safe
@payer_page
def bank_redirect(request: HttpRequest, order: Order) -> HttpResponse:
    """A page that leads the payer to the bank, or to the QR code, as soon as the rail knows it.

    It is no redirect, because with `form-action 'self'` Chromium refuses a form whose response
    redirects to another origin.
    """
    charge = charge_creation.get_open_charge(order)
    screen = view_models.choose_screen(order, charge, clock.now())
    if charge and screen == "coming":
        if double_payment.claim_query(charge, every_seconds=1):
            reconciliation.query_provider(charge=charge, now=clock.now())
        charge = charge_creation.get_open_charge(order)
        screen = view_models.choose_screen(order, charge, clock.now())
    if screen not in ("bank", "coming"):
        return SeeOther(f"/pay/{order.token}")
    if charge is None or screen == "bank":
        return _render(request, "go", order, charge=charge)
    is_slow = screen_details.is_slow(charge, clock.now())
    page = _render(request, "coming", order, charge=charge, is_slow=is_slow)
    page.headers["Refresh"] = "1"  # The rail is queried again, also without JavaScript.
    return page


@require_safe
@payer_page
def bank_return(request: HttpRequest, order: Order) -> HttpResponse:
    """The bank sends the payer back to this page. The return proves no payment.

    The rail is queried, at most every few seconds, because its callback may be late.
    """
    charge = charge_creation.get_open_charge(order)
    if charge and charge.is_debit and double_payment.claim_query(charge):
        reconciliation.query_provider(charge=charge, now=clock.now())
    return SeeOther(f"/pay/{order.token}")


@require_safe
def live_state(request: HttpRequest, token: str) -> HttpResponse:
    """The status and version that the waiting page polls. One query."""
    try:
        return add_privacy_headers(JsonResponse(lookup.get_live_state(token=token)))
    except OrderNotFound:
        return add_privacy_headers(JsonResponse({"status": "NOT_FOUND", "version": ""}, status=404))


@payer_page
def not_found(request: HttpRequest, order: Order) -> HttpResponse:
    """Handles an incomplete or mistyped link. `payer_page` responds with 404."""
    raise AssertionError("there is no order without a token")


def _asked(
    order: Order,
    method: str,
    routes: RouteTable,
    fields: Mapping[str, str] = payin_accounts.NO_FIELDS,
) -> dict[str, Any]:
    """Nothing where the method is not available, which the start says."""
    try:
        serving = payin_accounts.serving_account(order, method, routes, fields)
    except ProviderUnavailable:
        return {"documents": ()}
    customer = charge_creation.payer_of(order)
    return {
        "documents": serving.terms,
        "asking": payer_facts.fields_for(serving.needs, customer),
        "is_authorised": has_authorised(order),
    }


def _chosen(
    request: HttpRequest,
    order: Order,
    form: PseForm | CoinForm | DirectForm | TermsForm,
    method: str,
    *,
    direct: ports.DirectMethod | None = None,
) -> PaymentChoice:
    return PaymentChoice(
        method=method,
        direct=direct,
        payer=form.payer(charge_creation.payer_of(order)),
        fields=form.rail_fields(),
        return_url=order.return_url,
        accepted=tuple(form.documents),
        client=client_of(request),
    )


def _start(
    request: HttpRequest,
    order: Order,
    choice: PaymentChoice,
    screen: str,
    routes: RouteTable,
    **context: object,
) -> HttpResponse:
    """Starts the charge and redirects to the next page.

    If another payment is open, it is shown first. After a refusal `screen` is shown with the
    reason.
    """
    if not choice.direct and choice.method not in payin_accounts.offered_methods(order, routes):
        return _show_choice(request, screen, order, routes, error=NOT_AVAILABLE, **context)
    now = clock.now()
    pending = double_payment.find_open_debit(order=order, choice=choice, now=now)
    if pending and request.POST.get(double_payment.SEEN_FIELD) != pending.pk:
        return _show_open_payment(request, order, pending, choice.flow)
    try:
        charge = charge_creation.start_charge(order=order, choice=choice, now=now)
    except tuple(REFUSALS) as error:
        # After a doubtful start the order's page says that the payment is being checked.
        if isinstance(error, ProviderUnavailable) and _is_doubtful(order):
            return SeeOther(f"/pay/{order.token}")
        text = REFUSALS[type(error)]
        return _show_choice(request, screen, order, routes, error=text, **context)
    then = "/go" if charge.flow == Flow.REDIRECT or charge.is_code_missing else ""
    return SeeOther(f"/pay/{order.token}{then}")


def _wait_for_debit(request: HttpRequest, order: Order, flow: ports.Flow) -> HttpResponse | None:
    """Says that the choice must wait before the payer fills in anything for it."""
    pending = double_payment.find_blocking_debit(order=order, flow=flow, now=clock.now())
    if pending is None or _is_over(order):
        return None
    return _show_open_payment(request, order, pending, flow)


def _show_open_payment(
    request: HttpRequest, order: Order, pending: Charge, flow: ports.Flow
) -> HttpResponse:
    """Shows the open payment, beside a form that starts the new choice."""
    sent = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
    return _render(
        request,
        "second",
        order,
        charge=pending,
        charge_label=charge_method.name_of(pending),
        bank_name=charge_bank.name_of(pending),
        action=request.path,
        sent=[(name, value) for name, value in sent if name != double_payment.SEEN_FIELD],
        seen_field=double_payment.SEEN_FIELD,
        may_go_on=double_payment.can_start(order=order, flow=flow),
    )


def _is_over(order: Order) -> bool:
    current = lookup.find_by_token(token=order.token)
    return current.is_final or current.expires_at <= clock.now()


def _is_doubtful(order: Order) -> bool:
    charge = charge_creation.get_open_charge(order)
    return charge is not None and charge.status == Charge.Status.STARTING


def _show_choice(
    request: HttpRequest, screen: str, order: Order, routes: RouteTable, **context: object
) -> HttpResponse:
    """Shows a screen with a form, if the order can still be paid."""
    if _is_over(order):
        return SeeOther(f"/pay/{order.token}")
    summary = lookup.summarize_charges(order=order)
    # The page reloads only when the status changes, so that payers do not lose what they type.
    context["charge"] = charge = charge_creation.get_open_charge(order)
    context["bank_name"] = charge_bank.name_of(charge) if charge else ""
    context["only_debits"] = (
        charge is not None
        and charge.is_debit
        and not double_payment.can_start(order=order, flow=ports.Flow.INSTRUCTIONS)
    )
    now = clock.now()
    page = view_models.build_context(screen, order, now, "status", summary, routes)
    if isinstance(form := context.get("form"), CoinForm):
        page["rows"] = coin_pages.list_rows(form, order, summary.missing, now, routes)
    response = render(request, f"pay/{screen}.html", page | context)
    if page.get("rows") == []:
        response.headers["Refresh"] = "30"  # There may be a price by then.
    return response


def _render(
    request: HttpRequest,
    screen: str,
    order: Order,
    **context: object,
) -> HttpResponse:
    summary = lookup.summarize_charges(order=order)
    page = view_models.build_context(screen, order, clock.now(), "version", summary)
    return render(request, f"pay/{screen}.html", page | context)
