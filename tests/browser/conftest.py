"""A real Chromium in front of a real server; it is found on PATH, never downloaded."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from merchants.models import Merchant
from payments.collect.models import Order
from tests.factories import order_body
from tests.fixtures import ApiClient

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
SHOP = "https://cafeandino.example"
SCREENSHOTS = Path(__file__).parents[2] / ".artifacts" / "screenshots"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Playwright's loop runs in this thread; the ORM of the tests is ordinary, blocking code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs the browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless, without a word to anybody but the server under test."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(
            "NO BROWSER: none of " + ", ".join(NAMES) + " is on PATH, so the payment page was NOT "
            "tested in a browser. On Debian: apt-get install chromium"
        )
    args = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--no-first-run",
        "--no-pings",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    ]
    if os.geteuid() == 0:
        args.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=args)
        yield browser
        browser.close()


@pytest.fixture
def server(live_server: Any, settings: Any, tmp_path: Path) -> str:
    """The address of the service, which is also what its links begin with."""
    settings.PUBLIC_URL = live_server.url
    settings.SIMULATOR_STATE = tmp_path / "simulator.sqlite3"
    return str(live_server.url)


@pytest.fixture
def open_browser(browser: Browser, server: str) -> Iterator[Callable[..., BrowserContext]]:
    """Opens windows whose errors, refusals of the CSP included, fail the test at its end."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_browser(forgive: str = "nothing", **options: Any) -> BrowserContext:
        """`forgive` names a complaint of the browser that belongs to the test."""
        context = browser.new_context(**{"viewport": PHONE, "locale": "en-US", **options})
        context.set_default_timeout(10_000)
        context.on("weberror", lambda failure: complaints.append(str(failure.error)))
        context.on(
            "console",
            lambda message: (
                message.type in ("error", "warning")
                and forgive not in message.text
                and complaints.append(message.text)
            ),
        )
        context.route(f"{SHOP}/**", lambda route: route.fulfill(body="<h1>Gracias</h1>"))
        contexts.append(context)
        return context

    yield open_browser
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def phone(open_browser: Callable[..., BrowserContext]) -> Page:
    """A page in the hand of a payer: 360 x 740."""
    context = open_browser(viewport=PHONE, has_touch=True, is_mobile=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context.new_page()


@pytest.fixture
def create(server: str, merchant: Merchant) -> Callable[..., Order]:
    """Café Andino's backend orders, as over the API."""
    api = ApiClient(merchant)

    def create(**changes: Any) -> Order:
        body = {"callbackUrl": f"{SHOP}/gracias?pedido=7", **changes}
        answer = api.post("/collect", order_body(**body)).body
        return Order.objects.get(pk=answer["data"]["id"])

    return create


@pytest.fixture
def order(create: Callable[..., Order]) -> Order:
    """Two pounds of coffee."""
    return create()


def picture(page: Page, name: str) -> None:
    """Keeps what a person would see, for a person to look at. A JPEG is made three times faster."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.jpg"
    page.screenshot(path=path, full_page=True, type="jpeg", quality=85)


def hurry(page: Page) -> None:
    """Lets a page that waits ask now, as it does when somebody turns to it again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
