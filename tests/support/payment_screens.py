"""Every screen that a payer can meet, each with an order that shows it."""

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

import segno
from django.db import connection

from merchants import services as merchants
from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.collect.services.charges import charge_creation
from payments.collect.services.endings import expiry
from payments.collect.services.orders import receipts
from payments.collect.services.refunds import refund_destinations
from payments.core import clock
from payments.providers.ports import ChargeStatus
from payments.providers.qr_images import svg_data_uri
from payments.rails.models import Route
from payments.simulator import control
from tests.support.charges import FIELDS, say
from tests.support.fixtures import ApiClient
from tests.support.image_bytes import png
from tests.support.legal_data import give_legal_data

Create = Callable[..., Order]


@dataclass(frozen=True, slots=True)
class Scene:
    """An address, and a button to press there before looking."""

    address: Callable[[Create], str]
    press: str = ""


def start(order: Order, method: str, **fields: str) -> Charge:
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=method,
            payer=charge_creation.payer_of(order),
            fields=fields or FIELDS[method],
            return_url=f"{order.collect_url}/return",
        ),
        now=clock.now(),
    )


def direct(create: Create, key: str) -> Order:
    """An order with an open try by one of the provider's own methods."""
    order = create()
    client = ApiClient(order.merchant)
    fields = {"phone": "3105551234"} if key == "push_wallet" else {}
    answer = client.post(f"/collect/{order.pk}/pay", {"method": key, "fields": fields})
    assert answer.status_code == 200, answer.content
    return order


def _new(path: str = "", **changes: object) -> Callable[[Create], str]:
    return lambda create: create(**changes).collect_url + path


def bank(create: Create) -> str:
    order = create()
    start(order, "PSE")
    return order.collect_url


def checking(create: Create) -> str:
    order = create()
    Charge.objects.filter(pk=start(order, "PSE").pk).update(redirect_url="")
    return order.collect_url


def account(create: Create) -> str:
    order = create()
    control.deposit(start(order, "BANK_TRANSFER").pk, Decimal(20000))
    return order.collect_url


def transfer_asked(create: Create) -> str:
    """A payer who waits for the transfer, and asks for it."""
    order = create()
    start(order, "BANK_TRANSFER")
    return f"{order.collect_url}/paid"


def transfer_surplus(create: Create) -> str:
    order = create()
    control.deposit(start(order, "BANK_TRANSFER").pk, Decimal(60_000))
    return order.collect_url


def transfer_late(create: Create) -> str:
    url = expired(create)
    charge = Charge.objects.latest("created_at")
    control.deposit(charge.pk, Decimal(50_025))
    return url


def coin_surplus(create: Create) -> str:
    """More than the order asks is on its way."""
    order = create()
    give_legal_data(order.merchant)
    charge = start(order, "CRYPTO", coin="BTC", network="bitcoin")
    control.deposit(charge.pk, charge.amount * 2, confirmed=False)
    return order.collect_url


def coin(create: Create) -> str:
    order = create()
    start(order, "CRYPTO", coin="BTC")
    return order.collect_url


def coin_over(create: Create) -> str:
    order = create()
    charge = start(order, "CRYPTO", coin="ETH")
    Charge.objects.filter(pk=charge.pk).update(quote_expires_at=clock.now())
    return order.collect_url


def by_token(create: Create) -> str:
    order = create()
    start(order, "CRYPTO", coin="USDC", network="polygon")
    return order.collect_url


def coin_part(create: Create, *, over: bool = False) -> str:
    """Half of it is on its way, perhaps after the price's end."""
    order = create()
    charge = start(order, "CRYPTO", coin="BTC", network="bitcoin")
    control.deposit(charge.pk, charge.amount / 2, confirmed=False)
    if over:
        Charge.objects.filter(pk=charge.pk).update(quote_expires_at=clock.now())
    return order.collect_url


def coin_strange(create: Create) -> str:
    """Another coin than the address waits for."""
    order = create()
    give_legal_data(order.merchant)
    charge = start(order, "CRYPTO", coin="USDC", network="polygon")
    say(charge, "PENDING", 12, currency="USDT", trace_code="0x" + 16 * "5d7e")
    return order.collect_url


def coin_too_late(create: Create) -> str:
    """Coins on their way to an order that has ended."""
    order = create()
    give_legal_data(order.merchant)
    charge = start(order, "CRYPTO", coin="BTC", network="bitcoin")
    Order.objects.filter(pk=order.pk).update(expires_at=clock.now() - timedelta(minutes=1))
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    control.deposit(charge.pk, charge.amount, confirmed=False)
    return order.collect_url


def on_two_networks(
    create: Create, path: str = "", currency: str = "", account: str = "wharf"
) -> str:
    """Over the rail of one coin on two networks. `currency` keeps only that coin."""
    Route.objects.all().delete()
    Route.objects.create(product="payin", account=account, method="CRYPTO", currency=currency)
    for method in ("PSE", "BANK_TRANSFER"):
        Route.objects.create(product="payin", account="simulator", method=method)
    return create().collect_url + path


def without_prices(create: Create) -> str:
    with connection.cursor() as cursor:  # rates are kept for ever, but for this
        for change in ("DISABLE", "ENABLE"):
            cursor.execute(f"ALTER TABLE rates_exchangerate {change} TRIGGER USER")
            if change == "DISABLE":
                cursor.execute("TRUNCATE rates_exchangerate")
    return create().collect_url + "/crypto"


def confirming(create: Create) -> str:
    order = create()
    charge = start(order, "CRYPTO", coin="BTC")
    control.deposit(charge.pk, charge.amount, confirmed=False)
    return order.collect_url


def over(create: Create, key: str) -> str:
    """The rail's own time for this try has passed."""
    order = direct(create, key)
    order.charges.update(expires_at=clock.now())
    return order.collect_url


def qr(create: Create, **changes: object) -> str:
    """A code of a rail. The simulator has none, so that its key becomes one."""
    order = direct(create, "breb_key")
    drawn = io.BytesIO()
    segno.make("A code of a rail", error="m").save(drawn, kind="svg", omitsize=True)
    picture = svg_data_uri(base64.b64encode(drawn.getvalue()).decode())
    shown = {"flow": "QR", "key_value": "", "qr_image": picture}
    order.charges.update(**{**shown, **changes})
    return order.collect_url


def second(create: Create) -> str:
    """A payment at the bank, and a payer who chooses another way."""
    order = create()
    start(order, "PSE")
    return f"{order.collect_url}/methods"


def paid_order(create: Create, **changes: object) -> Order:
    order = create(**changes)
    control.resolve(start(order, "CRYPTO", coin="USDC").pk, ChargeStatus.SUCCEEDED)
    order.refresh_from_db()
    return order


def failed(create: Create) -> str:
    order = create()
    control.resolve(start(order, "PSE").pk, ChargeStatus.FAILED)
    return order.collect_url


def expired(create: Create) -> str:
    order = create()
    start(order, "BANK_TRANSFER")
    Order.objects.filter(pk=order.pk).update(expires_at=clock.now() - timedelta(minutes=1))
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    return order.collect_url


def cancelled(create: Create, method: str = "", deposited: int = 0) -> str:
    """The shop cancelled it: before anything was chosen, or with a try that is under way."""
    order = create()
    charge = start(order, method) if method else None
    answer = ApiClient(order.merchant).post(f"/collect/{order.pk}/cancel")
    assert answer.status_code == 200, answer.content
    if charge and deposited:
        control.deposit(charge.pk, Decimal(deposited))
    return order.collect_url


def verify(create: Create, returned: int = 0, disputed: bool = False) -> str:
    """The page that checks the receipt of a paid order."""
    order = paid_order(create)
    if returned:
        Order.objects.filter(pk=order.pk).update(refunded_amount=returned)
        Refund.objects.create(
            merchant=order.merchant,
            order=order,
            idempotency_key=f"refund-{order.pk}",
            fingerprint=b"-",
            requested_by="shop",
            charge=order.settled_by,
            currency="COPM",
            amount=returned,
            debit=returned,
            reason="one cup was broken",
            status=Refund.Status.COMPLETED,
            provider="simulator",
            needs_approval=False,
            created_at=clock.now(),
            completed_at=clock.now(),
        )
    if disputed:
        Dispute.objects.create(
            order=order,
            kind="CHARGEBACK",
            currency="COPM",
            claimed=50_000,
            amount=50_000,
            reason="unknown to the payer",
            opened_by="simulator",
            opened_at=clock.now(),
        )
    origin = order.collect_url.partition("/pay/")[0]
    return f"{origin}/verify/{receipts.get_code(order=order)}"


def refund(create: Create) -> str:
    """The signed link of a refund whose rail returns nothing by itself."""
    order = paid_order(create)
    answer = ApiClient(order.merchant).post(
        f"/collect/{order.pk}/refunds",
        {"amount": 20_000, "reason": "one cup was broken"},
        headers={"Idempotency-Key": f"refund-{order.pk}"},
    )
    assert answer.status_code == 201, answer.content
    found = Refund.objects.get(order=order)
    Refund.objects.filter(pk=found.pk).update(needs_destination=True)
    return f"{order.collect_url}{refund_destinations.link_of(found).partition(order.token)[2]}"


def _verify_page(path: str) -> Callable[[Create], str]:
    return lambda create: create().collect_url.partition("/pay/")[0] + path


def wear(merchant: Merchant, colour: str) -> None:
    """The merchant's colour, and a logo twice as wide as high."""
    logo = merchants.keep_logo(content=png())
    Merchant.objects.filter(pk=merchant.pk).update(brand_color=colour, logo=logo)


LONG = {
    "description": "Mercado de la semana " * 20 + "x" * 60,
    "reference": "R" * 100,
    "amount": 999_999_999_999.99,
}
CHOOSING = {
    "methods": Scene(_new()),
    "methods-after-a-try": Scene(second),
    "pse": Scene(_new("/pse")),
    "pse-company": Scene(_new("/pse", customerDocType="NIT", customerDocNumber="890903938")),
    "pse-errors": Scene(_new("/pse"), press="form .button"),
    "crypto": Scene(_new("/crypto")),
    "crypto-own-coin": Scene(_new("/crypto", currency="USDT")),
    "wallet-form": Scene(_new("/with/push_wallet")),
    "wallet-errors": Scene(_new("/with/push_wallet"), press="form .button"),
    "second": Scene(second, press="form[action$=transfer] button"),
    "long-texts": Scene(_new(**LONG)),
    "refund": Scene(refund),
}
WAITING = {
    "bank": Scene(bank),
    "checking": Scene(checking),
    "account": Scene(account),
    "transfer-asked": Scene(transfer_asked, press="form .button"),
    "coin": Scene(coin),
    "coin-over": Scene(coin_over),
    "confirming": Scene(confirming),
    "push": Scene(lambda create: direct(create, "push_wallet").collect_url),
    "push-over": Scene(lambda create: over(create, "push_wallet")),
    "bank-button": Scene(lambda create: direct(create, "bank_redirect").collect_url),
    "key": Scene(lambda create: direct(create, "breb_key").collect_url),
    "key-over": Scene(lambda create: over(create, "breb_key")),
    "qr": Scene(qr),
    "qr-coming": Scene(lambda create: qr(create, qr_image="")),
    "qr-over": Scene(lambda create: qr(create, expires_at=clock.now())),
}
COINS = {
    "crypto-long": Scene(_new("/crypto", amount=999_999_999_999.99)),
    "coin-token": Scene(by_token),
    "coin-part": Scene(coin_part),
    "coin-part-over": Scene(lambda create: coin_part(create, over=True)),
    "coin-strange": Scene(coin_strange),
    "coin-surplus": Scene(coin_surplus),
    "coin-too-late": Scene(coin_too_late),
    "crypto-networks": Scene(lambda create: on_two_networks(create, "/crypto")),
    "crypto-one": Scene(lambda create: on_two_networks(create, "/crypto", "BTC")),
    "crypto-errors": Scene(
        lambda create: on_two_networks(create, "/crypto", account="customs"), press="form .button"
    ),
    "methods-one-coin": Scene(lambda create: on_two_networks(create, currency="BTC")),
    "crypto-no-price": Scene(without_prices),
}
ENDED = {
    "completed": Scene(lambda create: paid_order(create).collect_url),
    "failed": Scene(failed),
    "transfer-surplus": Scene(transfer_surplus),
    "transfer-late": Scene(transfer_late),
    "expired": Scene(expired),
    "cancelled": Scene(cancelled),
    "cancelled-under-way": Scene(lambda create: cancelled(create, "BANK_TRANSFER")),
    "cancelled-late-money": Scene(lambda create: cancelled(create, "BANK_TRANSFER", 50_025)),
    "cancelled-paid": Scene(lambda create: cancelled(create, "BANK_TRANSFER") + "/paid"),
    "paid": Scene(lambda create: expired(create) + "/paid"),
    "paid-asked": Scene(lambda create: expired(create) + "/paid", press="form .button"),
    "not-found": Scene(_verify_page("/pay/nothing")),
    "verify": Scene(_verify_page("/verify/")),
    "verify-asked": Scene(_verify_page("/verify/ABCD-1234")),
    "verify-true": Scene(verify),
    "verify-partly": Scene(lambda create: verify(create, returned=20_000)),
    "verify-returned": Scene(lambda create: verify(create, returned=50_025)),
    "verify-disputed": Scene(lambda create: verify(create, disputed=True)),
    "verify-false": Scene(_verify_page("/verify/0000-0000-0000")),
    "page-not-found": Scene(_verify_page("/nothing")),
    "home": Scene(_verify_page("/")),
}
# What shows most of a merchant's colour.
BRANDED = {name: {**CHOOSING, **WAITING, **ENDED}[name] for name in ("pse", "bank", "completed")}
