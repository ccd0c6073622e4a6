"""The provider accounts of the local chains, with routes to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

from config.devstack.chains.anvil import CHAIN_ID, AnvilServer
from config.devstack.chains.bcoin import PASSWORD, USER, BcoinServer
from config.devstack.chains.tokens import TOKENS, make_tokens
from config.devstack.defaults import read_state
from payments.core import clock
from payments.rails.models import ProviderAccount, Route
from payments.rails.services import accounts
from payments.rails.services.routes import add_route
from payments.simulator import CODE as SIMULATOR

ACTOR, REASON = "make run", "CHAINS=local"
PRODUCT = "payin"
# Before the simulator, which has coins of its own.
PRIORITY, LAST_PRIORITY = 10, 900


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalChain:
    """`node` is the name of its server."""

    node: str
    account: str
    provider: str
    label: str
    credentials: Mapping[str, str]


# Of a wallet whose words are public: "legal winner thank year wave sausage worth useful legal
# winner thank yellow", m/44'/60'/0' and m/84'/1'/0'.
CHAINS = (
    LocalChain(
        node=AnvilServer.name,
        account="ethereum-local",
        provider="evm",
        label="Ethereum (local)",
        credentials={
            "public_key": (
                "xpub6Bh6Cg7bvjFdW6VEAaZmsyhZh86WdJ9Kr5aqqY5LN7UFLpxTrxsiys213UCu8MAYjcq5JhF7jzZX"
                "vruGfWfPbxqsByNNhwWaNQRuhP3JcC3"
            ),
            "network": "ethereum",
            "network_label": "Ethereum (local)",
            "chain_id": str(CHAIN_ID),
            "finality": "3",
            "native_coin": "ETH",
            "usdt_contract": TOKENS["USDT"],
            "usdc_contract": TOKENS["USDC"],
        },
    ),
    LocalChain(
        node=BcoinServer.name,
        account="bitcoin-local",
        provider="bitcoin",
        label="Bitcoin (local)",
        credentials={
            "public_key": (
                "tpubDDA3frU31t8hSUKpX7UmhvJuDGG1r7UNzx85fQ49Xa15ax6Yby2sLQYCwCDWgdXQeb4iK8EZGKwR"
                "HDdKZTgvpHNi5WeUQn5ZBpEFSnM8FkE"
            ),
            "network": "regtest",
            "node_user": USER,
            "node_password": PASSWORD,
        },
    ),
)


def connect_chains() -> None:
    """Enters the accounts of the nodes that run. Those of others are off."""
    running = read_state(settings.DATA_DIR).get("chains", {})
    for chain in CHAINS:
        account = ProviderAccount.objects.filter(pk=chain.account).first()
        if url := running.get(chain.node):
            if chain.node == AnvilServer.name:
                make_tokens(url)
            _connect(chain, account, _without_login(url))
        elif account is not None and account.status == ProviderAccount.Status.ON:
            accounts.switch_off(slug=account.slug, actor=ACTOR, reason=REASON, now=clock.now())


def _connect(chain: LocalChain, account: ProviderAccount | None, url: str) -> None:
    now = clock.now()
    if account is None:
        account = _enter(chain, url)
    elif account.base_url != url:
        accounts.change_address(
            slug=account.slug, base_url=url, actor=ACTOR, reason=REASON, now=now
        )
    if account.status == ProviderAccount.Status.OFF:
        accounts.switch_on(slug=account.slug, actor=ACTOR, reason=REASON, now=now)


def _enter(chain: LocalChain, url: str) -> ProviderAccount:
    """Once, so that an operator may change the routes."""
    for account, priority in ((chain.account, PRIORITY), (SIMULATOR, LAST_PRIORITY)):
        if not Route.objects.filter(product=PRODUCT, account=account).exists():
            add_route(
                product=PRODUCT, account=account, priority=priority, actor=ACTOR, reason=REASON
            )
    new = accounts.NewAccount(
        slug=chain.account,
        provider=chain.provider,
        label=chain.label,
        mode=ProviderAccount.Mode.SANDBOX,
        base_url=url,
        credentials=chain.credentials,
    )
    return accounts.create_account(new=new, actor=ACTOR, reason=REASON, now=clock.now())


def _without_login(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
