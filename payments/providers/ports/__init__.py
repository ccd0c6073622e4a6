# ruff: noqa: F401  Adapters and services import every name from here.
"""The ports that adapters of providers implement, and their values.

Adapters translate a rail's messages into these values and never read our tables. Services decide
what a value means for an order or a payout. The docstrings are the manual for adapters
(docs/recipes/rail.md).
"""

from payments.providers.ports.amounts import MAX_AMOUNT, TaxLine, parse_amount
from payments.providers.ports.bills import BillCheck, BillPort, BillProduct, BillRequest
from payments.providers.ports.callbacks import Callback, CallbackAnswer, Hint, Ignored
from payments.providers.ports.chain import (
    BlockRef,
    ChainBlock,
    ChainPort,
    ChainTip,
    ChainTransaction,
    ChainTransfer,
    Coin,
    DerivedAddress,
    HasBalances,
    HasMempool,
    Mempool,
    ReadsBlocks,
    ReadsByAddress,
)
from payments.providers.ports.dispute import DisputeKind, DisputePort, DisputeState, DisputeUpdate
from payments.providers.ports.errors import (
    CallOvertaken,
    InvalidCallback,
    ProviderError,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    TermsChanged,
    UnusableAmount,
)
from payments.providers.ports.outgoing import (
    OutgoingPort,
    OutgoingReason,
    OutgoingRequest,
    OutgoingState,
    OutgoingUpdate,
)
from payments.providers.ports.payer import Fact, Payer, PayerNeeds
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
    FindsReference,
    Flow,
    HasPauses,
    PayinPort,
    Rail,
    Reason,
    RequiredField,
    Term,
    UiType,
)
from payments.providers.ports.payout import (
    KeyHolder,
    PayoutBank,
    PayoutNetwork,
    PayoutPort,
    PayoutRequest,
    ReportsBalance,
    ResolvesKeys,
)
from payments.providers.ports.refund import RefundPort, RefundRequest
from payments.providers.ports.state import Known, SaveState, State, keep_nothing
from payments.providers.ports.topup import TopupPort, TopupRequest
