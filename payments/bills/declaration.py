from django.utils.translation import gettext_lazy as _

from payments.core.products import ProductDeclaration

BILLS = ProductDeclaration(
    name="bill",
    plural="bill payments",
    provider_setting="BILLS_PROVIDER",
    check_id=50,
    engine="payments.bills.services.engine.engine",
    scanner="bills-act",
    scan_task="payments.bills.tasks.process_due",
    entry_labels={
        "reserved": _("bill payment reserved"),
        "released": _("bill payment released"),
        "completed": _("bill payment completed"),
        "returned": _("bill payment returned"),
        "lost": _("bill payment lost"),
    },
    switch="bills_enabled",
    urls="payments.bills.urls",
    reference="payments.bills.reference.PART",
)
