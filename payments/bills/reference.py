from payments.api.reference.parts import KEY_ERRORS, LIMIT_ERRORS, Example, Part, Remedy, Then

PART = Part(
    "Bill payments",
    "Find the agreement, query what is owed on a reference, and pay exactly that.",
    (
        Example("listBillingAgreements", query={"q": "acueducto"}),
        Example(
            "checkBill",
            body={"agreementId": 1001, "reference": "<BILL_REFERENCE>"},
            sets={"BILL_REFERENCE": "7<now>"},
            gives={
                "AMOUNT": "data.products.0.amount",
                "CODE_RECORD": "data.products.0.codeRecord",
            },
        ),
        Example(
            "createBillPayment",
            status=201,
            body={
                "agreementId": 1001,
                "reference": "<BILL_REFERENCE>",
                "codeRecord": "<CODE_RECORD>",
                "amountCop": "<#AMOUNT>",
            },
            idempotency_key="bill-<BILL_REFERENCE>-<CODE_RECORD>",
            gives={"PAYMENT_ID": "data.id"},
            needs=("sandboxCreditBalance", "checkBill"),
            errors=(
                "BILL_PAYMENT_NOT_ENABLED",
                *KEY_ERRORS,
                "NO_PENDING_BILL",
                "BILL_SELECTION_REQUIRED",
                "BILL_CHANGED",
                *LIMIT_ERRORS,
            ),
        ),
        Example("getBillPayment", path={"id": "<PAYMENT_ID>"}, needs=("createBillPayment",)),
        Example("listBillPayments", query={"limit": "2"}, needs=("createBillPayment",)),
    ),
    advice={
        "BILL_PAYMENT_NOT_ENABLED": "Request bill payments for your account; it fails until then.",
        "NO_PENDING_BILL": (
            "Check the bill: it is paid, or being paid. Do not pay it elsewhere yet."
        ),
        "BILL_SELECTION_REQUIRED": "Send the codeRecord of one of details.products.",
        "BILL_CHANGED": "Show details.products to the payer and check the bill again.",
    },
    remedies={
        "BILL_PAYMENT_NOT_ENABLED": Remedy("The account does not have bill payments.", Then.STOP),
        "NO_PENDING_BILL": Remedy(
            "The reference is misspelt, or the bill is paid already, perhaps elsewhere.", Then.READ
        ),
        "BILL_SELECTION_REQUIRED": Remedy(
            "The reference has several debts, and the request does not say which.", Then.MEND
        ),
        "BILL_CHANGED": Remedy(
            "The debt changed after the check, or the amount is not the one of the check.",
            Then.MEND,
        ),
    },
    magic_title="Bills",
    magic_key="the reference",
)
