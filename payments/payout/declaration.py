from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payments.core.products import ProductDeclaration, ProductEvent

PAYOUTS = ProductDeclaration(
    name="payout",
    plural="payouts",
    provider_setting="PAYOUT_PROVIDER",
    check_id=20,
    engine="payments.payout.services.engine.engine",
    scanner="payout-act",
    scan_task="payments.payout.tasks.process_due",
    entry_labels={
        "reserved": _("held for a payout"),
        "released": _("payout not made"),
        "completed": _("payout completed"),
        "returned": _("payout returned"),
        "lost": _("payout lost"),
    },
    switch="payout_enabled",
    urls="payments.payout.urls",
    reference="payments.payout.reference.PART",
    payload="payments.payout.payloads.PayoutPayload",
    events=[
        ProductEvent(
            "PROCESSING", "The payout was handed to the bank", pgettext_lazy("event", "Payout sent")
        ),
        ProductEvent(
            "COMPLETED",
            "The beneficiary of the payout has the money",
            pgettext_lazy("event", "Payout completed"),
        ),
        ProductEvent(
            "FAILED",
            "The payout was not paid: amount and fee are available again",
            pgettext_lazy("event", "Payout failed"),
        ),
        ProductEvent(
            "REFUNDED",
            "The payout came back: amount and fee are available again",
            pgettext_lazy("event", "Payout came back"),
        ),
    ],
)
