"""The hosted payment page: one order, one task per screen, no JavaScript needed.

A successful POST redirects to a GET.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from merchants.models import Method
from payments.collect.checkout import double_payment, view_models
from payments.collect.checkout.decorators import SeeOther, add_privacy_headers, payer_page
from payments.collect.checkout.forms import CoinForm, DirectForm, PseForm, known_customer
from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation, direct_methods, reconciliation
from payments.collect.services.charges.charge_creation import PaymentChoice
from payments.collect.services.errors import (
    ChargeRefused,
    MethodNotAvailable,
    OrderNotFound,
    OrderNotPayable,
    ProviderUnavailable,
)
from payments.collect.services.orders import lookup
from payments.core import clock
from payments.providers import ports, registry
from payments.rates.services import StaleRate

NOT_AVAILABLE = _("This way to pay is not available here. Choose another one.")
REFUSED = _(
    "The payment was not accepted and nothing was charged. Check your details, or choose another "
    "bank or another way to pay."
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


class NotStarted(Exception):
    """The message is for the payer."""


@require_safe
@payer_page
def show(request: HttpRequest, order: Order) -> HttpResponse:
    """Where the payment stands, and the next thing to do. Opening it again resumes."""
    now = clock.now()
    summary = lookup.summarize_charges(order=order)
    charge = None if order.is_final else charge_creation.get_open_charge(order)
    screen = view_models.choose_screen(order, charge, now)
    page = view_models.build_context(screen, order, now, "version", summary)
    if screen == "methods" and page["only_form"]:
        return SeeOther(f"/pay/{order.token}/{page['only_form']}")
    facts = view_models.build_details(screen, order, charge, now, summary)
    return render(request, f"pay/{screen}.html", page | facts)


@require_safe
@payer_page
def methods(request: HttpRequest, order: Order) -> HttpResponse:
    """The choice of a method, also while another one is open."""
    return _show_choice(request, "methods", order)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def pse(request: HttpRequest, order: Order) -> HttpResponse:
    try:
        banks = registry.PAYIN.configured().banks()
    except ports.ProviderError:
        return _show_choice(request, "methods", order, error=AWAY)
    if request.method != "POST":
        form = PseForm(banks=banks, initial=known_customer(order))
        return _show_choice(request, "pse", order, form=form)
    form = PseForm(request.POST, banks=banks)
    if not form.is_valid():
        return _show_choice(request, "pse", order, form=form)
    try:
        return _start(request, order, _chosen(order, form, Method.PSE, payer=form.payer()))
    except NotStarted as refusal:
        return _show_choice(request, "pse", order, form=form, error=refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def transfer(request: HttpRequest, order: Order) -> HttpResponse:
    if request.method != "POST":
        return SeeOther(f"/pay/{order.token}")
    try:
        return _start(request, order, _chosen(order, None, Method.BANK_TRANSFER))
    except NotStarted as refusal:
        return _show_choice(request, "methods", order, error=refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def crypto(request: HttpRequest, order: Order) -> HttpResponse:
    """The choice of a coin; then a quote and an address. An old quote is renewed here."""
    form = CoinForm(request.POST if request.method == "POST" else None, order=order)
    if not form.is_valid():
        return _show_choice(request, "crypto", order, form=form)
    try:
        return _start(request, order, _chosen(order, form, Method.CRYPTO))
    except NotStarted as refusal:
        return _show_choice(request, "crypto", order, form=form, error=refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def direct_method(request: HttpRequest, order: Order, key: str) -> HttpResponse:
    """One of the provider's own methods: its fields, if it has any; then on to pay."""
    try:
        offered = direct_methods.list_page_methods(order=order, now=clock.now())
        method = direct_methods.find_method(offered, key)
    except MethodNotAvailable:
        return _show_choice(request, "methods", order, error=NOT_AVAILABLE)
    form = DirectForm(request.POST if request.method == "POST" else None, method=method)
    if not form.keys and request.method != "POST":
        return SeeOther(f"/pay/{order.token}")
    if not form.is_valid():
        return _show_choice(request, "direct", order, form=form, method=method)
    try:
        return _start(request, order, _chosen(order, form, method.category, direct=method))
    except NotStarted as refusal:
        screen = "direct" if form.keys else "methods"
        return _show_choice(request, screen, order, form=form, method=method, error=refusal)


@require_safe
@payer_page
def bank_redirect(request: HttpRequest, order: Order) -> HttpResponse:
    """Sends the payer on to the bank. A page and not a redirect: in Chromium `form-action 'self'`
    also covers where the answer to a form leads, and the bank is another origin.
    """
    now = clock.now()
    charge = charge_creation.get_open_charge(order)
    if view_models.choose_screen(order, charge, now) != "bank":
        return SeeOther(f"/pay/{order.token}")
    return _render(request, "go", order, charge=charge)


@require_safe
@payer_page
def bank_return(request: HttpRequest, order: Order) -> HttpResponse:
    """The bank sends the payer back here. That proves nothing: the rail is queried, at most
    every few seconds, in case its callback is late.
    """
    charge = charge_creation.get_open_charge(order)
    if charge and charge.is_debit and double_payment.claim_query(charge):
        reconciliation.query_provider(charge=charge, now=clock.now())
    return SeeOther(f"/pay/{order.token}")


@require_safe
def live_state(request: HttpRequest, token: str) -> HttpResponse:
    """What the waiting page polls: status and version, one query."""
    try:
        return add_privacy_headers(JsonResponse(lookup.get_live_state(token=token)))
    except OrderNotFound:
        return add_privacy_headers(JsonResponse({"status": "NOT_FOUND", "version": ""}, status=404))


@payer_page
def not_found(request: HttpRequest, order: Order) -> HttpResponse:
    """A link that was cut or mistyped: without a token, `payer_page` returns its 404."""
    raise AssertionError("there is no order without a token")


def _chosen(
    order: Order,
    form: PseForm | CoinForm | DirectForm | None,
    method: str,
    *,
    payer: ports.Payer | None = None,
    direct: ports.DirectMethod | None = None,
) -> PaymentChoice:
    return PaymentChoice(
        method=method,
        direct=direct,
        payer=payer or charge_creation.payer_of(order),
        fields=form.rail_fields() if form else {},
        return_url=order.return_url,
    )


def _start(request: HttpRequest, order: Order, choice: PaymentChoice) -> HttpResponse:
    """Starts the charge and redirects to what comes next, or shows the open payment first.

    Raises NotStarted.
    """
    if choice.method not in view_models.offered_methods(order):
        raise NotStarted(NOT_AVAILABLE)
    now = clock.now()
    pending = double_payment.find_open_debit(order=order, choice=choice, now=now)
    if pending and request.POST.get(double_payment.SEEN_FIELD) != pending.pk:
        return _show_open_payment(request, order, pending, choice)
    then = ""
    try:
        charge = charge_creation.start_charge(order=order, choice=choice, now=now)
        then = "/go" if charge.redirect_url else ""
    except MethodNotAvailable as error:
        raise NotStarted(NOT_AVAILABLE) from error
    except ChargeRefused as error:
        raise NotStarted(REFUSED) from error
    except StaleRate as error:
        raise NotStarted(NO_PRICE) from error
    except OrderNotPayable as error:
        if not _is_over(order):
            raise NotStarted(AT_THE_BANK) from error
    except ProviderUnavailable as error:
        # Else it may have been started: the page says that it is being checked.
        if not _is_doubtful(order):
            raise NotStarted(AWAY) from error
    return SeeOther(f"/pay/{order.token}{then}")


def _show_open_payment(
    request: HttpRequest, order: Order, pending: Charge, choice: PaymentChoice
) -> HttpResponse:
    """The open payment, and the choice once more: it starts only when sent from here."""
    sent = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
    return _render(
        request,
        "second",
        order,
        charge=pending,
        charge_label=direct_methods.get_label(pending),
        action=request.path,
        sent=[(name, value) for name, value in sent if name != double_payment.SEEN_FIELD],
        seen_field=double_payment.SEEN_FIELD,
        may_go_on=double_payment.can_start(order=order, choice=choice),
    )


def _is_over(order: Order) -> bool:
    current = lookup.find_by_token(token=order.token)
    return current.is_final or current.expires_at <= clock.now()


def _is_doubtful(order: Order) -> bool:
    charge = charge_creation.get_open_charge(order)
    return charge is not None and charge.status == Charge.Status.STARTING


def _show_choice(
    request: HttpRequest, screen: str, order: Order, **context: object
) -> HttpResponse:
    """A screen with something to choose or fill in, while the order can still be paid."""
    if _is_over(order):
        return SeeOther(f"/pay/{order.token}")
    summary = lookup.summarize_charges(order=order)
    # Only another status makes such a page stale: what is being typed must not be lost.
    charge = charge_creation.get_open_charge(order)
    context |= {"charge": charge}
    return _render(request, screen, order, watch="status", summary=summary, **context)


def _render(
    request: HttpRequest,
    screen: str,
    order: Order,
    watch: str = "version",
    summary: lookup.ChargesSummary | None = None,
    **context: object,
) -> HttpResponse:
    known = summary or lookup.summarize_charges(order=order)
    page = view_models.build_context(screen, order, clock.now(), watch, known) | context
    return render(request, f"pay/{screen}.html", page)
