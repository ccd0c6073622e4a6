"""A real Chromium in front of a real server; it is found on PATH, never downloaded.

Tests keep pictures of what a person would see below SCREENSHOTS, which git ignores; of a test that
fails, every open window is kept as `failed-...`.
"""

import contextlib
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler, StaticFilesHandlerMixin
from django.http import FileResponse, HttpRequest
from django.utils.cache import patch_cache_control
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from merchants.models import Merchant
from payments.collect.models import Order
from tests.browser import slow_answers
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
SHOP = "https://cafeandino.example"
SCREENSHOTS = Path(__file__).parents[2] / ".artifacts" / "screenshots"
FAILED = pytest.StashKey[bool]()
# A busy machine is no defect: the five seconds of `expect` were too few on one.
MOST_MILLISECONDS = 30_000
expect.set_options(timeout=MOST_MILLISECONDS)
# The shell has no windows, and needs a third less of the processor for the same pages.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# Playwright's loop runs in this thread; the ORM of the tests is ordinary, blocking code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs the browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fixtures do not know how their test went; `open_browser` asks for it."""
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless, without a word to anybody but the server under test."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(
            "NO BROWSER: none of " + ", ".join(NAMES) + " is on PATH, so the payment page was NOT "
            "tested in a browser. On Debian: apt-get install chromium-headless-shell"
        )
    args = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--no-first-run",
        "--no-pings",
        # Every script here runs once in a fresh page: what V8 spends on making it quick for a
        # thousandth round, axe above all, was half of the browser's processor time.
        "--js-flags=--sparkplug --no-opt --no-maglev",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    ]
    if os.geteuid() == 0:
        args.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=args)
        yield browser
        browser.close()


@pytest.fixture
def server(live_server: Any, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the service, which is also what its links begin with."""
    monkeypatch.setattr(StaticFilesHandler, "serve", _serve_to_be_kept)
    settings.PUBLIC_URL = live_server.url
    settings.SIMULATOR_STATE = tmp_path / "simulator.sqlite3"
    if slow_answers.IS_ON:
        httpd = live_server.thread.httpd
        monkeypatch.setattr(httpd, "application", slow_answers.slow_server(httpd.application))
    return str(live_server.url)


def _serve_to_be_kept(handler: StaticFilesHandler, request: HttpRequest) -> FileResponse:
    """As in production, where a browser on its second page has the first one's files already."""
    answer = StaticFilesHandlerMixin.serve(handler, request)
    patch_cache_control(answer, max_age=3600)
    return answer


@pytest.fixture
def open_browser(
    browser: Browser, server: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., BrowserContext]]:
    """Opens windows whose errors, refusals of the CSP included, fail the test at its end."""
    name = "failed-" + re.sub(r"[^\w]+", "-", request.node.nodeid.rpartition("/")[2])
    for old in SCREENSHOTS.glob(f"{name}-*.jpg"):
        old.unlink()
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_browser(
        forgive: str = "nothing", is_payers: bool = True, **options: Any
    ) -> BrowserContext:
        """`forgive` names a complaint of the browser that belongs to the test. A payer's window
        meets everything for the first time: as a route replies for the shop, it caches nothing.
        """
        context = browser.new_context(**{"viewport": PHONE, "locale": "es-CO", **options})
        context.set_default_timeout(MOST_MILLISECONDS)
        if slow_answers.IS_ON:
            slow_answers.slow_pages(context)
        context.on("weberror", lambda failure: complaints.append(str(failure.error)))
        context.on(
            "console",
            lambda message: (
                message.type in ("error", "warning")
                and forgive not in message.text
                and complaints.append(message.text)
            ),
        )
        if is_payers:
            context.route(f"{SHOP}/**", lambda route: route.fulfill(body="<h1>Gracias</h1>"))
        contexts.append(context)
        return context

    yield open_browser
    if complaints or request.node.stash.get(FAILED, False):
        pages = [page for context in contexts for page in context.pages]
        for number, page in enumerate(pages, 1):
            with contextlib.suppress(Error):
                picture(page, f"{name}-{number}")
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


def picture(page: Page, name: str, full_page: bool = True) -> None:
    """Keeps what a person would see, for a person to look at. A JPEG is made three times faster."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.jpg"
    page.wait_for_load_state()  # a text is there before its colours and letters
    window = page.viewport_size
    if full_page and window and "/admin/" in page.url:
        # Its bars stick to the window: in a window of the page's own height they hide nothing.
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({**window, "height": max(height, window["height"])})
    page.screenshot(path=path, full_page=full_page, type="jpeg", quality=85)
    if window and page.viewport_size != window:
        page.set_viewport_size(window)


def stay(page: Page) -> None:
    """A receipt leads back to the shop after half a minute; a slow machine can take as long."""
    page.evaluate("delete document.querySelector('[data-return]')?.dataset.return")


def hurry(page: Page) -> None:
    """Lets a page that waits ask now, as it does when the person turns to it again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
