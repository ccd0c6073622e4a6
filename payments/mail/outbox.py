"""Requests mails. The network is used later, by sending.py."""

import unicodedata
from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from payments.core import audit, clock, jobs
from payments.core.errors import ServiceError
from payments.mail import rendering
from payments.mail.models import Mail

SEND_TASK = "payments.mail.tasks.send_due"
NO_SERVER = "No mail server is configured (EMAIL_URL)."
LOG_BACKEND = "payments.mail.backends.LogBackend"
# The columns of a secret mail whose texts are gone.
ERASED = {"text": "", "html": "", "secret_until": None}


class InvalidAddress(ValueError):
    """The text is not one e-mail address."""


def is_configured() -> bool:
    """Whether mails are sent. Otherwise their rows say that there is no mail server."""
    return bool(settings.EMAIL_BACKEND)


def reaches_people() -> bool:
    """The log of development is read by the people who caused the mails."""
    return is_configured() and settings.EMAIL_BACKEND != LOG_BACKEND


def is_address(text: str) -> bool:
    """Whether `send` accepts it: one address, without a name, control characters or a list."""
    if len(text) > 254 or not text.isprintable():
        return False
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def send(
    *,
    to: str,
    template: str,
    context: Mapping[str, object],
    language: str,
    key: str,
    merchant_id: str = "",
    reply_to: str = "",
    secret_until: datetime | None = None,
) -> Mail:
    """Writes a mail in the caller's transaction; a task sends it after the commit.

    `template` is a directory of templates/mail with subject.txt, body.txt and body.html. With a
    `key` that exists, nothing is written and the earlier mail is returned. `secret_until` is for
    texts with a link that gives rights: its end. Raises InvalidAddress.
    """
    if not is_address(to):
        raise InvalidAddress(template)
    rendered = rendering.render(template, context, language)
    is_sent = is_configured()
    now = clock.now()
    row = Mail(
        key=key,
        template=template,
        merchant_id=merchant_id,
        language=language,
        to=to,
        reply_to=reply_to if is_address(reply_to) else "",
        subject=one_line(rendered.subject),
        text=rendered.text,
        html=rendered.html,
        is_secret=secret_until is not None,
        secret_until=secret_until,
        status=Mail.Status.PENDING if is_sent else Mail.Status.NOT_SENT,
        due_at=now if is_sent else None,
        error="" if is_sent else NO_SERVER,
        created_at=now,
    )
    Mail.objects.bulk_create([row], ignore_conflicts=True)
    if is_sent:
        jobs.enqueue(SEND_TASK)
    return Mail.objects.get(key=key)


def erase_secret(*, key: str) -> None:
    """The link in the mail opens nothing any more: its text is erased, and it is not sent."""
    _erase(Mail.objects.filter(key=key, secret_until__isnull=False))


def erase_ended_secrets(*, now: datetime) -> None:
    _erase(Mail.objects.filter(secret_until__lte=now))


def _erase(mails: QuerySet[Mail]) -> None:
    ended = {"status": Mail.Status.NOT_NEEDED, "due_at": None, "lease_token": None}
    mails.filter(status=Mail.Status.PENDING).update(**ended, **ERASED)
    mails.update(**ERASED)


class CannotSendAgain(ServiceError):
    code = "MAIL_NOT_SENT_AGAIN"
    message = gettext_noop("Only a mail that failed, or met no mail server, is sent again.")


def sendable_again() -> QuerySet[Mail]:
    """Mails that were given up. A secret one needs its text."""
    has_text = Q(is_secret=False) | Q(secret_until__gt=clock.now())
    ended = (Mail.Status.FAILED, Mail.Status.NOT_SENT)
    return Mail.objects.filter(has_text, status__in=ended)


@transaction.atomic
def send_again(*, mail: Mail, actor: str, reason: str) -> None:
    """Tries a mail that was given up from the beginning. Raises CannotSendAgain."""
    again = {"status": Mail.Status.PENDING, "due_at": clock.now(), "attempts": 0, "error": ""}
    if not is_configured() or not sendable_again().filter(pk=mail.pk).update(**again):
        raise CannotSendAgain
    audit.record(actor=actor, action="mail.sent_again", subject=mail, reason=reason)
    jobs.enqueue(SEND_TASK)


def one_line(text: str) -> str:
    """A value that cannot begin another header."""
    plain = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join(plain.split())[:200]
