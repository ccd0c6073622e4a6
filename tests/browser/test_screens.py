"""Every screen of the payment page, looked at: axe, layout, weight, and a picture for people."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page

from payments.collect.models import Charge, Order
from payments.collect.services import charges, expiry
from payments.core import clock
from payments.providers.ports import ChargeStatus
from payments.providers.simulator import control
from payments.sandbox.services import DEFAULT_FIELDS
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.fixtures import ApiClient

Contexts = Callable[..., BrowserContext]
Create = Callable[..., Order]
NARROW = {"width": 320, "height": 640}
WEIGHT_LIMIT_BYTES = 100_000


def start(order: Order, method: str, **fields: str) -> Charge:
    return charges.start_charge(
        order=order,
        method=method,
        payer=charges.payer_of(order),
        fields=fields or DEFAULT_FIELDS[method],
        return_url=f"{order.collect_url}/return",
        now=clock.now(),
    )


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
    start(order, "BANK_TRANSFER")
    return order.collect_url


def account_in_parts(create: Create) -> str:
    order = create()
    control.deposit(start(order, "BANK_TRANSFER").pk, Decimal(20000))
    return order.collect_url


def coin(create: Create) -> str:
    order = create()
    start(order, "CRYPTO", coin="BTC")
    return order.collect_url


def coin_expired(create: Create) -> str:
    order = create()
    charge = start(order, "CRYPTO", coin="ETH")
    Charge.objects.filter(pk=charge.pk).update(quote_expires_at=clock.now())
    return order.collect_url


def confirming(create: Create) -> str:
    order = create()
    charge = start(order, "CRYPTO", coin="BTC")
    control.deposit(charge.pk, charge.amount, confirmed=False)
    return order.collect_url


def direct(create: Create, key: str) -> Order:
    """An order with an open try by one of the provider's own methods."""
    order = create()
    client = ApiClient(order.merchant)
    fields = {"phone": "3105551234"} if key == "push_wallet" else {}
    answer = client.post(f"/collect/{order.pk}/pay", {"method": key, "fields": fields})
    assert answer.status_code == 200, answer.content
    return order


def push_over(create: Create) -> str:
    order = direct(create, "push_wallet")
    order.charges.update(expires_at=clock.now())
    return order.collect_url


def completed(create: Create) -> str:
    order = create()
    control.resolve(start(order, "CRYPTO", coin="USDC").pk, ChargeStatus.SUCCEEDED)
    return order.collect_url


def failed(create: Create) -> str:
    order = create()
    control.resolve(start(order, "PSE").pk, ChargeStatus.FAILED)
    return order.collect_url


def expired(create: Create) -> str:
    order = create()
    Order.objects.filter(pk=order.pk).update(expires_at=clock.now() - timedelta(minutes=1))
    expiry.expire_if_due(order_id=order.pk, now=clock.now())
    return order.collect_url


def long_texts(create: Create) -> str:
    order = create(
        description="Mercado de la semana " * 20 + "x" * 60,
        reference="R" * 100,
        amount=999_999_999_999.99,
    )
    return order.collect_url


SCREENS: dict[str, Callable[[Create], str]] = {
    "methods": lambda create: create().collect_url,
    "methods-after-a-try": lambda create: bank(create) + "/methods",
    "pse": lambda create: create().collect_url + "/pse",
    "crypto": lambda create: create().collect_url + "/crypto",
    "crypto-own-coin": lambda create: create(currency="USDT").collect_url + "/crypto",
    "bank": bank,
    "checking": checking,
    "account": account,
    "account-in-parts": account_in_parts,
    "coin": coin,
    "coin-expired": coin_expired,
    "confirming": confirming,
    "completed": completed,
    "failed": failed,
    "expired": expired,
    "wallet-form": lambda create: create().collect_url + "/with/push_wallet",
    "push": lambda create: direct(create, "push_wallet").collect_url,
    "push-over": push_over,
    "methods-with-a-push": lambda create: direct(create, "push_wallet").collect_url + "/methods",
    "key": lambda create: direct(create, "breb_key").collect_url,
    "long-texts": long_texts,
}


def violations(page: Page) -> list[str]:
    result = Axe().run(page)
    return [
        f"{rule['id']}: {node['html']}" for rule in result["violations"] for node in rule["nodes"]
    ]


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_every_screen_is_accessible_and_fits(open_browser: Contexts, create: Create) -> None:
    page = open_browser(bypass_csp=True).new_page()
    for name, prepare in SCREENS.items():
        url = prepare(create)
        page.set_viewport_size(PHONE)
        page.goto(url)
        assert violations(page) == [], name
        picture(page, f"phone-{name}")
        page.set_viewport_size(NARROW)
        assert overflow(page) == 0, name
        page.set_viewport_size(DESKTOP)
        assert overflow(page) == 0, name
        picture(page, f"desktop-{name}")


@pytest.mark.parametrize("path", ["/pse", "/crypto", "/with/push_wallet"])
def test_errors_are_accessible_in_both_languages(
    path: str, open_browser: Contexts, order: Order
) -> None:
    page = open_browser(bypass_csp=True).new_page()
    for language in ("es", "en"):
        page.goto(f"{order.collect_url}{path}?lang={language}")
        page.locator("form .button").click()
        page.get_by_role("alert").wait_for()
        assert violations(page) == []
        assert overflow(page) == 0
        picture(page, f"phone{path.replace('/', '-')}-errors-{language}")


def test_the_kind_404_is_accessible(browser: object, server: str, open_browser: Contexts) -> None:
    context = open_browser(bypass_csp=True)
    page = context.new_page()
    page.set_content(context.request.get(f"{server}/pay/nothing").text())
    assert violations(page) == []


@pytest.mark.parametrize("name", ["methods", "pse", "coin", "completed"])
def test_the_page_is_light_and_does_not_jump(
    name: str, open_browser: Contexts, create: Create, server: str
) -> None:
    context = open_browser()
    page = context.new_page()
    page.add_init_script(
        "window.jumps = 0; new PerformanceObserver((list) => list.getEntries().forEach("
        "(entry) => { window.jumps += entry.value; })).observe("
        "{type: 'layout-shift', buffered: true})"
    )
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    page.goto(SCREENS[name](create))
    page.wait_for_timeout(300)
    assert all(url.startswith((server, "data:")) for url in sizes), sizes
    weight = sum(size for url, size in sizes.items() if url.startswith("http"))
    print(f"{name}: {weight} bytes in {len(sizes)} answers")
    assert weight < WEIGHT_LIMIT_BYTES
    assert page.evaluate("window.jumps") == 0
