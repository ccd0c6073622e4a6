from payments.api.reference.parts import (
    KEY_ERRORS,
    LIMIT_ERRORS,
    RETRY,
    Example,
    Part,
    Remedy,
    Then,
)

# A shop that is invented, and an amount.
QR_TEXT = (
    "00020101021126330014CO.COM.RBM.LLA0411@EJEMPLO12349250014CO.COM.RBM.RED0103RBM"
    "520400005303170540815000.005802CO5914TIENDA EJEMPLO6006BOGOTA610611011162210704POS1"
    "080200110352080290016CO.COM.RBM.CANAL0105ECOMM90300016CO.COM.RBM.TRXID010600000063045EF9"
)

PART = Part(
    "Payouts",
    "Send money from your balance to a bank account (BANK) or an instant key (BREB). A payout that "
    "is PROCESSING is with the bank: query it until it ends; never send "
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
        Example("decodePayoutQr", body={"qr": QR_TEXT}, errors=("FORBIDDEN", "QR_NOT_VALID")),
        Example(
            "getPayout",
            path={"id": "<PAYOUT_ID>"},
            needs=("createPayout",),
            errors=("FORBIDDEN",),
        ),
        Example(
            "listPayouts", query={"limit": "2"}, needs=("createPayout",), errors=("FORBIDDEN",)
        ),
        Example(
            "createPayoutBatch",
            status=201,
            body={
                "name": "Nómina",
                "lines": [
                    {
                        "reference": "N-1",
                        "amount": 50000,
                        "recipientName": "Ana Pérez",
                        "recipientDocType": "CC",
                        "recipientDocNumber": "52123456",
                        "network": "BANK",
                        "bankCanonicalId": "bancolombia",
                        "accountType": "SAVINGS",
                        "accountNumber": "12345678901",
                    }
                ],
            },
            sets={"BATCH": "lote-42-<now>"},
            idempotency_key="batch-<BATCH>",
            gives={"BATCH_ID": "data.batchId"},
            needs=("sandboxCreditBalance",),
            errors=("FORBIDDEN", *KEY_ERRORS),
        ),
        Example(
            "getPayoutBatch",
            path={"id": "<BATCH_ID>"},
            needs=("createPayoutBatch",),
            errors=("FORBIDDEN",),
        ),
        Example(
            "listPayoutBatchLines",
            path={"id": "<BATCH_ID>"},
            query={"limit": "2"},
            needs=("createPayoutBatch",),
            errors=("FORBIDDEN",),
        ),
        Example(
            "listPayoutBatches",
            query={"limit": "2"},
            needs=("createPayoutBatch",),
            errors=("FORBIDDEN",),
        ),
    ),
    advice={
        "PAYOUT_METHOD_NOT_AVAILABLE": "Choose a method and bank of GET /payout/methods.",
        "QR_NOT_VALID": "details.reason tells why. Scan it again, or type the key.",
        "PAYOUT_DISABLED": RETRY,
        "PAYOUT_PROVIDER_UNAVAILABLE": RETRY,
    },
    remedies={
        "PAYOUT_METHOD_NOT_AVAILABLE": Remedy(
            "The network, the bank or the type of key is not in the catalogue, or its provider is "
            "switched off.",
            Then.MEND,
        ),
        "QR_NOT_VALID": Remedy(
            "The picture was read in part, or the code is not one of Bre-B.", Then.MEND
        ),
        "PAYOUT_DISABLED": Remedy("The operator has switched off payouts.", Then.WAIT),
        "PAYOUT_PROVIDER_UNAVAILABLE": Remedy("The provider that pays out is away.", Then.WAIT),
    },
    magic_title="Payouts",
    magic_key="the beneficiary's document",
)
