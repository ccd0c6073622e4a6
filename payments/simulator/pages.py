"""The simulator's pages: a bank, a wallet, and a desk where developers make deposits."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from merchants.legal import tax_ids
from payments.core import money
from payments.providers.ports import ChargeStatus, Rail
from payments.simulator import control
from payments.simulator.banks import BANK_NAMES
from payments.simulator.records import ChargeRecord, NotPossible

# The buttons of the bank's page; "pending" presses none of them.
DECISIONS = {
    "approve": ChargeStatus.SUCCEEDED,
    "refuse": ChargeStatus.FAILED,
    "cancel": ChargeStatus.ABANDONED,
}
MAX_DEPOSIT = Decimal("999999999999.99")
View = Callable[[HttpRequest, str], HttpResponse]


def _page(name: str) -> Callable[[Callable[[HttpRequest, ChargeRecord], HttpResponse]], View]:
    """Finds the view's charge. Returns 404 if there is none or it is paid on another page."""

    def decorate(view: Callable[[HttpRequest, ChargeRecord], HttpResponse]) -> View:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        def page(request: HttpRequest, provider_id: str) -> HttpResponse:
            with suppress(control.UnknownReference):
                record = control.visit(provider_id)
                if record.page == name:
                    return view(request, record)
            return render(request, "simulator/not_found.html", status=404)

        return page

    return decorate


@_page("bank")
def bank(request: HttpRequest, record: ChargeRecord) -> HttpResponse:
    """After a decision the payer returns to the merchant."""
    if request.method != "POST":
        return _render(request, "simulator/bank.html", record)
    decision = request.POST.get("decision", "")
    if decision != "pending" and decision not in DECISIONS:
        return _render(request, "simulator/bank.html", record, status=400)
    # If another tab or the time limit has decided already, the page shows the result.
    if _decide(record, decision) and _is_web_address(record.return_url):
        return HttpResponseRedirect(record.return_url)
    return redirect(request.path)


@_page("wallet")
def wallet(request: HttpRequest, record: ChargeRecord) -> HttpResponse:
    """The payer's app."""
    if request.method != "POST":
        return _render(request, "simulator/wallet.html", record)
    decision = request.POST.get("decision", "")
    if decision not in DECISIONS:
        return _render(request, "simulator/wallet.html", record, status=400)
    _decide(record, decision)
    return redirect(request.path)


def _desk(request: HttpRequest, record: ChargeRecord) -> HttpResponse:
    """Makes deposits to an account, key or address, confirmed by the network or not."""
    if request.method != "POST":
        return _render(request, "simulator/desk.html", record)
    if request.POST.get("action") == "confirm":
        control.confirm(record.reference)
        return redirect(request.path)
    typed = request.POST.get("amount", "")
    amount = _amount(typed, record.currency)
    if amount is None:
        error = _("Write an amount above zero, with a point before the decimals.")
        context = {"error": error, "typed": typed}
        return _render(request, "simulator/desk.html", record, context, status=400)
    control.deposit(record.reference, amount, confirmed=request.POST.get("seen") != "unconfirmed")
    return redirect(request.path)


key, transfer, crypto = _page("key")(_desk), _page("transfer")(_desk), _page("crypto")(_desk)


def _decide(record: ChargeRecord, decision: str) -> bool:
    """Returns False when the charge was decided already."""
    try:
        if decision in DECISIONS:
            control.decide(record.reference, DECISIONS[decision])
    except NotPossible:
        return False
    return True


def _amount(typed: str, currency: str) -> Decimal | None:
    if len(typed) > 24:
        return None
    try:
        amount = Decimal(typed.strip())
    except InvalidOperation:
        return None
    if not amount.is_finite() or not 0 < amount <= MAX_DEPOSIT:
        return None
    return amount if amount == money.quantize(amount, currency) else None


def _render(
    request: HttpRequest,
    template: str,
    record: ChargeRecord,
    context: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    known = {
        "charge": record,
        "nit": tax_ids.shown(record.merchant_nit),
        "is_open": record.status is ChargeStatus.PENDING,
        "status": record.status.value,
        "is_crypto": record.rail is Rail.CRYPTO,
        "amount": money.shown(record.amount, record.currency),
        "bank_name": BANK_NAMES.get(record.bank_code, record.bank_code),
        "received": money.shown(record.received, record.currency),
        "unconfirmed": record.unconfirmed and money.shown(record.unconfirmed, record.currency),
        "missing": money.shown(record.missing, record.currency),
        "typed": money.text(record.missing or record.amount),
        "return_url": record.return_url if _is_web_address(record.return_url) else "",
    }
    response = render(request, template, {**known, **(context or {})}, status=status)
    # With no-referrer, browsers send `Origin: null` with forms, and CSRF protection refuses it.
    response.headers["Referrer-Policy"] = "same-origin"
    _allow_return(response, record.return_url)
    return response


def _allow_return(response: HttpResponse, return_url: str) -> None:
    # Browsers apply form-action to the redirects after a form, too: the return to the merchant may
    # go to any https address, or to the origin of `return_url`.
    parts = urlsplit(return_url)
    origin = f"{parts.scheme}://{parts.netloc}" if _is_web_address(return_url) else ""
    sources = [source for source in ("https:", origin) if source]
    response._csp_update = {"form-action": sources}  # type: ignore[attr-defined]


def _is_web_address(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")
