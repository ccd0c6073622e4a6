"""The backend of development: mails land in the log of the worker."""

from collections.abc import Sequence

import structlog
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

log = structlog.get_logger(__name__)


class LogBackend(BaseEmailBackend):
    """The mailbox page of the console shows the same mails with their links."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            log.info("mail.message", to=message.to, subject=message.subject, text=message.body)
        return len(email_messages)
