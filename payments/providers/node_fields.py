"""The fields that accounts of nodes share, and the check of an explorer's address."""

from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.providers.account import Credential, InvalidCredentials

# Stands in an explorer's address for the transaction's hash.
TRANSACTION = "{transaction}"
NODE_LOGIN = (
    Credential(
        name="node_user",
        label=_("User at the node"),
        help=_("If the node asks for a user and a password."),
        is_public=True,
        is_optional=True,
    ),
    Credential(name="node_password", label=_("Password at the node"), is_optional=True),
)
WITNESS = (
    Credential(
        name="witness_url",
        label=_("Address of a second node"),
        help=_("A payment is final only when this node has its block, too. Empty: no second node."),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="witness_user", label=_("User at the second node"), is_public=True, is_optional=True
    ),
    Credential(name="witness_password", label=_("Password at the second node"), is_optional=True),
)


def public_key(help_text: str | Promise) -> Credential:
    return Credential(
        name="public_key",
        label=_("Extended public key"),
        help=help_text,
        is_public=True,
        is_identity=True,
    )


def explorer(help_text: str | Promise) -> Credential:
    return Credential(
        name="explorer",
        label=_("Explorer"),
        help=help_text,
        is_public=True,
        is_optional=True,
    )


def check_explorer(text: str) -> None:
    """Raises InvalidCredentials. Empty: the account has none."""
    if not text:
        return
    try:
        url = urlsplit(text)
    except ValueError:
        url = urlsplit("")
    if url.scheme != "https" or not url.netloc or text.count(TRANSACTION) != 1:
        raise InvalidCredentials(
            "explorer",
            gettext("It begins with https:// and has {transaction} where the hash belongs."),
        )
