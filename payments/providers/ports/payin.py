"""The port every payin rail is plugged into, and the values that pass through it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Protocol

from payments.providers.ports.amounts import check_amount

ZERO = Decimal(0)


class Rail(StrEnum):
    """What a payer chooses between. One adapter may serve several."""

    PSE = "PSE"
    BANK_TRANSFER = "BANK_TRANSFER"
    CRYPTO = "CRYPTO"


class Flow(StrEnum):
    """What the payer does next.

    REDIRECT      is sent to the provider's page and decides there.
    PUSH          decides in an app of their own; nothing is shown here.
    KEY           pays from any bank to an instant key that we show.
    INSTRUCTIONS  pays by what we show here: an account, an address.
    """

    REDIRECT = "REDIRECT"
    PUSH = "PUSH"
    KEY = "KEY"
    INSTRUCTIONS = "INSTRUCTIONS"

    @property
    def is_debit(self) -> bool:
        """Decided once, by the payer's decision. Everything else is paid by deposits."""
        return self in (Flow.REDIRECT, Flow.PUSH)


class ChargeStatus(StrEnum):
    """How a charge stands at the provider.

    PENDING    known there, no money seen, still alive.
    RECEIVED   some money was seen, but it is not the whole or not final yet. Not a success.
    SUCCEEDED  the whole amount is final.
    FAILED     refused. No money moved; the payer would have to start another charge.
    ABANDONED  the attempt is over and no money moved: the payer left, cancelled, or the rail's
               time is up. Unlike FAILED there was no refusal.
    UNKNOWN    the provider does not know the reference: it never arrived. Only then may the same
               reference be started again. Never a verdict on the payment.

    Of a debit (`Flow.is_debit`) the last word is SUCCEEDED, FAILED or ABANDONED, once. Where the
    payer sends the money no rail can close an address: money may arrive after any status, twice, or
    too much of it. There `received` is the truth and the status its summary.
    """

    PENDING = "PENDING"
    RECEIVED = "RECEIVED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    ABANDONED = "ABANDONED"
    UNKNOWN = "UNKNOWN"


class Reason(StrEnum):
    """Why a charge ended without money: every adapter maps its rail's codes to one of these."""

    REFUSED_BY_BANK = "REFUSED_BY_BANK"
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    REFUSED_BY_PROVIDER = "REFUSED_BY_PROVIDER"
    INVALID_REQUEST = "INVALID_REQUEST"
    CANCELLED_BY_PAYER = "CANCELLED_BY_PAYER"
    TIME_LIMIT = "TIME_LIMIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """A bank the payer may choose for PSE. `code` is the rail's own (`ChargeRequest.fields`)."""

    code: str
    name: str


class UiType(StrEnum):
    """What a shop's own payment page needs for a method (contract, Direct API descriptor).

    WEBVIEW to open the provider's page; PUSH where the payer acts in an app of their own.
    """

    WEBVIEW = "webview"
    PUSH = "push"


class FieldType(StrEnum):
    """How a form shows a field of a direct method (contract, Direct API descriptor)."""

    BANK_SELECT = "bankSelect"
    SELECT = "select"
    PHONE = "phone"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOption:
    """One entry of a list to choose from."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredField:
    """A field of a direct method. `options` for the two select types, else empty."""

    key: str
    type: FieldType
    label: str
    required: bool = True
    options: tuple[FieldOption, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectMethod:
    """A way to pay that a shop may offer on a page of its own (contract, Direct API). COP only.

    key         at most 60 characters; comes back in `ChargeRequest.direct_method`.
    category    the rail it counts as, in allowed methods, statistics and the ledger.
    flow        REDIRECT, PUSH or KEY.
    min_amount  in COP, of one charge.
    on_our_page False for what our own payment page offers in a form of its own anyway.
    """

    key: str
    label: str
    category: Rail
    ui_type: UiType
    flow: Flow
    min_amount: Decimal
    required_fields: tuple[RequiredField, ...] = ()
    on_our_page: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """Who pays. Rails want the document without dots, dashes or spaces: the caller normalises."""

    name: str
    email: str
    phone: str = ""
    document_type: str = ""
    document_number: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeRequest:
    """Everything a rail needs to know.

    reference     ours (`chg_...`), stored before the call. It is the idempotency key at the
                  provider: one reference is one charge, however often it is sent.
    amount        in units of `currency`, quantised by the caller. For CRYPTO the coin's amount.
    currency      COP, or the coin for CRYPTO.
    direct_method the key of a `DirectMethod` of this adapter, or empty for the rail's own way.
    fields        what the payer filled in. PSE: `bankCode`, `personType`. CRYPTO: `coin`. With a
                  direct method: its `required_fields` by their keys, checked by the caller.
    return_url    where the provider sends the payer back; may be empty where the flow is not a
                  redirect. Coming back proves nothing.
    callback_url  where the provider reports what happened: POST, read by `read_callback`.
    expires_at    when the order (or the quote of a coin) ends. A rail may have
                  another limit and returns it in `ChargeStarted.expires_at`.
    merchant_name shown to the payer by rails that have a page.
    """

    reference: str
    method: Rail
    amount: Decimal
    currency: str
    description: str
    payer: Payer
    direct_method: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    return_url: str
    callback_url: str
    expires_at: datetime
    merchant_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeStarted:
    """The provider took the charge. Nothing is paid yet.

    provider_id   theirs, at most 64 characters.
    redirect_url  for Flow.REDIRECT, else None.
    key_value     for Flow.KEY: the instant key to pay to, at most 200 characters. Else None.
    instructions  for Flow.INSTRUCTIONS. Transfer: `bank`, `accountType` (SAVINGS or
                  CHECKING), `accountNumber`, `holder`, `document`, `reference`. Crypto: `network`,
                  `address`, `uri` (what a QR code holds). An adapter may add keys of its own;
                  show the ones named here.
    expires_at    the rail's own limit. For a redirect no payer may be cut off before it, even
                  when the order's deadline is earlier.
    """

    provider_id: str
    flow: Flow
    redirect_url: str | None = None
    key_value: str | None = None
    instructions: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeUpdate:
    """What the provider reports of one charge, by callback or query. A snapshot, not a delta.

    received      the CUMULATIVE total of final money in `currency` since the charge began, so that
                  a repeated, late or reordered update can be applied safely: book only what is
                  above the total booked so far, and never take anything back when it is lower.
                  May exceed the amount of the charge, and may grow after SUCCEEDED.
    unconfirmed   money seen on its way (a coin without its confirmations). Keeps the order from
                  expiring and a coin at its quote; never booked. What was seen and has vanished is
                  not in it any more. RECEIVED with `received` 0 is this.
    currency      empty when the status is UNKNOWN.
    trace_code    what the payer and their bank call it: the CUS of PSE, a transaction hash, the
                  reference of a transfer. Empty until the rail has one.
    reason        a `Reason` when FAILED or ABANDONED, else empty.
    occurred_at   when it happened over there: of a coin, when what is new was seen first. It
                  decides whether coins were seen before their quote ended. Clocks differ, so
                  nothing else hangs on it.
    is_confirmed  whether the rail has reached finality for what is `received`: from here on it
                  takes nothing back. A rail that promises first and settles later
                  reports False, and True when it is queried after it has settled.
    """

    reference: str
    provider_id: str
    status: ChargeStatus
    received: Decimal
    currency: str
    trace_code: str = ""
    reason: str = ""
    occurred_at: datetime
    unconfirmed: Decimal = ZERO
    is_confirmed: bool = True

    def __post_init__(self) -> None:
        """Raises UnusableAmount, wherever the amounts came from."""
        check_amount(self.received)
        check_amount(self.unconfirmed)


class PayinPort(Protocol):
    """A provider of payins. Adapters keep no state between calls and may be shared by threads.

    No method may be called inside a database transaction: each may take
    `settings.PROVIDER_TIMEOUT_SECONDS`. Payouts, top-ups and bills have ports of their own
    beside this one; a provider that does several has several adapters.
    """

    code: ClassVar[str]
    """Short, stable, lower case: stored with each charge and part of the callback's URL."""

    def banks(self) -> tuple[Bank, ...]:
        """The banks of PSE, by name. Cheap: adapters cache what they had to query.

        May raise ProviderUnreachable.
        """
        ...

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        """The methods of the Direct API, in the order to offer them; empty if there are none.

        Labels are in the language of the current thread. Cheap, and raises, as `banks`.
        """
        ...

    def start(self, request: ChargeRequest) -> ChargeStarted:
        """Starts a charge. Idempotent by `request.reference`: the same reference gets the same
        response, even when the first one was lost on the way.

        Raises ProviderRefused (definite), ProviderUnreachable (definite, never reached them) or
        ProviderTimeout (doubtful: store the charge as it is and query later). The charge must be in
        our database before the call: if this process dies in the middle, the reference is all
        that is left to query with.
        """
        ...

    def query(self, reference: str) -> ChargeUpdate:
        """Queries how the charge with OUR reference stands; changes nothing over there.

        An unknown reference is a result (UNKNOWN), not an error. Raises ProviderUnreachable or
        ProviderTimeout, which here mean the same: nothing was learned, query later.
        """
        ...

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> ChargeUpdate:
        """Verifies a message to our callback URL and turns it into a value. No network, no state:
        a replay verifies again, and is harmless because `received` is cumulative.

        `headers` may be any mapping; names are compared without case. `body` is what came over
        the wire, before any parsing: signatures cover bytes. Raises InvalidCallback.
        """
        ...
