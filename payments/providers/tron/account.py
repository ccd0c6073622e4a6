"""What an operator enters for Tron, read and checked without a network."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.providers import keys
from payments.providers.account import InvalidCredentials, Mode, RailAccount
from payments.providers.node_fields import check_explorer
from payments.providers.ports.chain import Coin
from payments.providers.tron.addresses import is_address

STANDARD = "TRC-20"
SPELLINGS = ("xpub",)
DECIMALS = 6
# [?] The contract of Tether's own announcements. `check` shows its symbol and decimals.
MAINNET_USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
# The end of the first block's id is the id of the chain.
MAINNET_CHAIN_ID = "2b6653dc"
HOSTS = {Mode.LIVE: "https://api.trongrid.io", Mode.SANDBOX: "https://nile.trongrid.io"}
EXPLORERS = {
    Mode.LIVE: "https://tronscan.org/#/transaction/{transaction}",
    Mode.SANDBOX: "https://nile.tronscan.org/#/transaction/{transaction}",
}
NETWORKS = {Mode.LIVE: "tron", Mode.SANDBOX: "tron-test"}
LABELS: Mapping[Mode, "str | Promise"] = {Mode.LIVE: "Tron", Mode.SANDBOX: _("Tron test network")}


@dataclass(frozen=True, slots=True, kw_only=True)
class TronSettings:
    """
    chain_id   None: any but the main network's.
    explorer   an address with {transaction} in it, or empty.
    """

    base_url: str
    api_key: str = field(repr=False)
    network: str
    chain_id: str | None
    coin: Coin
    explorer: str


def read_settings(account: RailAccount) -> TronSettings:
    given, mode = account.credentials, account.mode
    network = NETWORKS[mode]
    return TronSettings(
        base_url=(account.base_url or HOSTS[mode]).rstrip("/"),
        api_key=given.get("api_key", ""),
        network=network,
        chain_id=MAINNET_CHAIN_ID if mode is Mode.LIVE else None,
        coin=Coin(
            code="USDT",
            network=network,
            label=LABELS[mode],
            decimals=DECIMALS,
            standard=STANDARD,
            token=_contract(given, mode),
        ),
        explorer=given.get("explorer", "") or EXPLORERS[mode],
    )


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials. Never repeats a key: it may be a private one."""
    given = account.credentials
    try:
        keys.parse_public_key(given.get("public_key", ""), spellings=SPELLINGS)
    except keys.KeyRefused as error:
        raise InvalidCredentials("public_key", str(error)) from error
    contract = _contract(given, account.mode)
    if not contract:
        raise InvalidCredentials(
            "usdt_contract", gettext("A test network has no USDT of its own: enter a contract.")
        )
    if not is_address(contract):
        raise InvalidCredentials(
            "usdt_contract", gettext("This is no address, or a letter is wrong.")
        )
    _check_key(given.get("api_key", ""))
    check_explorer(given.get("explorer", ""))


def _contract(given: Mapping[str, str], mode: Mode) -> str:
    return given.get("usdt_contract", "") or (MAINNET_USDT if mode is Mode.LIVE else "")


def _check_key(text: str) -> None:
    """It goes into a header."""
    if not text.isascii() or not text.isprintable() or " " in text:
        raise InvalidCredentials("api_key", gettext("It has only letters, digits and dashes."))
