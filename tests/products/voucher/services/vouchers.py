from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from payments.core.errors import ServiceError
from payments.core.request_clock import RequestClock
from payments.outgoing import creation
from payments.outgoing.creation import PaymentRequest
from tests.products.voucher.models import Voucher
from tests.products.voucher.services.engine import PRODUCT, PROVIDERS, engine

MOST = 500_000


class ShopClosed(ServiceError):
    """503: the shop sells no vouchers now."""

    status = 503
    code = "SHOP_CLOSED"
    message = "The shop sells no vouchers now."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVoucher:
    shop: str
    amount: int


def create_voucher(request: PaymentRequest[NewVoucher], *, now: datetime) -> tuple[Voucher, bool]:
    clock = RequestClock(now)
    build = partial(_build, request.wanted, now)
    voucher, is_replayed = creation.create(PRODUCT, request, build=build, now=now)
    if not is_replayed:
        engine.call_in_request(voucher, clock)
    return voucher, is_replayed


def _build(new: NewVoucher, now: datetime, _versions: str | None) -> Voucher:
    if new.shop == "closed":
        raise ShopClosed
    voucher = Voucher(shop=new.shop, provider=PROVIDERS.configured_code)
    voucher.set_price(Decimal(new.amount), Decimal(0))
    creation.begin_at_once(voucher, now)
    return voucher
