"""The mail server refuses, hangs, drops or is away; workers die."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from payments.core import clock
from payments.mail import sending
from payments.mail.models import Mail
from tests.mail.conftest import Request
from tests.support.smtp_server import SmtpServer, drop, hang, smtp_server

pytestmark = pytest.mark.django_db
SendTo = Callable[[SmtpServer | int], None]


def refuse(answer: str) -> Callable[[str], str]:
    return lambda _word: answer


def test_a_server_gets_the_mail(request_mail: Request, send_to: SendTo) -> None:
    row = request_mail(reply_to="ventas@cafe.example")
    with smtp_server() as server:
        send_to(server)
        sending.send_due()
    (message,) = server.messages
    assert f"Message-ID: <{row.pk}@" in message
    assert "Reply-To: ventas@cafe.example" in message
    assert "Auto-Submitted: auto-generated" in message
    assert [line for line in server.commands if line.upper().startswith("RCPT")] == [
        "rcpt TO:<lucia@example.com>"
    ]


@pytest.mark.parametrize("word", ["RCPT", "BODY"])
def test_a_mail_that_the_server_refuses_for_good_is_not_tried_again(
    request_mail: Request, send_to: SendTo, word: str
) -> None:
    row, other = request_mail("a"), request_mail("b", to="other@example.com")
    with smtp_server(**{word: refuse("550 no such mailbox")}) as server:
        send_to(server)
        sending.send_due()
    row.refresh_from_db()
    other.refresh_from_db()
    assert (row.status, row.due_at, row.error) == ("FAILED", None, "550 no such mailbox")
    assert other.status == "FAILED"


@pytest.mark.parametrize("code", [550, 451])
@pytest.mark.parametrize("word", ["RCPT", "BODY"])
def test_what_a_server_repeats_of_a_mail_is_not_kept(
    request_mail: Request, send_to: SendTo, word: str, code: int
) -> None:
    """Neither the recipient nor a link of the text, which may give rights."""
    row = request_mail()
    said = "<Lucia@example.com>: Lucia unknown, see https://pasarela.example/admin/invitation/x/ ok"
    with smtp_server(**{word: refuse(f"{code} {said}")}) as server:
        send_to(server)
        sending.send_due()
    row.refresh_from_db()
    assert row.error == f"{code} <···>: ··· unknown, see ··· ok"


def test_an_error_of_our_own_is_kept_by_its_name(
    request_mail: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_mail: Mail) -> None:
        raise ValueError("lucia@example.com and her text")

    row = request_mail()
    monkeypatch.setattr(sending, "message", fail)
    sending.send_due()
    row.refresh_from_db()
    assert (row.status, row.error) == ("PENDING", "ValueError")


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("RCPT", refuse("451 later")),
        ("BODY", refuse("451 later")),
        ("MAIL", refuse("550 this sender may not")),
        ("CONNECT", refuse("421 too busy")),
        ("CONNECT", drop),
        ("EHLO", drop),
        ("RCPT", drop),
        ("DATA", drop),
        ("BODY", drop),
    ],
)
def test_a_mail_waits_for_a_server_that_cannot_take_it_now(
    request_mail: Request, send_to: SendTo, word: str, answer: Any
) -> None:
    row = request_mail()
    with smtp_server(**{word: answer, "HELO": answer}) as server:
        send_to(server)
        assert sending.send_due() == 1
        row.refresh_from_db()
        assert (row.status, row.attempts, row.lease_token) == ("PENDING", 1, None)
        assert row.due_at is not None
        assert row.due_at > clock.now() + timedelta(seconds=50)
        assert row.error
    with time_machine.travel(clock.now() + timedelta(seconds=61)), smtp_server() as server:
        send_to(server)
        assert sending.send_due() == 1
        assert len(server.messages) == 1
    row.refresh_from_db()
    assert row.status == "SENT"


@pytest.mark.parametrize("word", ["CONNECT", "EHLO", "RCPT", "BODY"])
def test_a_server_that_hangs_costs_one_time_limit_and_not_one_for_each_mail(
    request_mail: Request, send_to: SendTo, settings: Any, word: str
) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    rows = [request_mail(str(number)) for number in range(5)]
    with smtp_server(**{word: hang}) as server:
        send_to(server)
        assert sending.send_due() == 1
        assert server.hanging.is_set()
    attempts = Mail.objects.filter(pk__in=[row.pk for row in rows]).values_list(
        "attempts", flat=True
    )
    assert sorted(attempts) == [0, 0, 0, 0, 1]
    assert not Mail.objects.filter(due_at__lte=clock.now() + timedelta(seconds=20)).exists()


def test_attempts_end(request_mail: Request, send_to: SendTo, settings: Any) -> None:
    settings.MAIL_RETRY_DELAYS = [60, 300]
    row, at = request_mail(), clock.now()
    send_to(1)  # nothing listens there
    for delay in (0, 61, 301):
        at += timedelta(seconds=delay)
        with time_machine.travel(at, tick=False):
            assert sending.send_due() == 1
    row.refresh_from_db()
    assert (row.status, row.attempts, row.due_at) == ("FAILED", 3, None)
    assert "ConnectionRefusedError" in row.error


def test_mails_on_their_way_hold_no_more_than_two_threads(request_mail: Request) -> None:
    for number in range(4):
        request_mail(str(number))
    now = clock.now()
    claims = [sending.claim(now=now) for _ in range(4)]
    assert [len(claimed) for claimed in claims] == [1, 1, 0, 0]
    later = now + timedelta(minutes=10)
    assert len(sending.claim(now=later)) == 1


def test_a_lost_lease_changes_nothing(request_mail: Request) -> None:
    request_mail()
    now = clock.now()
    (slow,) = sending.claim(now=now)
    (fast,) = sending.claim(now=now + timedelta(minutes=10))
    sending._sent(fast)
    sending._fail(slow, "550 too late")
    slow.refresh_from_db()
    assert slow.status == "SENT"


_WORKER = """
import django
django.setup()
from django.conf import settings
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", {port}
settings.DATABASES["default"]["NAME"] = {name!r}
from payments.mail import sending
sending.send_due()
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_taken", [False, True])
def test_a_killed_worker_loses_no_mail_and_doubles_one_at_most(
    request_mail: Request, send_to: SendTo, settings: Any, is_taken: bool
) -> None:
    """Killed before the server has the mail, or when it has it and has not said so."""
    row = request_mail()
    word = "BODY" if is_taken else "DATA"
    name = settings.DATABASES["default"]["NAME"]
    with smtp_server(**{word: hang}) as server:
        code = _WORKER.format(port=server.port, name=name)
        worker = subprocess.Popen([sys.executable, "-c", code])
        try:
            assert server.hanging.wait(60)
        finally:
            worker.kill()
            worker.wait()
        copies = len(server.messages)
    row.refresh_from_db()
    assert (row.status, row.attempts) == ("PENDING", 1)
    assert row.lease_token is not None
    with smtp_server() as server:
        send_to(server)
        assert sending.send_due() == 0  # the lease still runs
        with time_machine.travel(clock.now() + timedelta(minutes=5)):
            assert sending.send_due() == 1
            assert sending.send_due() == 0
        copies += len(server.messages)
    assert copies == (2 if is_taken else 1)
    row.refresh_from_db()
    assert (row.status, row.attempts) == ("SENT", 2)
