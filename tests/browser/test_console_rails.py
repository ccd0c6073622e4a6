"""An operator connects a rail as docs/rails.md says: enters, checks, routes, rotates, ends."""

from django.core.cache import cache
from playwright.sync_api import Page, expect

from payments.collect.models import Charge, Order
from payments.core import clock
from payments.providers import ports
from payments.rails.models import AccountBalance, ProviderAccount, Route
from tests.browser.conftest import PHONE, hurry
from tests.browser.payers import approve_at_the_bank, choose_bank_and_pay
from tests.browser.test_console_first_sale import look, operator, send  # noqa: F401
from tests.rails.accounts import WOMPI_CREDENTIALS, route
from tests.rails.accounts import enter as enter_account
from tests.rails.callback_bridge import CallbackBridge
from tests.rails.fake_server.server import RunningServer
from tests.rails.test_health import call, open_circuit
from tests.rails.wompi.rail import WompiRail

SLUG = "wompi-main"
ACCOUNT = f"/admin/rails/provideraccount/{SLUG}/change/"


def fill_credentials(page: Page, **changes: str) -> None:
    for name, value in {**WOMPI_CREDENTIALS, **changes}.items():
        page.locator(f"[name=credential_{name}]").fill(value)
    page.locator("[name=reason]").fill("Contract 12")


def enter(page: Page, server: str, base_url: str) -> None:
    page.goto(f"{server}/admin/rails/provideraccount/add/")
    page.get_by_role("link", name="Wompi", exact=True).click()
    expect(page.locator("[name=slug]")).to_be_visible()
    page.locator("[name=label]").fill("Wompi de la tienda")
    page.locator("[name=slug]").fill(SLUG)
    page.locator("[name=base_url]").fill(base_url)
    fill_credentials(page)
    look(page, "rails-1-form")
    send(page)
    page.wait_for_url(f"**{ACCOUNT}")


def act(page: Page, server: str, name: str) -> None:
    page.goto(server + ACCOUNT)
    # Rare acts are in the menu of further actions.
    page.locator(".shell-actions details").evaluate_all("all => all.forEach(e => e.open = true)")
    page.locator(f'a[href$="/{name}/"]').first.click()
    page.wait_for_url(f"**/{name}/")
    page.locator("[name=reason]").fill("Contract 12")
    send(page)
    page.wait_for_url(f"**{ACCOUNT}")


def add_route(page: Page, server: str) -> None:
    page.goto(f"{server}/admin/rails/route/add/")
    page.locator("[name=product]").select_option("payin")
    page.locator("[name=method]").select_option("PSE")
    page.locator("[name=account]").select_option(SLUG)
    page.locator("[name=reason]").fill("Contract 12")
    look(page, "rails-4-route")
    page.locator("[name=_save]").click()
    page.wait_for_url(f"{server}/admin/rails/route/")


def pay(phone: Page, order: Order) -> None:
    choose_bank_and_pay(phone, order)
    phone.wait_for_url("**/bank/*")
    approve_at_the_bank(phone, order)
    hurry(phone)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Payment received")


def test_operator_connects_a_rail_sells_over_it_rotates_and_switches_it_off(
    operator: Page,  # noqa: F811
    server: str,
    phone: Page,
    order: Order,
) -> None:
    fake = WompiRail(url_delay_seconds=0, pse_resolution="payer")
    with RunningServer(fake) as rail, CallbackBridge() as bridge:
        rail.control.set(events_url=bridge.url("payin", SLUG))
        enter(operator, server, f"{rail.url}/v1")
        look(operator, "rails-2-entered")
        operator.locator('a[href$="/check_account/"]').first.click()
        expect(operator.get_by_role("cell", name="Llave privada")).to_be_visible()
        look(operator, "rails-3-check")
        act(operator, server, "switch_on")
        add_route(operator, server)
        operator.goto(f"{server}/admin/rails/route/try_out/?product=payin&method=PSE&currency=COP")
        expect(operator.get_by_role("cell", name=f"({SLUG})")).to_be_visible()
        expect(operator.get_by_role("cell", name="atendería")).to_be_visible()
        look(operator, "rails-5-try")

        pay(phone, order)
        operator.goto(f"{server}/admin/rails/route/health/")
        look(operator, "rails-8-health")
        assert Charge.objects.get().provider == SLUG

        operator.goto(server + ACCOUNT)
        operator.locator('a[href$="/rotate/"]').first.click()
        operator.wait_for_url("**/rotate/")
        fill_credentials(operator, events_secret="test_events_newer")
        look(operator, "rails-6-rotate")
        send(operator)
        operator.wait_for_url(f"**{ACCOUNT}")
        assert ProviderAccount.objects.get().previous_until is not None
        act(operator, server, "switch_off")
        look(operator, "rails-7-off")
        assert ProviderAccount.objects.get().status == "OFF"
        assert Route.objects.get().is_enabled
        assert rail.control.complaints() == []


def troubled() -> None:
    """An account that answers, one that does not, and one with too little money."""
    cache.clear()
    labels = {"wompi-main": "Wompi de la tienda", "wompi-two": "Wompi de reserva"}
    for priority, slug in enumerate(labels, 1):
        enter_account(slug, "wompi", "http://127.0.0.1:9/v1", WOMPI_CREDENTIALS)
        route("payin", slug, priority=priority)
    for slug, label in labels.items():
        ProviderAccount.objects.filter(pk=slug).update(label=label)
    call("wompi-two", 41)
    call("wompi-main", 12, ports.ProviderTimeout("late"))
    open_circuit("wompi-main")
    AccountBalance.objects.create(
        account_id="wompi-two",
        amount=1_250_000,
        needed=3_000_000,
        is_low=True,
        read_at=clock.now(),
        created_at=clock.now(),
    )


def test_health_of_accounts_says_what_to_do_on_every_screen(
    operator: Page,  # noqa: F811
    server: str,
) -> None:
    troubled()
    operator.goto(f"{server}/admin/rails/route/health/")
    expect(operator.get_by_role("status").first).to_contain_text("1 cuenta falla")
    expect(operator.locator(".rails-verdict a.shell-action")).to_have_attribute(
        "href", "/admin/rails/provideraccount/wompi-main/check_account/"
    )
    look(operator, "rails-9-troubles")
    operator.set_viewport_size(PHONE)
    look(operator, "rails-9-troubles-phone")
    operator.emulate_media(color_scheme="dark")
    operator.reload()
    look(operator, "rails-9-troubles-dark")
