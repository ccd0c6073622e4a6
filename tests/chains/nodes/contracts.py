"""Contracts for anvil: tokens of OpenZeppelin, and small ones in the machine's own code."""

import json
from dataclasses import dataclass

from eth_abi import encode

from tests.chains.nodes.anvil import Anvil
from tests.chains.nodes.packages import npm_package

# Where the compiled `decimals()` has its 18, as two bytes: push one byte, 18.
_EIGHTEEN = "604051601281526020"
TRANSFER = "a9059cbb"  # transfer(address,uint256)
MINT = "6a627842"  # mint(address)
# Sends the transaction's coins to the address in the first word of its data.
FORWARDER = "0x6000600060006000346000355af160165760006000fd5b00"
# Refuses everything.
REFUSER = "0x60006000fd"


@dataclass(frozen=True)
class Token:
    """The first account of the node owns the supply."""

    node: Anvil
    address: str

    def send(self, to: str, units: int, sender: int = 0) -> str:
        """The hash of a transaction that waits."""
        data = "0x" + TRANSFER + encode(["address", "uint256"], [to, units]).hex()
        return self.node.send(self.address, data=data, sender=sender)


def deploy_token(node: Anvil, symbol: str, *, decimals: int = 6) -> Token:
    """A million coins of ERC-20. The preset has 18 decimals, which are changed in its code."""
    compiled = _compiled("ERC20PresetFixedSupply")
    assert compiled.count(_EIGHTEEN) == 1
    code = compiled.replace(_EIGHTEEN, _EIGHTEEN.replace("6012", f"60{decimals:02x}"))
    supply = 10 ** (6 + decimals)
    values = [f"{symbol} of tests", symbol, supply, node.accounts[0]]
    arguments = encode(["string", "string", "uint256", "address"], values)
    return Token(node, _deploy(node, code + arguments.hex()))


def deploy_collectibles(node: Anvil) -> str:
    """ERC-721: its Transfer has the same name as that of ERC-20, and a fourth topic."""
    values = ["Pictures", "PIC", "https://pictures.example/"]
    arguments = encode(["string", "string", "string"], values)
    return _deploy(node, _compiled("ERC721PresetMinterPauserAutoId") + arguments.hex())


def mint_collectible(node: Anvil, contract: str, to: str) -> str:
    return node.send(contract, data="0x" + MINT + encode(["address"], [to]).hex())


def put_code(node: Anvil, address: str, code: str) -> str:
    node.call("anvil_setCode", address, code)
    return address


def forward(node: Anvil, contract: str, to: str, value: int) -> str:
    """Coins that a contract sends: the block shows no transfer to their receiver."""
    return node.send(contract, value=value, data="0x" + encode(["address"], [to]).hex())


def _compiled(name: str) -> str:
    folder = npm_package("@openzeppelin/contracts") / "build" / "contracts"
    found: str = json.loads((folder / f"{name}.json").read_text())["bytecode"]
    return found


def _deploy(node: Anvil, code: str) -> str:
    receipt = node.mined(node.send(None, data=code))
    assert receipt["status"] == "0x1", receipt
    return str(receipt["contractAddress"])
