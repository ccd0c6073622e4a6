"""The reconciliation page in a browser: light, dark, and in a pocket."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from payments.core import clock
from payments.core.business_days import is_business_day
from payments.core.days import ONE_DAY, day_of
from payments.reconciliation.models import StatementFile
from payments.reconciliation.services.days import accounts
from payments.reconciliation.services.days.storing import reconcile_day
from payments.reconciliation.services.imports import NewStatement, import_statement
from payments.reconciliation.services.matching import due_lines
from tests.browser.conftest import picture
from tests.browser.test_console_desk import LAPTOP, POCKET, open_desk, own_violations  # noqa: F401
from tests.reconciliation.shopping import at, open_shop, order_on
from tests.support.page_checks import AXE, overflow


@pytest.fixture
def days(api: Any, settings: Any) -> list[Any]:
    """Two weeks of a shop: a paid order a day, two movements that no one knows, a day missing."""
    settings.DOORBELL = False
    open_shop()
    today = day_of(clock.now())
    found = [today - timedelta(days=back) for back in range(14, 0, -1)]
    found = [day for day in found if is_business_day(day)]
    balance = 1_000_000
    for number, day in enumerate(found):
        _order, reference = order_on(api, at(day))
        rows = [(50_025, "TRANSFERENCIA CTA SUC VIRTUAL", reference), (-4_000, "CUOTA PLAN", "")]
        if number in (2, 5):
            rows.append((70_000, "PAGO INTERBANC JUAN PEREZ", ""))
        if number == 4:
            continue
        balance = _bring(day, rows, balance)
    now = clock.now()
    for day in [found[0] + ONE_DAY * each for each in range((found[-1] - found[0]).days + 1)]:
        reconcile_day(account=accounts.find_account("main"), day=day, today=today, now=now)
    return found


def _bring(day: Any, rows: list[tuple[int, str, str]], balance: int) -> int:
    lines = ["date,amount,description,reference,account,balance"]
    for amount, text, reference in rows:
        balance += amount
        lines.append(f"{day},{amount},{text},{reference},12345678901,{balance}")
    new = NewStatement(
        name=f"{day}.csv",
        content="\n".join([*lines, ""]).encode(),
        source=StatementFile.Source.COMMAND,
        accepted_gap="the bank's page was closed",
    )
    import_statement(new=new, actor="ana", now=clock.now())
    due_lines.match_due(now=clock.now())
    return balance


def test_pages_of_reconciliation_are_readable(
    open_desk: Callable[..., Page],  # noqa: F811
    server: str,
    days: list[Any],
) -> None:
    for scheme in ("light", "dark"):
        desk = open_desk(viewport=LAPTOP, color_scheme=scheme)
        desk.add_init_script(path=AXE)
        desk.goto(server + reverse("admin:reconciliation_reconciledday_changelist"))
        _look(desk, f"reconciliation-month-{scheme}")
        of_day = reverse("admin:reconciliation_day", args=["bank", "main", days[2].isoformat()])
        desk.goto(server + of_day)
        expect(desk.get_by_role("link", name="Siigo")).to_be_visible()
        _look(desk, f"reconciliation-red-{scheme}")
    of_day = reverse("admin:reconciliation_day", args=["bank", "main", days[0].isoformat()])
    desk.goto(server + of_day)
    _look(desk, "reconciliation-first-day")


def _look(desk: Page, name: str) -> None:
    desk.set_viewport_size(LAPTOP)
    assert own_violations(desk) == []
    assert (
        desk.locator(".desk-tile").evaluate_all(
            "tiles => tiles.filter(one => one.scrollWidth > one.clientWidth).length"
        )
        == 0
    )
    picture(desk, f"desk-{name}")
    desk.set_viewport_size(POCKET)
    assert overflow(desk) == 0
    desk.set_viewport_size(LAPTOP)
