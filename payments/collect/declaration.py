from django.utils.translation import gettext_lazy as _

from payments.core.products import ProductDeclaration

# Refunds are declared like payouts. The endpoints and the reference are those of collections.
REFUNDS = ProductDeclaration(
    name="refund",
    plural="refunds",
    provider_setting="REFUND_PROVIDER",
    check_id=60,
    engine="payments.collect.services.refunds.refund_engine.engine",
    scanner="refund-act",
    scan_task="payments.collect.tasks.process_due",
    entry_labels={
        "reserved": _("held for a refund"),
        "released": _("refund not made"),
        "completed": _("refund completed"),
        "returned": _("refund returned"),
        "lost": _("refund lost"),
    },
)
