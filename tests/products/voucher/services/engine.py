from django.conf import settings

from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.providers import registry
from tests.products.voucher.declaration import VOUCHERS
from tests.products.voucher.models import Voucher
from tests.products.voucher.port import VoucherPort, VoucherRequest


def _request(voucher: Voucher) -> VoucherRequest:
    return VoucherRequest(
        reference=voucher.provider_reference,
        payment_id=voucher.pk,
        shop=voucher.shop,
        amount=voucher.amount,
        callback_url=f"{settings.PUBLIC_URL}/callbacks/voucher/{voucher.provider}",
    )


PROVIDERS: registry.Adapters[VoucherPort] = registry.outgoing(VOUCHERS.name)
PRODUCT = Product(
    name=VOUCHERS.name,
    model=Voucher,
    port=PROVIDERS.get,
    request=_request,
    task="tests.products.voucher.tasks.send_voucher",
)
engine = Engine(PRODUCT)
