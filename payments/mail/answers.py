"""What a mail server answered, as the console may show it."""

import re
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException

from payments.mail.models import Mail

HIDDEN = "···"
_LINK = re.compile(r"\w+://\S+")
_ADDRESS = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;:]+")


class ServerAway(Exception):
    """The server was not reached, or ended the conversation: other mails would fail, too."""


class Refused(Exception):
    """The server refuses this mail for good."""


class RefusedNow(Exception):
    """The server may take this mail later."""


def of_mail(error: SMTPRecipientsRefused | SMTPDataError) -> Refused | RefusedNow:
    if isinstance(error, SMTPDataError):
        code, said = error.smtp_code, error.smtp_error
    else:
        code, said = next(iter(error.recipients.values()))
    kind = Refused if 500 <= code < 600 else RefusedNow
    return kind(f"{code} {_text(said)}")


def of_server(error: Exception) -> ServerAway:
    said: object = error
    if isinstance(error, SMTPResponseException):
        said = f"{error.smtp_code} {_text(error.smtp_error)}"
    return ServerAway(f"{type(error).__name__}: {said}")


def shown(mail: Mail, error: Exception) -> str:
    """Servers repeat the recipient, and some a link of the text. The column has neither.

    Other errors may have any part of the mail in their text, so only their name is shown.
    """
    if not isinstance(error, ServerAway | Refused | RefusedNow):
        return type(error).__name__
    text = _ADDRESS.sub(HIDDEN, _LINK.sub(HIDDEN, str(error)))
    name = re.escape(mail.to.partition("@")[0])
    return re.sub(rf"(?<!\w){name}(?!\w)", HIDDEN, text, flags=re.IGNORECASE)[:300]


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said
