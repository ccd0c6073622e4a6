"""What a payout needs, read from the text of a Bre-B QR code."""

from dataclasses import dataclass

from payments.outgoing import beneficiary_validation
from payments.payout.models import Network
from payments.payout.services.errors import QRNotValid
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.fields import KEY
from payments.providers.breb_qr.refusals import QRRefused, Reason
from payments.providers.breb_qr.values import BrebQR


@dataclass(frozen=True, slots=True, kw_only=True)
class QRDestination:
    """`key_value` as rails take it."""

    code: BrebQR
    key_type: str
    key_value: str
    network: str = Network.BREB.value


def read_qr(*, text: str) -> QRDestination:
    """Calls no rail. Raises QRNotValid, also if no key can be paid."""
    try:
        return _destination(decode(text))
    except QRRefused as refused:
        raise QRNotValid(refused) from refused


def _destination(code: BrebQR) -> QRDestination:
    if code.key is None:
        raise QRRefused(Reason.NO_KEY, KEY)
    value = beneficiary_validation.key_value(code.key.whole, code.key.type)
    if value is None:
        raise QRRefused(Reason.BAD_KEY, KEY)
    return QRDestination(code=code, key_type=code.key.type.value, key_value=value)
