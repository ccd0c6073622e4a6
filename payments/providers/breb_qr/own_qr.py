"""An operator's own QR code, which their bank made: checked, and with the amount of an order."""

from decimal import Decimal

from payments.core.text import colombian_mobile, normalised_document
from payments.providers.breb_qr import checksum, fields
from payments.providers.breb_qr.decoding import checked, decode
from payments.providers.breb_qr.encoding import amount_text
from payments.providers.breb_qr.refusals import QRRefused, Reason
from payments.providers.breb_qr.tlv import Element, elements_of, text_of
from payments.providers.breb_qr.values import BrebKey, BrebQR, KeyType


def check_own_qr(text: str, key: str) -> BrebQR:
    """It is whole, for many payments of any amount, and pays to the key that the operator typed.

    Raises QRRefused.
    """
    code = _static_without_amount(text)
    if code.key is None:
        raise QRRefused(Reason.NO_KEY, fields.KEY)
    if not is_same_key(code.key, key):
        raise QRRefused(Reason.OTHER_KEY, fields.KEY)
    if code.tip.is_added:
        raise QRRefused(Reason.ADDS_TIP, fields.TIP)
    return code


def with_amount(text: str, amount: Decimal) -> str:
    """The same text with the amount in field 54 and a new checksum. Raises QRRefused."""
    _static_without_amount(text)
    told = Element(fields.AMOUNT, amount_text(amount))
    found = elements_of(checksum.unsealed(checked(text)))
    rest = [each for each in found if each.tag != fields.AMOUNT]
    tags = [each.tag for each in found]
    has_zero = fields.AMOUNT in tags
    place = tags.index(fields.AMOUNT) if has_zero else tags.index(fields.CURRENCY) + 1
    return checksum.sealed(text_of((*rest[:place], told, *rest[place:])))


def is_same_key(key: BrebKey, typed: str) -> bool:
    """Letters' case does not count, nor +57 and separators in phones and documents."""
    return bool(typed.strip()) and _plain(key) == _plain(BrebKey(key.type, typed.strip()))


def _static_without_amount(text: str) -> BrebQR:
    code = decode(text)
    if not code.is_static:
        raise QRRefused(Reason.DYNAMIC, fields.METHOD)
    if code.amount is not None:
        raise QRRefused(Reason.HAS_AMOUNT, fields.AMOUNT)
    return code


def _plain(key: BrebKey) -> str:
    if key.type == KeyType.PHONE:
        return colombian_mobile(key.value) or key.value
    if key.type == KeyType.ID:
        return normalised_document(key.value)
    return key.whole.strip().casefold()
