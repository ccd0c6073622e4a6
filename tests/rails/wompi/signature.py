"""Integrity signature: lower-case hex sha256 of the values, without separators [S] [T]."""

import hashlib


def integrity_signature(
    reference: str, amount_in_cents: int, currency: str, expiration_time: str | None, secret: str
) -> str:
    """`expiration_time` is a part of it only if it is sent."""
    signed = f"{reference}{amount_in_cents}{currency}{expiration_time or ''}{secret}"
    return hashlib.sha256(signed.encode()).hexdigest()
