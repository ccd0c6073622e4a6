"""What wallets and exchanges call a network, and how long it takes. By the key of the network.

ERC-20 in a wallet is Ethereum, though other chains have tokens of the same kind: a payer who
chooses ERC-20 for an address on Polygon sends over Ethereum.
"""

from dataclasses import dataclass

ETHEREUM = "ethereum"


@dataclass(frozen=True, slots=True)
class Network:
    """
    label           the name for people.
    standard        what wallets write after it, for tokens; empty where they write nothing.
    block_seconds   usual time between two blocks.
    final_seconds   usual time until the chain itself calls a block final; 0 where it never does.
    is_of_ethereum  its addresses look like those of Ethereum.
    is_cheap        to send usually costs some cents of a dollar at most.
    """

    label: str
    standard: str
    block_seconds: float
    final_seconds: int = 0
    is_of_ethereum: bool = True
    is_cheap: bool = False


# Times are rounded up, from the networks' own documents.
NETWORKS = {
    ETHEREUM: Network("Ethereum", "ERC-20", 12, 15 * 60),
    "polygon": Network("Polygon", "PoS", 2, 2 * 60, is_cheap=True),
    "base": Network("Base", "", 2, 20 * 60, is_cheap=True),
    "arbitrum": Network("Arbitrum One", "", 1, 20 * 60, is_cheap=True),
    "optimism": Network("Optimism", "OP Mainnet", 2, 20 * 60, is_cheap=True),
    "avalanche": Network("Avalanche", "C-Chain", 2, 10, is_cheap=True),
    "gnosis": Network("Gnosis Chain", "", 5, 4 * 60, is_cheap=True),
    "linea": Network("Linea", "", 3, 60 * 60, is_cheap=True),
    "bsc": Network("BNB Smart Chain", "BEP-20", 3, 10, is_cheap=True),
    "tron": Network("Tron", "TRC-20", 3, 60, is_of_ethereum=False),
    "bitcoin": Network("Bitcoin", "", 600, is_of_ethereum=False),
    "litecoin": Network("Litecoin", "", 150, is_of_ethereum=False, is_cheap=True),
}


def seconds_to_final(key: str, depth: int, needed: int, *, is_named_final: bool) -> int | None:
    """Usual time until a payment is final that `depth` blocks of `needed` ones confirm.

    `is_named_final`: the chain itself says which blocks are final. None where nothing is known.
    """
    network = find(key)
    if network is None:
        return None
    by_blocks = max(needed - depth, 0) * network.block_seconds
    by_chain = network.final_seconds - depth * network.block_seconds if is_named_final else 0
    seconds = max(by_blocks, by_chain)
    return int(seconds) if seconds > 0 else None


def find(key: str) -> Network | None:
    return NETWORKS.get(key)


def label_of(key: str) -> str:
    network = find(key)
    return network.label if network else key.capitalize()


def standard_of(key: str, otherwise: str = "") -> str:
    network = find(key)
    return network.standard if network else otherwise


def written(label: str, standard: str) -> str:
    """`Tron (TRC-20)`; the label alone if it says the standard itself."""
    return f"{label} ({standard})" if standard and standard not in label else label


def is_mistaken_for_ethereum(key: str) -> bool:
    """Whether wallets accept an address of Ethereum here, and money goes to the wrong network."""
    network = find(key)
    return network is not None and network.is_of_ethereum and key != ETHEREUM
