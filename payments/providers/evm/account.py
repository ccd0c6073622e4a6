"""What an operator enters for a chain of Ethereum's kind, read and checked without a network."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from merchants.url_safety import UnsafeUrl, check_url
from payments.providers import keys, networks
from payments.providers.account import InvalidCredentials, Mode, RailAccount
from payments.providers.evm.addresses import is_address, target_of
from payments.providers.node_fields import check_explorer
from payments.providers.ports.chain import Coin

# Wallets have one spelling for all chains of this kind; some write tpub for test networks.
SPELLINGS = {Mode.LIVE: ("xpub",), Mode.SANDBOX: ("xpub", "tpub")}
FINALIZED = "finalized"
# Blocks that make a payment final, at most.
DEPTH_MAX = 10_000
TOKENS = {"USDT": "usdt_contract", "USDC": "usdc_contract"}
TOKEN_DECIMALS, NATIVE_DECIMALS = 6, 18
NATIVE_CODES = frozenset({"ETH"})
# The ids of networks whose names are known: a live account cannot call another chain by them.
CHAIN_IDS = {
    "ethereum": 1,
    "optimism": 10,
    "gnosis": 100,
    "polygon": 137,
    "base": 8453,
    "arbitrum": 42161,
    "avalanche": 43114,
    "linea": 59144,
}
# Coins of these chains are worth nothing: anvil, hardhat, Holesky, Hoodi, Amoy, Base and Arbitrum
# and Optimism Sepolia, Sepolia.
TEST_CHAINS = frozenset({1337, 31337, 17000, 560048, 80002, 84532, 421614, 11155420, 11155111})
_NAMES = {chain_id: name for name, chain_id in CHAIN_IDS.items()}
_NETWORK = re.compile(r"[a-z][a-z0-9-]{1,19}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvmSettings:
    """
    finality   None: the blocks that the node says are final. Else the number of confirmations.
    explorer   an address with {transaction} in it, or empty.
    """

    network: str
    label: str
    chain_id: int
    finality: int | None
    coins: tuple[Coin, ...]
    explorer: str

    @property
    def tokens(self) -> tuple[Coin, ...]:
        return tuple(coin for coin in self.coins if coin.token)


def read_settings(account: RailAccount) -> EvmSettings:
    """Raises InvalidCredentials."""
    given = account.credentials
    network = given.get("network", "")
    label = given.get("network_label", "") or networks.label_of(network)
    return EvmSettings(
        network=network,
        label=label,
        chain_id=_chain_id(given),
        finality=_finality(given),
        coins=tuple(_coins(given, network, label)),
        explorer=given.get("explorer", ""),
    )


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials. Its text never repeats a key: it may be a private one."""
    for name, value in account.credentials.items():
        if name != "public_key" and keys.holds_private_key(value):
            raise InvalidCredentials(name, gettext("This is private, and was not saved."))
    try:
        read_key(account)
    except keys.KeyRefused as error:
        raise InvalidCredentials("public_key", str(error)) from error
    _check_network(account)
    settings = read_settings(account)
    if not settings.coins:
        raise InvalidCredentials(
            "native_coin", gettext("Name a coin of the network, or enter the contract of a token.")
        )
    check_explorer(settings.explorer)
    _check_witness(account.credentials.get("witness_url", ""))


def read_key(account: RailAccount) -> keys.AccountKey:
    """Raises KeyRefused."""
    return keys.parse_public_key(
        account.credentials.get("public_key", ""), spellings=SPELLINGS[account.mode]
    )


def _check_network(account: RailAccount) -> None:
    network = account.credentials.get("network", "")
    if not _NETWORK.fullmatch(network):
        raise InvalidCredentials(
            "network", gettext("Two to twenty lower-case letters, digits and dashes.")
        )
    chain_id = _chain_id(account.credentials)
    if account.mode is not Mode.LIVE:
        return
    if chain_id in TEST_CHAINS:
        raise InvalidCredentials(
            "chain_id", gettext("This is a test network: its coins are worth nothing.")
        )
    text = gettext("The chain id of %(network)s is %(id)d.")
    if (usual_id := CHAIN_IDS.get(network, chain_id)) != chain_id:
        raise InvalidCredentials("chain_id", text % {"network": network, "id": usual_id})
    # Two accounts with two names for one chain would both count each payment.
    if (usual := _NAMES.get(chain_id, network)) != network:
        raise InvalidCredentials("network", text % {"network": usual, "id": chain_id})


def _chain_id(given: Mapping[str, str]) -> int:
    text = given.get("chain_id", "")
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 2**53):
        raise InvalidCredentials("chain_id", gettext("A whole number, such as 1 for Ethereum."))
    return int(text)


def _finality(given: Mapping[str, str]) -> int | None:
    text = given.get("finality", "")
    if text == FINALIZED:
        return None
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= DEPTH_MAX):
        problem = gettext("`finalized`, or a number of blocks from 1 to %d.") % DEPTH_MAX
        raise InvalidCredentials("finality", problem)
    return int(text)


def _coins(given: Mapping[str, str], network: str, label: str) -> Iterator[Coin]:
    """Tokens first: most payers have those."""
    contracts: set[str] = set()
    for code, name in TOKENS.items():
        if not (text := given.get(name, "")):
            continue
        if not is_address(text):
            raise InvalidCredentials(name, gettext("This is no address, or a letter is wrong."))
        if (contract := target_of(text)) in contracts:
            raise InvalidCredentials(name, gettext("This is the contract of another token."))
        contracts.add(contract)
        yield Coin(
            code=code,
            network=network,
            label=label,
            decimals=TOKEN_DECIMALS,
            standard=networks.standard_of(network),
            token=contract,
        )
    if code := given.get("native_coin", ""):
        if code not in NATIVE_CODES:
            problem = gettext("One of %s, or empty.") % ", ".join(sorted(NATIVE_CODES))
            raise InvalidCredentials("native_coin", problem)
        yield Coin(code=code, network=network, label=label, decimals=NATIVE_DECIMALS)


def _check_witness(text: str) -> None:
    """A node of the operator, so it may be in our own network."""
    try:
        if text:
            check_url(text, allow_private=True, any_port=True)
    except UnsafeUrl as error:
        raise InvalidCredentials("witness_url", "".join(error.messages)) from None
