"""The provider account of the local chain, with a route to it."""

from django.conf import settings

from config.devstack.chain_tokens import TOKENS, make_tokens
from config.devstack.chains import CHAIN_ID
from config.devstack.defaults import read_state
from payments.core import clock
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts
from payments.rails.services.routes import add_route
from payments.simulator import CODE as SIMULATOR

ACTOR, REASON = "make run", "CHAINS=local"
SLUG = "ethereum-local"
# Before the simulator, which has coins of its own.
PRIORITY, LAST_PRIORITY = 10, 900
# Of a wallet whose words are public: "legal winner thank year wave sausage worth useful legal
# winner thank yellow", m/44'/60'/0'.
PUBLIC_KEY = (
    "xpub6Bh6Cg7bvjFdW6VEAaZmsyhZh86WdJ9Kr5aqqY5LN7UFLpxTrxsiys213UCu8MAYjcq5JhF7jzZXvruGfWfPbxqsBy"
    "NNhwWaNQRuhP3JcC3"
)
CREDENTIALS = {
    "public_key": PUBLIC_KEY,
    "network": "ethereum",
    "network_label": "Ethereum (local)",
    "chain_id": str(CHAIN_ID),
    "finality": "3",
    "native_coin": "ETH",
    "usdt_contract": TOKENS["USDT"],
    "usdc_contract": TOKENS["USDC"],
}


def connect_chains() -> None:
    """Enters the account, if the node runs. Else it is off."""
    url = read_state(settings.DATA_DIR).get("chains", {}).get("anvil", "")
    account = ProviderAccount.objects.filter(pk=SLUG).first()
    if url:
        make_tokens(url)
        _connect(account, url)
    elif account is not None and account.status == ProviderAccount.Status.ON:
        accounts.switch_off(slug=SLUG, actor=ACTOR, reason=REASON, now=clock.now())


def _connect(account: ProviderAccount | None, url: str) -> None:
    now = clock.now()
    if account is None:
        account = _enter(url)
    elif account.base_url != url:
        accounts.change_address(slug=SLUG, base_url=url, actor=ACTOR, reason=REASON, now=now)
    if account.status == ProviderAccount.Status.OFF:
        accounts.switch_on(slug=SLUG, actor=ACTOR, reason=REASON, now=now)


def _enter(url: str) -> ProviderAccount:
    """Once, so that an operator may change the routes."""
    for account, priority in ((SLUG, PRIORITY), (SIMULATOR, LAST_PRIORITY)):
        add_route(product="payin", account=account, priority=priority, actor=ACTOR, reason=REASON)
    new = accounts.NewAccount(
        slug=SLUG,
        provider="evm",
        label="Ethereum (local)",
        mode=ProviderAccount.Mode.SANDBOX,
        base_url=url,
        credentials=CREDENTIALS,
    )
    return accounts.create_account(new=new, actor=ACTOR, reason=REASON, now=clock.now())
