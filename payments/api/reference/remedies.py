"""Why each error happens, and whether a program sends the request again."""

from payments.api.reference.parts import Remedy, Then

MEND, WAIT, SAME, STOP, READ = Then.MEND, Then.WAIT, Then.SAME, Then.STOP, Then.READ

REMEDIES = {
    "VALIDATION_ERROR": Remedy(
        "A field or parameter is missing, misspelt, or has a value that its rules do not allow.",
        MEND,
    ),
    "MISSING_CREDENTIALS": Remedy(
        "A header is missing, often because a setting is empty or a proxy removed it.", STOP
    ),
    "INVALID_CREDENTIALS": Remedy(
        "The key and the secret are not of one pair, or are those of another installation, such as "
        "the sandbox.",
        STOP,
    ),
    "INVALID_API_KEY": Remedy(
        "The key was revoked or replaced, or it is the key of another installation.", STOP
    ),
    "MERCHANT_NOT_ACTIVE": Remedy("The operator has deactivated the account.", STOP),
    "FORBIDDEN": Remedy(
        "The account does not have the product, or the key was made without the permission.", STOP
    ),
    "NOT_FOUND": Remedy(
        "The path is misspelt, or the id is that of another account, or of the sandbox.", MEND
    ),
    "ORDER_NOT_FOUND": Remedy(
        "The id is misspelt, is your reference in place of our id, or is that of another account.",
        MEND,
    ),
    "METHOD_NOT_ALLOWED": Remedy(
        "The program uses another HTTP method than the reference, such as PUT for POST.", MEND
    ),
    "REQUEST_TIMEOUT": Remedy(
        "A slow network, or a body that was not sent to its end.", Then.AGAIN
    ),
    "PAYLOAD_TOO_LARGE": Remedy("The body has more in it than the operation takes.", MEND),
    "UNSUPPORTED_MEDIA_TYPE": Remedy(
        "The HTTP library sends a form, or compresses the body, unless it is told otherwise.", MEND
    ),
    "RATE_LIMIT_EXCEEDED": Remedy(
        "A loop without pauses, many requests at once, or a list that is read too often.", WAIT
    ),
    "INTERNAL_ERROR": Remedy("A fault of ours.", SAME),
    "SERVICE_UNAVAILABLE": Remedy("A restart, or a part of the service that is overloaded.", WAIT),
    "IDEMPOTENCY_KEY_REQUIRED": Remedy(
        "The header is missing on an operation that moves money.", MEND
    ),
    "IDEMPOTENCY_KEY_REUSED": Remedy(
        "The key is not made from your own record, or the request was changed after the first try.",
        Then.NEW_KEY,
    ),
    "ORDER_NOT_PAYABLE": Remedy(
        "The order was paid, has expired, or its payer is at the bank at this moment.", READ
    ),
    "ORDER_NOT_CANCELLABLE": Remedy(
        "The order was paid or has ended, or a payer may be paying it.", READ
    ),
    "METHOD_NOT_AVAILABLE": Remedy(
        "The method is misspelt, is not enabled, or does not take this amount.", MEND
    ),
    "CHARGE_REFUSED": Remedy("The bank or wallet does not accept the payer's data.", Then.PAYER),
    "DIRECT_API_NOT_ENABLED": Remedy("The account does not have the Direct API.", STOP),
    "ORDER_NOT_DISPUTABLE": Remedy("The order is not paid, or all of it is contested.", READ),
    "ORDER_NOT_REFUNDABLE": Remedy(
        "The order is not paid yet, or is returned or contested already.", READ
    ),
    "REFUND_PROVIDER_UNAVAILABLE": Remedy("The provider that returns money is away.", WAIT),
    "AMOUNT_ABOVE_LIMIT": Remedy(
        "The amount is above the cap, or above what is left to return.", MEND
    ),
    "AMOUNT_BELOW_MINIMUM": Remedy(
        "The amount is too small, or is in another unit: amounts are in pesos, not in cents.", MEND
    ),
    "INSUFFICIENT_BALANCE": Remedy(
        "The balance does not cover the amount and its fee, or a part of it is held.", Then.LATER
    ),
    "NO_WEBHOOK_URL": Remedy("The account's endpoint has no url yet.", STOP),
    "NOT_ALLOWED": Remedy("The record has ended or changed since it was read.", READ),
}
