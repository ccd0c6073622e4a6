"""Addresses: 0x41 and 20 bytes, as hex or with four bytes of double SHA-256 in base 58 [S]."""

import hashlib

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
HEX_DIGITS = set("0123456789abcdef")


def _checksum(payload: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]


def to_base58(hexed: str) -> str:
    payload = bytes.fromhex(hexed)
    number, text = int.from_bytes(payload + _checksum(payload)), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return text


def to_hex(text: str) -> str | None:
    """`41…` of either spelling; None for what is no address."""
    if len(text) == 42 and text.startswith("41") and set(text.lower()) <= HEX_DIGITS:
        return text.lower()
    if not text or set(text) - set(ALPHABET):
        return None
    number = 0
    for letter in text:
        number = number * 58 + ALPHABET.index(letter)
    try:
        raw = number.to_bytes(25)
    except OverflowError:
        return None
    is_valid = raw[0] == 0x41 and _checksum(raw[:21]) == raw[21:]
    return raw[:21].hex() if is_valid else None
