from django.utils.translation import gettext_lazy as _

from payments.core.products import ProductDeclaration

TOPUPS = ProductDeclaration(
    name="topup",
    plural="top-ups",
    provider_setting="TOPUP_PROVIDER",
    check_id=40,
    engine="payments.topup.services.engine.engine",
    scanner="topup-act",
    scan_task="payments.topup.tasks.process_due",
    entry_labels={
        "reserved": _("top-up reserved"),
        "released": _("top-up released"),
        "completed": _("top-up completed"),
        "returned": _("top-up returned"),
        "lost": _("top-up lost"),
    },
    switch="topup_enabled",
    urls="payments.topup.urls",
    reference="payments.topup.reference.PART",
)
