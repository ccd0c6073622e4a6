"""The pages by which two people of a merchant pay a file."""

import csv
import html
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import load_workbook

from merchants.models import Merchant
from merchants.services import issue_api_key
from payments.console import roles
from payments.console.formatting import admin_url
from payments.core import clock, states
from payments.payout.models import Payout
from payments.payout_batches.admin import file_lines, next_steps
from payments.payout_batches.files.headings import COLUMNS, recognise
from payments.payout_batches.files.reading import read_sheet
from payments.payout_batches.models import BatchStatus, PayoutBatch
from tests.admin.conftest import Console, person
from tests.payout_batches import flow
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = pytest.mark.django_db
PAGE = "/admin/payout_batches/payoutbatch/"


@pytest.fixture
def paula(payer: Merchant) -> Console:
    """The browser of the person who prepares."""
    return browser_of(User.objects.get(username=flow.PREPARER))


@pytest.fixture
def andres(payer: Merchant) -> Console:
    """The browser of the person who approves."""
    return browser_of(User.objects.get(username=flow.APPROVER))


def _post(browser: Console, address: str, **fields: Any) -> Any:
    """Opens the page, and sends its form."""
    opened = browser.get(address)
    assert opened.status_code == 200, opened.content
    form = opened.context["form"]
    sent = {
        "form_token": opened.context["form_token"],
        **{name: form[name].value() or "" for name in form.fields if name not in fields},
        **fields,
    }
    return browser.post(address, {name: value for name, value in sent.items() if value != ""})


def _upload(browser: Console, content: bytes, query: str = "") -> PayoutBatch:
    file = SimpleUploadedFile("nomina.csv", content)
    answer = _post(browser, f"{PAGE}upload/{query}", file=file)
    assert answer.status_code == 302, answer.content.decode()
    return PayoutBatch.objects.latest("id")


def _step(browser: Console, batch: PayoutBatch, step: str, **fields: Any) -> Any:
    return _post(browser, f"{PAGE}{batch.pk}/{step}/", **fields)


def _text(browser: Console, batch: PayoutBatch) -> str:
    answer = browser.get(f"{PAGE}{batch.pk}/change/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def _csv(answer: Any) -> list[list[str]]:
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_two_people_mend_a_file_and_pay_it(paula: Console, andres: Console) -> None:
    wrong = _upload(paula, flow.csv(flow.row(1), flow.row(2, amount="1.25.0"), flow.row(3)))
    flow.work()
    page = _text(paula, wrong)
    assert ">1.25.0<" in page
    errors = _csv(paula.get(f"{PAGE}{wrong.pk}/errors_csv/"))
    assert "“1.25.0”" in errors[1][-1]
    mended = _upload(paula, flow.many(3), f"?replaces={wrong.pk}")
    wrong.refresh_from_db()
    assert wrong.status == "DISCARDED"
    flow.work()
    assert _step(paula, mended, "send").status_code == 302
    assert paula.get(f"{PAGE}{mended.pk}/approve/").status_code in (403, 404)
    assert _step(andres, mended, "approve").status_code == 302
    flow.work()
    mended.refresh_from_db()
    assert (mended.status, mended.approved_by) == ("DONE", flow.APPROVER)
    result = _csv(andres.get(f"{PAGE}{mended.pk}/result_csv/"))
    assert len(result) == 4
    assert {row[9] for row in result[1:]} == set(Payout.objects.values_list("pk", flat=True))


def test_preparer_does_not_approve_and_staff_prepares_nothing(
    payer: Merchant, paula: Console, andres: Console
) -> None:
    batch = flow.check(payer, flow.many(1))
    staff = browser_of(person_of(payer, "sara", roles.MERCHANT_STAFF))
    assert "nomina.csv" in _text(staff, batch)
    for browser, step in ((paula, "approve"), (staff, "send"), (andres, "send")):
        assert browser.get(f"{PAGE}{batch.pk}/{step}/").status_code in (403, 404)
    assert staff.get(f"{PAGE}upload/").status_code in (403, 404)


def test_next_step_of_a_file_is_told_to_its_reader(
    paula: Console, andres: Console, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    batch = _upload(paula, flow.many(1))
    flow.work()
    _step(paula, batch, "send")
    assert "Another person of the team approves it: not paula" in _text(paula, batch)
    read = _text(andres, batch)
    assert "paula sent it for approval: look at the totals, then approve or reject." in read
    assert "Another person" not in read


def test_people_of_another_merchant_see_and_do_nothing(
    payer: Merchant, stranger: Merchant, paula: Console
) -> None:
    theirs = flow.check(stranger, flow.many(1))
    page = paula.get(PAGE).content.decode()
    assert theirs.pk not in page
    for step in ("change", "send", "discard", "errors_csv", "result_csv", "mend"):
        assert paula.get(f"{PAGE}{theirs.pk}/{step}/").status_code in (302, 404), step
    line = theirs.lines.get()
    lines = "/admin/payout_batches/batchline/"
    assert paula.get(f"{lines}{line.pk}/change/").status_code in (302, 404)
    assert "Ana Pérez" not in paula.get(f"{lines}?file={theirs.pk}").content.decode()
    file = SimpleUploadedFile("n.csv", flow.many(1))
    answer = _post(paula, f"{PAGE}upload/", file=file, merchant=stranger.pk)
    assert answer.status_code == 400


def test_templates_have_the_headings_that_are_read(paula: Console) -> None:
    content = b"".join(paula.get(f"{PAGE}template_xlsx/").streaming_content)
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    headings = [cell.value for cell in sheet[1]]
    assert list(recognise(headings).places) == list(COLUMNS)
    text = b"".join(paula.get(f"{PAGE}template_csv/").streaming_content)
    assert list(recognise(read_sheet(text).rows[0].cells).places) == list(COLUMNS)


def test_wrong_lines_are_left_out_after_a_tick(paula: Console, payer: Merchant) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1), flow.row(2, amount="x")))
    assert _step(paula, batch, "send").status_code == 400
    assert _step(paula, batch, "send", leaves_out="on").status_code == 302
    batch.refresh_from_db()
    assert batch.status == "WAITING_APPROVAL"


def test_page_says_how_much_is_missing_and_what_waits(paula: Console, payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(3, amount="4.000.000"))
    assert "2.007.500 COP" in _text(paula, batch)
    assert _step(paula, batch, "send", acknowledges="on").status_code == 302
    flow.approve(batch)
    flow.work()
    page = _text(paula, batch)
    assert "El saldo no alcanza" in page or "The balance is not enough" in page
    assert _step(paula, batch, "pause").status_code == 302
    assert _step(paula, batch, "resume").status_code == 302
    assert _step(paula, batch, "cancel", reason="Ya no").status_code == 302
    batch.refresh_from_db()
    assert batch.status == "CANCELLED"
    assert Payout.objects.count() == 2


def test_result_file_says_what_the_books_say(andres: Console, payer: Merchant) -> None:
    """Also after the rail has refused one payout."""
    batch = flow.run(payer, flow.many(3))
    content = b"".join(andres.get(f"{PAGE}{batch.pk}/result_xlsx/").streaming_content)
    rows = list(load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True))
    assert len(rows) == 4
    payouts = Payout.objects.in_bulk()
    for row in rows[1:]:
        payout = payouts[row[9]]
        assert row[1] == payout.reference
        assert (row[4], row[5]) == (payout.amount, payout.fee_amount)
        assert row[6]


def test_page_of_a_long_file_leads_to_its_lines_only(payer: Merchant, paula: Console) -> None:
    batch, other = flow.check(payer, flow.many(21)), flow.check(payer, flow.many(1))
    page = paula.get(f"{PAGE}{batch.pk}/change/").content.decode()
    whole = f"/admin/payout_batches/batchline/?file={batch.pk}"
    assert f'href="{whole}"' in page
    shown = paula.get(whole)
    assert shown.context["cl"].result_count == 21
    assert other.lines.get().pk not in [line.pk for line in shown.context["cl"].result_list]


@pytest.mark.parametrize("name", ["doc_number", "account_number", "key_value", "cells"])
def test_masked_values_of_lines_cannot_be_guessed_by_an_address(
    payer: Merchant, paula: Console, name: str
) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1)))
    lines = f"/admin/payout_batches/batchline/?file={batch.pk}"
    for browser in (paula, person("rosa", roles.VIEWER)):
        assert browser.get(lines).status_code == 200
        assert browser.get(f"{lines}&{name}__startswith=1").status_code == 400


def test_file_with_a_line_to_look_at_is_not_called_all_right() -> None:
    batch = PayoutBatch(status=BatchStatus.CHECKED, line_count=3, warning_count=1)
    assert str(next_steps.next_step(batch).why).startswith("Ninguna línea tiene errores.")


@pytest.mark.parametrize("status", [BatchStatus.CHECKING, BatchStatus.RUNNING])
def test_file_that_is_paid_is_under_way(status: str) -> None:
    assert next_steps.next_step(PayoutBatch(status=status)).title == said("Under way")


LINES = "/admin/payout_batches/batchline/"


def test_lines_of_a_file_have_its_name_its_total_and_a_way_back(
    payer: Merchant, paula: Console
) -> None:
    batch = flow.run(payer, flow.many(3))
    page = paula.get(f"{LINES}?file={batch.pk}").content.decode()
    assert f'href="{admin_url(batch)}">nomina.csv</a>' in page
    assert "150.000 COP" in page
    assert f'href="{PAGE}{batch.pk}/result_xlsx/"' in page
    payout = batch.lines.first().payout
    assert f'href="{admin_url(payout)}">Ver</a>' in page
    assert ">po_" not in page


def test_lines_of_all_files_say_whose_they_are_and_are_found_by_name(
    payer: Merchant,
) -> None:
    rosa = person("rosa", roles.VIEWER)
    flow.run(payer, flow.many(1))
    batch = flow.check(payer, flow.many(1))
    page = rosa.get(LINES).content.decode()
    assert f'href="{admin_url(batch)}">nomina.csv</a>' in page
    assert f">{payer.name}</a>" in page
    repeated = batch.lines.get()
    assert repeated.warnings
    assert 'title="Mismo destino y mismo valor que un pago del ' in page
    for term, found in (("NOMINA", 2), (repeated.recipient_name[:4], 2), ("nadie", 0)):
        assert rosa.get(LINES, {"q": term}).context["cl"].result_count == found, term


def test_tabs_of_a_file_count_its_lines_by_state(payer: Merchant, paula: Console) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1), flow.row(2, amount="x"), flow.row(3)))
    flow.check(payer, flow.many(1))
    shown = paula.get(f"{LINES}?file={batch.pk}")
    tabs = file_lines.tabs(shown.wsgi_request, shown.context["cl"])
    assert [(tab.query.partition("state=")[2], tab.count) for tab in tabs] == [
        ("", "3"),
        ("wrong", "1"),
        ("waiting", "2"),
    ]
    wrong = paula.get(f"{LINES}?file={batch.pk}&state=wrong").context["cl"]
    assert [line.number for line in wrong.result_list] == [3]


def test_people_of_another_merchant_learn_nothing_from_the_lines_of_a_file(
    stranger: Merchant, paula: Console
) -> None:
    theirs = flow.check(stranger, flow.many(2), name="ajena.csv")
    page = paula.get(f"{LINES}?file={theirs.pk}")
    assert page.context["cl"].result_count == 0
    assert "ajena.csv" not in page.content.decode()
    assert "100.000 COP" not in page.content.decode()


def test_file_is_on_its_way_in_list_and_page_until_its_last_payout_has_ended(
    payer: Merchant, paula: Console
) -> None:
    batch = flow.run(payer, flow.many(2))
    for page in (paula.get(PAGE).content.decode(), _text(paula, batch)):
        assert "En camino" in page
        assert "Completado" not in page
    step = _text(paula, batch)
    assert "Las dispersiones van en camino" in step
    assert "Espera a otra persona" not in step
    for status in ("PROCESSING", "COMPLETED"):
        for payout in Payout.objects.all():
            states.move(payout, status, now=clock.now(), actor="worker")
    for page in (paula.get(PAGE).content.decode(), _text(paula, batch)):
        assert "Completado" in page


def test_who_decides_sees_new_beneficiaries_the_largest_payout_and_may_reject(
    payer: Merchant, paula: Console, andres: Console
) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1), flow.row(2, amount="75.000")))
    sending = paula.get(f"{PAGE}{batch.pk}/send/").content.decode()
    assert flow.APPROVER in sending
    assert _step(paula, batch, "send").status_code == 302
    page = andres.get(f"{PAGE}{batch.pk}/approve/").content.decode()
    for shown in ("2 de 2", "75.000 COP · Ana Pérez (línea 3)", flow.PREPARER):
        assert shown in page, shown
    assert f'href="{PAGE}{batch.pk}/reject/"' in page


def test_upload_page_has_the_templates_and_the_columns(paula: Console) -> None:
    page = paula.get(f"{PAGE}upload/").content.decode()
    assert f'href="{PAGE}template_xlsx/"' in page
    for heading in COLUMNS.values():
        assert str(heading) in html.unescape(page)


def test_corrected_file_is_asked_for_only_if_there_are_errors(
    payer: Merchant, paula: Console
) -> None:
    good = flow.check(payer, flow.many(1))
    wrong = flow.check(payer, flow.csv(flow.row(2), flow.row(3, amount="x")))
    assert f"{PAGE}{good.pk}/mend/" not in _text(paula, good)
    assert f"{PAGE}{wrong.pk}/mend/" in _text(paula, wrong)


def test_file_with_a_failed_payout_says_what_failed_and_what_to_do(
    payer: Merchant, paula: Console
) -> None:
    batch = flow.run(payer, flow.many(3))
    for line, ends in zip(
        batch.lines.order_by("number"), ("COMPLETED", "COMPLETED", "FAILED"), strict=True
    ):
        payout = line.payout
        assert payout is not None
        for status in ("PROCESSING", ends):
            if status == "FAILED":
                Payout.objects.filter(pk=payout.pk).update(failure_reason="REFUSED_BY_PROVIDER")
                payout.refresh_from_db()
            states.move(payout, status, now=clock.now(), actor="worker")
    page = paula.get(admin_url(batch))
    step = page.context["record_step"]
    assert step["title"] == said("%(count)s line did not arrive") % {"count": 1}
    paths = [path for line in step["lines"] for _title, path in line["buttons"]]
    assert f"{admin_url(batch)}".replace("/change/", "/result_xlsx/") in paths
    assert f"{LINES}?file={batch.pk}&state=failed" in paths
    assert f"{PAGE}upload/" in paths
    text = page.content.decode()
    assert "REFUSED_BY_PROVIDER" not in text
    assert said("Refused by the provider") in text
    # One sum in the list and in the title, and beside it the one with fees.
    assert page.context["record_head"]["amount"] == "150.000 COP"
    assert page.context["record_head"]["amount"] in paula.get(PAGE).content.decode()
    rosa = person("rosa", roles.VIEWER)
    of_operator = rosa.get(admin_url(batch)).context["record_step"]
    assert of_operator["title"] == step["title"]
    assert said("Upload a new file") not in str(of_operator)


def test_file_of_a_key_has_the_name_of_the_key(payer: Merchant) -> None:
    key, _secret = issue_api_key(merchant=payer, actor="ana", label="Demo")
    batch = flow.check(payer, flow.many(1))
    PayoutBatch.objects.filter(pk=batch.pk).update(created_by=key.pk)
    rosa = person("rosa", roles.VIEWER)
    for address in (PAGE, admin_url(batch)):
        page = html.unescape(rosa.get(address).content.decode())
        assert said("API key %s") % key.label in page
