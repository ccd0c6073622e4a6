"""Lists of the console on a laptop: no value of one row may push the others out of sight."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import Error, connection, models, transaction
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from payments.console import roles
from payments.core.fields import EncryptedTextField
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.support.page_checks import overflow
from tests.support.payment_screens import LONG
from tests.support.two_tenants import OWN, furnish, load_catalogues

# At least; the console has more.
LISTS = 24
# Where the database keeps more than any page takes, what the API or a form takes.
LONGEST = 500
KINDS = ("hidden", "cut", "unlabelled")
_MEASURE = """() => {
  // The name in created_by may be cut: its title has the rest.
  const NEEDED =
    /field-(amount|received|held|net_shown|balance|collected|status|state|created(?!_by))/;
  const table = document.querySelector("#result_list");
  if (!table) return null;
  const frame = table.parentElement.getBoundingClientRect();
  const cells = [...table.querySelectorAll("tbody :is(td, th)")];
  const needed = cells.filter((cell) => NEEDED.test(cell.className));
  const bare = (cell) => cell.className.match(/field-\\w+/)?.[0];
  return {
    wider: Math.round(table.getBoundingClientRect().width - frame.width),
    hidden: needed.filter((cell) => cell.getBoundingClientRect().right > innerWidth).map(bare),
    cut: needed.filter((cell) => [cell, ...cell.querySelectorAll("*")].some(
      (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth)).map(bare),
    unlabelled: cells.filter((cell) => [...cell.querySelectorAll("*")].some((part) =>
      getComputedStyle(part).textOverflow === "ellipsis" && part.scrollWidth > part.clientWidth)
      && !cell.querySelector("[title]")).map(bare),
  };
}"""


@pytest.fixture
def desk(open_browser: Callable[..., BrowserContext], server: str, db: None) -> Page:
    """Ana's browser, in Spanish, whose words are the longer ones."""
    ana = User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")
    session = Client()
    session.force_login(ana)
    context = open_browser(is_payers=False, viewport=DESKTOP, locale="es-CO")
    cookie = {"name": "sessionid", "value": session.cookies["sessionid"].value, "url": server}
    context.add_cookies([cookie])
    return context.new_page()


@pytest.fixture
def furnished(merchant: Merchant, settings: object) -> None:
    """A row of everything, as it is on most days."""
    settings.DOORBELL = False  # type: ignore[attr-defined]
    roles.write_all()  # the test before has emptied the tables
    load_catalogues()
    furnish(merchant, OWN)


@pytest.fixture
def full(furnished: None, create: Callable[..., Order]) -> None:
    """In the newest row of each list the longest text in each column."""
    create(**LONG, customerName="W" * 200, customerDocNumber="9" * 20)
    # Names of roles never change, and later tests find the roles as they are left.
    stretched = {
        model._meta.label_lower: stretch(model)
        for model in admin.site._registry
        if model is not Group
    }
    assert {"reference", "customer_name"} <= set(stretched["collect.order"])
    assert "name" in stretched["merchants.merchant"]


def stretch(model: type[models.Model]) -> list[str]:
    """Fills the texts of the newest row. Returns the columns that the database let through."""
    row = model._default_manager.order_by("-pk").first()
    done = []
    for field in model._meta.concrete_fields:
        if not _is_text(field) or row is None:
            continue
        longest = min(field.max_length or LONGEST, LONGEST)
        column, table = connection.ops.quote_name(field.column), model._meta.db_table
        sql = f"UPDATE {table} SET {column} = %s WHERE {model._meta.pk.column} = %s"
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                # What is append-only for the service was written so long in the first place.
                cursor.execute("SET LOCAL session_replication_role = replica")
                cursor.execute(sql, ["W" * longest, row.pk])
        except Error:
            continue  # what a constraint refuses is no legal value
        done.append(field.name)
    return done


def _is_text(field: models.Field) -> bool:
    return (
        isinstance(field, models.CharField | models.TextField)
        and not field.primary_key
        and not field.choices
        and not isinstance(field, EncryptedTextField)
        and field.name not in ("currency", "status", "password", "token", "customer_document")
    )


def lists() -> Iterator[str]:
    for model in admin.site._registry:
        yield f"{model._meta.app_label}/{model._meta.model_name}"


def test_every_list_fits_a_laptop(desk: Page, server: str, furnished: None) -> None:
    for name in lists():
        desk.goto(f"{server}/admin/{name}/")
        if desk.locator("#result_list").count():
            picture(desk, f"list-{name.replace('/', '-')}", full_page=False)
        assert overflow(desk) == 0, name


def test_the_longest_values_leave_amount_and_state_of_every_list_in_sight(
    desk: Page, server: str, full: None
) -> None:
    seen, wrong = [], {}
    for name in lists():
        answer = desk.goto(f"{server}/admin/{name}/")
        assert answer is not None
        assert answer.ok, name
        found = desk.evaluate(_MEASURE)
        if found is None:
            continue
        seen.append(name)
        found["overflow"] = overflow(desk)
        if found["wider"] > 0 or found["overflow"] > 0 or any(map(found.get, KINDS)):
            wrong[name] = found
    assert wrong == {}
    assert len(seen) >= LISTS


def test_the_whole_value_is_there_to_read_and_to_find(desk: Page, server: str, full: None) -> None:
    order = Order.objects.latest("pk")
    assert len(order.reference) == len(LONG["reference"])
    desk.goto(f"{server}/admin/collect/order/")
    cell = desk.locator(".field-reference", has_text="WWW").first
    assert cell.locator("[title]").get_attribute("title") == order.reference
    assert cell.inner_text().strip() == order.reference  # nothing is taken from a screen reader
    desk.goto(f"{server}/admin/collect/charge/")
    row = desk.locator("#result_list tbody tr").first
    charge = row.locator(".field-id .desk-hidden").inner_text()
    assert charge.startswith("chg_")
    shown = row.locator(".shell-id").first
    assert shown.get_attribute("title") == charge
    assert shown.inner_text() == f"chg_…{charge[-6:]}"


def test_an_id_is_copied_whole(desk: Page, server: str, full: None) -> None:
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.goto(f"{server}/admin/collect/charge/")
    cell = desk.locator("#result_list tbody tr .field-id").first
    cell.hover()
    cell.get_by_role("button").click()
    expect(desk.locator("#shell-said")).to_have_text("Copiado")  # said once it is copied
    copied = desk.evaluate("navigator.clipboard.readText()")
    assert copied == cell.locator(".desk-hidden").inner_text()


def test_tabs_count_the_rows_of_each_state(desk: Page, server: str, full: None) -> None:
    desk.goto(f"{server}/admin/collect/order/")
    rows = Order.objects.filter(status="PENDING").count()
    tab = desk.locator(".shell-tabs a", has_text="Pendiente")
    assert tab.locator(".shell-count").inner_text() == str(rows)
    tab.click()
    # The tab of the old page is not the current one: the words wait for the new page.
    expect(desk.locator(".shell-tabs [aria-current]")).to_have_text(re.compile(r"^\s*Pendiente"))
    expect(desk.locator("#result_list tbody tr")).to_have_count(rows)


def test_the_longest_values_fit_a_phone(desk: Page, server: str, full: None) -> None:
    desk.set_viewport_size(PHONE)
    for name in ("collect/order", "collect/charge", "payout/payout", "merchants/merchant"):
        desk.goto(f"{server}/admin/{name}/")
        frame = desk.evaluate(
            """() => [...document.querySelectorAll("#result_list :is(td, th)")]
              .filter((cell) => cell.getBoundingClientRect().right > innerWidth).length"""
        )
        picture(desk, f"list-pocket-{name.replace('/', '-')}", full_page=False)
        assert frame == 0, name


def test_an_id_keeps_its_small_letters_on_a_phone(desk: Page, server: str, full: None) -> None:
    desk.set_viewport_size(PHONE)
    desk.goto(f"{server}/admin/collect/charge/")
    shown = desk.locator("#result_list tbody .field-id").first
    first = shown.evaluate("cell => getComputedStyle(cell, '::first-letter').textTransform")
    assert first == "none"
