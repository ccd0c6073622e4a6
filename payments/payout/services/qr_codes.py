"""What a payout needs, read from the text of a Bre-B QR code."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from payments.core import audit, masking, money
from payments.outgoing import beneficiary_validation
from payments.payout.declaration import PAYOUTS
from payments.payout.models import Network
from payments.payout.services.errors import QRNotValid
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.fields import KEY
from payments.providers.breb_qr.refusals import QRRefused, Reason
from payments.providers.breb_qr.values import BrebQR
from payments.rails.models import KeyCheck
from payments.rails.services import key_checks
from payments.rails.services.key_checks import KeyPayment
from payments.rails.services.routing import Demand, RouteTable


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
        return destination_of(decode(text))
    except QRRefused as refused:
        raise QRNotValid(refused) from refused


def destination_of(code: BrebQR) -> QRDestination:
    """Raises QRRefused."""
    if code.key is None:
        raise QRRefused(Reason.NO_KEY, KEY)
    value = beneficiary_validation.key_value(code.key.whole, code.key.type)
    if value is None:
        raise QRRefused(Reason.BAD_KEY, KEY)
    return QRDestination(code=code, key_type=code.key.type.value, key_value=value)


def look_up_holder(*, destination: QRDestination, user: User, now: datetime) -> KeyCheck | None:
    """Calls the rail that would carry the payout, for an operator. None if it resolves no keys.

    The audit log keeps who asked for whose key, because a holder is personal data.
    """
    demand = Demand(method=destination.network, currency=money.FIAT)
    for account in RouteTable.load(PAYOUTS.name).accounts_for(demand):
        payment = KeyPayment(
            subject_id="",
            account=account,
            key_type=destination.key_type,
            key_value=destination.key_value,
        )
        check = key_checks.look_up(payment=payment, now=now)
        if check is not None:
            audit.record(
                actor=user.get_username(),
                action="key.looked_up",
                subject=user,
                key=f"{destination.key_type} {masking.contact(destination.key_value)}",
                account=account,
                result=check.result,
            )
            return check
    return None
