"""The mailbox page of the console."""

from datetime import timedelta
from typing import Any

import pytest

from payments.console.admin.mailbox import WORDS
from payments.console.roles import SUPPORT, VIEWER
from payments.core import clock
from payments.core.models import AuditEntry
from payments.mail.models import Mail
from tests.admin.conftest import Console, ana, build_merchant_site, console, person  # noqa: F401
from tests.mail.conftest import Request

pytestmark = pytest.mark.django_db
CONTEXT = {"shop": "Café, write to ventas@cafe.example or 3001234567"}


@pytest.fixture
def mail(request_mail: Request) -> Mail:
    return request_mail(context=CONTEXT)


def test_a_viewer_reads_a_mail_without_personal_data_and_links(mail: Mail, settings: Any) -> None:
    viewer = person("vera", VIEWER)
    listed = viewer.page("mail_mail_changelist")
    assert listed.status_code == 200
    assert "l***@example.com" in listed.content.decode()
    page = viewer.page("mail_mail_change", mail.pk).content.decode()
    assert "Recibimos tu pago" in page
    for hidden in ("lucia@example.com", f"{settings.PUBLIC_URL}/x"):
        assert hidden not in page
    assert "v***@cafe.example" in page
    assert "(enlace oculto)" in page
    assert viewer.page("mail_mail_reveal", mail.pk).status_code == 403


def test_tabs_count_the_mails_of_each_state(mail: Mail) -> None:
    listed = person("vera", VIEWER).page("mail_mail_changelist").content.decode()
    assert f"status__exact={mail.status}" in listed
    assert '<span class="shell-count">1</span>' in listed


def test_who_may_see_personal_data_sees_it_and_leaves_a_trace(mail: Mail, settings: Any) -> None:
    page = person("sara", SUPPORT).page("mail_mail_reveal", mail.pk).content.decode()
    assert "lucia@example.com" in page
    assert f"{settings.PUBLIC_URL}/x" in page
    assert AuditEntry.objects.filter(
        action="personal_data.revealed", subject_id=mail.pk, actor="sara"
    ).exists()


def test_no_operator_sees_a_secret_link_in_production(request_mail: Request, settings: Any) -> None:
    row = request_mail(secret_until=clock.now() + timedelta(hours=72))
    sara = person("sara", SUPPORT)
    assert f"{settings.PUBLIC_URL}/x" in sara.page("mail_mail_reveal", row.pk).content.decode()
    settings.PRODUCTION = True
    assert f"{settings.PUBLIC_URL}/x" not in sara.page("mail_mail_reveal", row.pk).content.decode()


def test_support_sends_a_failed_mail_again(mail: Mail) -> None:
    Mail.objects.filter(pk=mail.pk).update(status="FAILED", due_at=None, attempts=7)
    sara = person("sara", SUPPORT)
    assert sara.submit("mail_mail_send_again", mail.pk).status_code == 302
    mail.refresh_from_db()
    assert (mail.status, mail.attempts) == ("PENDING", 0)
    assert AuditEntry.objects.filter(action="mail.sent_again", actor="sara").exists()
    assert person("vera", VIEWER).page("mail_mail_send_again", mail.pk).status_code == 403


def test_mails_are_found_by_the_whole_address_only(mail: Mail) -> None:
    viewer = person("vera", VIEWER)
    for term, found in (("lucia@example.com", True), ("lucia", False)):
        page = viewer.page("mail_mail_changelist", q=term).content.decode()
        assert ("l***@example.com" in page) is found, term


def test_the_kind_of_a_mail_is_in_words(mail: Mail) -> None:
    Mail.objects.filter(pk=mail.pk).update(template="invitation")
    viewer = person("vera", VIEWER)
    for page in (viewer.page("mail_mail_changelist"), viewer.page("mail_mail_change", mail.pk)):
        assert "Invit" in page.content.decode()


def test_every_kind_of_mail_has_words(settings: Any) -> None:
    kinds = {
        path.parent.name for path in (settings.BASE_DIR / "templates/mail").glob("*/subject.txt")
    }
    assert kinds == set(WORDS)
