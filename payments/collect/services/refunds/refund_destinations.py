"""Refunds of rails that return nothing by themselves: the payer names an account for a payout.

The link is signed, because who can open the payment page is not always who paid.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction

from payments.collect.models import Order, Refund
from payments.collect.services.errors import (
    RefundLinkExpired,
    RefundNotFound,
    RefundProviderUnavailable,
)
from payments.collect.services.refunds.destination_checks import fingerprint
from payments.collect.services.refunds.refund_engine import engine
from payments.core import audit, money
from payments.core.ids import is_id
from payments.providers import ports, registry
from payments.rails.services import rail_lists
from payments.rails.services.routing import Demand, RouteTable

SALT = "refund-destination-link"
LINK_LASTS = timedelta(days=30)
PAYER = "payer"
NETWORKS = (ports.PayoutNetwork.BANK, ports.PayoutNetwork.BREB)


def link_of(refund: Refund) -> str:
    """What the merchant sends to the payer. Each reading gives a link that lasts LINK_LASTS."""
    signed = signing.TimestampSigner(salt=SALT).sign(refund.pk)
    return f"{settings.PUBLIC_URL}/pay/{refund.order.token}/refund/{signed}"


def find_by_link(*, order: Order, signed: str) -> Refund:
    """Raises RefundLinkExpired, or RefundNotFound, the same for every other reason."""
    try:
        refund_id = signing.TimestampSigner(salt=SALT).unsign(signed, max_age=LINK_LASTS)
    except signing.SignatureExpired:
        raise RefundLinkExpired from None
    except signing.BadSignature:
        raise RefundNotFound from None
    found = order.refunds.filter(pk=refund_id).first() if is_id(refund_id, "ref") else None
    if found is None:
        raise RefundNotFound
    return found


def ways(refund: Refund) -> dict[str, str]:
    """By network: the first account of the routes of payouts that carries it."""
    payouts: registry.Adapters[ports.PayoutPort] = registry.outgoing("payout")
    table, found = RouteTable.load("payout"), {}
    for network in NETWORKS:
        demand = Demand(
            method=network,
            currency=money.FIAT,
            merchant_id=refund.order.merchant_id,
            amount=refund.amount,
        )
        accounts = table.accounts_for(demand)
        carrying = (one for one in accounts if network in payouts.get(one).networks())
        if (account := next(carrying, None)) is not None:
            found[network.value] = account
    return found


def banks_of(account: str) -> dict[str, str]:
    """Names by the rail's codes. Raises RefundProviderUnavailable."""
    try:
        found = sorted(rail_lists.payout_banks(account), key=lambda bank: bank.name)
    except ports.ProviderError as error:
        raise RefundProviderUnavailable from error
    return {bank.code: bank.name for bank in found}


@transaction.atomic
def give_destination(*, refund: Refund, account: str, destination: Mapping[str, str]) -> bool:
    """Whether it was still needed. An operator sees it before approving the refund.

    `destination` is named as in PayoutRequest.
    """
    locked = engine.lock(refund.pk)
    if not locked.needs_destination or locked.status != Refund.Status.PENDING:
        return False
    locked.needs_destination = False
    locked.destination, locked.provider = dict(destination), account
    locked.save(update_fields=["needs_destination", "destination", "provider", "updated_at"])
    audit.record(
        actor=PAYER,
        action="refund.destination_given",
        subject=locked,
        account=account,
        destination=fingerprint(locked),
    )
    return True
