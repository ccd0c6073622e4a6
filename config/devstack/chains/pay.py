"""Pays from the rich account of a local chain.

Usage: python -m config.devstack.chains.pay COIN ADDRESS AMOUNT

The amount is in coins, as the payer's page shows it. Prints the id of the transaction.
"""

import sys
from decimal import Decimal, InvalidOperation

from config.devstack.chains.anvil import AnvilServer
from config.devstack.chains.bcoin import BcoinServer
from config.devstack.chains.jsonrpc import ChainError, ask
from config.devstack.chains.servers import running_chains
from config.devstack.chains.tokens import TOKENS, rich_account
from config.devstack.options import read_options

TOKEN_DECIMALS, ETHER_DECIMALS = 6, 18
TRANSFER = "0xa9059cbb"  # transfer(address,uint256)
COINS = ("BTC", "ETH", *TOKENS)


def main() -> int:
    """Exit status 0, or 1 with a sentence on standard error."""
    if len(sys.argv) != 4 or sys.argv[1] not in COINS:
        print(__doc__ + f"Coins: {', '.join(COINS)}", file=sys.stderr)
        return 1
    chains = running_chains(read_options())
    try:
        print(pay(chains, sys.argv[1], sys.argv[2], read_amount(sys.argv[3])))
    except (ChainError, OSError) as error:
        print(f"Not paid: {error}", file=sys.stderr)
        return 1
    return 0


def read_amount(text: str) -> Decimal:
    """With a comma or a point, as the page has it. Raises ChainError."""
    try:
        return Decimal(text if "." in text else text.replace(",", "."))
    except InvalidOperation:
        raise ChainError(f"{text} is no amount; write one such as 0.00012665") from None


def pay(chains: dict[str, str], coin: str, address: str, amount: Decimal) -> str:
    """The id of the transaction. Raises ChainError, and OSError without a node."""
    node = BcoinServer.name if coin == "BTC" else AnvilServer.name
    if node not in chains:
        raise ChainError(f"{node} does not run; start it with: make run CHAINS=local")
    if coin == "BTC":
        return str(ask(chains[node], "sendtoaddress", address, str(amount)))
    return _send_on_anvil(chains[node], coin, address, amount)


def _send_on_anvil(url: str, coin: str, address: str, amount: Decimal) -> str:
    transaction = {"from": rich_account(url)}
    if coin in TOKENS:
        target = address.removeprefix("0x").lower().rjust(64, "0")
        units = int(amount.scaleb(TOKEN_DECIMALS))
        transaction |= {"to": TOKENS[coin], "data": f"{TRANSFER}{target}{units:064x}"}
    else:
        transaction |= {"to": address, "value": hex(int(amount.scaleb(ETHER_DECIMALS)))}
    return str(ask(url, "eth_sendTransaction", transaction))


if __name__ == "__main__":
    sys.exit(main())
