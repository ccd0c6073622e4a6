from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.providers import ports, registry
from payments.rails.services.callback_urls import callback_url
from payments.topup.declaration import TOPUPS
from payments.topup.models import TopUp


def _request(topup: TopUp) -> ports.TopupRequest:
    return ports.TopupRequest(
        reference=topup.provider_reference,
        payment_id=topup.pk,
        operator_code=topup.rail_code,
        phone=topup.phone,
        amount=topup.amount,
        callback_url=callback_url(TOPUPS.name, topup.provider),
    )


PROVIDERS: registry.Adapters[ports.TopupPort] = registry.outgoing(TOPUPS.name)
PRODUCT = Product(
    name=TOPUPS.name,
    model=TopUp,
    port=PROVIDERS.get,
    request=_request,
    task="payments.topup.tasks.send_topup",
)
engine = Engine(PRODUCT)
