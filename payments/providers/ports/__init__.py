# ruff: noqa: F401  Adapters and services import every name from here.
"""The ports that providers are plugged into, and the values that pass through them.

Adapters translate a rail's wire into these values and never read our tables; services decide
what a value means for an order or a payout. The docstrings are the manual for adapters
(docs/recipes/rail.md).
"""

from payments.providers.ports.amounts import MAX_AMOUNT, parse_amount
from payments.providers.ports.bills import BillCheck, BillPort, BillProduct, BillRequest
from payments.providers.ports.dispute import DisputeKind, DisputePort, DisputeState, DisputeUpdate
from payments.providers.ports.errors import (
    InvalidCallback,
    ProviderError,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    UnusableAmount,
)
from payments.providers.ports.outgoing import (
    OutgoingPort,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
)
from payments.providers.ports.payin import (
    ZERO,
    Bank,
    ChargeRequest,
    ChargeStarted,
    ChargeStatus,
    ChargeUpdate,
    DirectMethod,
    FieldOption,
    FieldType,
    Flow,
    Payer,
    PayinPort,
    Rail,
    Reason,
    RequiredField,
    UiType,
)
from payments.providers.ports.payout import PayoutNetwork, PayoutPort, PayoutRequest
from payments.providers.ports.refund import RefundPort, RefundRequest
from payments.providers.ports.topup import TopupPort, TopupRequest
