"""What operators connect to take coins: one type for each kind of chain (settings.RAIL_TYPES).

They stand here and not beside their adapters, because their payins answer from our tables.
"""

from django.utils.translation import gettext_lazy as _

from payments.chains.declaration import declare
from payments.providers.account import RailAccount
from payments.providers.bitcoin import rail as bitcoin
from payments.providers.bitcoin.account import check_credentials as check_bitcoin_credentials
from payments.providers.bitcoin.chain import BitcoinChain
from payments.providers.bitcoin.check import check as check_bitcoin
from payments.providers.declaration import RailDeclaration
from payments.providers.evm import rail as evm
from payments.providers.evm.account import check_credentials as check_evm_credentials
from payments.providers.evm.chain import EvmChain
from payments.providers.evm.check import check as check_evm
from payments.providers.rail_type import RailType
from payments.providers.tron import rail as tron
from payments.providers.tron.account import check_credentials as check_tron_credentials
from payments.providers.tron.chain import TronChain


def _declare_bitcoin(account: RailAccount) -> RailDeclaration:
    return declare(account, BitcoinChain(account))


def _declare_evm(account: RailAccount) -> RailDeclaration:
    return declare(account, EvmChain(account))


def _declare_tron(account: RailAccount) -> RailDeclaration:
    return declare(account, TronChain(account))


BITCOIN = RailType(
    code=bitcoin.CODE,
    label=bitcoin.LABEL,
    about=_(
        "Collects in bitcoin at addresses of your own wallet. Needs a Bitcoin node of yours and "
        "the wallet's extended public key; no contract and no private key."
    ),
    credentials=bitcoin.CREDENTIALS,
    check_credentials=check_bitcoin_credentials,
    declare=_declare_bitcoin,
    check=check_bitcoin,
    is_own_node=True,
)
EVM = RailType(
    code=evm.CODE,
    label=evm.LABEL,
    about=_(
        "Collects in USDT, USDC and the network's own coin on Ethereum, Polygon and other networks "
        "of the same kind, one account for each. Needs a node and an extended public key."
    ),
    credentials=evm.CREDENTIALS,
    check_credentials=check_evm_credentials,
    declare=_declare_evm,
    check=check_evm,
    is_own_node=True,
)
TRON = RailType(
    code=tron.CODE,
    label=tron.LABEL,
    about=_(
        "Collects in USDT on Tron at addresses of your own wallet. Needs an extended public key "
        "and the address of a node, with the API key of a service such as TronGrid if it has one."
    ),
    credentials=tron.CREDENTIALS,
    check_credentials=check_tron_credentials,
    declare=_declare_tron,
    check=tron.check,
)
