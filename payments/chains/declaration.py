"""The rail of a coin account, for the rail types of chains."""

from payments.chains.coin_refund import CoinRefund
from payments.chains.payin import CoinPayin
from payments.providers.account import RailAccount
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import PayerNeeds, Rail
from payments.providers.ports.chain import ChainPort


def declare(account: RailAccount, chain: ChainPort) -> RailDeclaration:
    """An account whose coins are all off takes no charges, but its chain is still read."""
    takes_charges = bool(chain.coins)
    return RailDeclaration(
        code=account.slug,
        payin=CoinPayin(chain) if takes_charges else None,
        payer_needs={Rail.CRYPTO: PayerNeeds()} if takes_charges else {},
        coins=chain.coins,
        chain=chain,
        refund=CoinRefund(chain),
        refunds=Refunds.BY_HAND,
    )
