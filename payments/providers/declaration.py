"""What a rail declares: docs/recipes/rail.md."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from payments.providers.ports import (
    BillPort,
    DisputePort,
    PayinPort,
    PayoutPort,
    Rail,
    RefundPort,
    TopupPort,
)

_CODE = re.compile(r"[a-z][a-z0-9-]{0,29}")


class Refunds(StrEnum):
    """How a payer gets money back that came over the rail.

    NATIVE  by the rail's own refund: it has a RefundPort.
    PAYOUT  by a payout to the payer's account; the rail itself returns nothing.
    NONE    not at all.
    """

    NATIVE = "NATIVE"
    PAYOUT = "PAYOUT"
    NONE = "NONE"


@dataclass(frozen=True, slots=True, kw_only=True)
class RailDeclaration:
    """One rail: its adapters, and what the rest of the service needs of it.

    code                    short, stable, lower case: stored with each payment, and part of the
                            callbacks' URLs. Its adapters have the same.
    payin ... refund        the adapters; None for a product that the rail does not carry.
    payer_fields            the methods that the rail takes payins over, each with the keys that
                            `ChargeRequest.fields` must have without a direct method.
    refunds                 NATIVE exactly when there is a `refund` adapter.
    idempotency_window      how long the rail recognises a reference that is sent again; None: for
                            ever.
    reference_pattern       the references that the rail takes, as a regular expression.
    callback_status         the HTTP status that means to the rail that we have the callback.
    check_callback_headers  raises InvalidCallback for headers that no callback of the rail can
                            have, before its body is read. None: every body is read.
    is_simulated            it moves play money, and serves only while the settings name it.
    """

    code: str
    payin: PayinPort | None = None
    dispute: DisputePort | None = None
    payout: PayoutPort | None = None
    topup: TopupPort | None = None
    bill: BillPort | None = None
    refund: RefundPort | None = None
    payer_fields: Mapping[Rail, list[str]] = field(default_factory=dict)
    refunds: Refunds = Refunds.NONE
    idempotency_window: timedelta | None = None
    reference_pattern: str = r"[A-Za-z0-9_]{1,64}"
    callback_status: int = 200
    check_callback_headers: Callable[[Mapping[str, str], datetime], object] | None = None
    is_simulated: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError for a declaration that contradicts itself."""
        if not _CODE.fullmatch(self.code):
            raise ValueError(f"{self.code!r} is no code: lower-case letters, digits and dashes.")
        for adapter in self.adapters.values():
            if adapter.code != self.code:
                raise ValueError(f"An adapter of {self.code} has the code {adapter.code}.")
        if (self.refunds is Refunds.NATIVE) != (self.refund is not None):
            raise ValueError(f"{self.code}: refunds are NATIVE with a refund adapter, else not.")
        if bool(self.payer_fields) != (self.payin is not None):
            raise ValueError(f"{self.code}: a payin adapter has methods, and only that has them.")

    @property
    def adapters(
        self,
    ) -> dict[str, PayinPort | DisputePort | PayoutPort | TopupPort | BillPort | RefundPort]:
        """By product: the word in the URL of its callbacks."""
        found = {
            "payin": self.payin,
            "dispute": self.dispute,
            "payout": self.payout,
            "topup": self.topup,
            "bill": self.bill,
            "refund": self.refund,
        }
        return {product: adapter for product, adapter in found.items() if adapter is not None}
