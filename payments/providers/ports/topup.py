"""The port of rails that top up mobile phones, and its request."""

from dataclasses import dataclass

from payments.providers.ports.outgoing import OutgoingPort, OutgoingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class TopupRequest(OutgoingRequest):
    """
    operator_code  the RAIL's own code of the operator.
    phone          ten digits, without the country's 57: the caller normalises.
    """

    operator_code: str
    phone: str


# Most rails report the end at once, some only by callback or query.
TopupPort = OutgoingPort[TopupRequest]
