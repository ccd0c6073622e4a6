"""USDT and USDC of the local chain: OpenZeppelin's compiled token, with six decimals."""

import json

from config.devstack.chains.install import MODULES
from config.devstack.chains.jsonrpc import ask

COMPILED = MODULES / "@openzeppelin" / "contracts" / "build" / "contracts"
# Where the compiled `decimals()` has its 18, and the same with 6.
EIGHTEEN, SIX = "604051601281526020", "604051600681526020"
SUPPLY = 10**15
# The last of the node's own accounts makes the tokens, and the first one has them, and ether.
MAKER, RICH = 9, 0
# By the maker's first transactions, so that they are the same on each new chain.
TOKENS = {
    "USDT": "0x700b6a60ce7eaaea56f065753d8dcb9653dbad35",
    "USDC": "0xa15bb66138824a1c7167f5e85b957d04dd34e468",
}


def make_tokens(url: str) -> None:
    """Those that the chain does not have yet."""
    for symbol, address in TOKENS.items():
        if ask(url, "eth_getCode", address, "latest") == "0x":
            _deploy(url, symbol, address)


def rich_account(url: str) -> str:
    return str(ask(url, "eth_accounts")[RICH])


def _deploy(url: str, symbol: str, expected: str) -> None:
    compiled = json.loads((COMPILED / "ERC20PresetFixedSupply.json").read_text())["bytecode"]
    accounts = ask(url, "eth_accounts")
    data = compiled.replace(EIGHTEEN, SIX) + _arguments(symbol, accounts[RICH])
    transaction = {"from": accounts[MAKER], "data": data, "gas": hex(3_000_000)}
    sent = ask(url, "eth_sendTransaction", transaction)
    ask(url, "anvil_mine", "0x1")
    made = ask(url, "eth_getTransactionReceipt", sent)["contractAddress"]
    if made != expected:
        raise RuntimeError(f"{symbol} is at {made} and not at {expected}")


def _arguments(symbol: str, owner: str) -> str:
    """(name, symbol, supply, owner) as a constructor takes them: four words, then the texts."""
    text = symbol.encode().hex().ljust(64, "0")
    texts = (f"{len(symbol):064x}" + text) * 2
    return f"{128:064x}{192:064x}{SUPPLY:064x}{int(owner, 16):064x}" + texts
