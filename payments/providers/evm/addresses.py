"""Addresses of Ethereum and of the chains like it: twenty bytes, with the checksum of EIP-55."""

import re

from Crypto.Hash import keccak

ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")


def keccak256(data: bytes) -> bytes:
    return keccak.new(data=data, digest_bits=256).digest()


def checksummed(target: str) -> str:
    """The text for people of 0x and 40 lower-case hex digits (EIP-55)."""
    digits = target.removeprefix("0x")
    digest = keccak256(digits.encode()).hex()
    return "0x" + "".join(
        digit.upper() if int(mark, 16) >= 8 else digit
        for digit, mark in zip(digits, digest, strict=False)
    )


def is_address(text: str) -> bool:
    """Letters of one case have no checksum; mixed ones are a checksum, which must be right."""
    if not ADDRESS.fullmatch(text):
        return False
    digits = text[2:]
    return digits in (digits.lower(), digits.upper()) or text == checksummed(text.lower())


def target_of(text: str) -> str:
    """As the chain's data name it. Raises ValueError for what is no address."""
    if not is_address(text):
        raise ValueError("no address of this network")
    return text.lower()


def target_of_key(public_key: bytes) -> str:
    """Of a compressed public key."""
    from bip_utils import Secp256k1PublicKey  # takes half a second

    point = Secp256k1PublicKey.FromBytes(public_key).RawUncompressed().ToBytes()
    return "0x" + keccak256(point[1:])[-20:].hex()
