"""Bitcoin for an operator: what an account consists of."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from payments.providers.account import Credential
from payments.providers.bitcoin.account import LARGE, SMALL, THRESHOLD

CODE = "bitcoin"
LABEL = "Bitcoin"
_EMPTY = _("Empty: {default}.")

CREDENTIALS = (
    Credential(
        name="public_key",
        label=_("Extended public key"),
        help=_(
            "Of the account m/84'/0'/0' of your wallet. It begins with zpub or xpub; on test "
            "networks with vpub or tpub. Never enter a key that begins with zprv or xprv, or words."
        ),
        is_public=True,
        is_identity=True,
    ),
    Credential(
        name="network",
        label=_("Network"),
        help=_("main for money. In sandbox mode: test, testnet4, signet or regtest."),
        is_public=True,
        is_identity=True,
    ),
    Credential(
        name="node_user",
        label=_("User at the node"),
        help=_("If the node asks for a user and a password."),
        is_public=True,
        is_optional=True,
    ),
    Credential(name="node_password", label=_("Password at the node"), is_optional=True),
    Credential(
        name="threshold",
        label=_("Small payments, in BTC"),
        help=format_lazy(
            _("Up to this amount fewer confirmations are enough. Empty: {default}."),
            default=THRESHOLD,
        ),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="small_confirmations",
        label=_("Confirmations of small payments"),
        help=format_lazy(_EMPTY, default=SMALL),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="large_confirmations",
        label=_("Confirmations of other payments"),
        help=format_lazy(_EMPTY, default=LARGE),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="explorer",
        label=_("Explorer"),
        help=_(
            "Where payers see a transaction, such as https://mempool.space/tx/{transaction}. "
            "Empty: no link."
        ),
        is_public=True,
        is_optional=True,
    ),
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
