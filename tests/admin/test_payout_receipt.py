"""The receipt of a completed payout, in the consoles of the merchant and of operators."""

import pytest
from django.utils.translation import gettext, override

from merchants import services
from merchants.models import Merchant
from payments.ledger.models import Posting
from payments.payout.admin.receipt import rows_of
from payments.payout.models import Payout
from tests.admin.conftest import Console, url
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds")]
RECEIPT = "payout_payout_receipt"


def test_completed_payout_shows_first_where_and_when_it_arrived(
    console: Console, merchant: Merchant, completed: Payout
) -> None:
    for browser in (console, browser_of(person_of(merchant, "lucia"))):
        page = browser.page("payout_payout_change", completed.pk).content.decode()
        box = page.partition('<section class="desk-step')[2].partition("</section>")[0]
        assert said("It arrived at the beneficiary's bank") in box
        assert "Bancolombia" in box
        assert "···8901" in box
        assert completed.provider_id in box
        assert url(RECEIPT, completed.pk) in box
        assert said("Nothing to do") not in page


def test_merchant_and_operator_download_the_receipt(
    console: Console, merchant: Merchant, completed: Payout
) -> None:
    for browser in (console, browser_of(person_of(merchant, "lucia"))):
        file = browser.page(RECEIPT, completed.pk)
        assert file.status_code == 200
        assert file.headers["Content-Type"] == "application/pdf"
        assert file.headers["Content-Disposition"].endswith(f'-{completed.pk}.pdf"')
        assert "no-store" in file.headers["Cache-Control"]
        assert file.content.startswith(b"%PDF-")
        assert file.content.count(b"/Type /Page\n") == 1


def test_receipt_of_another_merchant_is_not_found(completed: Payout) -> None:
    other, _secret = services.create_merchant(name="Otra tienda", actor="ana")
    stranger = browser_of(person_of(other, "eva"))
    assert stranger.page(RECEIPT, completed.pk).status_code == 404
    assert stranger.page(RECEIPT, "po_none").status_code == 404


def test_payout_that_has_not_arrived_has_no_receipt(console: Console, waiting: Payout) -> None:
    assert console.page(RECEIPT, waiting.pk).status_code == 404
    page = console.page("payout_payout_change", waiting.pk).content.decode()
    assert url(RECEIPT, waiting.pk) not in page


def test_receipt_is_read_only_with_a_login(completed: Payout) -> None:
    assert Console().page(RECEIPT, completed.pk).status_code == 302


def test_receipt_has_the_values_of_the_books_and_masked_numbers(completed: Payout) -> None:
    with override("en"):
        rows = dict(rows_of(completed))
        names = {name: gettext(name) for name in rows}
    moved = Posting.objects.filter(
        entry__subject_id=completed.pk, account__merchant=completed.merchant_id, amount__lt=0
    )
    assert {-posting.amount for posting in moved} == {completed.debit}
    assert (completed.amount, completed.fee_amount) == (100_000, 2_500)
    assert rows[names["Amount"]] == "$ 100,000 COP"
    assert rows[names["Fee"]] == "$ 2,500 COP"
    assert rows[names["Total debit"]] == "$ 102,500 COP"
    assert rows["Destination"].endswith("···8901")
    assert rows["Document"] == "CC ···3456"
    assert rows["Operation number"] == completed.provider_id
    assert "12345678901" not in " ".join(rows.values())
