"""Addresses of Bitcoin and the output scripts that they mean."""

from payments.providers.bitcoin.networks import BitcoinNetwork
from payments.providers.ports.chain import DerivedAddress

# OP_0 and 20 bytes: a key's hash in segwit (P2WPKH), which is all that our keys receive on.
OUR_SCRIPT_START, OUR_SCRIPT_BYTES = b"\x00\x14", 22
HASH_BYTES = 20
# By version: version 0 and Taproot. Wallets could not spend what comes to a later version.
PROGRAM_BYTES = {0: (20, 32), 1: (32,)}


def derived(network: BitcoinNetwork, public_key: bytes) -> DerivedAddress:
    """P2WPKH (BIP 84)."""
    from bip_utils import Hash160, SegwitBech32Encoder

    program: bytes = Hash160.QuickDigest(public_key)
    text: str = SegwitBech32Encoder.Encode(network.hrp, 0, program)
    return DerivedAddress(text, (OUR_SCRIPT_START + program).hex())


def target_of(network: BitcoinNetwork, address: str) -> str:
    """The output script in hex. Raises ValueError."""
    script = _segwit_script(network, address) or _legacy_script(network, address)
    if script is None:
        raise ValueError("This is no address of the network.")
    return script.hex()


def _segwit_script(network: BitcoinNetwork, address: str) -> bytes | None:
    from bip_utils import Bech32ChecksumError, SegwitBech32Decoder

    try:
        version, program = SegwitBech32Decoder.Decode(network.hrp, address)
    except (ValueError, Bech32ChecksumError):
        return None
    if len(program) not in PROGRAM_BYTES.get(version, ()):
        return None
    opcode = 0x50 + version if version else 0
    return bytes([opcode, len(program)]) + bytes(program)


def _legacy_script(network: BitcoinNetwork, address: str) -> bytes | None:
    """P2PKH: DUP HASH160 <hash> EQUALVERIFY CHECKSIG. P2SH: HASH160 <hash> EQUAL."""
    from bip_utils import Base58ChecksumError, Base58Decoder

    if len(address) > 40:
        return None
    try:
        raw: bytes = Base58Decoder.CheckDecode(address)
    except (ValueError, Base58ChecksumError):
        return None
    version, digest = raw[:1], raw[1:]
    if len(digest) != HASH_BYTES or version not in network.legacy:
        return None
    if version == network.legacy[0]:
        return b"\x76\xa9\x14" + digest + b"\x88\xac"
    return b"\xa9\x14" + digest + b"\x87"
