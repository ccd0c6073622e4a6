"""What an operator enters for Bitcoin, read and checked without a network."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext

from merchants.url_safety import UnsafeUrl, check_url
from payments.providers import keys
from payments.providers.account import InvalidCredentials, RailAccount
from payments.providers.bitcoin.networks import NETWORKS, BitcoinNetwork
from payments.providers.node_fields import TRANSACTION
from payments.providers.ports.chain import Coin

CODE, DECIMALS = "BTC", 8
SMALL, LARGE, THRESHOLD = "2", "6", "0.005"
MAX_CONFIRMATIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class BitcoinSettings:
    """
    small, large  the confirmations of a payment up to `threshold` satoshis, and above.
    explorer      an address with {transaction} in it, or empty.
    """

    network: BitcoinNetwork
    small: int
    large: int
    threshold: int
    explorer: str

    @property
    def coin(self) -> Coin:
        return Coin(
            code=CODE, network=self.network.key, label=self.network.label, decimals=DECIMALS
        )


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials. Its text never repeats what was entered."""
    for name, value in account.credentials.items():
        if name != "public_key" and keys.holds_private_key(value):
            raise InvalidCredentials(name, gettext("This is private, and was not saved."))
    read_settings(account)
    read_key(account)
    _check_witness(account.credentials.get("witness_url", ""))


def read_settings(account: RailAccount) -> BitcoinSettings:
    """Raises InvalidCredentials."""
    given = account.credentials
    network = _network(account)
    small = _confirmations(given, "small_confirmations", SMALL)
    large = _confirmations(given, "large_confirmations", LARGE)
    if large < small:
        raise InvalidCredentials(
            "large_confirmations", gettext("As many as for small payments, or more.")
        )
    return BitcoinSettings(
        network=network,
        small=small,
        large=large,
        threshold=_threshold(given),
        explorer=_explorer(given.get("explorer", "")),
    )


def _network(account: RailAccount) -> BitcoinNetwork:
    found = NETWORKS.get(account.credentials.get("network", ""))
    if found is None or found.mode is not account.mode:
        names = [name for name, one in NETWORKS.items() if one.mode is account.mode]
        text = gettext("One of these in this mode: %s.") % ", ".join(names)
        raise InvalidCredentials("network", text)
    return found


def read_key(account: RailAccount) -> keys.AccountKey:
    """Raises InvalidCredentials. Apart from the settings, because it takes longer."""
    text, network = account.credentials.get("public_key", ""), _network(account)
    try:
        return keys.parse_public_key(text, spellings=network.spellings)
    except keys.KeyRefused as error:
        raise InvalidCredentials("public_key", str(error)) from error


def _confirmations(given: Mapping[str, str], name: str, default: str) -> int:
    text = given.get(name, "") or default
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:4]) <= MAX_CONFIRMATIONS):
        problem = gettext("A whole number from 1 to %d.") % MAX_CONFIRMATIONS
        raise InvalidCredentials(name, problem)
    return int(text[:4])


def _threshold(given: Mapping[str, str]) -> int:
    text = given.get("threshold", "") or THRESHOLD
    try:
        units = Decimal(text[:20]).scaleb(DECIMALS)
    except InvalidOperation:
        units = Decimal(-1)
    if not units.is_finite() or units < 0 or units != units.to_integral_value():
        problem = gettext("An amount in BTC with a point, such as 0.005.")
        raise InvalidCredentials("threshold", problem)
    return int(units)


def _explorer(text: str) -> str:
    if text and not _is_explorer(text):
        problem = gettext("It begins with https:// and has %s where the transaction goes.")
        raise InvalidCredentials("explorer", problem % TRANSACTION)
    return text


def _check_witness(text: str) -> None:
    """A node of the operator, so it may be in our own network."""
    try:
        if text:
            check_url(text, allow_private=True, any_port=True)
    except UnsafeUrl as error:
        raise InvalidCredentials("witness_url", "".join(error.messages)) from None


def _is_explorer(text: str) -> bool:
    try:
        url = check_url(text.replace(TRANSACTION, "0"), allow_private=False)
    except UnsafeUrl:
        return False
    return url.scheme == "https" and text.count(TRANSACTION) == 1
