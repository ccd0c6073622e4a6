from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from payments.core.products import ProductDeclaration, ProductEvent

TOPUPS = ProductDeclaration(
    name="topup",
    plural="top-ups",
    provider_setting="TOPUP_PROVIDER",
    check_id=40,
    engine="payments.topup.services.engine.engine",
    scanner="topup-act",
    scan_task="payments.topup.tasks.process_due",
    entry_labels={
        "reserved": _("held for a top-up"),
        "released": _("top-up not made"),
        "completed": _("top-up completed"),
        "returned": _("top-up returned"),
        "lost": _("top-up lost"),
    },
    switch="topup_enabled",
    urls="payments.topup.urls",
    reference="payments.topup.reference.PART",
    payload="payments.topup.payloads.TopupPayload",
    events=[
        ProductEvent(
            "processing",
            "The top-up was handed to the operator",
            pgettext_lazy("event", "Top-up sent"),
        ),
        ProductEvent(
            "completed",
            "The phone has the credit of the top-up",
            pgettext_lazy("event", "Top-up completed"),
        ),
        ProductEvent(
            "failed",
            "The phone was not topped up: amount and fee are available again",
            pgettext_lazy("event", "Top-up failed"),
        ),
        ProductEvent(
            "refunded",
            "The top-up came back: amount and fee are available again",
            pgettext_lazy("event", "Top-up came back"),
        ),
    ],
)
