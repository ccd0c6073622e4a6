"""The pictures of the README, from a month that is always the same: `make screenshots`.

Every run of the suite takes them of a shorter month, and leaves them with its other pictures, so
that they cannot rot. The clock of the server and of the browser stands still.
"""

import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import PHONE, SCREENSHOTS
from tests.browser.month import DAYS, NOW, Month, dress
from tests.support.image_bytes import png_of_indices

ADDRESS = "http://localhost:8000"  # as `make run` has it
TARGET = os.environ.get("SCREENSHOTS", "")
LAPTOP = {"width": 1280, "height": 800}
TALL = {"width": 1280, "height": 1200}  # the charts stand below the queue
LIMIT_BYTES, COLOURS = 80_000, 192
COLOUR = "#7a3b12"
LOGO = """<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" width="240" height="240">
<circle cx="120" cy="120" r="116" fill="#7a3b12"/>
<path d="M22 172 84 84l34 46 26-34 74 76a116 116 0 0 1-196 0z" fill="#f4e3c8"/>
<circle cx="166" cy="66" r="17" fill="#e8a33d"/></svg></body>"""
# The most frequent colours, and others as far from each other as it takes; the rest become the
# nearest one.
FEW_COLOURS = """async (png) => {
  const blob = await (await fetch("data:image/png;base64," + png)).blob();
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const pixels = new Uint32Array(data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) || 0) + 1);
  const channels = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  const seen = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([pixel]) => pixel);
  const distance = (a, b) => a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
  let palette = [], step = 0;
  do {
    palette = [];
    for (const colour of seen.map(channels)) {
      const isFar = palette.every((other) => distance(colour, other) > step * step);
      if (isFar || palette.length < 48) palette.push(colour);
      if (palette.length > COLOURS) break;
    }
    step += 2;
  } while (palette.length > COLOURS);
  const places = new Map(seen.map((pixel) => {
    const wanted = channels(pixel);
    let best = 0, least = Infinity;
    palette.forEach((colour, place) => {
      const far = distance(colour, wanted);
      if (far < least) [best, least] = [place, far];
    });
    return [pixel, best];
  }));
  let text = "";
  for (const pixel of pixels) text += String.fromCharCode(places.get(pixel));
  return [bitmap.width, palette, btoa(text)];
}""".replace("COLOURS", str(COLOURS))

Visit = Callable[..., Page]


@pytest.fixture
def month(server: str, browser: Browser, settings: pytest.FixtureRequest) -> Month:
    """Of the address that everybody knows, whatever the port of this run."""
    settings.DOORBELL = False  # type: ignore[attr-defined]
    settings.PUBLIC_URL = ADDRESS  # type: ignore[attr-defined]
    cache.clear()
    month = Month(DAYS if TARGET else 2)
    month.happen()
    dress(month.cafe.merchant, COLOUR, _logo(browser))
    return month


@pytest.fixture
def visit(open_browser: Callable[..., BrowserContext], server: str) -> Visit:
    """Opens a path of the service as `user`, in `language`."""

    def forward(route: Route) -> None:
        wanted = route.request
        answer = route.fetch(
            url=wanted.url.replace(ADDRESS, server, 1),
            headers={**wanted.all_headers(), "host": ADDRESS.removeprefix("http://")},
        )
        route.fulfill(response=answer)

    def visit(path: str, user: object = None, language: str = "es", **options: object) -> Page:
        context = open_browser(locale="es-CO" if language == "es" else "en-US", **options)
        context.route(f"{ADDRESS}/**", forward)
        cookies = {"django_language": language}
        if user is not None:
            session = Client()
            session.force_login(user)
            cookies["sessionid"] = session.cookies["sessionid"].value
        context.add_cookies(
            [{"name": name, "value": value, "url": ADDRESS} for name, value in cookies.items()]
        )
        page = context.new_page()
        page.clock.set_fixed_time(NOW)
        page.goto(f"{ADDRESS}{path}")
        return page

    return visit


def test_the_pictures_of_the_readme(visit: Visit, month: Month) -> None:
    with time_machine.travel(NOW, tick=False):
        payer(visit, month)
        console(visit, month)
        reference = visit("/docs", language="en", viewport=LAPTOP)
        reference.locator("#createCollection").scroll_into_view_if_needed()
        reference.evaluate("document.querySelector('#createCollection').scrollIntoView()")
        keep(reference, "reference")


def payer(visit: Visit, month: Month) -> None:
    """On a phone."""
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    path = month.open.collect_url.removeprefix(ADDRESS)
    keep(visit(path, **phone), "payer-methods")

    pse = visit(f"{path}/pse", **phone)
    search = pse.locator("input[role=combobox]")
    search.fill("banco de")
    expect(pse.get_by_role("option").first).to_be_visible()
    search.evaluate("box => box.scrollIntoView({ block: 'center' })")
    keep(pse, "payer-pse")

    paid = visit(month.receipt.collect_url.removeprefix(ADDRESS), **phone)
    keep(paid, "payer-receipt")


def console(visit: Visit, month: Month) -> None:
    """An operator's desk, and what a merchant's own people see."""
    keep(visit("/admin/", month.ana, viewport=TALL), "console-overview")

    order = visit(f"/admin/collect/order/{month.bought.pk}/change/", month.ana, viewport=TALL)
    expect(order.locator(".desk-timeline")).to_be_visible()
    keep(order, "console-order")

    keep(visit("/admin/payout/payout/", month.ana, viewport=LAPTOP), "console-payouts")
    balance = visit("/admin/ledger/account/balance/", month.gabriel, viewport=LAPTOP)
    expect(balance.get_by_text(" COP").first).to_be_visible()
    keep(balance, "merchant-balance")


def keep(page: Page, name: str) -> None:
    """What is in the window, in few colours: letters stay sharp and the file small."""
    folder = Path(TARGET) if TARGET else SCREENSHOTS / "readme"
    folder.mkdir(parents=True, exist_ok=True)
    page.evaluate("document.fonts.ready")
    shot = page.screenshot(animations="disabled", caret="hide")
    desk = page.context.browser.new_page()
    width, palette, indices = desk.evaluate(FEW_COLOURS, b64encode(shot).decode())
    desk.close()
    content = png_of_indices(width, palette, b64decode(indices))
    (folder / f"{name}.png").write_bytes(content)
    assert len(content) <= LIMIT_BYTES, name


def _logo(browser: Browser) -> bytes:
    """A mountain and a sun, drawn by the browser."""
    page = browser.new_page(viewport={"width": 240, "height": 240})
    page.set_content(LOGO)
    picture = page.screenshot(omit_background=True)
    page.close()
    return picture
