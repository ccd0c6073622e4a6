from django.utils.translation import gettext_lazy as _

from payments.core.products import ProductDeclaration

PAYOUTS = ProductDeclaration(
    name="payout",
    plural="payouts",
    provider_setting="PAYOUT_PROVIDER",
    check_id=20,
    engine="payments.payout.services.engine.engine",
    scanner="payout-act",
    scan_task="payments.payout.tasks.process_due",
    entry_labels={
        "reserved": _("payout reserved"),
        "released": _("payout released"),
        "completed": _("payout completed"),
        "returned": _("payout returned"),
        "lost": _("payout lost"),
    },
    switch="payout_enabled",
    urls="payments.payout.urls",
    reference="payments.payout.reference.PART",
)
