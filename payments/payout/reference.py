from payments.api.reference.parts import KEY_ERRORS, LIMIT_ERRORS, RETRY, Example, Part

PART = Part(
    "Payouts",
    "Send money from your balance to a bank account (BANK) or an instant key (BREB). A payout that "
    "is PROCESSING is with its rail: query it, or wait for its end; never send "
    "it again under another key. The account must have payouts enabled, and the key the "
    "permission payout:create.",
    (
        Example("listPayoutMethods", errors=("FORBIDDEN",)),
        Example(
            "createPayout",
            status=201,
            body={
                "amount": 100000,
                "recipientName": "Juan Pérez",
                "recipientDocType": "CC",
                "recipientDocNumber": "79123456",
                "network": "BANK",
                "bankCanonicalId": "bancolombia",
                "accountType": "SAVINGS",
                "accountNumber": "12345678901",
                "description": "Nómina",
            },
            sets={"PAYROLL": "nomina-42-<now>"},
            idempotency_key="payout-<PAYROLL>",
            gives={"PAYOUT_ID": "data.payoutId"},
            needs=("sandboxCreditBalance",),
            errors=(
                "FORBIDDEN",
                *KEY_ERRORS,
                "PAYOUT_METHOD_NOT_AVAILABLE",
                *LIMIT_ERRORS,
                "PAYOUT_DISABLED",
                "PAYOUT_PROVIDER_UNAVAILABLE",
            ),
        ),
        Example(
            "retrievePayout",
            path={"id": "<PAYOUT_ID>"},
            needs=("createPayout",),
            errors=("FORBIDDEN",),
        ),
        Example(
            "listPayouts", query={"limit": "2"}, needs=("createPayout",), errors=("FORBIDDEN",)
        ),
    ),
    advice={
        "PAYOUT_METHOD_NOT_AVAILABLE": "Choose a method and bank of GET /payout/methods.",
        "PAYOUT_DISABLED": RETRY,
        "PAYOUT_PROVIDER_UNAVAILABLE": RETRY,
    },
    magic_title="Payouts",
    magic_key="the beneficiary's document",
)
