from payments.api.reference.parts import KEY_ERRORS, Example, Part

PART = Part(
    "Vouchers",
    "Buy vouchers of a shop from your COPM balance.",
    (
        Example(
            "createVoucher",
            status=201,
            body={"shop": "libreria", "amountCop": 20000},
            idempotency_key="voucher-<SALE>",
            sets={"SALE": "venta-<now>"},
            gives={"VOUCHER_ID": "data.id"},
            needs=("sandboxCreditBalance",),
            errors=("SHOP_CLOSED", *KEY_ERRORS),
        ),
        Example("retrieveVoucher", path={"id": "<VOUCHER_ID>"}, needs=("createVoucher",)),
        Example("listVouchers", needs=("createVoucher",)),
    ),
    advice={"SHOP_CLOSED": "Choose another shop."},
)
