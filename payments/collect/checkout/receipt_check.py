"""The public page that checks a receipt by its code, and shows whether it was refunded.

It shows no more than the receipt, with masked names. Requests are limited by address, so that codes
cannot be guessed.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from payments.api import limits
from payments.collect.checkout.decorators import SeeOther, visitor_page
from payments.collect.services.orders import receipts
from payments.core import clock, receipt_codes

MAX_LENGTH = 40


@require_safe
@visitor_page
def form(request: HttpRequest) -> HttpResponse:
    """A form for the code, which leads to the page of the receipt."""
    if typed := request.GET.get("code", "").strip()[:MAX_LENGTH]:
        code = receipt_codes.read(typed)
        if code is not None:
            return SeeOther(f"/verify/{receipt_codes.written(code)}")
        return _show_result(request, typed)
    return render(request, "verify/form.html")


@require_safe
@visitor_page
def answer(request: HttpRequest, code: str) -> HttpResponse:
    return _show_result(request, code[:MAX_LENGTH])


def _show_result(request: HttpRequest, typed: str) -> HttpResponse:
    try:
        limits.count(request, scope="verify", key=limits.counted_address(request))
    except limits.RateLimitExceeded as refusal:
        response = render(request, "verify/slow.html", status=refusal.status)
        response.headers["Retry-After"] = refusal.headers["Retry-After"]
        return response
    found = receipts.find_receipt(text=typed)
    page: dict[str, object] = {"answer": found, "typed": typed}
    if found is None:
        characters = receipt_codes.count_characters(typed)
        page |= {
            "is_mistyped": receipt_codes.read(typed) is None,
            "missing": max(receipt_codes.LENGTH - characters, 0),
            "surplus": max(characters - receipt_codes.LENGTH, 0),
        }
        return render(request, "verify/answer.html", page, status=404)
    page |= {"order": found.order, "is_test": found.is_test, "checked_at": clock.now()}
    page["receipt_code"] = receipt_codes.written(receipt_codes.read(typed) or "")
    return render(request, "verify/answer.html", page)
