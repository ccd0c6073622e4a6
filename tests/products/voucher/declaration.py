from payments.core.products import ProductDeclaration

VOUCHERS = ProductDeclaration(
    name="voucher",
    plural="vouchers",
    provider_setting="VOUCHER_PROVIDER",
    check_id=500,
    engine="tests.products.voucher.services.engine.engine",
    scanner="voucher-act",
    scan_task="tests.products.voucher.tasks.process_due",
    entry_labels={
        "reserved": "voucher reserved",
        "released": "voucher released",
        "completed": "voucher completed",
        "returned": "voucher returned",
        "lost": "voucher lost",
    },
    urls="tests.products.voucher.urls",
    reference="tests.products.voucher.reference.PART",
)
