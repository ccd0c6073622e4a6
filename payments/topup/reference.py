from payments.api.reference.parts import KEY_ERRORS, LIMIT_ERRORS, Example, Part, Remedy, Then

PART = Part(
    "Top-ups",
    "Buy credit for a Colombian mobile phone from your COPM balance.",
    (
        Example("listTopupOperators"),
        Example(
            "createTopup",
            status=201,
            body={"phone": "3001234567", "operatorCode": "claro", "amountCop": 20000},
            sets={"SALE": "venta-7-<now>"},
            idempotency_key="topup-<SALE>",
            gives={"TOPUP_ID": "data.id"},
            needs=("sandboxCreditBalance",),
            errors=("TOPUP_NOT_ENABLED", *KEY_ERRORS, *LIMIT_ERRORS),
        ),
        Example("getTopup", path={"id": "<TOPUP_ID>"}, needs=("createTopup",)),
        Example("listTopups", query={"limit": "2"}, needs=("createTopup",)),
    ),
    remedies={"TOPUP_NOT_ENABLED": Remedy("The account does not have top-ups.", Then.STOP)},
    advice={"TOPUP_NOT_ENABLED": "Request top-ups for your account; it fails until then."},
    magic_title="Top-ups",
    magic_key="the phone",
)
