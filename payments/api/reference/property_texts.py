"""What fields and parameters mean, where their serializer does not say it itself.

A name means the same wherever it occurs, unless there is an entry with its schema: `Schema.name`.
"""

PROPERTIES = {
    "account": (
        "`available`: money that you may spend. `held`: money set aside for payouts and "
        "refunds under way."
    ),
    "accountNumber": (
        "Number of the bank account, 6 to 20 digits; of Nequi and DaviPlata the mobile "
        "number. Required for BANK."
    ),
    "PayoutBeneficiary.accountNumber": "Last digits of the bank account. Null for a key.",
    "accountType": "SAVINGS or CHECKING. Required for BANK.",
    "agreement": "Name of the billing agreement.",
    "agreementId": "Id of the billing agreement, from GET /bills/agreements.",
    "agreementName": "Name of the billing agreement.",
    "allowedMethods": "Methods with which the payer may pay this order.",
    "amount": "Amount in COP. It is a JSON number: parse it as a decimal, not as a float.",
    "BalanceCreditRequest.amount": "Play money to add, in the currency of the balance.",
    "Bill.amount": "What is owed, in COP.",
    "Payout.amount": (
        "What the beneficiary gets, in COP. It is a JSON number: parse it as a decimal, not "
        "as a float."
    ),
    "PayoutBatchLine.amount": "What the beneficiary gets, in COP. Null if the line is wrong.",
    "Refund.amount": (
        "What goes back to the payer, in the order's currency. It is a JSON number: parse it "
        "as a decimal, not as a float."
    ),
    "TaxLine.amount": "The tax, in the currency of the settlement.",
    "amountCop": "Amount in whole COP, without the fee.",
    "approvedAt": "When an operator approved it, in UTC. Null or absent until then.",
    "ask": "Which data the page asks of the payer.",
    "available": (
        "Money that you may spend, in the currency of the balance. It is a JSON number: parse"
        " it as a decimal, not as a float."
    ),
    "bankCanonicalId": "Our id of the bank, from GET /payout/methods. Required for BANK.",
    "PayoutBank.bankCanonicalId": "Our id of the bank; send it in POST /payout.",
    "banks": "Banks that the method reaches. Only BANK has them.",
    "baseAmount": "What you receive, in the order's currency. Null on orders from before 2026.",
    "batchId": "Id of the batch.",
    "beneficiary": "Who gets the money, masked.",
    "billReference": "Reference of the bill, as you sent it.",
    "callbackUrl": "Where the payer's browser returns. Webhooks do not go there.",
    "cancelledAt": "When the order was cancelled, in UTC. Null if it was not.",
    "city": "City of the shop, as the code has it.",
    "closedAt": "When the day was closed, in UTC.",
    "ErrorBody.code": (
        "What went wrong, for your program. More codes may be added; treat an unknown one by "
        "the HTTP status."
    ),
    "codeRecord": "Id of one bill of the reference; send it in POST /bills/pay.",
    "collectUrl": "Payment page of the order. Send the payer there.",
    "CollectionStatistics.completed": "Orders that are COMPLETED.",
    "completedAt": "When it was completed, in UTC. Null or absent until then.",
    "createdAt": "When it was created, in UTC.",
    "currency": "Currency of the amounts. COPM is the balance in pesos.",
    "OrderCreateRequest.currency": (
        "Currency of `amount`: COP, or the coin in which the payer pays."
    ),
    "PaymentLinkCreateRequest.currency": "Currency of the amounts. It cannot be changed later.",
    "ReturnedCoins.currency": "Coin in which the refund is paid.",
    "customer": "The payer, as you named them.",
    "customerDocNumber": "Number of the payer's document, without spaces or points.",
    "customerDocType": "Type of the payer's document: CC, CE, NIT or PP (passport).",
    "customerEmail": "E-mail address of the payer, for the receipt.",
    "customerName": "Full name of the payer.",
    "description": "Text that people read; for your own data use `metadata`.",
    "WebhookEndpoint.description": "Your own name of the endpoint.",
    "WebhookEndpointCreateRequest.description": "Your own name of the endpoint.",
    "WebhookEndpointUpdateRequest.description": "Your own name of the endpoint.",
    "WebhookEndpointWithSecret.description": "Your own name of the endpoint.",
    "OrderCreateRequest.description": "What is paid. The payer reads it on the payment page.",
    "Bill.description": "What is owed, in the biller's words.",
    "details": "More about the error, for your program. Which fields it has depends on the code.",
    "disputeId": "Id of the dispute.",
    "docType": "Type of the payer's document. Goes with `docNumber`.",
    "document": "Whether the page asks for type and number of the document.",
    "documentNumber": "Number of the document.",
    "PayoutBeneficiary.documentNumber": "Last characters of the document's number.",
    "documentType": "Type of the document, such as CC or NIT.",
    "email": "E-mail address of the payer.",
    "PaymentLinkAsk.email": "Whether the page asks for the e-mail address.",
    "PaymentLinkAsk.name": "Whether the page asks for the name.",
    "PaymentLinkAsk.phone": "Whether the page asks for the phone number.",
    "PaymentLinkAskRequest.email": "Whether the page asks for the e-mail address.",
    "PaymentLinkAskRequest.name": "Whether the page asks for the name.",
    "PaymentLinkAskRequest.phone": "Whether the page asks for the phone number.",
    "PaymentLinkAskUpdateRequest.email": "Whether the page asks for the e-mail address.",
    "PaymentLinkAskUpdateRequest.name": "Whether the page asks for the name.",
    "PaymentLinkAskUpdateRequest.phone": "Whether the page asks for the phone number.",
    "enabled": "Whether your account may send payouts.",
    "WebhookEndpointUpdateRequest.enabled": (
        "While it is false, no new events go there, and what is on its way waits."
    ),
    "enum": "Values that are allowed. Absent if there is no closed list.",
    "error": "What went wrong.",
    "event": "Kind of the event.",
    "expirationMinutes": "Minutes until the unpaid order expires.",
    "expiresAt": "When it can no longer be paid, in UTC.",
    "PaymentLink.expiresAt": "When the page stops taking payments, in UTC. Null: never.",
    "PaymentLinkCreateRequest.expiresAt": (
        "When the page stops taking payments, in UTC. Null: never."
    ),
    "PaymentLinkUpdateRequest.expiresAt": (
        "When the page stops taking payments, in UTC. Null: never."
    ),
    "failed": "Orders that are FAILED.",
    "feeAmount": (
        "Our fee, on top of `baseAmount`, in the order's currency. Null on orders from before 2026."
    ),
    "PayoutBatchLine.feeAmount": "Our fee, on top, in COP. Null if the line is wrong.",
    "fields": "Questions of your own that the page asks.",
    "finishedAt": "When no more payouts were to be created, in UTC. Null until then.",
    "flow": (
        "What comes next. `redirect`: open `paymentUrl`. `push`: the payer approves in their "
        "app. `key`: show `keyValue`."
    ),
    "id": "Id of this resource, for the path of its requests.",
    "CompletionPayload.id": "Id of the order.",
    "OrderPayload.id": "Id of the order.",
    "FailurePayload.id": "Id of the order.",
    "RefundPayload.id": "Id of the order.",
    "DisputePayload.id": "Id of the order.",
    "PaymentLinkPayload.id": "Id of the order.",
    "Order.id": "Id of the order.",
    "OrderCreated.id": "Id of the order.",
    "issuedAt": "When it was paid, in UTC.",
    "items": "Billing agreements of this page.",
    "DirectMethodField.key": "Name of the field in `fields` of POST /collect/{id}/pay.",
    "PayoutMethodField.key": "Name of the field in the body of POST /payout.",
    "keyType": "Type of the Bre-B key. Required for BREB.",
    "keyValue": "The Bre-B key, such as a mobile number or an e-mail address. Required for BREB.",
    "PayoutBeneficiary.keyValue": "Last characters of the Bre-B key. Null for an account.",
    "PayoutQrContent.keyType": "Type of the Bre-B key.",
    "PayoutQrContent.keyValue": "The Bre-B key.",
    "kind": "What it is. More kinds may be added.",
    "Dispute.kind": (
        "DISPUTE: the bank asks; you may answer with evidence. CHARGEBACK: the bank took the "
        "money back."
    ),
    "DisputeCreateRequest.kind": (
        "DISPUTE: the bank asks; you may answer with evidence. CHARGEBACK: the bank took the "
        "money back."
    ),
    "TaxLine.kind": "INCLUDED: part of our fee. WITHHELD: only stated.",
    "Movement.kind": "Why the money moved, such as `collect_settled`. More kinds may be added.",
    "label": "Name to show to people.",
    "DirectMethodTerm.label": "Title of the document.",
    "legend": "A line to print for the holder of the phone.",
    "limits": "Limits for one payout.",
    "PayoutBatch.lines": (
        "How many lines have which status. A line with a payout has the payout's status."
    ),
    "PayoutBatchCreateRequest.lines": "The payouts of the batch, 1 to 10,000.",
    "linkTitle": "Title of the payment link.",
    "linkUrl": "Address of the payment link.",
    "logo": "Address of the operator's logo.",
    "maxAmount": "Largest amount that is accepted. Null: no limit of its own.",
    "Bill.maxAmount": (
        "Most that can be paid, in COP. If it and `minAmount` are null, pay exactly `amount`."
    ),
    "Bill.minAmount": (
        "Least that can be paid, in COP. If it and `maxAmount` are null, pay exactly `amount`."
    ),
    "maxAmountCop": "Largest amount of one payout, in COP.",
    "maxUses": "How many payments the link accepts in all. Null: any number.",
    "merchantCode": "Code of the shop at its payment provider. Null if the QR code has none.",
    "merchantId": "Id of your account.",
    "ErrorBody.message": (
        "What went wrong, for people, in English. Do not compare it in your program."
    ),
    "TestPayload.message": "A sentence that says that this is a test.",
    "metadata": "Your own data, as you sent it.",
    "method": "Name of the method.",
    "OrderOutcomeRequest.method": (
        "Method with which the order is paid. Default: the one that the payer has chosen, "
        "else the first of the order."
    ),
    "DirectMethod.method": "Name of the method; send it as `method` in POST /collect/{id}/pay.",
    "methods": "Methods with which you can pay out.",
    "minAmount": "Smallest amount that is accepted. Null: no limit of its own.",
    "DirectMethod.minAmount": "Smallest amount that the method accepts, in COP.",
    "name": "Name to show to people.",
    "Customer.name": "Full name of the payer.",
    "DirectPayerRequest.name": "Full name of the payer.",
    "TaxLine.name": "Name of the tax.",
    "network": "BANK (account) or BREB (key).",
    "ReturnedCoins.network": "Network on which the coins are sent.",
    "openedAt": "When the dispute was opened, in UTC.",
    "operator": "Name of the mobile operator.",
    "operatorCode": "Id of the mobile operator, from the list of mobile operators.",
    "orderCount": "How many orders were completed on the day.",
    "orderId": "Id of the order.",
    "PaymentLinkStatistics.orders": "Orders that payers have made with the link.",
    "PaymentLinkStatistics.paid": "Orders of the link that are paid.",
    "paidAt": "When the whole amount had arrived, in UTC. Null until then.",
    "paymentUrl": "Page to which you send the payer, for the flow `redirect`; else null.",
    "payoutId": "Id of the payout.",
    "PayoutBatchLine.payoutId": "Id of the payout of this line. Null until it is created.",
    "pending": "Orders that are PENDING.",
    "phone": "Phone number.",
    "products": "Bills that are owed on the reference.",
    "provider": "Name of the provider that made the payment.",
    "reason": "Why, in words.",
    "Refund.reason": "Why you asked for the refund, as you sent it.",
    "PayoutBatchLine.reason": "Why the line was not paid, failed or came back; else null.",
    "recipientDocNumber": "Number of the beneficiary's document.",
    "recipientDocType": "Type of the beneficiary's document.",
    "recipientName": "Full name of the beneficiary.",
    "reference": "Your own number of the order, as you sent it.",
    "BillTicket.reference": "Reference of the bill that was paid.",
    "PayoutBatchLine.reference": "Your own number of the line, as you sent it.",
    "PayoutQrContent.reference": "Reference in the QR code. Null if it has none.",
    "referenceLabel": (
        "What the agreement calls its reference, such as the customer number. Show it to the payer."
    ),
    "refundCount": "How many refunds were completed on the day.",
    "refundId": "Id of the refund.",
    "rejectedAt": "When an operator rejected it, in UTC. Null or absent until then.",
    "requestedAt": "When you asked for it, in UTC.",
    "required": "Whether a value must be given.",
    "requiredFields": "Fields that the method takes.",
    "selectedMethod": "Method that the payer has chosen. Null until then.",
    "source": "FILE: uploaded by a person in the console. API: sent by POST /payout/batches.",
    "statistics": "Figures of the link so far.",
    "status": "Present state.",
    "Order.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "OrderCreated.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "OrderPayload.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "FailurePayload.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "RefundPayload.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "DisputePayload.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "PaymentLinkPayload.status": "COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid.",
    "Payout.status": (
        "PENDING and PROCESSING are under way: do not send the payout again. COMPLETED, "
        "FAILED and REFUNDED (it came back) are final."
    ),
    "PayoutPayload.status": (
        "PENDING and PROCESSING are under way: do not send the payout again. COMPLETED, "
        "FAILED and REFUNDED (it came back) are final."
    ),
    "BillPayment.status": (
        "`processing` is under way: do not send it again. `completed`, `failed` and "
        "`refunded` are final."
    ),
    "BillPayload.status": (
        "`processing` is under way: do not send it again. `completed`, `failed` and "
        "`refunded` are final."
    ),
    "OrderOutcomeRequest.status": "Outcome to simulate.",
    "PayoutOutcomeRequest.status": "Outcome to simulate.",
    "DisputeOutcomeRequest.status": "Outcome to simulate.",
    "stock": "Pieces in all, with those that are sold. Null: any number.",
    "taxId": "Tax number of the shop. Null if the QR code has none.",
    "taxLines": "Taxes on our fee.",
    "ticket": "Proof for the holder of the phone. Null until completed.",
    "timestamp": "When it happened, in UTC.",
    "timezone": "Time zone of the day: Colombia's.",
    "title": "What is paid. The payer reads it.",
    "BillingAgreementPage.total": "How many agreements match, on every page.",
    "CollectionStatistics.total": "All orders.",
    "totalCollected": (
        "Sum of all currencies as decimal text; the number 0 if nothing was paid. Use "
        "`collectedByCurrency`."
    ),
    "transactionId": "Id of this payment at the payment provider.",
    "type": "Type of the value.",
    "BillingAgreement.type": "What the agreement is for, such as electricity.",
    "uiType": "How the payer pays: on a page (`webview`) or in an app (`push`).",
    "updatedAt": "When it last changed, in UTC.",
    "DirectMethodTerm.url": "Address of the document.",
    "value": "Value to send.",
    "warnings": "What may be a mistake, such as the same payment within 30 days.",
    "data": "The result.",
    "*ListResponse.data": "The elements of this page.",
    "*Event.data": "What the event is about, as it was at that time.",
}
PARAMETERS = {
    "account": "Only movements of this account: `available` or `held`.",
    "currency": "Only this currency. COPM is the balance in pesos.",
    "kind": "Only movements of this kind.",
    "limit": "How many elements a page has, at most.",
    "offset": "How many elements to skip, newest first.",
    "page": "Number of the page, from 1.",
    "status": "Only elements in this state.",
    "id": "Id of the resource.",
    "refund_id": "Id of the refund.",
}
