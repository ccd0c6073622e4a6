"""Codes of Bre-B on the payer's pages: the operator's own, and what the code of a rail says."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.own_qr import with_amount
from payments.providers.breb_qr.refusals import QRRefused


@dataclass(frozen=True, slots=True)
class CodeShown:
    text: str
    has_amount: bool
    receiver: str = ""


def code_shown(instructions: Mapping[str, str], to_send: Decimal) -> CodeShown | None:
    """With the amount that is still missing, where the account's switch wants it in the code."""
    text = instructions.get("qr", "")
    if not text:
        return None
    if instructions.get("qrTakesAmount"):
        try:
            return CodeShown(with_amount(text, to_send), has_amount=True)
        except QRRefused:
            pass  # the code itself can still be paid
    return CodeShown(text, has_amount=False)


def code_of_rail(text: str, to_send: Decimal) -> CodeShown:
    """What it says of the payment, if it is a code that we can read. Pictures are not read."""
    try:
        code = decode(text)
    except QRRefused:
        return CodeShown(text, has_amount=False)
    return CodeShown(text, has_amount=code.amount == to_send, receiver=code.name)
