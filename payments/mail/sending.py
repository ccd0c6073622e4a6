"""Sends due mails, one after another, without an open transaction.

A worker that is killed after the server took the mail, and before the row says so, leaves a lease
that ends: the mail is then sent once more, with the same Message-ID. SMTP offers no better.
"""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import formatdate
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection, transaction

from payments.core import clock_skew
from payments.core.due import process_due
from payments.mail import answers, outbox
from payments.mail.models import Mail

log = structlog.get_logger(__name__)
# Longer than one conversation with a server that hangs at each of its commands
# (EMAIL_TIMEOUT is for each of about nine answers).
LEASE_FACTOR = 12
# A server that hangs holds at most so many threads of all workers.
SENDERS = 2
# After a failure to reach the server the other due mails wait for so long.
PAUSE = timedelta(seconds=30)
# Key of the advisory lock that serializes claims. No other code uses this key.
_CLAIMS = 6_201_961


@dataclass(slots=True)
class _Run:
    """One run of the task. It keeps the connection for all its mails."""

    backend: BaseEmailBackend
    is_away: bool = False

    def claim(self) -> Sequence[Mail]:
        return [] if self.is_away else claim(now=clock_skew.now())

    def process(self, mail: Mail) -> None:
        try:
            deliver(mail, self.backend)
        except answers.Refused as error:
            _fail(mail, answers.shown(mail, error))
        except Exception as error:
            _retry(mail, error)
            self.is_away = isinstance(error, answers.ServerAway)
            if self.is_away:
                _postpone()
        else:
            _sent(mail)


def send_due() -> int:
    """Sends for SCANNER_BUDGET_SECONDS at most. Returns how many mails were claimed."""
    backend = get_connection(timeout=settings.EMAIL_TIMEOUT)
    run = _Run(backend)
    try:
        return process_due(run.claim, run.process, batch_size=1)
    finally:
        _close(backend)


@transaction.atomic
def claim(*, now: datetime) -> list[Mail]:
    """The mail that has been due for longest, with a lease. The attempt counts from here.

    None if SENDERS mails are on their way.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CLAIMS])
    if Mail.objects.filter(lease_token__isnull=False, due_at__gt=now).count() >= SENDERS:
        return []
    mail = (
        Mail.objects.filter(due_at__lte=now)
        .order_by("due_at", "id")
        .select_for_update(skip_locked=True)
        .first()
    )
    if mail is None:
        return []
    mail.attempts += 1
    mail.lease_token = uuid.uuid4()
    mail.due_at = now + timedelta(seconds=LEASE_FACTOR * settings.EMAIL_TIMEOUT)
    mail.save(update_fields=["attempts", "lease_token", "due_at"])
    return [mail]


def deliver(mail: Mail, backend: BaseEmailBackend) -> None:
    """Raises answers.Refused, and other errors after which the mail is tried again."""
    started = time.monotonic()
    try:
        backend.open()
        backend.send_messages([message(mail)])
    except (SMTPRecipientsRefused, SMTPDataError) as error:
        raise answers.of_mail(error) from error
    except (SMTPException, OSError) as error:
        _close(backend)
        raise answers.of_server(error) from error
    log.info("mail.sent", mail=mail.pk, seconds=round(time.monotonic() - started, 2))


def message(mail: Mail) -> EmailMultiAlternatives:
    """Each attempt has the same Message-ID, so that mailboxes can recognise a second copy."""
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    made = EmailMultiAlternatives(
        subject=mail.subject,
        body=mail.text,
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[mail.to],
        reply_to=[mail.reply_to] if mail.reply_to else None,
        headers={
            "Message-ID": f"<{mail.pk}@{host}>",
            "Date": formatdate(mail.created_at.timestamp()),
            "Auto-Submitted": "auto-generated",
            "Content-Language": mail.language,
        },
    )
    made.attach_alternative(mail.html, "text/html")
    return made


def _close(backend: BaseEmailBackend) -> None:
    """Closing says goodbye to the server, which may be away."""
    try:
        backend.close()
    except (SMTPException, OSError) as error:
        log.info("mail.not_closed", error=type(error).__name__)


def _sent(mail: Mail) -> None:
    sent = {"status": Mail.Status.SENT, "sent_at": clock_skew.now(), "due_at": None, "error": ""}
    # In development the mailbox page is where a person reads the link.
    is_read = mail.is_secret and outbox.reaches_people()
    _record(mail, **sent, **(outbox.ERASED if is_read else {}))


def _fail(mail: Mail, error: str) -> None:
    log.warning("mail.failed", mail=mail.pk, template=mail.template, attempts=mail.attempts)
    _record(mail, status=Mail.Status.FAILED, due_at=None, error=error)


def _retry(mail: Mail, error: Exception) -> None:
    delays = settings.MAIL_RETRY_DELAYS
    if mail.attempts > len(delays):
        _fail(mail, answers.shown(mail, error))
        return
    log.info("mail.not_sent", mail=mail.pk, attempts=mail.attempts, error=type(error).__name__)
    due_at = clock_skew.now() + timedelta(seconds=delays[mail.attempts - 1])
    _record(mail, due_at=due_at, error=answers.shown(mail, error))


def _record(mail: Mail, **changes: object) -> None:
    """A mail whose lease was lost stays as the other worker writes it."""
    own = Mail.objects.filter(pk=mail.pk, lease_token=mail.lease_token)
    if not own.update(lease_token=None, **changes):
        log.warning("mail.lease_lost", mail=mail.pk)


def _postpone() -> None:
    now = clock_skew.now()
    due = Mail.objects.filter(due_at__lte=now, lease_token=None)
    due.update(due_at=now + PAUSE)
