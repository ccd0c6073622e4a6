"""Mails are written with the caller's change, once, in the recipient's language."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail as sent
from django.db import connection, transaction

from payments.core import clock
from payments.mail import outbox, retention, sending, tasks
from payments.mail.models import Mail
from tests.mail.conftest import Request

pytestmark = pytest.mark.django_db


def end_of_link() -> datetime:
    """When the links of these tests end."""
    return clock.now() + timedelta(hours=72)


def test_a_mail_is_sent_with_text_and_html_in_the_language_of_its_recipient(
    request_mail: Request, settings: Any
) -> None:
    row = request_mail()
    assert sending.send_due() == 1
    (message,) = sent.outbox
    assert message.to == ["lucia@example.com"]
    assert message.subject == "Hello from Café Ñ"
    assert message.body == f"Recibimos tu pago & Café Ñ: {settings.PUBLIC_URL}/x\n"
    assert message.alternatives[0].mimetype == "text/html"
    assert '<html lang="es">' in message.alternatives[0].content
    assert row.pk in message.extra_headers["Message-ID"]
    row.refresh_from_db()
    assert (row.status, row.due_at, row.attempts) == ("SENT", None, 1)
    assert sending.send_due() == 0


def test_the_same_thing_is_mailed_once(request_mail: Request) -> None:
    first = request_mail("receipt:1", language="en")
    assert request_mail("receipt:1", to="another@example.com").pk == first.pk
    sending.send_due()
    assert request_mail("receipt:1").status == "SENT"
    sending.send_due()
    assert [message.to for message in sent.outbox] == [["lucia@example.com"]]
    assert "Payment received" in sent.outbox[0].body


def test_a_mail_goes_with_the_change_that_it_is_about(request_mail: Request) -> None:
    with transaction.atomic():
        request_mail()
        transaction.set_rollback(True)
    assert not Mail.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "lucia",
        "a@example.com, b@example.com",
        "a@example.com\nBcc: b@example.com",
        "Lucía <a@example.com>",
        "a@example.com\x00",
        f"{'a' * 250}@example.com",
    ],
)
def test_only_one_plain_address_is_accepted(request_mail: Request, address: str) -> None:
    with pytest.raises(outbox.InvalidAddress):
        request_mail(to=address)
    assert not Mail.objects.exists()


@pytest.mark.parametrize("sign", ["\n", "\r\n", "\r", "\x0b", "\u2028", "\u0085"])
def test_no_name_begins_another_header(request_mail: Request, sign: str) -> None:
    request_mail(context={"shop": f"Café{sign}Bcc: victim@example.com"})
    sending.send_due()
    (message,) = sent.outbox
    assert message.subject == "Hello from Café Bcc: victim@example.com"
    assert message.message()["Bcc"] is None
    assert message.recipients() == ["lucia@example.com"]


def test_html_of_a_name_is_text(request_mail: Request) -> None:
    row = request_mail(context={"shop": "<img src=x> & Cía"})
    assert "<p>&lt;img src=x&gt; &amp; Cía</p>" in row.html
    assert "<img src=x> & Cía" in row.text


def test_without_a_server_the_row_says_so_and_can_be_sent_later(
    request_mail: Request, settings: Any
) -> None:
    backend, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, ""
    row = request_mail()
    assert (row.status, row.due_at) == ("NOT_SENT", None)
    assert "EMAIL_URL" in row.error
    settings.EMAIL_BACKEND = backend
    assert sending.send_due() == 0
    outbox.send_again(mail=row, actor="ana", reason="The server is there now")
    assert sending.send_due() == 1
    with pytest.raises(outbox.CannotSendAgain):
        outbox.send_again(mail=row, actor="ana", reason="Once more")
    assert len(sent.outbox) == 1


def test_a_secret_link_is_erased_when_it_was_sent(request_mail: Request) -> None:
    secret, plain = request_mail("a", secret_until=end_of_link()), request_mail("b")
    sending.send_due()
    assert len(sent.outbox) == 2
    assert all(message.body for message in sent.outbox)
    secret.refresh_from_db()
    plain.refresh_from_db()
    assert (secret.status, secret.text, secret.html) == ("SENT", "", "")
    assert plain.text


def test_development_reads_a_secret_link_until_it_ends(
    request_mail: Request, settings: Any
) -> None:
    settings.EMAIL_BACKEND = outbox.LOG_BACKEND
    row = request_mail(secret_until=end_of_link())
    sending.send_due()
    row.refresh_from_db()
    assert (row.status, bool(row.text)) == ("SENT", True)
    with time_machine.travel(end_of_link()):
        tasks.delete_old()
    row.refresh_from_db()
    assert (row.status, row.text, row.html) == ("SENT", "", "")


def test_a_mail_whose_link_has_ended_is_not_sent(request_mail: Request) -> None:
    used, expired, other = (request_mail(key, secret_until=end_of_link()) for key in "abc")
    outbox.erase_secret(key=used.key)
    Mail.objects.filter(pk=expired.pk).update(secret_until=clock.now())
    tasks.delete_old()
    sending.send_due()
    assert len(sent.outbox) == 1
    for row in (used, expired):
        row.refresh_from_db()
        assert (row.status, row.due_at, row.text, row.html) == ("NOT_NEEDED", None, "", "")
    other.refresh_from_db()
    assert other.status == "SENT"


def test_a_failed_mail_whose_link_has_ended_is_not_sent_again(request_mail: Request) -> None:
    row = request_mail(secret_until=end_of_link())
    Mail.objects.filter(pk=row.pk).update(status="FAILED", due_at=None)
    outbox.erase_secret(key=row.key)
    with pytest.raises(outbox.CannotSendAgain):
        outbox.send_again(mail=row, actor="ana", reason="Once more")
    row.refresh_from_db()
    assert (row.status, row.text) == ("FAILED", "")


def test_texts_are_encrypted_in_the_table(request_mail: Request) -> None:
    request_mail()
    with connection.cursor() as cursor:
        cursor.execute("SELECT text || html FROM mail_mail")
        assert "Café" not in cursor.fetchone()[0]


def test_old_mails_are_deleted_and_due_ones_stay(request_mail: Request, settings: Any) -> None:
    with time_machine.travel(clock.now() - timedelta(days=settings.MAIL_KEPT_DAYS + 1)):
        old, due = request_mail("old"), request_mail("due")
        Mail.objects.filter(pk=old.pk).update(status="SENT", due_at=None)
    new = request_mail("new")
    Mail.objects.filter(pk=new.pk).update(status="SENT", due_at=None)
    assert retention.delete_old(now=clock.now()) == 1
    assert {*Mail.objects.values_list("pk", flat=True)} == {due.pk, new.pk}
