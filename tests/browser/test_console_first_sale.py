"""From an empty database to a merchant that sells and is paid out, by the console and the API."""

import contextlib
import json
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.core.management import call_command
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.console import roles
from payments.core.models import AuditEntry
from tests.browser.conftest import PHONE, picture
from tests.browser.test_console_desk import LAPTOP, THEME
from tests.support import page_checks
from tests.support.factories import order_body, payout_body

PASSWORD, OWN = "Volcán-Galeras-4276", "Nevado-Cumbal-4764"
NAME = "Panadería Ñandú"


@pytest.fixture
def operator(
    open_browser: Callable[..., BrowserContext], server: str, catalogues: None, monkeypatch: Any
) -> Page:
    """Ana, made in the shell as the manual says, logs in."""
    cache.clear()
    roles.write_all()
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", username="ana", email="ana@pasarela.example")
    page = open_browser(viewport=LAPTOP, is_payers=False, locale="es-CO").new_page()
    log_in(page, server, "ana", PASSWORD)
    page.wait_for_url(f"{server}/admin/")
    return page


def log_in(page: Page, server: str, name: str, password: str) -> None:
    page.goto(f"{server}/admin/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")


def look(page: Page, name: str) -> None:
    """A picture, and axe: nothing but what is the theme's own, or of Django's boxes of rights."""
    picture(page, name)
    known = THEME
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - known == set(), found


def call(server: str, keys: dict[str, str], path: str, body: Any = None) -> tuple[int, Any]:
    """The merchant's backend, over HTTP."""
    headers = {**keys, "Content-Type": "application/json", "Idempotency-Key": f"first-{path}"}
    with contextlib.closing(HTTPConnection(urlsplit(server).netloc, timeout=30)) as connection:
        method, data = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, f"/api/v1{path}", data, headers)
        answer = connection.getresponse()
        found = json.loads(answer.read())
    return answer.status, found.get("data", found.get("error"))


def act(page: Page, name: str, **fields: str) -> None:
    """Opens an act of the merchant's page by its button there, fills it in, and sends it."""
    page.locator(f'.desk-step a[href$="/{name}/"]').click()
    page.wait_for_url(f"**/{name}/**")
    for field, value in {**fields, "reason": "First sale"}.items():
        page.locator(f"[name={field}]").fill(value)


def send(page: Page) -> None:
    page.locator("#content form button[type=submit], main form button[type=submit]").first.click()


def shown_once(page: Page, name: str) -> list[str]:
    """What the page shows, which no later page shows again."""
    page.locator("dl code").first.wait_for()
    look(page, name)  # which waits for the whole page
    values = page.locator("dl code").all_inner_texts()
    page.locator("dl + a").click()
    page.wait_for_url("**/change/**")
    assert values[-1] not in page.content()
    return values


def make_merchant(page: Page, server: str) -> Merchant:
    page.goto(f"{server}/admin/merchants/merchant/add/")
    look(page, "first-sale-1-form")
    page.locator("[name=name]").fill(NAME)
    page.locator("[name=email]").fill("pan@nandu.example")
    page.locator("fieldset.collapse:has([name=payout_enabled]) summary").click()
    page.locator("[name=payout_enabled]").check()
    page.locator("[name=reason]").fill("Contract signed")
    page.locator("[name=_save]").click()
    shown_once(page, "first-sale-2-secret")
    look(page, "first-sale-3-next-steps")
    return Merchant.objects.get(name=NAME)


def pay(phone: Page, address: str) -> None:
    """By PSE, at the simulated bank."""
    phone.goto(f"{address}?lang=en")
    phone.get_by_role("link", name="PSE").click()
    phone.locator("input[role=combobox]").fill("bancolom")
    phone.keyboard.press("Enter")
    phone.get_by_label("Mobile phone").fill("310 555 1234")
    phone.get_by_label("I authorise Pasarela").check()
    phone.get_by_role("button", name="Pay $ 50,025 COP").click()
    phone.wait_for_url("**/simulator/bank/**")
    phone.locator("button[value=approve]").click()
    phone.wait_for_url(f"{address}*")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Payment received")
    picture(phone, "first-sale-6-receipt")


def test_merchant_made_in_the_console_sells_is_paid_out_and_loses_its_key(
    operator: Page, server: str, phone: Page
) -> None:
    merchant = make_merchant(operator, server)
    act(operator, "set_webhook", webhook_url="https://nandu.example/hooks")
    send(operator)
    operator.wait_for_url("**/change/**")
    act(operator, "issue_key", label="Tienda en línea")
    operator.locator('[name=permissions][value="payout:create"]').check()
    look(operator, "first-sale-4-key-form")
    send(operator)
    public, secret = shown_once(operator, "first-sale-4-key")
    expect(operator.locator(".desk-step")).to_contain_text("todavía no tiene órdenes")
    look(operator, "first-sale-5-ready")

    keys = {"X-Api-Key": public, "X-Api-Secret": secret}
    status, order = call(server, keys, "/collect", order_body(amount=50_000))
    assert (status, order["status"]) == (201, "PENDING")
    pay(phone, order["collectUrl"])
    status, paid = call(server, keys, f"/collect/{order['id']}")
    assert (status, paid["status"]) == (200, "COMPLETED")

    status, payout = call(server, keys, "/payout", payout_body(amount=40_000))
    assert status == 201, payout
    path = f"/payout/{payout['payoutId']}"
    # Whether the simulated rail has been quicker or not.
    call(server, keys, f"/sandbox{path}", {"status": "COMPLETED"})
    assert call(server, keys, path)[1]["status"] == "COMPLETED"
    status, balances = call(server, keys, "/balance")
    left = {row["currency"]: (row["available"], row["held"]) for row in balances}
    assert left["COPM"] == (7_500, 0)
    operator.goto(f"{server}/admin/payout/payout/{payout['payoutId']}/change/")
    expect(operator.locator(".desk-step")).to_contain_text("Llegó al banco del beneficiario")
    look(operator, "first-sale-7-payout")

    operator.goto(f"{server}/admin/merchants/merchant/{merchant.pk}/change/")
    operator.locator('a[href$="/revoke/"]').first.click()
    operator.wait_for_url("**/revoke/**")
    operator.locator("[name=reason]").fill("The shop closes")
    look(operator, "first-sale-8-revoke")
    send(operator)
    operator.wait_for_url("**/merchants/merchant/**")
    assert call(server, keys, "/balance")[0] == 401
    assert call(server, keys, "/collect", order_body())[0] == 401
    expect(operator.locator('.desk-step a[href$="/issue_key/"]')).to_be_visible()
    look(operator, "first-sale-9-revoked")


def test_new_colleague_chooses_a_password_and_sees_what_the_role_shows(
    operator: Page, open_browser: Callable[..., BrowserContext], server: str
) -> None:
    operator.goto(f"{server}/admin/auth/user/add/")
    operator.locator("[name=username]").fill("luz")
    operator.locator("[name=email]").fill("luz@pasarela.example")
    approver = Group.objects.get(name=roles.APPROVER).pk
    operator.locator(f'[name=groups][value="{approver}"]').check()
    look(operator, "colleague-1-form")
    operator.locator("[name=_save]").click()
    _name, given, *_message = shown_once(operator, "colleague-2-password")
    look(operator, "colleague-3-record")

    context = open_browser(
        viewport=PHONE, is_payers=False, locale="es-CO", forgive="the server responded with a "
    )
    luz = context.new_page()
    log_in(luz, server, "luz", given)
    luz.wait_for_url("**/first-password/**")
    look(luz, "colleague-4-choose")
    assert page_checks.overflow(luz) == 0
    for password, wanted in ((given, "**/first-password/**"), (OWN, f"{server}/admin/")):
        luz.locator("[name=new_password1]").fill(password)
        luz.locator("[name=new_password2]").fill(password)
        with luz.expect_navigation(url=wanted):
            luz.locator("[name=new_password2]").press("Enter")
        if password == given:
            expect(luz.get_by_text("Elige una contraseña distinta")).to_be_visible()
            look(luz, "colleague-5-refused")
    expect(luz.get_by_text("Desde ahora entras con la contraseña que elegiste.")).to_be_visible()
    look(luz, "colleague-6-in")
    assert User.objects.get(username="luz").check_password(OWN)
    assert AuditEntry.objects.filter(action="operator.password_chosen", actor="luz").exists()

    thief = open_browser(viewport=PHONE, is_payers=False, locale="es-CO").new_page()
    with thief.expect_navigation(url="**/login/**"):
        log_in(thief, server, "luz", given)
    expect(thief.locator("[name=password]")).to_be_visible()
    assert "/login/" in thief.url
