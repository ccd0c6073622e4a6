"""The port of rails that return payers' money, and its request."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from payments.providers.ports.outgoing import OutgoingPort, OutgoingRequest
from payments.providers.ports.payer import Payer
from payments.providers.ports.payin import Rail


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundRequest(OutgoingRequest):
    """
    charge_reference    ours of the charge that is returned (`ChargeRequest.reference`).
    charge_provider_id  theirs of the same charge.
    method              the rail that the payer paid over.
    amount              in units of `currency`: what the payer gets. The charge or a part of it;
                        several refunds never exceed what was paid.
    currency            of the order, COP or a coin. A payer who paid pesos with a coin gets the
                        pesos, or what they are worth.
    payer               who paid, as in the request that started the charge.
    reason              the merchant's words; not for the payer.
    destination         what the payer named: of a rail that returns money by payouts, by the names
                        of PayoutRequest; of coins, `network` and `address`. Else empty.
    """

    charge_reference: str
    charge_provider_id: str
    method: Rail
    currency: str
    payer: Payer
    reason: str
    destination: Mapping[str, str] = field(default_factory=dict)


# Its updates have amounts in the request's currency.
RefundPort = OutgoingPort[RefundRequest]
