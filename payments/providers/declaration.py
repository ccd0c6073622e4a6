"""What a rail declares: docs/recipes/rail.md."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import cast

from django.conf import settings

from payments.core.products import products
from payments.providers.ports import (
    CallbackAnswer,
    ChainPort,
    Coin,
    DisputePort,
    OutgoingPort,
    PayerNeeds,
    PayinPort,
    PayoutPort,
    Rail,
    RefundPort,
)
from payments.providers.refund_by_payout import RefundByPayout

_CODE = re.compile(r"[a-z][a-z0-9-]{0,29}")


def may_be_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


class Refunds(StrEnum):
    """How a payer gets money back that came over the rail.

    NATIVE  by the rail's own refund: it has a RefundPort.
    PAYOUT  by a payout to the payer's account; the rail itself returns nothing.
    BY_HAND the payer names an address, an operator pays the coins, and the chain shows it.
    NONE    not at all.
    """

    NATIVE = "NATIVE"
    PAYOUT = "PAYOUT"
    BY_HAND = "BY_HAND"
    NONE = "NONE"


@dataclass(frozen=True, slots=True, kw_only=True)
class RailDeclaration:
    """One rail: its adapters, and what the rest of the service needs of it.

    code                    short, stable, lower case: stored with each payment, and part of the
                            callbacks' URLs. Its adapters have the same.
    payin, dispute, refund  the adapters; None for what the rail does not carry.
    outgoing                {product: adapter} of what it carries of settings.PRODUCTS, but refunds.
    payer_needs             the methods that the rail takes payins over, each with what it needs to
                            know of the payer. A direct method has needs of its own.
    coins                   of CRYPTO, in the order to offer them.
    chain                   the node of an account that is a network of coins.
    payment_uri             as ChainPort.payment_uri, for a rail with coins and without a chain.
    refunds                 NATIVE or BY_HAND exactly when there is a `refund` adapter. BY_HAND
                            also needs a `chain`.
    idempotency_window      how long the rail recognises a reference that is sent again; None: for
                            ever.
    reference_pattern       the references that the rail takes, as a regular expression.
    wire_reference          makes a reference of that pattern from ours, for a rail that does not
                            take ours. It may use chance: it is called again while the account has
                            used the result. The adapter then gets this reference and not ours, in
                            requests and queries, and returns it in updates and hints.
    callback_answer         what means to the rail that we have the callback.
    check_callback_headers  raises InvalidCallback for headers that no callback of the rail can
                            have, before its body is read. None: every body is read.
    is_decided_by_people    payments wait for days until operators decide them, at pages of the
                            rail. No operator is called because one is old, and none is resolved by
                            hand past those pages.
    is_simulated            it moves play money, and serves only while the settings name it.
    """

    code: str
    payin: PayinPort | None = None
    dispute: DisputePort | None = None
    refund: RefundPort | None = None
    outgoing: Mapping[str, OutgoingPort] = field(default_factory=dict)
    payer_needs: Mapping[Rail, PayerNeeds] = field(default_factory=dict)
    coins: tuple[Coin, ...] = ()
    chain: ChainPort | None = None
    payment_uri: Callable[[Coin, str, Decimal], str] | None = None
    refunds: Refunds = Refunds.NONE
    idempotency_window: timedelta | None = None
    reference_pattern: str = r"[A-Za-z0-9_]{1,64}"
    wire_reference: Callable[[str], str] | None = None
    callback_answer: CallbackAnswer = field(default_factory=CallbackAnswer)
    check_callback_headers: Callable[[Mapping[str, str], datetime], object] | None = None
    is_decided_by_people: bool = False
    is_simulated: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError for a declaration that contradicts itself."""
        if not may_be_code(self.code):
            raise ValueError(f"{self.code!r} is no code: lower-case letters, digits and dashes.")
        for product in self.outgoing:
            if product == "refund" or product not in {each.name for each in products()}:
                raise ValueError(f"{self.code}: {product!r} is no product of settings.PRODUCTS.")
        for adapter in self.adapters.values():
            if adapter.code != self.code:
                raise ValueError(f"An adapter of {self.code} has the code {adapter.code}.")
        if (self.refunds in (Refunds.NATIVE, Refunds.BY_HAND)) != (self.refund is not None):
            raise ValueError(f"{self.code}: refunds are NATIVE with a refund adapter, else not.")
        if self.refunds is Refunds.BY_HAND and self.chain is None:
            raise ValueError(f"{self.code}: refunds are BY_HAND only where a node shows them.")
        if bool(self.payer_needs) != (self.payin is not None):
            raise ValueError(f"{self.code}: a payin adapter has methods, and only that has them.")
        self._check_coins()

    def _check_coins(self) -> None:
        if bool(self.coins) != (Rail.CRYPTO in self.payer_needs):
            raise ValueError(f"{self.code}: the method CRYPTO has coins, and only that has them.")
        if unknown := {one.code for one in self.coins} - settings.CURRENCIES.keys():
            raise ValueError(f"{self.code}: {unknown} are not in settings.CURRENCIES.")
        if len({one.key for one in self.coins}) < len(self.coins):
            raise ValueError(f"{self.code}: a coin on one network is there more than once.")
        if self.chain is not None and self.coins != self.chain.coins:
            raise ValueError(f"{self.code}: its coins are not those of its node.")

    def adapter(self, product: str) -> PayinPort | DisputePort | OutgoingPort | None:
        """Of the product. A rail of payouts returns payments of other rails by payouts."""
        found = self.adapters.get(product)
        if found is None and product == "refund" and "payout" in self.outgoing:
            return RefundByPayout(cast(PayoutPort, self.outgoing["payout"]))
        return found

    @property
    def adapters(self) -> dict[str, PayinPort | DisputePort | OutgoingPort]:
        """By product: the word in the URL of its callbacks."""
        single = {"payin": self.payin, "dispute": self.dispute, "refund": self.refund}
        found = {name: adapter for name, adapter in single.items() if adapter is not None}
        return {**found, **self.outgoing}
