"""Addresses of Tron: 0x41 and 20 bytes of the key's Keccak-256, in base 58 with a checksum.

In receipts they are hex: 20 bytes in the topics and as the contract of a log, or 21 with 0x41 [?].
"""

import hashlib

from coincurve import PublicKey
from Crypto.Hash import keccak

PREFIX = 0x41
LENGTH = 34
_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_HEX = frozenset("0123456789abcdef")


def address_of_key(public_key: bytes) -> str:
    """Of a public key in whatever form. Raises ValueError."""
    point = PublicKey(public_key).format(compressed=False)[1:]
    return _encode(keccak.new(data=point, digest_bits=256).digest()[-20:])


def is_address(text: str) -> bool:
    """As wallets show it, in base 58."""
    return _decode(text) is not None


def address_of(text: str) -> str:
    """The address in base 58, of whatever spelling an API uses. Raises ValueError."""
    if is_address(text):
        return text
    digits = text.removeprefix("0x").lower()
    if len(digits) == 42 and digits.startswith("41"):
        digits = digits[2:]
    if len(digits) != 40 or not _HEX.issuperset(digits):
        raise ValueError("no address of Tron")
    return _encode(bytes.fromhex(digits))


def address_of_topic(word: str) -> str:
    """Of 32 bytes, which are zero before the address. Raises ValueError.

    Some nodes write 0x41 before the 20 bytes [?].
    """
    digits = word.removeprefix("0x").lower()
    if len(digits) != 64 or digits[:22].strip("0") or digits[22:24] not in ("00", "41"):
        raise ValueError("no address of Tron")
    return address_of(digits[24:])


def _encode(last: bytes) -> str:
    payload = bytes([PREFIX]) + last
    number, text = int.from_bytes(payload + _checksum(payload)), ""
    while number:
        number, digit = divmod(number, 58)
        text = _ALPHABET[digit] + text
    return text


def _decode(text: str) -> bytes | None:
    """The 21 bytes; None for what is no address."""
    if len(text) != LENGTH or any(letter not in _ALPHABET for letter in text):
        return None
    number = 0
    for letter in text:
        number = number * 58 + _ALPHABET.index(letter)
    if number >= 256**25:
        return None
    raw = number.to_bytes(25)
    is_valid = raw[0] == PREFIX and _checksum(raw[:21]) == raw[21:]
    return raw[:21] if is_valid else None


def _checksum(payload: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
