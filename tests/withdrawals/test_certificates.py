"""The bank's certificate of an account: asked for with it, compared by an operator."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.kept_files import FileRefused, NewFile
from payments.core.models import AuditEntry
from payments.withdrawals.models import AccountCertificate, BankAccount
from payments.withdrawals.services import bank_accounts
from tests.admin.conftest import Console, person, url
from tests.support.document_files import PDF, image, uploaded
from tests.support.merchant_staff import browser_of, person_of
from tests.withdrawals.forms import given

pytestmark = pytest.mark.django_db
ENTER = "withdrawals_bankaccount_enter"
CHANGE = "withdrawals_bankaccount_change"
VERIFY = "withdrawals_bankaccount_verify"
CERTIFICATE = "withdrawals_bankaccount_certificate"


@pytest.fixture(autouse=True)
def _ready(catalogues: None, settings: Any, merchant: Merchant) -> None:
    settings.LANGUAGE_CODE = "en"
    settings.DOORBELL = False
    LegalData.objects.create(merchant=merchant, legal_name="Café Andino S.A.S.", nit="890903938")


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    """The browser of gabriel, Café Andino's administrator."""
    return browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))


@pytest.fixture
def olga() -> Console:
    """An operator who verifies accounts."""
    return person("olga", roles.APPROVER)


@pytest.fixture
def account(boss: Console, merchant: Merchant) -> BankAccount:
    assert enter(boss, merchant).status_code == 302
    return BankAccount.objects.get()


def enter(boss: Console, merchant: Merchant, **other: Any) -> Any:
    return boss.submit(ENTER, **given(merchant=merchant.pk, **other))


def refused(boss: Console, merchant: Merchant, **other: Any) -> dict[str, Any]:
    """The errors of the form."""
    answer = enter(boss, merchant, **other)
    assert answer.status_code == 400
    assert not BankAccount.objects.exists()
    assert not AccountCertificate.objects.exists()
    found: dict[str, Any] = answer.context["form"].errors
    return found


def by_command(merchant: Merchant, certificate: NewFile | None = None) -> BankAccount:
    new = bank_accounts.NewAccount(
        merchant=merchant,
        bank="bancolombia",
        account_type="SAVINGS",
        account_number="12345678901",
        certificate=certificate,
    )
    return bank_accounts.enter(new=new, actor="command", reason="Moved", now=clock.now())


def text_of(page: Any) -> str:
    """As the browser reads it: an underscore of an address is written in two ways."""
    return str(page.content.decode()).replace("_5F", "_")


def address_of(account: BankAccount) -> str:
    return url(CERTIFICATE, account.pk).replace("_5F", "_")


@pytest.mark.parametrize(
    ("content", "name", "kept", "media_type"),
    [
        (PDF, "certificado 2026.pdf", "certificado 2026.pdf", "application/pdf"),
        (image("PNG"), "../../etc/foto.html", "foto.png", "image/png"),
        (image("JPEG"), "guía.jpeg", "guía.jpg", "image/jpeg"),
    ],
    ids=["pdf", "png called html", "jpeg"],
)
def test_certificate_is_kept_with_the_type_of_its_content(
    boss: Console, merchant: Merchant, content: bytes, name: str, kept: str, media_type: str
) -> None:
    assert enter(boss, merchant, certificate=uploaded(content, name)).status_code == 302
    file = BankAccount.objects.get().certificate
    assert (file.name, file.media_type, bytes(file.content)) == (kept, media_type, content)
    assert (file.added_by, file.size) == ("gabriel", len(content))
    entered = AuditEntry.objects.get(action="bank_account.entered")
    assert entered.details["certificate"] == file.sha256


@pytest.mark.parametrize(
    "content",
    [b"<html><script>alert(1)</script></html>", b"%PDF-1.4 cut off", image("GIF"), b"MZ\x90\x00"],
    ids=["html", "half a pdf", "gif", "exe"],
)
def test_other_content_is_refused_whatever_its_name(
    boss: Console, merchant: Merchant, content: bytes
) -> None:
    errors = refused(boss, merchant, certificate=uploaded(content))
    assert "no whole PDF, PNG or JPEG" in str(errors)


def test_form_without_certificate_is_refused(boss: Console, merchant: Merchant) -> None:
    assert set(refused(boss, merchant, certificate="")) == {"certificate"}
    assert set(refused(boss, merchant, certificate=uploaded(b""))) == {"certificate"}


def test_certificate_that_is_too_large_is_refused(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.BANK_CERTIFICATE_MAX_BYTES = 2048
    errors = refused(boss, merchant, certificate=uploaded(PDF + b" " * 3000))
    assert "At most 2 KB" in str(errors["certificate"])


def test_certificate_of_some_megabytes_is_taken(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    most = settings.BANK_CERTIFICATE_MAX_BYTES
    large = PDF[:-6] + b"%" * (most - len(PDF)) + b"%%EOF\n"
    assert enter(boss, merchant, certificate=uploaded(large)).status_code == 302
    assert AccountCertificate.objects.get().size == most


def test_request_above_all_limits_is_not_read(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.BANK_CERTIFICATE_MAX_BYTES = 2048
    large = uploaded(PDF + b" " * (settings.PAGE_MAX_BODY_BYTES + 2048))
    assert enter(boss, merchant, certificate=large).status_code == 413
    assert not BankAccount.objects.exists()


def test_number_is_typed_twice_and_compared_without_its_separators(
    boss: Console, merchant: Merchant
) -> None:
    errors = refused(boss, merchant, account_number_again="123-456789-02")
    assert set(errors) == {"__all__", "account_number_again"}
    assert "not the same number" in str(errors)
    assert set(refused(boss, merchant, account_number_again="")) == {
        "__all__",
        "account_number_again",
    }
    assert enter(boss, merchant, account_number_again="12345678901").status_code == 302


def test_mobile_number_of_a_wallet_may_be_typed_with_and_without_its_country(
    boss: Console, merchant: Merchant
) -> None:
    numbers = {"account_number": "+57 300 123 4567", "account_number_again": "3001234567"}
    assert enter(boss, merchant, bank="nequi", **numbers).status_code == 302
    assert BankAccount.objects.get().account_number == "3001234567"


def test_type_of_the_account_is_chosen_and_never_set_beforehand(
    boss: Console, merchant: Merchant
) -> None:
    shown = boss.page(ENTER).context["form"]["account_type"]
    assert next(iter(shown.field.choices)) == ("", "Choose…")
    assert shown.value() is None
    assert set(refused(boss, merchant, account_type="")) == {"__all__", "account_type"}


def test_form_with_an_error_says_that_the_file_is_chosen_again(
    boss: Console, merchant: Merchant
) -> None:
    told = "Choose the file again"
    assert told not in text_of(boss.page(ENTER))
    too_long = "1" * 21
    for wrong in (
        {"account_number_again": "999999999"},
        {"account_number": too_long, "account_number_again": too_long},
    ):
        answer = enter(boss, merchant, **wrong)
        assert answer.status_code == 400
        assert told in text_of(answer)


def test_password_is_asked_for_before_a_form_with_a_file_is_filled_in(
    boss: Console, settings: Any
) -> None:
    """A page cannot send a chosen file a second time."""
    later = clock.now() + timedelta(seconds=settings.CONSOLE_FRESH_SECONDS + 1)
    with time_machine.travel(later, tick=False):
        assert "confirm_password" in text_of(boss.page(ENTER))


def test_people_of_the_merchant_read_it_from_the_box_of_the_account_that_waits(
    boss: Console, account: BankAccount, merchant: Merchant
) -> None:
    (line,) = boss.page(CHANGE, account.pk).context["record_step"]["lines"]
    why = str(line["why"]).replace("_5F", "_")
    assert "Pasarela compares the account with your bank" in why
    assert f'href="{address_of(account)}"' in why
    assert "certificado.pdf" in why
    lucia = browser_of(person_of(merchant, "lucia"))
    assert lucia.page(CERTIFICATE, account.pk).content == PDF
    row = AuditEntry.objects.get(action="bank_account.certificate_read")
    assert (row.actor, row.subject_id) == ("lucia", account.pk)


def test_operator_who_verifies_reads_it_before_and_after_deciding(
    olga: Console, account: BankAccount
) -> None:
    address = address_of(account)
    assert address in text_of(olga.page(CHANGE, account.pk))
    assert address in text_of(olga.page(VERIFY, account.pk))
    assert olga.page(CERTIFICATE, account.pk).content == PDF
    assert olga.submit(VERIFY, account.pk).status_code == 302
    assert address in text_of(olga.page(CHANGE, account.pk))


def test_act_of_verification_has_the_whole_number_and_each_look_is_in_the_log(
    olga: Console, account: BankAccount
) -> None:
    answer = olga.page(VERIFY, account.pk)
    facts = {str(label): str(value) for label, value in answer.context["facts"]}
    assert facts["account number"] == "12345678901"
    assert facts["NIT"] == "890.903.938-8"
    assert facts["holder"] == "Café Andino S.A.S."
    assert "certificado.pdf" in facts["bank's certificate"]
    assert "no-store" in answer.headers["Cache-Control"]
    looks = AuditEntry.objects.filter(action="personal_data.revealed", subject_id=account.pk)
    assert [look.actor for look in looks] == ["olga"]
    assert olga.submit(VERIFY, account.pk).status_code == 302
    assert looks.count() == 1
    # Later, and to reject it, there is nothing to compare.
    for name in (VERIFY, "withdrawals_bankaccount_reject"):
        assert "12345678901" not in text_of(olga.page(name, account.pk))
    assert looks.count() == 1


def test_record_of_an_account_has_a_head_and_the_check_digit(
    olga: Console, account: BankAccount
) -> None:
    answer = olga.page(CHANGE, account.pk)
    assert answer.context["record_head"]["amount"] == "Bancolombia ···8901"
    assert "···3938-8" in text_of(answer)
    assert "Entered the bank account" in text_of(answer)


@pytest.mark.parametrize("role", [roles.VIEWER, roles.SUPPORT, roles.FINANCE, roles.ADMINISTRATOR])
def test_operator_who_does_not_verify_sees_its_name_only(account: BankAccount, role: str) -> None:
    other = person("pedro", role)
    page = text_of(other.page(CHANGE, account.pk))
    assert "certificado.pdf" in page
    assert "/certificate/" not in page
    assert other.page(CERTIFICATE, account.pk).status_code == 403


def test_foreign_merchants_people_get_the_answer_of_no_account(
    account: BankAccount, stranger: Merchant
) -> None:
    oscar = browser_of(person_of(stranger, "oscar", roles.MERCHANT_ADMINISTRATOR))
    assert oscar.page(CERTIFICATE, account.pk).status_code == 404
    assert oscar.page(CERTIFICATE, "ba_0000000000").status_code == 404
    assert Console().page(CERTIFICATE, account.pk).status_code == 302
    assert not AuditEntry.objects.filter(action="bank_account.certificate_read").exists()


def test_certificate_is_only_ever_a_download(olga: Console, account: BankAccount) -> None:
    answer = olga.page(CERTIFICATE, account.pk)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer.headers["Cache-Control"]
    assert olga.post(url(CERTIFICATE, account.pk)).status_code == 405


def test_account_of_a_command_needs_no_certificate_and_its_box_says_so(
    boss: Console, olga: Console, merchant: Merchant
) -> None:
    made = by_command(merchant)
    assert not AccountCertificate.objects.exists()
    assert "register the account again with the file" in text_of(boss.page(CHANGE, made.pk))
    assert "ask the merchant for it" in text_of(olga.page(CHANGE, made.pk))
    assert olga.page(CERTIFICATE, made.pk).status_code == 404
    assert olga.submit(VERIFY, made.pk).status_code == 302


def test_file_of_a_command_is_checked_like_one_of_the_console(merchant: Merchant) -> None:
    with pytest.raises(FileRefused):
        by_command(merchant, NewFile(name="page.pdf", content=b"<html>"))
    assert not BankAccount.objects.exists()
    kept = by_command(merchant, NewFile(name="certificado.pdf", content=PDF))
    assert kept.certificate.added_by == "command"


def test_certificate_is_never_changed_and_stays_with_a_replaced_account(
    boss: Console, account: BankAccount, merchant: Merchant
) -> None:
    other = uploaded(image("PNG"), "otro.png")
    assert enter(boss, merchant, certificate=other).status_code == 302
    first = BankAccount.objects.get(pk=account.pk)
    assert (first.status, first.certificate.name) == ("REPLACED", "certificado.pdf")
    for change in (
        lambda: AccountCertificate.objects.update(name="otra.pdf"),
        lambda: AccountCertificate.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
