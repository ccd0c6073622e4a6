from datetime import datetime

from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.payout.declaration import PAYOUTS
from payments.payout.hooks import refusals
from payments.payout.models import Payout
from payments.payout.services import catalogue, keys
from payments.payout.services.payout_accounts import PROVIDERS, other_accounts
from payments.providers import ports
from payments.rails.services import key_checks
from payments.rails.services.callback_urls import callback_url


def _request(payout: Payout) -> ports.PayoutRequest:
    return ports.PayoutRequest(
        reference=payout.provider_reference,
        payment_id=payout.pk,
        network=ports.PayoutNetwork(payout.network),
        amount=payout.amount,
        recipient_name=payout.recipient_name,
        document_type=payout.recipient_doc_type,
        document_number=payout.recipient_document,
        bank_code=payout.bank_code,
        account_type=payout.account_type,
        account_number=payout.account_number,
        key_type=payout.key_type,
        key_value=payout.key_value,
        description=payout.description,
        callback_url=callback_url(PAYOUTS.name, payout.provider),
    )


def _refusal(payout: Payout, now: datetime) -> str:
    for refusal in refusals:
        if reason := refusal(payout, now):
            return reason
    payment = keys.payment_of(payout)
    return key_checks.refusal(payment=payment, now=now) if payment else ""


PRODUCT = Product(
    name=PAYOUTS.name,
    model=Payout,
    port=PROVIDERS.get,
    request=_request,
    task="payments.payout.tasks.send_payout",
    is_on=catalogue.is_enabled,
    may_send=lambda payout: payout.merchant.payout_enabled,
    refusal=_refusal,
    other_accounts=other_accounts,
)
engine = Engine(PRODUCT)
