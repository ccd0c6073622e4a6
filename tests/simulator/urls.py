"""A service that only listens: each callback is verified, remembered and answered."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from payments.core import clock
from payments.providers import registry
from payments.providers.ports import (
    Callback,
    ChargeUpdate,
    InvalidCallback,
    OutgoingPort,
    OutgoingUpdate,
)

arrived: list[ChargeUpdate] = []
arrived_outgoing: list[OutgoingUpdate] = []


@csrf_exempt
def callback(request: HttpRequest, code: str) -> HttpResponse:
    """What payments.collect does, without its tables."""
    try:
        port = registry.PAYIN.get(code)
        arrived.append(port.read_callback(Callback(request.headers, request.body), clock.now()))
    except InvalidCallback:
        return HttpResponse(status=401)
    return HttpResponse(status=200)


PORTS: dict[str, Callable[[str], OutgoingPort]] = {
    "payout": registry.outgoing("payout").get,
    "topup": registry.outgoing("topup").get,
    "bill": registry.outgoing("bill").get,
    "refund": registry.outgoing("refund").get,
}


@csrf_exempt
def outgoing_callback(request: HttpRequest, product: str, code: str) -> HttpResponse:
    """What payments.outgoing does, without its tables."""
    try:
        port = PORTS[product](code)
        arrived_outgoing.append(
            port.read_callback(Callback(request.headers, request.body), clock.now())
        )
    except InvalidCallback:
        return HttpResponse(status=401)
    return HttpResponse(status=200)


urlpatterns = [
    path("callbacks/payin/<str:code>", callback),
    path("callbacks/<str:product>/<str:code>", outgoing_callback),
    path("simulator/", include("payments.simulator.urls")),
]
