"""Requests mails. The network is used later, by sending.py."""

import unicodedata
from collections.abc import Mapping

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext_noop

from payments.core import audit, clock, jobs
from payments.core.errors import ServiceError
from payments.mail import rendering
from payments.mail.models import Mail

SEND_TASK = "payments.mail.tasks.send_due"
NO_SERVER = "No mail server is configured (EMAIL_URL)."


class InvalidAddress(ValueError):
    """The text is not one e-mail address."""


def is_configured() -> bool:
    """Whether mails are sent. Otherwise their rows say that there is no mail server."""
    return bool(settings.EMAIL_BACKEND)


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
    is_secret: bool = False,
) -> Mail:
    """Writes a mail in the caller's transaction; a task sends it after the commit.

    `template` is a directory of templates/mail with subject.txt, body.txt and body.html. With a
    `key` that exists, nothing is written and the earlier mail is returned. `is_secret` is for texts
    with a link that gives rights. Raises InvalidAddress.
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
        is_secret=is_secret,
        status=Mail.Status.PENDING if is_sent else Mail.Status.NOT_SENT,
        due_at=now if is_sent else None,
        error="" if is_sent else NO_SERVER,
        created_at=now,
    )
    Mail.objects.bulk_create([row], ignore_conflicts=True)
    if is_sent:
        jobs.enqueue(SEND_TASK)
    return Mail.objects.get(key=key)


class CannotSendAgain(ServiceError):
    code = "MAIL_NOT_SENT_AGAIN"
    message = gettext_noop("Only a mail that failed, or met no mail server, is sent again.")


@transaction.atomic
def send_again(*, mail: Mail, actor: str, reason: str) -> None:
    """Tries a mail that was given up from the beginning. Raises CannotSendAgain."""
    again = {"status": Mail.Status.PENDING, "due_at": clock.now(), "attempts": 0, "error": ""}
    ended = (Mail.Status.FAILED, Mail.Status.NOT_SENT)
    if not is_configured() or not Mail.objects.filter(pk=mail.pk, status__in=ended).update(**again):
        raise CannotSendAgain
    audit.record(actor=actor, action="mail.sent_again", subject=mail, reason=reason)
    jobs.enqueue(SEND_TASK)


def one_line(text: str) -> str:
    """A value that cannot begin another header."""
    plain = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join(plain.split())[:200]
