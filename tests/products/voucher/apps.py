from typing import ClassVar

from django.apps import AppConfig

from payments.console import registry
from payments.core.metrics import AppMetrics, OutgoingTable, age


class VoucherConfig(AppConfig):
    name = "tests.products.voucher"
    label = "voucher"
    verbose_name = "Vouchers"
    subject_pages: ClassVar[dict[str, str]] = {"vou": "voucher_voucher"}
    metrics = AppMetrics(
        outgoing={"voucher": OutgoingTable(table="voucher_voucher")},
        ages=(age("voucher-act", "voucher_voucher", "next_action_at"),),
    )
    console = registry.AppConsole(
        sections=(
            registry.section(
                45,
                "Vouchers",
                registry.Entry("Vouchers", "redeem", "voucher.voucher", merchant_link="vouchers"),
            ),
        ),
        queues=(registry.flag_queue(105, "Vouchers in doubt", "voucher.voucher"),),
        search=(registry.searched("voucher.voucher", "vou", registry.equals("shop")),),
        rights={
            registry.EVERYONE: "view_voucher",
            registry.FINANCE: "ask_voucher resolve_voucher acknowledge_voucher",
        },
        right_names={
            "ask_voucher": "Can ask the rail about vouchers",
            "resolve_voucher": "Can resolve vouchers by hand",
            "acknowledge_voucher": "Can acknowledge contradictions of vouchers",
        },
    )
