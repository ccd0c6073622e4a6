"""Tron for an operator: what an account consists of, and its checks."""

from collections.abc import Iterator

from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.core import clock
from payments.providers.account import CheckLine, Credential, Finding, Mode, RailAccount, clock_line
from payments.providers.node_fields import explorer, public_key
from payments.providers.ports import ProviderError
from payments.providers.tron.account import EXPLORERS, MAINNET_USDT, read_settings
from payments.providers.tron.blocks import header_of
from payments.providers.tron.chain import SOLID_BEHIND_MAX, TronChain
from payments.providers.tron.client import TronClient
from payments.providers.tron.identity import network_problem, read_chain_id, read_token

CODE = "tron"
LABEL = "Tron"
# A block comes every three seconds.
TIP_AGE_MAX_SECONDS = 60
FIRST_ADDRESSES = 3
CREDENTIALS = (
    public_key(
        _(
            "Of the account m/44'/195'/0' of your wallet. It begins with xpub. Never enter a key "
            "that begins with xprv, or words."
        )
    ),
    Credential(
        name="api_key",
        label=_("API key"),
        help=_("From TronGrid's console. Without one, TronGrid limits or refuses requests."),
        is_optional=True,
    ),
    Credential(
        name="usdt_contract",
        label=_("Contract of USDT"),
        help=format_lazy(_("Empty: {contract} of the main network."), contract=MAINNET_USDT),
        is_public=True,
        is_optional=True,
    ),
    explorer(format_lazy(_("Empty: {explorer}."), explorer=EXPLORERS[Mode.LIVE])),
)


def check(account: RailAccount) -> Iterator[CheckLine]:
    settings = read_settings(account)
    client = TronClient(settings)
    yield from _addresses(account)
    try:
        chain_id = read_chain_id(client)
        wrong = network_problem(settings, chain_id)
        yield _line("chain", wrong or chain_id, is_right=not wrong)
        yield _key_line(settings.api_key)
        yield from _block_lines(client)
        yield _contract_line(client)
        yield _index_line(client, TronChain(account).derive(0).text)
    except ProviderError as error:
        yield _line("api", str(error), is_right=False)


def _addresses(account: RailAccount) -> Iterator[CheckLine]:
    """To be compared with the operator's wallet."""
    chain = TronChain(account)
    for number in range(FIRST_ADDRESSES):
        text = f"m/0/{number} {chain.derive(number).text}"
        yield CheckLine(subject="address", finding=Finding.UNCHECKED, text=text)


def _key_line(api_key: str) -> CheckLine:
    """The chain was read with it, and a wrong one is refused."""
    if api_key:
        return _line("api_key", gettext("accepted"), is_right=True)
    text = gettext("none: TronGrid limits or refuses requests without one")
    return CheckLine(subject="api_key", finding=Finding.UNCHECKED, text=text)


def _block_lines(client: TronClient) -> Iterator[CheckLine]:
    solid = header_of(client.newest_block(is_solid=True))
    answer = client.newest_block(is_solid=False)
    newest = header_of(answer)
    age = round((clock.now() - newest.time).total_seconds())
    text = gettext("block %(height)d, %(age)d s old") % {"height": newest.height, "age": age}
    yield _line("tip", text, is_right=abs(age) <= TIP_AGE_MAX_SECONDS)
    behind = newest.height - solid.height
    text = gettext("solid to block %(height)d, %(behind)d blocks behind") % {
        "height": solid.height,
        "behind": behind,
    }
    yield _line("solid", text, is_right=0 <= behind <= SOLID_BEHIND_MAX)


def _contract_line(client: TronClient) -> CheckLine:
    coin, facts = client.settings.coin, read_token(client)
    if facts.decimals is None:
        text = gettext("the API does not say what the contract %s is") % coin.token
        return _line("usdt_contract", text, is_right=False)
    text = gettext("%(contract)s: %(symbol)s with %(decimals)d decimals") % {
        "contract": coin.token,
        "symbol": facts.symbol,
        "decimals": facts.decimals,
    }
    is_right = (facts.symbol, facts.decimals) == (coin.code, coin.decimals)
    return _line("usdt_contract", text, is_right=is_right)


def _index_line(client: TronClient, address: str) -> CheckLine:
    """The calls of a node alone are not enough. The answer's date is the API's clock."""
    answer = client.transfers(address, {"limit": "1"})
    return clock_line(answer.skew_seconds)


def _line(subject: str, text: str, *, is_right: bool) -> CheckLine:
    finding = Finding.OK if is_right else Finding.FAILED
    return CheckLine(subject=subject, finding=finding, text=text)
