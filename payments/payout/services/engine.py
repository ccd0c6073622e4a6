from django.conf import settings

from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.payout.models import Payout
from payments.payout.services import catalogue
from payments.providers import ports, registry


def _request(payout: Payout) -> ports.PayoutRequest:
    return ports.PayoutRequest(
        reference=payout.provider_reference,
        payout_id=payout.pk,
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
        callback_url=f"{settings.PUBLIC_URL}/callbacks/payout/{payout.provider}",
    )


PRODUCT = Product(
    name="payout",
    model=Payout,
    port=registry.PAYOUT.get,
    request=_request,
    task="payments.payout.tasks.send_payout",
    may_send=lambda _payout: catalogue.is_enabled(),
)
engine = Engine(PRODUCT)
