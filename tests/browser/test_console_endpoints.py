"""A merchant's administrator adds an endpoint, tries it, changes its secret, switches it off.

Also its pages as people see them: on a phone and a large screen, light and dark.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from payments.console import roles
from payments.core import clock
from tests.browser.conftest import PHONE, picture
from tests.browser.test_console_desk import LAPTOP, THEME
from tests.support import page_checks
from tests.support.merchant_staff import PASSWORD, person_of
from tests.webhooks.conftest import run_dispatcher
from tests.webhooks.receivers import Receiver
from tests.webhooks.verification import verify_standard
from webhooks import endpoints, services
from webhooks.endpoint_models import Endpoint
from webhooks.models import Attempt, Delivery, Event

pytestmark = pytest.mark.slow
Open = Callable[..., Page]


@pytest.fixture
def open_page(
    open_browser: Callable[..., BrowserContext], server: str, settings: Any, merchant: Merchant
) -> Open:
    """Lucía's browser, logged in."""
    settings.DOORBELL = False
    person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR)

    def open_page(language: str = "en", **options: Any) -> Page:
        context = open_browser(is_payers=False, **options)
        context.add_cookies([{"name": "django_language", "value": language, "url": server}])
        page = context.new_page()
        page.goto(f"{server}/admin/")
        page.locator("[name=username]").fill("lucia")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("[name=password]").press("Enter")
        page.wait_for_url(f"{server}/admin/")
        return page

    return open_page


def look(page: Page, name: str) -> None:
    picture(page, f"endpoints-{name}")
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - THEME == set(), found
    assert page_checks.overflow(page) <= 0, name


def deliver() -> None:
    """In a thread, because Playwright has the event loop of this one."""

    def run() -> None:
        try:
            run_dispatcher()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


def act(page: Page, of: Endpoint, name: str, button: str, **fields: str) -> None:
    """Opens the form of the act, fills it and sends it."""
    page.goto(f"{page.url.partition('/admin/')[0]}/admin/webhooks/endpoint/{of.pk}/{name}/")
    for field, value in fields.items():
        page.locator(f"[name={field}]").fill(value)
    page.get_by_role("button", name=button, exact=True).click()


def shown_secret(page: Page) -> str:
    code = page.locator("dd code", has_text="whsec_")
    expect(code).to_be_visible()
    return code.inner_text()


def is_signed(receiver: Receiver, *secrets: str) -> bool:
    """Whether the newest request is signed with each of these."""
    last, now = receiver.requests[-1], clock.now().timestamp()
    return all(verify_standard(last.headers, last.body, secret, now) for secret in secrets)


def test_an_endpoint_from_its_first_event_to_its_end(
    open_page: Open, server: str, merchant: Merchant
) -> None:
    desk = open_page(viewport=LAPTOP)
    with Receiver() as receiver:
        desk.goto(f"{server}/admin/webhooks/endpoint/")
        desk.get_by_role("link", name="Add a webhook endpoint").first.click()
        desk.wait_for_url("**/endpoint/new/**")
        desk.locator("[name=url]").fill(receiver.url)
        desk.locator("[name=description]").fill("Accounting")
        desk.locator("details.event-group summary", has_text="Refunds").click()
        desk.locator("[name=kinds][value='refund.completed']").check()
        desk.locator("[name=reason]").fill("Our accountant's system")
        look(desk, "add")
        desk.get_by_role("button", name="Add", exact=True).click()
        first = shown_secret(desk)
        look(desk, "secret")
        desk.get_by_role("link", name="I have stored it").click()
        expect(desk.get_by_text("A test event shows whether it answers")).to_be_visible()
        row = Endpoint.objects.get()
        assert row.kinds == ["payment.completed", "payment.failed", "refund.completed"]
        act(desk, row, "send_test", "Send")
        expect(desk.get_by_text("On its way. Its attempts appear below.")).to_be_visible()
        deliver()
        assert len(receiver.requests) == 1
        assert is_signed(receiver, first)
        desk.goto(f"{server}/admin/webhooks/endpoint/{row.pk}/change/")
        expect(desk.locator("main, #content").get_by_text("Delivered").first).to_be_visible()
        look(desk, "record")
        act(desk, row, "rotate_secret", "Make a new secret", reason="Once a year")
        second = shown_secret(desk)
        assert first != second
        act(desk, row, "send_test", "Send")
        expect(desk.get_by_text("On its way. Its attempts appear below.")).to_be_visible()
        deliver()
        assert len(receiver.requests) == 2
        assert is_signed(receiver, first, second)
    act(desk, row, "switch_off", "Switch off", reason="The system moves")
    expect(desk.get_by_text("It is off: new events do not go there")).to_be_visible()
    look(desk, "off")
    row.refresh_from_db()
    assert not row.is_enabled


def end(
    delivery: Delivery,
    status: str,
    attempts: int,
    answer: int | None,
    body: str,
    **more: Any,
) -> None:
    """As after so many attempts with the same answer; without one the receiver was too slow."""
    assert delivery.endpoint is not None
    first = clock.now() - timedelta(minutes=7 * attempts)
    for number in range(1, attempts + 1):
        Attempt.objects.create(
            delivery=delivery,
            number=number,
            url=delivery.endpoint.url,
            started_at=first + timedelta(minutes=7 * (number - 1)),
            duration_ms=10_000 if answer is None else 180 + 23 * number,
            response_status=answer,
            response_excerpt=body,
            error="" if status == "DELIVERED" else "HTTP_STATUS" if answer else "TIMEOUT",
        )
    changes = {"next_attempt_at": None, **more, "status": status, "attempts": attempts}
    Delivery.objects.filter(pk=delivery.pk).update(**changes)


def furnished(merchant: Merchant, create: Callable[..., Order]) -> tuple[Endpoint, Event]:
    """Three endpoints with deliveries of each kind, and what receivers answered."""
    made = []
    for name, is_enabled in (("Contabilidad", True), ("", True), ("Pruebas de Simón", False)):
        new = endpoints.NewEndpoint(
            url=f"https://{len(made)}.tienda-de-cafe.example/webhooks/pasarela",
            kinds=["payment.completed", "payment.failed", "refund.completed"],
            description=name,
            is_enabled=is_enabled,
        )
        created, _ = endpoints.create_endpoint(
            merchant=merchant, new=new, actor="lucia", now=clock.now()
        )
        assert created.endpoint is not None
        made.append(created.endpoint)
    stored = Merchant.objects.get(pk=merchant.pk)
    for number in range(4):
        order = create(reference=f"MESA-{number}", customerName="Rosa Restrepo")
        new_event = services.NewEvent(
            merchant=stored,
            kind="payment.completed",
            subject_id=order.pk,
            data={"id": order.pk, "reference": order.reference, "status": "COMPLETED"},
            now=clock.now(),
        )
        event = services.publish(new_event)
    assert event is not None
    of_first = list(Delivery.objects.filter(endpoint=made[0]).order_by("id"))
    for delivery in of_first[:2]:
        end(delivery, "FAILED", 5, 503, '{"error":"El servicio contable está en mantenimiento"}')
    end(of_first[2], "PENDING", 2, None, "", next_attempt_at=clock.now() + timedelta(minutes=6))
    for delivery in Delivery.objects.filter(endpoint=made[1]):
        end(delivery, "DELIVERED", 1, 200, '{"ok":true}', delivered_at=clock.now())
    return made[0], event


@pytest.mark.parametrize(
    ("name", "language", "options"),
    [
        ("phone", "es", {"viewport": PHONE, "has_touch": True, "is_mobile": True}),
        ("dark", "en", {"viewport": LAPTOP, "color_scheme": "dark"}),
    ],
)
def test_pages_of_endpoints_fit_every_screen(
    open_page: Open,
    server: str,
    merchant: Merchant,
    create: Callable[..., Order],
    name: str,
    language: str,
    options: dict[str, Any],
) -> None:
    row, event = furnished(merchant, create)
    desk = open_page(language, **options)
    webhooks = f"{server}/admin/webhooks"
    of_row = Delivery.objects.filter(endpoint=row).order_by("id")
    delivery, retried = of_row.filter(status="FAILED")[0], of_row.get(attempts=2)
    for page, address in {
        "list": f"{webhooks}/endpoint/",
        "record": f"{webhooks}/endpoint/{row.pk}/change/",
        "add": f"{webhooks}/endpoint/new/{merchant.pk}/",
        "rotate": f"{webhooks}/endpoint/{row.pk}/rotate_secret/",
        "remove": f"{webhooks}/endpoint/{row.pk}/remove/",
        "deliveries": f"{webhooks}/delivery/",
        "delivery": f"{webhooks}/delivery/{delivery.pk}/change/",
        "retried": f"{webhooks}/delivery/{retried.pk}/change/",
        "event": f"{webhooks}/event/{event.pk}/change/",
        "resend": f"{webhooks}/event/{event.pk}/resend/",
        "new-key": f"{server}/admin/merchants/merchant/{merchant.pk}/new_key/",
    }.items():
        desk.goto(address)
        look(desk, f"{name}-{page}")
