"""A service that only listens: each callback is verified, remembered and answered."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from payments.core import clock
from payments.providers import registry
from payments.providers.ports import ChargeUpdate, InvalidCallback, OutgoingUpdate

heard: list[ChargeUpdate] = []
heard_outgoing: list[OutgoingUpdate] = []


@csrf_exempt
def callback(request: HttpRequest, code: str) -> HttpResponse:
    """What payments.collect does, without its tables."""
    try:
        port = registry.payin_by_code(code)
        heard.append(port.read_callback(request.headers, request.body, clock.now()))
    except InvalidCallback:
        return HttpResponse(status=401)
    return HttpResponse(status=200)


@csrf_exempt
def payout_callback(request: HttpRequest, code: str) -> HttpResponse:
    """What payments.payout does, without its tables."""
    try:
        port = registry.payout_by_code(code)
        heard_outgoing.append(port.read_callback(request.headers, request.body, clock.now()))
    except InvalidCallback:
        return HttpResponse(status=401)
    return HttpResponse(status=200)


urlpatterns = [
    path("callbacks/payin/<str:code>", callback),
    path("callbacks/payout/<str:code>", payout_callback),
    path("simulator/", include("payments.providers.simulator.urls")),
]
