"""The port of rails for payins, and its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from payments.providers.ports.amounts import TaxLine, check_amount
from payments.providers.ports.callbacks import Callback, Hint, Ignored
from payments.providers.ports.payer import Payer, PayerNeeds
from payments.providers.ports.state import Known, SaveState, State, keep_nothing

if TYPE_CHECKING:
    from django.utils.functional import Promise

ZERO = Decimal(0)


class Rail(StrEnum):
    """The choices of a payer. One adapter may serve several."""

    PSE = "PSE"
    BANK_TRANSFER = "BANK_TRANSFER"
    CRYPTO = "CRYPTO"


class Flow(StrEnum):
    """What the payer does next.

    REDIRECT      decides on the provider's page.
    PUSH          decides in an app of their own. Our page shows nothing.
    KEY           pays from any bank to an instant key that we show.
    INSTRUCTIONS  pays to an account or address that we show.
    QR            scans a code that we show, with the app of a bank.
    """

    REDIRECT = "REDIRECT"
    PUSH = "PUSH"
    KEY = "KEY"
    INSTRUCTIONS = "INSTRUCTIONS"
    QR = "QR"

    @property
    def is_debit(self) -> bool:
        """Whether the payer decides once. All other charges are paid by deposits."""
        return self in (Flow.REDIRECT, Flow.PUSH)


class ChargeStatus(StrEnum):
    """The status of a charge at the provider.

    PENDING    open, and no money was seen.
    RECEIVED   some money was seen, but it is not the whole amount or not final. Not a success.
    SUCCEEDED  the whole amount is final.
    FAILED     refused. No money moved.
    ABANDONED  over without a refusal: the payer left or cancelled, or time is up. No money moved.
    UNKNOWN    the provider does not know the reference. Only then may the same reference be
               started again.

    A debit (`Flow.is_debit`) ends once, as SUCCEEDED, FAILED or ABANDONED. Deposits may arrive
    after any status, twice, or exceed the amount: for them rely on `received`, not on the status.
    """

    PENDING = "PENDING"
    RECEIVED = "RECEIVED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    ABANDONED = "ABANDONED"
    UNKNOWN = "UNKNOWN"


class Reason(StrEnum):
    """Why a charge ended without money. Every adapter maps its rail's codes to these.

    AMOUNT_TOO_SMALL  less than the rail can carry: dust of a coin.
    """

    REFUSED_BY_BANK = "REFUSED_BY_BANK"
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    REFUSED_BY_PROVIDER = "REFUSED_BY_PROVIDER"
    INVALID_REQUEST = "INVALID_REQUEST"
    AMOUNT_TOO_SMALL = "AMOUNT_TOO_SMALL"
    CANCELLED_BY_PAYER = "CANCELLED_BY_PAYER"
    TIME_LIMIT = "TIME_LIMIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """A bank of PSE. `code` is the rail's own (`ChargeRequest.fields`)."""

    code: str
    name: str


class UiType(StrEnum):
    """How a shop's page offers a method (contract, Direct API descriptor).

    WEBVIEW opens the provider's page, or our page with the code for Flow.QR. For PUSH the payer
    acts in an app of their own.
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
    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredField:
    """A field of a direct method. The two select types have `options`.

    For a BANK_SELECT without options the caller adds the banks of `PayinPort.banks`.
    """

    key: str
    type: FieldType
    label: str
    required: bool = True
    options: tuple[FieldOption, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A document of the rail that the payer accepts before a charge is started.

    url  https, and of this version of the document only.
    """

    url: str
    label: "str | Promise"


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectMethod:
    """A way to pay that a shop may offer on its own page (contract, Direct API). COP only.

    key         at most 60 characters; the value of `ChargeRequest.direct_method`.
    category    the rail as which it counts in allowed methods, statistics and the ledger.
    flow        REDIRECT, PUSH, KEY or QR. QR has the `ui_type` WEBVIEW.
    min_amount  in COP, of one charge. `max_amount` too; None: the rail has no limit.
    on_our_page False if our payment page has its own form for it.
    needs       of the payer. The caller adds a field for each fact that the order does not have.
    terms       the account's, added by the caller of the adapter.
    """

    key: str
    label: str
    category: Rail
    ui_type: UiType
    flow: Flow
    min_amount: Decimal
    required_fields: tuple[RequiredField, ...] = ()
    max_amount: Decimal | None = None
    on_our_page: bool = True
    needs: PayerNeeds = field(default_factory=PayerNeeds)
    terms: tuple[Term, ...] = ()

    def carries(self, least: Decimal, most: Decimal | None = None) -> bool:
        """In one charge: the amount, or one that may still be chosen from `least` to `most`."""
        is_in_reach = self.max_amount is None or least <= self.max_amount
        return self.min_amount <= (least if most is None else most) and is_in_reach

    @property
    def has_form(self) -> bool:
        """Whether the payer fills in or accepts anything before the charge starts."""
        return bool(self.required_fields or self.terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeRequest:
    """
    reference     ours (`chg_...`), stored before the call. It is the idempotency key at the
                  provider: one reference is one charge, however often it is sent.
    amount        in units of `currency`, quantised by the caller. For CRYPTO the coin's amount.
    currency      COP, or the coin for CRYPTO.
    direct_method the key of a `DirectMethod` of this adapter, else empty.
    fields        what the payer filled in. PSE: `bankCode`, `personType`. CRYPTO: `coin`. With a
                  direct method: its `required_fields` by their keys, checked by the caller.
    return_url    where the provider sends the payer back; may be empty unless the flow is a
                  redirect. A payer who comes back may not have paid.
    callback_url  where the provider reports what happened: POST, read by `read_callback`.
    expires_at    when the order or the coin's quote ends. The rail returns its own limit in
                  `ChargeStarted.expires_at`.
    merchant_name shown to the payer by rails that have a page.
    merchant_legal_name, merchant_nit  of who is paid, for rails with fields for them. The NIT is
                  without its check digit. Both are empty while the merchant has no legal data.
    client_ip     of the payer's browser, and its user agent; empty where a shop's server starts the
                  charge.
    accepted_terms the URLs of the documents that the payer accepted.
    state         what an earlier call for this charge saved at this account. Empty at first.
    save          for a rail that needs several calls: call it with what the next one needs, before
                  the next one. If we die between them, the repeated start gets it as `state`.
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
    merchant_legal_name: str = ""
    merchant_nit: str = ""
    client_ip: str = ""
    user_agent: str = ""
    accepted_terms: tuple[str, ...] = ()
    state: State = field(default_factory=dict, repr=False)
    save: SaveState = field(default=keep_nothing, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeStarted:
    """The provider took the charge. Nothing is paid yet.

    provider_id   theirs, at most 64 characters.
    redirect_url  for Flow.REDIRECT; None while the provider has no page yet: a query brings it.
    key_value     for Flow.KEY: the instant key to pay to, at most 200 characters. Else None.
    qr_text, qr_image  for Flow.QR: the text of the code, at most 1,000 characters, or its picture
                  as `qr_images.svg_data_uri` returns it. Both empty while the provider has no code
                  yet: a query brings it. Else empty.
    instructions  for Flow.INSTRUCTIONS. Transfer: `bank`, `accountType` (SAVINGS or
                  CHECKING), `accountNumber`, `holder`, `document`, `reference`, and for those who
                  pay to a key instead `key`, `qr` (the text of its code, without an amount) and
                  `qrTakesAmount` (filled: our page writes the amount into the code). Crypto:
                  `network`, `address`, `uri` (for a QR code). An adapter may add keys, which are
                  not shown.
    expires_at    the rail's own limit. A payer may pay by redirect until then, even if the order's
                  deadline is earlier.
    """

    provider_id: str
    flow: Flow
    redirect_url: str | None = None
    key_value: str | None = None
    qr_text: str = ""
    qr_image: str = ""
    instructions: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeUpdate:
    """What the provider reports of one charge, by callback or query. A snapshot, not a delta.

    received      the CUMULATIVE total of final money in `currency`. Book only what exceeds the
                  total booked so far, and take nothing back when it is lower: updates may be
                  repeated, late or reordered. It may exceed the charge and grow after SUCCEEDED.
    unconfirmed   money that was seen but is not final, such as a coin without its confirmations.
                  It is never booked, but keeps the order open and a coin at its quote.
    currency      empty when the status is UNKNOWN.
    trace_code    the payer's and the bank's name for the payment: the CUS of PSE, a transaction
                  hash, the reference of a transfer. Empty until the rail has one.
    replaces_trace_code  the transactions of a chain may be replaced or dropped: the charge gets the
                  trace code of each update, also none. Otherwise the first one stays.
    last_trace_code  of the money that came last, if it is another one: what an operator decides
                  about has it.
    reason        a `Reason` when FAILED or ABANDONED, else empty.
    occurred_at   when it happened, by the provider's clock; of a coin, when the newest deposit was
                  first seen. Decides only whether coins were seen before their quote ended.
    is_confirmed  whether the money in `received` is final at the rail. A rail that promises first
                  and settles later reports False until it has settled.
    redirect_url  the provider's page of a charge that started without one, once there is one.
    qr_text, qr_image  the same of a code (ChargeStarted).
    needs_known_id  the message does not prove `reference`. It counts only for a charge that has
                  this `provider_id`; for another charge it is a hint.
    provider_fee, provider_taxes  as in OutgoingUpdate.
    """

    reference: str
    provider_id: str
    status: ChargeStatus
    received: Decimal
    currency: str
    trace_code: str = ""
    replaces_trace_code: bool = False
    last_trace_code: str = ""
    reason: str = ""
    occurred_at: datetime
    unconfirmed: Decimal = ZERO
    is_confirmed: bool = True
    redirect_url: str = ""
    qr_text: str = ""
    qr_image: str = ""
    needs_known_id: bool = False
    provider_fee: Decimal | None = None
    provider_taxes: tuple[TaxLine, ...] = ()

    def __post_init__(self) -> None:
        if self.provider_fee is not None:
            check_amount(self.provider_fee)
        check_amount(self.received)
        check_amount(self.unconfirmed)


class PayinPort(Protocol):
    """The port of rails for payins. A provider with several products has several adapters.

    Adapters keep no state between calls, and threads share them. Do not call a method inside a
    database transaction: it may take `settings.PROVIDER_TIMEOUT_SECONDS`, or its `timeout`.
    """

    @property
    def code(self) -> str:
        """Of the rail or the account: stored with each charge and part of the callback's URL."""
        ...

    def banks(self) -> tuple[Bank, ...]:
        """The banks of PSE, by name. Raises ProviderUnreachable and ProviderTimeout.

        The caller keeps the list (payments/rails/services/rail_lists.py).
        """
        ...

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        """The methods of the Direct API, in the order to offer them. Without a network.

        Labels are in the language of the current thread.
        """
        ...

    def start(self, request: ChargeRequest, timeout: float) -> ChargeStarted:
        """Idempotent by `request.reference`: a repeated call gets the first response again.

        `timeout` is the longest that the whole start may take, in seconds, with all its calls. When
        it has passed before the first call that could create anything, the start raises
        ProviderUnreachable, and ProviderTimeout afterwards.

        Raises ProviderRefused (definite), ProviderUnreachable (definite: nothing that can be paid
        was made) or ProviderTimeout (doubtful: query later), and lets CallOvertaken of
        `request.save` pass. The charge must be in our database before the call,
        because its reference is all that is left to query with if this process dies.
        """
        ...

    def query(self, known: Known) -> ChargeUpdate:
        """Returns the status of the charge. Changes nothing at the provider.

        Query by the reference: it finds the payment even if our start got no answer. Where the
        reference finds nothing, the provider's id and the state may. What nothing finds is a result
        (UNKNOWN), not an error; with another reference than `known` has, the answer is in doubt.
        ProviderUnreachable and ProviderTimeout mean the same here: query again later.
        """
        ...

    def terms(self) -> tuple[Term, ...]:
        """What the payer has to accept before `start`. Kept and raised as `banks`.

        Labels are lazy: the list serves payers of every language.
        """
        ...

    def read_callback(self, callback: Callback, now: datetime) -> ChargeUpdate | Hint | Ignored:
        """Verifies and parses a message to our callback URL, without network and state.

        A replay verifies again, and is harmless because `received` is cumulative. Raises
        InvalidCallback.
        """
        ...


@runtime_checkable
class FindsReference(Protocol):
    """What a payin adapter has, too, whose hints name a payment by the rail's id only."""

    def find_reference(self, provider_id: str) -> str:
        """As OutgoingPort.find_reference."""
        ...


@runtime_checkable
class HasPauses(Protocol):
    """What a payin adapter has, too, that knows by itself when it must take no new charge."""

    def is_paused(self) -> bool:
        """Payers' pages ask: one query at most, and no network."""
        ...
