from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payments.core.products import ProductDeclaration, ProductEvent

BILLS = ProductDeclaration(
    name="bill",
    plural="bill payments",
    provider_setting="BILLS_PROVIDER",
    check_id=50,
    engine="payments.bills.services.engine.engine",
    scanner="bills-act",
    scan_task="payments.bills.tasks.process_due",
    entry_labels={
        "reserved": _("held for a bill payment"),
        "released": _("bill payment not made"),
        "completed": _("bill payment completed"),
        "returned": _("bill payment returned"),
        "lost": _("bill payment lost"),
    },
    switch="bills_enabled",
    urls="payments.bills.urls",
    reference="payments.bills.reference.PART",
    payload="payments.bills.payloads.BillPayload",
    events=[
        ProductEvent(
            "processing",
            "The payment of a bill was handed to the biller",
            pgettext_lazy("event", "Bill payment sent"),
        ),
        ProductEvent("completed", "The bill is paid", pgettext_lazy("event", "Bill paid")),
        ProductEvent(
            "failed",
            "The bill was not paid: amount and fee are available again",
            pgettext_lazy("event", "Bill payment failed"),
        ),
        ProductEvent(
            "refunded",
            "The payment of a bill came back: amount and fee are available again",
            pgettext_lazy("event", "Bill payment came back"),
        ),
    ],
)
