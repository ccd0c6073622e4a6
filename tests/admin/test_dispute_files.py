"""Evidence of disputes as files: what is taken, who sees it, and how it is sent."""

import io
from typing import Any
from unittest import mock

import pytest
from django.db import DatabaseError, transaction

from merchants.models import Merchant
from payments.collect.models import Dispute, DisputeFile
from payments.console import roles
from payments.core.file_types import read_type
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, person, url
from tests.support.disputes import tell
from tests.support.document_files import PDF, image, uploaded
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def dispute(api: ApiClient) -> Dispute:
    return tell(paid(api))


def add(browser: Console, dispute: Dispute, content: bytes, name: str = "factura.pdf") -> Any:
    return browser.submit("collect_dispute_file_added", dispute.pk, file=uploaded(content, name))


def errors(answer: Any) -> str:
    return str(answer.context["form"].errors)


@pytest.mark.parametrize(
    ("content", "name", "media_type", "kept"),
    [
        (PDF, "factura 12.pdf", "application/pdf", "factura 12.pdf"),
        (image("PNG"), "../../etc/foto.PNG", "image/png", "foto.png"),
        (image("JPEG"), 'guía"\r\nX: y.jpeg', "image/jpeg", "guía.jpg"),
        (image("PNG"), "page.html", "image/png", "page.png"),
    ],
    ids=["pdf", "png", "jpeg", "png called html"],
)
def test_file_is_kept_with_the_type_of_its_content(
    console: Console, dispute: Dispute, content: bytes, name: str, media_type: str, kept: str
) -> None:
    assert add(console, dispute, content, name).status_code == 302
    file = DisputeFile.objects.get()
    assert (file.media_type, file.name, bytes(file.content)) == (media_type, kept, content)
    row = AuditEntry.objects.get(action="dispute.file_added")
    assert (row.actor, row.subject_id, row.reason) == ("ana", dispute.pk, REASON)
    page = console.page("collect_dispute_change", dispute.pk).content.decode()
    assert url("collect_dispute_file", dispute.pk, file.pk).replace("_5F", "_") in page


@pytest.mark.parametrize(
    "content",
    [
        b"<html><script>alert(1)</script></html>",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"%PDF-1.4 cut off",
        image("PNG")[:60],
        image("JPEG")[:-20],
        image("GIF"),
        b"MZ\x90\x00",
    ],
    ids=["html", "svg", "half a pdf", "half a png", "half a jpeg", "gif", "exe"],
)
def test_other_content_is_refused_whatever_its_name(
    console: Console, dispute: Dispute, content: bytes
) -> None:
    answer = add(console, dispute, content)
    assert answer.status_code == 400
    assert "no whole PDF, PNG or JPEG" in errors(answer)
    assert not DisputeFile.objects.exists()


def test_too_large_too_many_and_the_same_again_are_refused(
    console: Console, dispute: Dispute, settings: Any
) -> None:
    settings.DISPUTE_FILE_MAX_BYTES, settings.DISPUTE_FILES_MAX = 2048, 1
    assert "At most 2 KB" in errors(add(console, dispute, PDF + b" " * 3000))
    assert add(console, dispute, PDF).status_code == 302
    settings.DISPUTE_FILES_MAX = 2
    assert "has this file already" in errors(add(console, dispute, PDF))
    settings.DISPUTE_FILES_MAX = 1
    assert "takes no more" in errors(add(console, dispute, image("PNG")))
    assert DisputeFile.objects.count() == 1


def test_file_of_some_megabytes_is_taken(console: Console, dispute: Dispute, settings: Any) -> None:
    large = PDF[:-6] + b"%" * (settings.DISPUTE_FILE_MAX_BYTES - len(PDF)) + b"%%EOF\n"
    assert add(console, dispute, large).status_code == 302
    assert DisputeFile.objects.get().size == settings.DISPUTE_FILE_MAX_BYTES


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_pixels_of_an_image_are_never_in_the_memory(kind: str) -> None:
    from PIL import Image, ImageFile

    with mock.patch.object(ImageFile.ImageFile, "load", side_effect=MemoryError) as load:
        with pytest.raises(MemoryError):
            Image.open(io.BytesIO(image(kind))).load()
        load.reset_mock()
        assert read_type(image(kind)) is not None
    load.assert_not_called()


def test_decided_dispute_takes_no_file(console: Console, dispute: Dispute) -> None:
    submitted = console.page("collect_dispute_file_added", dispute.pk)
    token = submitted.context["form_token"]
    decided = {"outcome": "WON", "proof": "Carta del banco, folio 3"}
    assert console.submit("collect_dispute_decide", dispute.pk, **decided).status_code == 302
    file = uploaded()
    form = {"form_token": token, "reason": REASON, "file": file}
    console.post(url("collect_dispute_file_added", dispute.pk), form)
    assert not DisputeFile.objects.exists()


def test_file_is_only_ever_a_download(console: Console, dispute: Dispute) -> None:
    add(console, dispute, PDF)
    file = DisputeFile.objects.get()
    answer = console.get(url("collect_dispute_file", dispute.pk, file.pk))
    assert answer.content == PDF
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Type"] == "application/pdf"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    row = AuditEntry.objects.get(action="dispute.file_read")
    assert (row.actor, row.details["file"]) == ("ana", file.pk)


def test_people_of_the_merchant_add_files_and_see_their_teams_only(
    console: Console, dispute: Dispute, merchant: Merchant
) -> None:
    add(console, dispute, PDF, "interno.pdf")
    internal = DisputeFile.objects.get()
    lucia = browser_of(person_of(merchant, "lucia"))
    assert add(lucia, dispute, image("PNG"), "entrega.png").status_code == 302
    page = lucia.page("collect_dispute_change", dispute.pk).content.decode()
    assert "entrega.png" in page
    assert "interno.pdf" not in page
    own = DisputeFile.objects.get(is_of_merchant=True)
    assert lucia.get(url("collect_dispute_file", dispute.pk, own.pk)).status_code == 200
    assert lucia.get(url("collect_dispute_file", dispute.pk, internal.pk)).status_code == 404
    whole = console.page("collect_dispute_change", dispute.pk).content.decode()
    assert "entrega.png" in whole
    assert "interno.pdf" in whole


def test_what_a_file_shows_is_read_beside_it_and_an_answered_dispute_waits_no_longer(
    console: Console, dispute: Dispute, merchant: Merchant
) -> None:
    lucia = browser_of(person_of(merchant, "lucia"))
    waiting = url("collect_dispute_change", dispute.pk)
    assert waiting in lucia.page("index").content.decode()
    shows = "Signed by the buyer on the third"
    form = {"file": uploaded(image("PNG"), "entrega.png"), "reason": shows}
    assert lucia.submit("collect_dispute_file_added", dispute.pk, **form).status_code == 302
    page = lucia.page("collect_dispute_change", dispute.pk).content.decode()
    assert f'data-label="What it shows">{shows}<' in page
    assert f"entrega.png: {shows}" in page  # of the timeline
    assert shows in console.page("collect_dispute_change", dispute.pk).content.decode()
    assert waiting not in lucia.page("index").content.decode()
    listed = lucia.page("collect_dispute_changelist", exceptions="waiting")
    assert not listed.context["cl"].result_list
    of_operators = console.page("collect_dispute_changelist", exceptions="waiting")
    assert of_operators.context["cl"].result_list


def test_list_of_operators_names_the_merchant_and_no_outcome_is_chosen_beforehand(
    console: Console, dispute: Dispute, merchant: Merchant
) -> None:
    listed = console.page("collect_dispute_changelist").content.decode()
    assert url("merchants_merchant_change", merchant.pk) in listed
    form = console.page("collect_dispute_decide", dispute.pk).context["form"]
    assert form.fields["outcome"].choices[0][0] == ""
    assert console.submit("collect_dispute_decide", dispute.pk, proof="Carta 3").status_code == 400
    page = console.page("collect_dispute_change", dispute.pk).content.decode()
    assert f">chg_…{dispute.charge_id[-6:]}</a>" in page


def test_strangers_neither_read_nor_add(
    console: Console, dispute: Dispute, merchant: Merchant
) -> None:
    add(console, dispute, PDF)
    file = DisputeFile.objects.get()
    other = browser_of(person_of(MerchantFactory(name="Otra Tienda"), "zoraida"))
    address = url("collect_dispute_file", dispute.pk, file.pk)
    assert other.get(address).status_code == 404
    assert other.get(url("collect_dispute_file_added", dispute.pk)).status_code == 404
    assert Console().get(address).status_code == 302
    foreign = tell(paid(ApiClient(MerchantFactory(name="Tercera"))), reference="case-8")
    assert console.get(url("collect_dispute_file", foreign.pk, file.pk)).status_code == 404


def test_who_only_looks_adds_nothing(dispute: Dispute) -> None:
    viewer = person("rosa", roles.VIEWER)
    assert viewer.page("collect_dispute_file_added", dispute.pk).status_code == 403


def test_files_are_never_changed(console: Console, dispute: Dispute) -> None:
    add(console, dispute, PDF)
    for change in (
        lambda: DisputeFile.objects.update(name="otra.pdf"),
        lambda: DisputeFile.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
