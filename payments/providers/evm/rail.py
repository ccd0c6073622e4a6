"""A chain of Ethereum's kind for an operator: what an account consists of."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from payments.providers.account import Credential
from payments.providers.evm.account import FINALIZED, TOKENS
from payments.providers.node_fields import NODE_LOGIN, WITNESS, explorer, public_key

CODE = "evm"
LABEL = _("Ethereum and compatible networks (EVM)")
# From public lists, and from memory: operators compare them with the issuer's own page.
SUGGESTED = {
    "USDT": "Ethereum 0xdAC17F958D2ee523a2206206994597C13D831ec7",
    "USDC": (
        "Ethereum 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48, "
        "Polygon 0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"
    ),
}
_CONTRACT = _(
    "Of a token with 6 decimals. Empty: the account does not take it. Verify the address on the "
    "issuer's page before use: {suggested}."
)


def _contract(code: str) -> Credential:
    return Credential(
        name=TOKENS[code],
        label=format_lazy(_("Contract of {code}"), code=code),
        help=format_lazy(_CONTRACT, suggested=SUGGESTED[code]),
        is_public=True,
        is_optional=True,
    )


CREDENTIALS = (
    public_key(
        _(
            "Of the account m/44'/60'/0' of your wallet. It begins with xpub. Never enter a key "
            "that begins with xprv, or words."
        )
    ),
    Credential(
        name="network",
        label=_("Network"),
        help=_("In lower-case letters, such as ethereum or polygon. It is stored with payments."),
        is_public=True,
        is_identity=True,
    ),
    Credential(
        name="network_label",
        label=_("Name of the network"),
        help=_(
            "As payers read it in their wallets, such as Polygon. Empty: the usual one. Without "
            "ERC-20, which wallets call Ethereum."
        ),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="chain_id",
        label=_("Chain id"),
        help=_("1 for Ethereum, 137 for Polygon. The node must have the same."),
        is_public=True,
        is_identity=True,
    ),
    Credential(
        name="finality",
        label=_("When a payment is final"),
        help=format_lazy(
            _(
                "{finalized}: when the node says so (Ethereum: about 15 minutes). Or a number of "
                "blocks, such as 12."
            ),
            finalized=FINALIZED,
        ),
        is_public=True,
    ),
    _contract("USDT"),
    _contract("USDC"),
    Credential(
        name="native_coin",
        label=_("The network's own coin"),
        help=_("ETH where the network's own coin is ether and payers may use it. Else empty."),
        is_public=True,
        is_optional=True,
    ),
    explorer(
        _(
            "Where payers see a transaction, such as https://etherscan.io/tx/{transaction}. Empty: "
            "no link."
        )
    ),
    *NODE_LOGIN,
    Credential(
        name="node_key",
        label=_("Key in the node's address"),
        help=_(
            "The secret last part of the path, if a provider of nodes gave you such an address."
        ),
        is_optional=True,
    ),
    *WITNESS,
    Credential(name="witness_key", label=_("Key in the second node's address"), is_optional=True),
)
