from payments.bills.declaration import BILLS
from payments.bills.models import BillPayment
from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.providers import ports, registry
from payments.rails.services.callback_urls import callback_url


def _request(payment: BillPayment) -> ports.BillRequest:
    return ports.BillRequest(
        reference=payment.provider_reference,
        payment_id=payment.pk,
        agreement_code=payment.agreement_code,
        bill_reference=payment.bill_reference,
        code_record=payment.code_record,
        amount=payment.amount,
        callback_url=callback_url(BILLS.name, payment.provider),
    )


PROVIDERS: registry.Adapters[ports.BillPort] = registry.outgoing(BILLS.name)
PRODUCT = Product(
    name=BILLS.name,
    model=BillPayment,
    port=PROVIDERS.get,
    request=_request,
    task="payments.bills.tasks.send_bill_payment",
)
engine = Engine(PRODUCT)
