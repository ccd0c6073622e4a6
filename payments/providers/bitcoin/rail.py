"""Bitcoin for an operator: what an account consists of."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from payments.providers.account import Credential
from payments.providers.bitcoin.account import LARGE, SMALL, THRESHOLD
from payments.providers.node_fields import NODE_LOGIN, WITNESS, explorer, public_key

CODE = "bitcoin"
LABEL = "Bitcoin"
_EMPTY = _("Empty: {default}.")

CREDENTIALS = (
    public_key(
        _(
            "Of the account m/84'/0'/0' of your wallet. It begins with zpub or xpub; on test "
            "networks with vpub or tpub. Never enter a key that begins with zprv or xprv, or words."
        )
    ),
    Credential(
        name="network",
        label=_("Network"),
        help=_("main for money. In sandbox mode: test, testnet4, signet or regtest."),
        is_public=True,
        is_identity=True,
    ),
    *NODE_LOGIN,
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
    explorer(
        _(
            "Where payers see a transaction, such as https://mempool.space/tx/{transaction}. "
            "Empty: no link."
        )
    ),
    *WITNESS,
)
