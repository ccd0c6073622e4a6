"""Payment files in a browser: the way of a batch, a declaration, and a second debit."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from payments.payment_files.models import BatchLine
from tests.browser.conftest import picture
from tests.browser.test_console_desk import LAPTOP, POCKET, open_desk, own_violations  # noqa: F401
from tests.payment_files.conftest import account  # noqa: F401
from tests.payment_files.flow import answer, approve, close, debit, download, pay, request_version
from tests.support.fixtures import ApiClient
from tests.support.page_checks import AXE, overflow


@pytest.fixture
def line(api: ApiClient, account: str, settings: pytest.FixtureRequest) -> BatchLine:  # noqa: F811
    """The last of four payouts in an open batch."""
    settings.DOORBELL = False  # type: ignore[attr-defined]
    for name, amount in (("José Peña", 350_000), ("Ana Ruiz", 1_250_000), ("Luis", 98_000)):
        pay(api, recipientName=name, amount=amount)
    return pay(api, recipientName="María del Rosario Ñáñez")[1]


def test_pages_of_a_batch_are_readable(
    open_desk: Callable[..., Page],  # noqa: F811
    server: str,
    line: BatchLine,
) -> None:
    desk = open_desk(viewport=LAPTOP)
    desk.add_init_script(path=AXE)
    of_batch = server + reverse("admin:payment_files_paymentbatch_change", args=[line.batch_id])
    desk.goto(of_batch)
    expect(desk.get_by_text(line.code)).to_be_visible()
    _look(desk, "payment-batch-open")
    desk.goto(server + reverse("admin:payment_files_paymentbatch_close", args=[line.batch_id]))
    _look(desk, "payment-batch-close")
    close(line.batch)
    approve(line.batch)
    desk.goto(server + reverse("admin:payment_files_paymentbatch_download", args=[line.batch_id]))
    _look(desk, "payment-batch-download")
    download(line.batch)
    first, second = line.batch.lines.order_by("id")[:2]
    debit(first, "stl_1")
    answer(line.batch, f"{second.code},FAILED,Cuenta inactiva")
    debit(first, "stl_2")
    desk.goto(of_batch)
    _look(desk, "payment-batch-downloaded")
    desk.goto(server + reverse("admin:payment_files_batchline_change", args=[first.pk]))
    expect(desk.get_by_title("stl_2").first).to_be_visible()
    _look(desk, "payment-line-second-debit")
    desk.goto(server + reverse("admin:payment_files_batchline_change", args=[second.pk]))
    _look(desk, "payment-line-declared")
    request_version(line.batch)
    desk.goto(server + reverse("admin:payment_files_paymentbatch_changelist"))
    _look(desk, "payment-batches")
    desk.goto(server + reverse("admin:payment_files_batchline_changelist"))
    _look(desk, "payment-lines")
    desk.goto(server + reverse("admin:index"))
    picture(desk, "desk-index-payment-files")


def _look(desk: Page, name: str) -> None:
    assert own_violations(desk) == []
    picture(desk, f"desk-{name}")
    desk.set_viewport_size(POCKET)
    assert overflow(desk) == 0
    picture(desk, f"desk-pocket-{name}")
    desk.set_viewport_size(LAPTOP)
