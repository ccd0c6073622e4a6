// Generated from the OpenAPI document by `make sdks`: do not change it by hand.

export interface paths {
    "/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is available and what is held
         * @description COPM always, and every other currency that the account has had.
         */
        get: operations["listBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balance/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the movements of the merchant's balances, newest first */
        get: operations["listMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/agreements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the billing agreements
         * @description Case and accents do not count. Pages have a fixed size; one past the end is empty.
         */
        get: operations["listBillingAgreements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask what is owed on a reference. Charges nothing */
        post: operations["checkBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a bill
         * @description The debt is checked again first. Waits up to ten seconds for the biller; else the status is
         *     `processing`, and the same key or GET /bills/payments/{id} answers what became of it.
         *     BILL_PAYMENT_NOT_ENABLED is 503.
         */
        post: operations["createBillPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the merchant's bill payments, newest first */
        get: operations["listBillPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bills/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one bill payment */
        get: operations["getBillPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the merchant's orders, newest first */
        get: operations["listCollections"];
        put?: never;
        /** Create a collection order */
        post: operations["createCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one order */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an order that is unpaid
         * @description It becomes EXPIRED, and payment.cancelled is sent where it is enabled. Refused with
         *     ORDER_NOT_CANCELLABLE while a payer may be paying. Cancelling again answers the same.
         */
        post: operations["cancelCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/{id}/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the methods that can pay the order */
        get: operations["listCollectionMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a payment of the order; each call is a new one
         * @description Only the signed webhook confirms a payment, never the payer's return.
         */
        post: operations["payCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the order's refunds, newest first */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Ask for a part of what was paid to go back to the payer, or all of it
         * @description The amount is held of your balance at once; an operator approves or rejects. You bear the
         *     whole amount: our fee is kept.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/{id}/refunds/{refund_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one refund */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collect/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the merchant's orders by status and sum what was collected */
        get: operations["getCollectionStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events in the order of their sequence, oldest first
         * @description Ask with the id of the last one that you have. No event is ever skipped: one that is
         *     recorded late comes later in the sequence. Fewer than `limit` means that there are no more
         *     at present.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the merchant's payment links, newest first */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description Each payer who opens it fills in a form and makes an order of their own, which is paid,
         *     reported and refunded like every other order. The order has the link's id as `linkId`.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one payment link, with its figures */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a payment link, pause it, resume it or end it
         * @description Orders that exist keep what they have. The currency does not change, and ENDED is final.
         */
        patch: operations["updatePaymentLink"];
        trace?: never;
    };
    "/links/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the image that payers see beside the amount, or take it away
         * @description We encode the picture again, so place and device of a photo are not kept. `imageUrl` is
         *     another one for each picture.
         */
        post: operations["setPaymentLinkImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the merchant's payouts, newest first */
        get: operations["listPayouts"];
        put?: never;
        /** Send money to a bank account or an instant key */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one payout */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the merchant's batches, newest first, also those of files */
        get: operations["listPayoutBatches"];
        put?: never;
        /**
         * Send up to 10,000 payouts at once: all lines are right, or nothing is stored
         * @description Each line becomes a payout, once, within moments. Lines above the balance wait until there
         *     is money: `waitsFor` tells.
         */
        post: operations["createPayoutBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one batch */
        get: operations["getPayoutBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/batches/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the lines of a batch in their order, with their payouts */
        get: operations["listPayoutBatchLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The catalogue: methods with their limits, fields and banks */
        get: operations["listPayoutMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the text of a Bre-B QR code, to fill in a payout. Moves nothing
         * @description The checksum and every field are checked; QR_NOT_VALID tells in details.reason what is
         *     wrong. The document of the beneficiary is not in a code.
         */
        post: operations["decodePayoutQr"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credit play money to the merchant's balance */
        post: operations["sandboxCreditBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/collect/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a collection order to an outcome, as its rail would */
        post: operations["sandboxResolveCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/collect/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Contest a paid order, as the payer would at their bank */
        post: operations["sandboxCreateDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/dispute/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide a dispute, as the payer's bank would */
        post: operations["sandboxResolveDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payout/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a payout to an outcome, as its rail would */
        post: operations["sandboxResolvePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/refund/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide about a refund as our operator would, or bring it where its rail would */
        post: operations["sandboxResolveRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the closed days, newest first */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one closed day with its tax lines */
        get: operations["getSettlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements/{id}/statement.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the statement of the day as CSV
         * @description Opening balance, every movement with the balance after it, closing balance; then a row for
         *     each tax line (tax_included, tax_withheld), which moves nothing.
         */
        get: operations["downloadSettlementCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements/{id}/statement.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the statement of the day as a page to print */
        get: operations["downloadSettlementHtml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements/statement.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the statement of any period as CSV
         * @description As that of a day, with the tax lines of each closed day of the period.
         */
        get: operations["downloadStatementCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settlements/statement.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the statement of any period as a page to print */
        get: operations["downloadStatementHtml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the merchant's top-ups, newest first */
        get: operations["listTopups"];
        put?: never;
        /**
         * Buy credit for a mobile phone
         * @description Waits up to ten seconds for the operator; else the status is `processing`, and the same key
         *     or GET /topup/{id} answers what became of it. TOPUP_NOT_ENABLED is 503.
         */
        post: operations["createTopup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/topup/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one top-up */
        get: operations["getTopup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/topup/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the mobile operators whose phones can be topped up */
        get: operations["listTopupOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhook endpoints: the one of the account, then the oldest first */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description From now on each event of the kinds in `events` is sent there, too, signed with the secret
         *     of this endpoint. A merchant has at most 16, the one of the account included. The key needs
         *     the permission webhook:manage.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one webhook endpoint, without its secret */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description What is on its way to it is not sent any more. The endpoint of the account cannot be
         *     deleted. The same request again succeeds, too. The key needs the permission webhook:manage.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint, or switch it on or off
         * @description Deliveries that are on their way go to the new URL. While an endpoint is off they wait;
         *     events that happen then are not sent there later. The key needs the permission
         *     webhook:manage.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        AccountType: "SAVINGS" | "CHECKING";
        /** @description Element of GET /balance. */
        Balance: {
            currency: components["schemas"]["BalanceCurrency"];
            /** @description What may be spent. */
            available: number;
            /** @description What payouts under way have set aside. */
            held: number;
        };
        /** @enum {string} */
        BalanceAccount: "available" | "held";
        /** @description Body of POST /sandbox/balance. */
        BalanceCreditRequest: {
            currency: components["schemas"]["BalanceCurrency"];
            amount: number;
        };
        /** @enum {string} */
        BalanceCurrency: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
        BalanceListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Balance"][];
        };
        BatchCancelledEvent: {
            /** @constant */
            event: "batch.cancelled";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchDoneEvent: {
            /** @constant */
            event: "batch.done";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchPausedEvent: {
            /** @constant */
            event: "batch.paused";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description A batch at the time of the event, as GET /payout/batches/{id} shows it. */
        BatchPayload: {
            /** @description As `batchId` of GET /payout/batches/{id}. */
            id: string;
            status: components["schemas"]["PayoutBatchStatus"];
            source: components["schemas"]["PayoutBatchSource"];
            name: string;
            currency: components["schemas"]["PayoutCurrency"];
            /**
             * Format: int64
             * @description Lines that can be paid.
             */
            lineCount: number;
            /** @description Of these lines, in COP. */
            amount: number;
            /** @description On top, in COP. */
            feeAmount: number;
            /** @description How many lines have which status. */
            lines: {
                [key: string]: number;
            };
            /** @description Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE. */
            waitsFor: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        BatchRejectedEvent: {
            /** @constant */
            event: "batch.rejected";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchRunningEvent: {
            /** @constant */
            event: "batch.running";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description Element of data.products (contract, Bill check result). */
        Bill: {
            codeRecord: string;
            description: string;
            amount: number;
            minAmount: number | null;
            maxAmount: number | null;
        };
        /** @description Body of POST /bills/check. */
        BillCheckRequest: {
            /** Format: int64 */
            agreementId: number;
            /** @description The payer's reference; what it is, the agreement's referenceLabel says. */
            reference: string;
        };
        /** @description Answer of POST /bills/check (contract, Bill check result). */
        BillCheckResult: {
            /** Format: int64 */
            agreementId: number;
            agreementName: string;
            /** @description The biller's own words, for the payer. */
            supplierMessage: string | null;
            products: components["schemas"]["Bill"][];
        };
        BillCheckResultResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["BillCheckResult"];
        };
        BillCompletedEvent: {
            /** @constant */
            event: "bill.completed";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BillFailedEvent: {
            /** @constant */
            event: "bill.failed";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /**
         * @description A bill payment at the time of the event, as GET /bills/payments/{id} shows it, with the
         *     bill's reference masked.
         */
        BillPayload: {
            id: string;
            status: components["schemas"]["BillPaymentStatus"];
            /** Format: int64 */
            agreementId: number;
            agreementName: string;
            /** @description The last characters. */
            billReference: string;
            /** Format: int64 */
            amountCop: number;
            /**
             * Format: int64
             * @description On top.
             */
            feeCop: number;
            /**
             * Format: int64
             * @description amountCop + feeCop.
             */
            totalCop: number;
            /** @description Trace reference. */
            reference: string;
            /** @description Why the bill is not paid; null while it is, or may be. */
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        /** @description A bill payment (contract, Bill payment). */
        BillPayment: {
            id: string;
            status: components["schemas"]["BillPaymentStatus"];
            /** Format: int64 */
            amountCop: number;
            /**
             * Format: int64
             * @description On top.
             */
            feeCop: number;
            /**
             * Format: int64
             * @description amountCop + feeCop.
             */
            totalCop: number;
            /** @description Trace reference. */
            reference: string;
            /** @description Null until completed. */
            ticket: components["schemas"]["BillTicket"] | null;
            /** Format: int64 */
            agreementId: number;
            agreementName: string;
            billReference: string;
            codeRecord: string;
            /** @description Why the bill is not paid; null while it is, or may be. */
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        /** @description Body of POST /bills/pay. */
        BillPaymentCreateRequest: {
            /** Format: int64 */
            agreementId: number;
            /** @description The payer's reference; what it is, the agreement's referenceLabel says. */
            reference: string;
            /** @description Of POST /bills/check. Optional when there is a single bill. */
            codeRecord?: string | null;
            /**
             * Format: int64
             * @description Whole pesos.
             */
            amountCop: number;
            /** @description Alternative to the header Idempotency-Key. */
            idempotencyKey?: string | null;
        };
        BillPaymentListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["BillPayment"][];
        };
        BillPaymentResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["BillPayment"];
        };
        /** @enum {string} */
        BillPaymentStatus: "processing" | "completed" | "failed" | "refunded";
        BillProcessingEvent: {
            /** @constant */
            event: "bill.processing";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BillRefundedEvent: {
            /** @constant */
            event: "bill.refunded";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description What proves the payment to the payer (docs/gaps.md, Bill payments). */
        BillTicket: {
            /** @description The rail's own number. */
            number: string | null;
            /** @description The rail's approval code, where it has them. */
            authorization: string | null;
            provider: string;
            /** Format: date-time */
            issuedAt: string;
            agreement: string;
            reference: string;
            /** Format: int64 */
            amountCop: number;
            /** @description A line to print, for the payer. */
            legend: string;
        };
        /** @description Element of data.items (contract, Billing agreement). */
        BillingAgreement: {
            /** Format: int64 */
            agreementId: number;
            name: string;
            referenceLabel: string;
            type: string;
        };
        /** @description Answer of GET /bills/agreements. */
        BillingAgreementPage: {
            items: components["schemas"]["BillingAgreement"][];
            /** Format: int64 */
            total: number;
        };
        BillingAgreementPageResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["BillingAgreementPage"];
        };
        /** @enum {string} */
        BrebKeyType: "PHONE" | "EMAIL" | "ALPHANUMERIC" | "ID" | "BCODE";
        /** @enum {string} */
        ChargeFlow: "redirect" | "push" | "key";
        /** @description Answer of GET /collect/stats (contract, Collection statistics). */
        CollectionStatistics: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            pending: number;
            /** Format: int64 */
            completed: number;
            /** Format: int64 */
            failed: number;
            totalCollected: string | 0;
            /** @description The same sum apart by currency, since pesos and bitcoin do not add up. */
            collectedByCurrency: {
                [key: string]: string;
            };
        };
        CollectionStatisticsResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["CollectionStatistics"];
        };
        /** @description What is available after the credit. */
        CreditedBalance: {
            currency: components["schemas"]["BalanceCurrency"];
            available: number;
        };
        CreditedBalanceResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["CreditedBalance"];
        };
        /** @description The payer as the merchant named them. */
        Customer: {
            name: string;
            email: string;
            /** @description Empty, like the other fields, where a payment link did not ask for it. */
            documentType: components["schemas"]["CustomerDocumentType"];
            documentNumber: string;
        };
        /** @enum {string} */
        CustomerDocumentType: "CC" | "CE" | "NIT" | "PP" | "";
        /** @description Answer of POST /collect/{id}/pay (contract, Direct API charge). */
        DirectCharge: {
            /** Format: uri */
            paymentUrl: string | null;
            transactionId: string;
            method: string;
            flow: components["schemas"]["ChargeFlow"];
            /** @description Only for the flow key. */
            keyValue?: string;
            /**
             * Format: date-time
             * @description Only for the flow key.
             */
            expiresAt?: string;
        };
        DirectChargeResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["DirectCharge"];
        };
        /** @description Element of GET /collect/{id}/methods (contract, Direct API method descriptor). */
        DirectMethod: {
            method: string;
            label: string;
            uiType: components["schemas"]["DirectMethodUiType"];
            /** @description Payers pay in pesos. */
            currency: string;
            minAmount: number;
            requiredFields: components["schemas"]["DirectMethodField"][];
            /** @description Show the links to the payer, who accepts them: `acceptedTerms`. Absent without. */
            terms?: components["schemas"]["DirectMethodTerm"][];
        };
        /** @description A field to ask the payer for. */
        DirectMethodField: {
            key: string;
            type: components["schemas"]["DirectMethodFieldType"];
            label: string;
            required: boolean;
            /** @description Of the types with a list. */
            options?: components["schemas"]["DirectMethodFieldOption"][];
        };
        /** @description One entry of a list to choose from. */
        DirectMethodFieldOption: {
            value: string;
            label: string;
        };
        /** @enum {string} */
        DirectMethodFieldType: "bankSelect" | "select" | "phone" | "text";
        DirectMethodListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["DirectMethod"][];
        };
        /** @description A document of the rail to accept before paying. */
        DirectMethodTerm: {
            /** Format: uri */
            url: string;
            label: string;
        };
        /** @enum {string} */
        DirectMethodUiType: "webview" | "push";
        /** @description Body of POST /collect/{id}/pay. */
        DirectPayRequest: {
            /** @description A key of GET /collect/{id}/methods. */
            method: string;
            /** @description The method's requiredFields, by key. */
            fields?: {
                [key: string]: string;
            };
            /** @description Default: the order's customer. */
            payer?: components["schemas"]["DirectPayerRequest"] | null;
            /**
             * Format: uri
             * @description Only for the flow redirect. Default: the order's payment page.
             */
            returnUrl?: string | null;
            /**
             * @description true: the payer accepted the method's terms. Required where it has any.
             * @default false
             */
            acceptedTerms?: boolean;
        };
        /** @description Who pays, where that is not the order's customer (contract, POST /collect/{id}/pay). */
        DirectPayerRequest: {
            name?: string;
            email?: string;
            phone?: string;
            docType?: components["schemas"]["DocumentType"];
            /** @description Goes with docType. */
            docNumber?: string;
        };
        /** @description A dispute, as in its events. */
        Dispute: {
            disputeId: string;
            /** @description What the merchant answers for. */
            disputedAmount: number;
            reason: string;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: date-time
             * @description Null when the bank sets no limit.
             */
            evidenceDueAt: string | null;
            orderId: string;
            kind: components["schemas"]["DisputeKind"];
            status: components["schemas"]["DisputeStatus"];
        };
        /** @description Body of POST /sandbox/collect/{id}/dispute. */
        DisputeCreateRequest: {
            /** @default DISPUTE */
            kind?: components["schemas"]["DisputeKind"];
            /** @description In the order's currency. Default: what is neither refunded nor contested. */
            amount?: number | null;
            /** @default Contested in the sandbox */
            reason?: string;
        };
        /** @enum {string} */
        DisputeKind: "DISPUTE" | "CHARGEBACK";
        /** @enum {string} */
        DisputeOutcome: "WON" | "LOST";
        /** @description Body of POST /sandbox/dispute/{id}. */
        DisputeOutcomeRequest: {
            status: components["schemas"]["DisputeOutcome"];
        };
        /** @description The order, and what is contested of it. */
        DisputePayload: {
            id: string;
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            disputeId: string;
            /** @description What the merchant answers for. */
            disputedAmount: number;
            reason: string;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: date-time
             * @description Null when the bank sets no limit.
             */
            evidenceDueAt: string | null;
        };
        DisputeResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Dispute"];
        };
        /** @enum {string} */
        DisputeStatus: "OPEN" | "WON" | "LOST";
        /** @enum {string} */
        DocumentType: "CC" | "CE" | "NIT" | "PP";
        /** @description error (contract, Errors). */
        ErrorBody: {
            code: string;
            message: string;
            details?: {
                /** @description The first offending field, as a path. */
                field?: string;
                /** @description Every offending field with what is wrong with it. */
                fields?: {
                    [key: string]: string;
                };
            } & {
                [key: string]: unknown;
            };
        };
        /** @description The envelope of every error. */
        ErrorResponse: {
            /** @description Always false. */
            success: boolean;
            error: components["schemas"]["ErrorBody"];
        };
        /** @description The order, and why it failed. */
        FailurePayload: {
            id: string;
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description The rail's code of the last try: of PSE the CUS. */
            traceCode: string | null;
            /** @description Why the last try brought no money, as a code; null if the rail did not say. */
            failureReason: string | null;
            /**
             * Format: int64
             * @description How many payments were begun for the order, the last one included.
             */
            attempts: number;
        };
        /** @description An event with its place in the merchant's sequence. */
        FeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /** @description Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added. */
            event: string;
            /** @description The same fields as in the webhook of this kind. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened, in UTC, as in the webhook.
             */
            timestamp: string;
        } & (components["schemas"]["PaymentCompletedFeedEvent"] | components["schemas"]["PaymentFailedFeedEvent"] | components["schemas"]["PaymentExpiredFeedEvent"] | components["schemas"]["PaymentCancelledFeedEvent"] | components["schemas"]["PaymentConfirmedFeedEvent"] | components["schemas"]["PaymentRefundedFeedEvent"] | components["schemas"]["PaymentPartiallyRefundedFeedEvent"] | components["schemas"]["PaymentChargebackFeedEvent"] | components["schemas"]["PaymentDisputedFeedEvent"] | components["schemas"]["RefundRequestedFeedEvent"] | components["schemas"]["RefundApprovedFeedEvent"] | components["schemas"]["RefundRejectedFeedEvent"] | components["schemas"]["RefundCompletedFeedEvent"] | components["schemas"]["SettlementClosedFeedEvent"] | components["schemas"]["LinkPaidFeedEvent"] | components["schemas"]["BatchRunningFeedEvent"] | components["schemas"]["BatchPausedFeedEvent"] | components["schemas"]["BatchDoneFeedEvent"] | components["schemas"]["BatchCancelledFeedEvent"] | components["schemas"]["BatchRejectedFeedEvent"] | components["schemas"]["PayoutProcessingFeedEvent"] | components["schemas"]["PayoutCompletedFeedEvent"] | components["schemas"]["PayoutFailedFeedEvent"] | components["schemas"]["PayoutRefundedFeedEvent"] | components["schemas"]["TopupProcessingFeedEvent"] | components["schemas"]["TopupCompletedFeedEvent"] | components["schemas"]["TopupFailedFeedEvent"] | components["schemas"]["TopupRefundedFeedEvent"] | components["schemas"]["BillProcessingFeedEvent"] | components["schemas"]["BillCompletedFeedEvent"] | components["schemas"]["BillFailedFeedEvent"] | components["schemas"]["BillRefundedFeedEvent"] | components["schemas"]["WebhookTestFeedEvent"]);
        FeedEventListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["FeedEvent"][];
        };
        LinkPaidEvent: {
            /** @constant */
            event: "link.paid";
            data: components["schemas"]["PaymentLinkPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description Element of GET /balance/movements. */
        Movement: {
            id: string;
            kind: components["schemas"]["MovementKind"];
            /** @description What caused it: the id of an order or a payout; of the account for play money. */
            subjectId: string;
            currency: components["schemas"]["BalanceCurrency"];
            account: components["schemas"]["BalanceAccount"];
            /** @description Below zero: it left this account. */
            amount: number;
            /** @description Of this account, after this movement. */
            balanceAfter: number;
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        MovementKind: "collect_settled" | "payout_reserved" | "payout_released" | "payout_completed" | "payout_returned" | "topup_reserved" | "topup_released" | "topup_completed" | "topup_returned" | "bill_reserved" | "bill_released" | "bill_completed" | "bill_returned" | "refund_reserved" | "refund_released" | "refund_completed" | "refund_returned" | "dispute_opened" | "dispute_won" | "dispute_lost" | "unmatched_credited" | "bank_line_credited" | "bank_line_reversed" | "sandbox_credited";
        MovementListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Movement"][];
        };
        /** @description Element of GET /collect, answer of GET /collect/{id}. */
        Order: {
            id: string;
            reference: string;
            /** @description What the payer pays: baseAmount + feeAmount. */
            amount: number;
            baseAmount: number | null;
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /** Format: uri */
            collectUrl: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            description: string;
            selectedMethod: components["schemas"]["PaymentMethod"] | null;
            allowedMethods: components["schemas"]["PaymentMethod"][];
            customer: components["schemas"]["Customer"];
            callbackUrl: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description The rail's finality: safe to deliver.
             */
            confirmedAt: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
            /** @description The id of the refused order whose payer tried again; null on all other orders. */
            retryOf: string | null;
            /** @description What refunds have brought back to the payer. */
            refundedAmount: number;
            /** @description Of the payment link with which the payer made the order; null on all other orders. */
            linkId: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Body of POST /collect (contract, Collection order). */
        OrderCreateRequest: {
            /** @description Your own number of the order. Each can be used once, for ever: after an order that FAILED or EXPIRED, a second try needs a new one. */
            reference: string;
            /** @description What the merchant receives, in the order's currency. */
            amount: number;
            /** @default COP */
            currency?: components["schemas"]["OrderCurrency"];
            /** @default  */
            description?: string;
            customerName: string;
            /** Format: email */
            customerEmail: string;
            customerDocType: components["schemas"]["DocumentType"];
            customerDocNumber: string;
            /**
             * Format: int32
             * @default 60
             */
            expirationMinutes?: number;
            /**
             * Format: uri
             * @description Where the payer's browser returns; webhooks go to the URL of your account. When the order is COMPLETED, FAILED or EXPIRED, our page has a button that leads there; right after a payment it goes there by itself in 10 seconds. It adds `id`, `reference`, `status` and `confirmation=webhook` to the query and keeps yours, so do not use these names. The return proves nothing: only the signed webhook confirms a payment.
             */
            callbackUrl?: string | null;
            /** @description Default: the methods of the account. */
            allowedMethods?: components["schemas"]["PaymentMethod"][] | null;
            /**
             * @description At most 1 KB as compact JSON, 20 levels deep; comes back as sent.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Answer of POST /collect (contract, Collection order, response of create). */
        OrderCreated: {
            id: string;
            reference: string;
            /** @description What the payer pays: baseAmount + feeAmount. */
            amount: number;
            baseAmount: number | null;
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /** Format: uri */
            collectUrl: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
        };
        OrderCreatedResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["OrderCreated"];
        };
        /** @enum {string} */
        OrderCurrency: "COP" | "USDT" | "USDC" | "BTC" | "ETH";
        OrderListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Order"][];
        };
        /** @description Body of POST /sandbox/collect/{id}. */
        OrderOutcomeRequest: {
            status: components["schemas"]["SandboxCollectionOutcome"];
            /** @description Default: the one that the payer has chosen, else the first of the order. */
            method?: components["schemas"]["PaymentMethod"] | null;
            /** @description What arrives, in the order's currency. Default: what is missing. */
            amount?: number | null;
        };
        /** @description The order at the time of the event. */
        OrderPayload: {
            id: string;
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
        };
        OrderResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Order"];
        };
        /** @enum {string} */
        OrderStatus: "PENDING" | "PROCESSING" | "WAITING_TRANSFER" | "COMPLETED" | "FAILED" | "EXPIRED";
        PaymentCancelledEvent: {
            /** @constant */
            event: "payment.cancelled";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentChargebackEvent: {
            /** @constant */
            event: "payment.chargeback";
            data: components["schemas"]["DisputePayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentCompletedEvent: {
            /** @constant */
            event: "payment.completed";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentConfirmedEvent: {
            /** @constant */
            event: "payment.confirmed";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentDisputedEvent: {
            /** @constant */
            event: "payment.disputed";
            data: components["schemas"]["DisputePayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentExpiredEvent: {
            /** @constant */
            event: "payment.expired";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentFailedEvent: {
            /** @constant */
            event: "payment.failed";
            data: components["schemas"]["FailurePayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description A payment link. */
        PaymentLink: {
            id: string;
            /**
             * Format: uri
             * @description Send it to payers. /qr.svg and /qr.png below it.
             */
            url: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description PAYABLE, or why a payer cannot pay now. BUSY: others are paying the last ones. */
            availability: components["schemas"]["PaymentLinkAvailability"];
            title: string;
            description: string;
            /**
             * Format: uri
             * @description Set by POST /links/{id}/image.
             */
            imageUrl: string | null;
            currency: components["schemas"]["OrderCurrency"];
            /** @description Null: the payer chooses. */
            amount: number | null;
            minAmount: number | null;
            maxAmount: number | null;
            ask: components["schemas"]["PaymentLinkAsk"];
            fields: components["schemas"]["PaymentLinkField"][];
            /** Format: int64 */
            maxUses: number | null;
            /** Format: int64 */
            stock: number | null;
            /**
             * Format: int64
             * @description How many more payments by maxUses and stock. Null: any.
             */
            left: number | null;
            /** Format: date-time */
            expiresAt: string | null;
            callbackUrl: string | null;
            statistics: components["schemas"]["PaymentLinkStatistics"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description What the payer is asked for. */
        PaymentLinkAsk: {
            /** @default REQUIRED */
            name?: components["schemas"]["PaymentLinkAskRule"];
            /** @default REQUIRED */
            email?: components["schemas"]["PaymentLinkAskRule"];
            /** @default NONE */
            document?: components["schemas"]["PaymentLinkAskRule"];
            /** @default NONE */
            phone?: components["schemas"]["PaymentLinkAskRule"];
        };
        /** @description What the payer is asked for. */
        PaymentLinkAskRequest: {
            /** @default REQUIRED */
            name?: components["schemas"]["PaymentLinkAskRule"];
            /** @default REQUIRED */
            email?: components["schemas"]["PaymentLinkAskRule"];
            /** @default NONE */
            document?: components["schemas"]["PaymentLinkAskRule"];
            /** @default NONE */
            phone?: components["schemas"]["PaymentLinkAskRule"];
        };
        /** @enum {string} */
        PaymentLinkAskRule: "NONE" | "OPTIONAL" | "REQUIRED";
        /** @description What is left out stays. */
        PaymentLinkAskUpdateRequest: {
            name?: components["schemas"]["PaymentLinkAskRule"];
            email?: components["schemas"]["PaymentLinkAskRule"];
            document?: components["schemas"]["PaymentLinkAskRule"];
            phone?: components["schemas"]["PaymentLinkAskRule"];
        };
        /** @enum {string} */
        PaymentLinkAvailability: "PAYABLE" | "PAUSED" | "ENDED" | "EXPIRED" | "USED_UP" | "SOLD_OUT" | "BUSY" | "MERCHANT_NOT_ACTIVE";
        /** @description Body of POST /links. */
        PaymentLinkCreateRequest: {
            /** @description What is paid. It becomes the order's description. */
            title: string;
            /** @default  */
            description?: string;
            /** @description What you receive; the fee comes on top. Null or absent: the payer chooses. */
            amount?: number | null;
            minAmount?: number | null;
            maxAmount?: number | null;
            ask?: components["schemas"]["PaymentLinkAskRequest"];
            fields?: components["schemas"]["PaymentLinkFieldRequest"][];
            /**
             * Format: int32
             * @description Null: any.
             */
            maxUses?: number | null;
            /**
             * Format: int32
             * @description Pieces in all, with those that are sold. Null: any.
             */
            stock?: number | null;
            /** Format: date-time */
            expiresAt?: string | null;
            /** Format: uri */
            callbackUrl?: string | null;
            /** @default COP */
            currency?: components["schemas"]["OrderCurrency"];
        };
        /** @description A question of your own. */
        PaymentLinkField: {
            /** @description What the payer reads. */
            label: string;
            /** @default false */
            required?: boolean;
        };
        /** @description A question of your own. */
        PaymentLinkFieldRequest: {
            /** @description What the payer reads. */
            label: string;
            /** @default false */
            required?: boolean;
        };
        /** @description Body of POST /links/{id}/image. */
        PaymentLinkImageRequest: {
            /**
             * Format: byte
             * @description A PNG, JPEG or WebP picture in base64: at most 48,000 bytes before it, and 1024 pixels a side. Null takes the image away.
             */
            content: string | null;
        };
        PaymentLinkListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PaymentLink"][];
        };
        /** @description The order that a payer of the link has paid, and the link. */
        PaymentLinkPayload: {
            id: string;
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description The end of its address. */
            linkCode: string;
            linkTitle: string;
            /** Format: uri */
            linkUrl: string;
        };
        PaymentLinkResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PaymentLink"];
        };
        /** @description Figures of a link so far. */
        PaymentLinkStatistics: {
            /**
             * Format: int64
             * @description Browsers, each once a day.
             */
            visits: number;
            /** Format: int64 */
            orders: number;
            /**
             * Format: int64
             * @description Orders that may still be paid.
             */
            open: number;
            /** Format: int64 */
            paid: number;
            /** @description What you received, in the link's currency. */
            collected: number;
        };
        /** @enum {string} */
        PaymentLinkStatus: "ACTIVE" | "PAUSED" | "ENDED";
        /** @description Body of PATCH /links/{id}. What is left out stays. `status` moves the link. */
        PaymentLinkUpdateRequest: {
            title?: string;
            description?: string;
            /** @description A fixed amount stays fixed, an open one open. */
            amount?: number | null;
            minAmount?: number | null;
            maxAmount?: number | null;
            ask?: components["schemas"]["PaymentLinkAskUpdateRequest"];
            fields?: components["schemas"]["PaymentLinkFieldRequest"][];
            /**
             * Format: int32
             * @description Null: any.
             */
            maxUses?: number | null;
            /**
             * Format: int32
             * @description Pieces in all, with those that are sold. Null: any.
             */
            stock?: number | null;
            /** Format: date-time */
            expiresAt?: string | null;
            /** Format: uri */
            callbackUrl?: string | null;
            /** @description PAUSED, ACTIVE again, or ENDED for ever. Open orders can still be paid. */
            status?: components["schemas"]["PaymentLinkStatus"];
        };
        /** @enum {string} */
        PaymentMethod: "PSE" | "BANK_TRANSFER" | "CRYPTO";
        PaymentPartiallyRefundedEvent: {
            /** @constant */
            event: "payment.partially_refunded";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentRefundedEvent: {
            /** @constant */
            event: "payment.refunded";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description A payout (contract, Payout, response). */
        Payout: {
            payoutId: string;
            status: components["schemas"]["PayoutStatus"];
            amount: number;
            /** @description On top, in COP, paid by the merchant. */
            feeAmount: number;
            recipientName: string;
            /** @description `bank` or `breb`. */
            network: string;
            /** @description The trace code. Null until the provider has one. */
            providerPayoutId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** @description Why the beneficiary does not have the money; null while they have it, or may have it. */
            failureReason: string | null;
            /** @description Your own, as you gave it; null without one. */
            reference: string | null;
            description: string;
            beneficiary: components["schemas"]["PayoutBeneficiary"];
            metadata: {
                [key: string]: unknown;
            };
        };
        /** @description A bank that the method reaches. */
        PayoutBank: {
            bankCanonicalId: string;
            name: string;
        };
        /** @description With how many lines have which status. */
        PayoutBatch: {
            batchId: string;
            status: components["schemas"]["PayoutBatchStatus"];
            /** @description FILE: uploaded by a person in the console. */
            source: components["schemas"]["PayoutBatchSource"];
            name: string;
            currency: components["schemas"]["PayoutCurrency"];
            /**
             * Format: int64
             * @description Lines that can be paid.
             */
            lineCount: number;
            /** @description Of these lines, in COP. */
            amount: number;
            /** @description On top, in COP. */
            feeAmount: number;
            /** @description Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE. */
            waitsFor: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            lines: {
                [key: string]: number;
            };
        };
        /** @description Body of POST /payout/batches. */
        PayoutBatchCreateRequest: {
            /**
             * @description Of your own.
             * @default
             */
            name?: string;
            /**
             * @description The balance that pays: COPM (pesos) or USDT.
             * @default COPM
             */
            currency?: components["schemas"]["PayoutCurrency"];
            /** @description Alternative to the header Idempotency-Key. */
            idempotencyKey?: string | null;
            lines: components["schemas"]["PayoutBatchLineCreateRequest"][];
        };
        /** @description A line and its payout. */
        PayoutBatchLine: {
            /**
             * Format: int64
             * @description Of the file, or from 1 as the lines were sent.
             */
            number: number;
            reference: string;
            status: components["schemas"]["PayoutBatchLineStatus"];
            amount: number | null;
            feeAmount: number | null;
            recipientName: string;
            payoutId: string | null;
            /** @description The trace code. */
            providerPayoutId: string | null;
            reason: string | null;
            warnings: string[];
        };
        /** @description A payout of a batch: the fields of POST /payout, and a reference of yours. */
        PayoutBatchLineCreateRequest: {
            /** @description What the beneficiary gets, in COP. */
            amount: number;
            recipientName: string;
            recipientDocType: components["schemas"]["DocumentType"];
            recipientDocNumber: string;
            /**
             * @description BANK or BREB.
             * @default BANK
             */
            network?: string;
            bankCanonicalId?: string | null;
            accountType?: components["schemas"]["AccountType"] | null;
            accountNumber?: string | null;
            keyType?: components["schemas"]["BrebKeyType"] | null;
            keyValue?: string | null;
            /** @default  */
            description?: string;
            /**
             * @description Yours. No two lines of a batch have the same.
             * @default
             */
            reference?: string;
        };
        PayoutBatchLineListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PayoutBatchLine"][];
        };
        /** @enum {string} */
        PayoutBatchLineStatus: "WRONG" | "WAITING" | "REFUSED" | "CANCELLED" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
        PayoutBatchResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PayoutBatch"];
        };
        /** @enum {string} */
        PayoutBatchSource: "FILE" | "API";
        /** @enum {string} */
        PayoutBatchStatus: "CHECKING" | "REFUSED" | "CHECKED" | "WAITING_APPROVAL" | "RUNNING" | "PAUSED" | "DONE" | "CANCELLED" | "REJECTED" | "DISCARDED";
        /** @description A batch of payouts. */
        PayoutBatchSummary: {
            batchId: string;
            status: components["schemas"]["PayoutBatchStatus"];
            /** @description FILE: uploaded by a person in the console. */
            source: components["schemas"]["PayoutBatchSource"];
            name: string;
            currency: components["schemas"]["PayoutCurrency"];
            /**
             * Format: int64
             * @description Lines that can be paid.
             */
            lineCount: number;
            /** @description Of these lines, in COP. */
            amount: number;
            /** @description On top, in COP. */
            feeAmount: number;
            /** @description Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE. */
            waitsFor: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        PayoutBatchSummaryListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PayoutBatchSummary"][];
        };
        /** @description Who gets the money, masked. The names are those of POST /payout. */
        PayoutBeneficiary: {
            /** @description The initials. */
            name: string;
            documentType: string;
            documentNumber: string | null;
            /** @description Null for a key. */
            bankCanonicalId: string | null;
            /** @description SAVINGS, CHECKING; null for a key. */
            accountType: string | null;
            accountNumber: string | null;
            /** @description Such as PHONE; null for an account. */
            keyType: string | null;
            keyValue: string | null;
        };
        /** @description Answer of GET /payout/methods. */
        PayoutCatalogue: {
            enabled: boolean;
            methods: components["schemas"]["PayoutMethod"][];
        };
        PayoutCatalogueResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PayoutCatalogue"];
        };
        PayoutCompletedEvent: {
            /** @constant */
            event: "payout.completed";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description Body of POST /payout (contract, Payout). */
        PayoutCreateRequest: {
            /** @description What the beneficiary gets, in COP. */
            amount: number;
            /**
             * @description The balance that pays: COPM (pesos) or USDT.
             * @default COPM
             */
            currency?: components["schemas"]["PayoutCurrency"];
            recipientName: string;
            recipientDocType: components["schemas"]["DocumentType"];
            recipientDocNumber: string;
            /**
             * @description BANK or BREB.
             * @default BANK
             */
            network?: string;
            bankCanonicalId?: string | null;
            accountType?: components["schemas"]["AccountType"] | null;
            accountNumber?: string | null;
            keyType?: components["schemas"]["BrebKeyType"] | null;
            keyValue?: string | null;
            /** @default  */
            description?: string;
            /**
             * @description Your own number of the payout. It is in its answers and events, and the beneficiary does not see it. Several payouts may have the same one.
             * @default
             */
            reference?: string;
            /**
             * @description At most 1 KB as compact JSON, 20 levels deep; comes back as sent.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Alternative to the header Idempotency-Key. */
            idempotencyKey?: string | null;
        };
        /** @enum {string} */
        PayoutCurrency: "COPM" | "USDT";
        PayoutFailedEvent: {
            /** @constant */
            event: "payout.failed";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PayoutListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Payout"][];
        };
        /** @description Element of data.methods (contract, Payout catalog). */
        PayoutMethod: {
            method: string;
            label: string;
            network: components["schemas"]["PayoutNetwork"];
            /** @description Beneficiaries are paid in pesos. */
            currency: string;
            minAmount: number | null;
            limits: components["schemas"]["PayoutMethodLimits"];
            requiredFields: components["schemas"]["PayoutMethodField"][];
            banks?: components["schemas"]["PayoutBank"][];
        };
        /** @description A field that POST /payout needs for the method. */
        PayoutMethodField: {
            key: string;
            required: boolean;
            type: string;
            enum?: string[];
        };
        /** @description Per transaction. */
        PayoutMethodLimits: {
            maxAmountCop: number;
        };
        /** @enum {string} */
        PayoutNetwork: "BANK" | "BREB";
        /** @enum {string} */
        PayoutOutcome: "COMPLETED" | "FAILED" | "REFUNDED";
        /** @description Body of POST /sandbox/payout/{id}. */
        PayoutOutcomeRequest: {
            status: components["schemas"]["PayoutOutcome"];
        };
        /** @description A payout at the time of the event. */
        PayoutPayload: {
            /** @description As `payoutId` of GET /payout/{id}. */
            id: string;
            /** @description Your own, as you gave it; null without one. */
            reference: string | null;
            status: components["schemas"]["PayoutStatus"];
            /** @description What the beneficiary gets, in COP. */
            amount: number;
            /** @description On top, in COP. */
            feeAmount: number;
            /** @description The balance that pays. */
            currency: components["schemas"]["PayoutCurrency"];
            /** @description `bank` or `breb`. */
            network: string;
            beneficiary: components["schemas"]["PayoutBeneficiary"];
            /** @description The trace code. Null until the provider has one. */
            providerPayoutId: string | null;
            /** @description Why the beneficiary does not have the money; null while they have it, or may have it. */
            failureReason: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        PayoutProcessingEvent: {
            /** @constant */
            event: "payout.processing";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description Body of POST /payout/qr. */
        PayoutQrCodeRequest: {
            /** @description What a scanner reads from the picture: `000201...`. */
            qr: string;
        };
        /** @description What a QR code says. The first five are fields of POST /payout. */
        PayoutQrContent: {
            network: components["schemas"]["PayoutQrNetwork"];
            keyType: components["schemas"]["BrebKeyType"];
            keyValue: string;
            /** @description As the code has it, at most 25 characters. */
            recipientName: string;
            /** @description Null: the payer chooses it. */
            amount: number | null;
            city: string | null;
            taxId: string | null;
            merchantCode: string | null;
            reference: string | null;
            /** @description false: made for one payment at a shop. */
            isStatic: boolean;
        };
        PayoutQrContentResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["PayoutQrContent"];
        };
        /** @enum {string} */
        PayoutQrNetwork: "BREB";
        PayoutRefundedEvent: {
            /** @constant */
            event: "payout.refunded";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PayoutResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Payout"];
        };
        /** @enum {string} */
        PayoutStatus: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
        /** @description A refund. */
        Refund: {
            id: string;
            orderId: string;
            /** @description PENDING until an operator has decided and the rail was asked. FAILED: nothing went back. REFUNDED: it went back and came to us again. */
            status: components["schemas"]["RefundStatus"];
            amount: number;
            currency: components["schemas"]["OrderCurrency"];
            reason: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            approvedAt: string | null;
            /** Format: date-time */
            rejectedAt: string | null;
            /** Format: date-time */
            completedAt: string | null;
            /**
             * Format: uri
             * @description Send it to the payer, who names an account or an address there. Null if the rail returns the payment by itself, or the account or address is known.
             */
            destinationUrl: string | null;
            /** @description DESTINATION: the payer, who opens destinationUrl. APPROVAL: an operator. PAYMENT: an operator who sends coins. CONFIRMATIONS: the network of the coins. Null: the rail, or nothing. */
            waitsFor: components["schemas"]["RefundWait"] | null;
            /** @description Of a payment in coins that is returned to an address of the payer; else null. */
            coins: components["schemas"]["ReturnedCoins"] | null;
            /** @description Why nothing went back, or why it came to us again; else null. */
            failureReason: string | null;
        };
        RefundApprovedEvent: {
            /** @constant */
            event: "refund.approved";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundCompletedEvent: {
            /** @constant */
            event: "refund.completed";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description Body of POST /collect/{id}/refunds. */
        RefundCreateRequest: {
            /** @description In the order's currency. Default: all that remains. */
            amount?: number | null;
            /** @description For the operator who decides. */
            reason: string;
        };
        RefundListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Refund"][];
        };
        /** @enum {string} */
        RefundOutcome: "APPROVED" | "REJECTED" | "COMPLETED" | "FAILED" | "REFUNDED";
        /** @description Body of POST /sandbox/refund/{id}. */
        RefundOutcomeRequest: {
            /** @description APPROVED and REJECTED: what our operator decides. The others: what the rail reports; a refund that waits is approved first. */
            status: components["schemas"]["RefundOutcome"];
        };
        /** @description The order, and what this refund has to do with it. */
        RefundPayload: {
            id: string;
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            currency: components["schemas"]["OrderCurrency"];
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            refundId: string;
            /** @description By this refund. */
            refundedAmount: number;
            /**
             * Format: double
             * @description What no refund has brought back so far.
             */
            remainingAmount: number;
            /**
             * Format: double
             * @description What all refunds have brought back so far.
             */
            totalRefunded: number;
            reason: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            approvedAt?: string;
            /** Format: date-time */
            rejectedAt?: string;
            /** Format: date-time */
            completedAt?: string;
        };
        RefundRejectedEvent: {
            /** @constant */
            event: "refund.rejected";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundRequestedEvent: {
            /** @constant */
            event: "refund.requested";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Refund"];
        };
        /** @enum {string} */
        RefundStatus: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
        /** @enum {string} */
        RefundWait: "DESTINATION" | "APPROVAL" | "PAYMENT" | "CONFIRMATIONS";
        /** @description How a refund in coins is paid. */
        ReturnedCoins: {
            /** @description Null until an operator has approved. */
            amount: number | null;
            currency: string;
            network: string;
            /** @description On the network. Null until the coins were sent. */
            transaction: string | null;
        };
        /** @enum {string} */
        SandboxCollectionOutcome: "COMPLETED" | "FAILED" | "EXPIRED";
        /** @description A closed day of one balance. collected = net + fee + tax. */
        Settlement: {
            id: string;
            /**
             * Format: date
             * @description The day in Bogota.
             */
            date: string;
            timezone: string;
            currency: components["schemas"]["BalanceCurrency"];
            /** @description What payers paid for the orders completed on the day. */
            collected: number;
            /** @description Ours, without the tax in it. */
            fee: number;
            /** @description The taxes in our fee. */
            tax: number;
            /** @description What reached the balance. */
            net: number;
            /** @description By refunds completed on the day. */
            refunded: number;
            /** Format: int64 */
            orderCount: number;
            /** Format: int64 */
            refundCount: number;
            /** @description Available and held. */
            openingBalance: number;
            /** @description The part of it that was held. */
            openingHeld: number;
            /** @description Available and held. */
            closingBalance: number;
            /** @description The part of it that was held. */
            closingHeld: number;
            taxLines: components["schemas"]["TaxLine"][];
            /** Format: date-time */
            closedAt: string;
        };
        SettlementClosedEvent: {
            /** @constant */
            event: "settlement.closed";
            data: components["schemas"]["SettlementPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        SettlementListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Settlement"][];
        };
        /** @description A closed day of one balance. collected = net + fee + tax. */
        SettlementPayload: {
            id: string;
            /**
             * Format: date
             * @description The day in Bogota.
             */
            date: string;
            /** @constant */
            timezone: "America/Bogota";
            currency: components["schemas"]["BalanceCurrency"];
            /** @description What payers paid for the orders completed on the day. */
            collected: number;
            /** @description Ours, without the tax in it. */
            fee: number;
            /** @description The taxes in our fee. */
            tax: number;
            /** @description What reached the balance. */
            net: number;
            /** @description By refunds completed on the day. */
            refunded: number;
            /** Format: int64 */
            orderCount: number;
            /** Format: int64 */
            refundCount: number;
            /** Format: date-time */
            closedAt: string;
        };
        SettlementResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Settlement"];
        };
        /** @enum {string} */
        TaxKind: "INCLUDED" | "WITHHELD";
        /** @description A tax on our fee. INCLUDED is a part of it, WITHHELD is only stated. */
        TaxLine: {
            name: string;
            kind: components["schemas"]["TaxKind"];
            /** @description 0.19 is 19%. */
            rate: number;
            /** @description Our fee without the taxes in it. */
            base: number;
            amount: number;
        };
        /** @description About no payment. */
        TestPayload: {
            merchantId: string;
            message: string;
        };
        /** @description A top-up (contract, Top-up). */
        Topup: {
            id: string;
            status: components["schemas"]["TopupStatus"];
            /** @description Ten digits. */
            phone: string;
            /** Format: int64 */
            amountCop: number;
            /**
             * Format: int64
             * @description On top, paid by the merchant.
             */
            feeCop: number;
            /**
             * Format: int64
             * @description amountCop + feeCop.
             */
            totalCop: number;
            /** @description Trace reference. */
            reference: string;
            ticket: components["schemas"]["TopupTicket"] | null;
            operatorCode: string;
            /** @description Why the phone does not have the credit; null while it has, or may have. */
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        TopupCompletedEvent: {
            /** @constant */
            event: "topup.completed";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        /** @description Body of POST /topup (contract, Top-ups). */
        TopupCreateRequest: {
            /** @description A Colombian mobile: ten digits from 3; +57, spaces and dashes may be there. */
            phone: string;
            /** @description A code of GET /topup/operators. */
            operatorCode: string;
            /**
             * Format: int64
             * @description Whole pesos.
             */
            amountCop: number;
            /** @description Alternative to the header Idempotency-Key. */
            idempotencyKey?: string | null;
        };
        TopupFailedEvent: {
            /** @constant */
            event: "topup.failed";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Topup"][];
        };
        /** @description An operator (contract, Top-up operator) and what it sells. */
        TopupOperator: {
            code: string;
            name: string;
            /** Format: uri */
            logo: string;
            minAmount: number | null;
            maxAmount: number;
            /** @description Null: every amount within the limits. Else only these. */
            allowedAmounts: number[] | null;
        };
        TopupOperatorListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["TopupOperator"][];
        };
        /** @description A top-up at the time of the event, as GET /topup/{id} shows it, with the phone masked. */
        TopupPayload: {
            id: string;
            status: components["schemas"]["TopupStatus"];
            /** @description The last digits. */
            phone: string;
            operatorCode: string;
            /** Format: int64 */
            amountCop: number;
            /**
             * Format: int64
             * @description On top.
             */
            feeCop: number;
            /**
             * Format: int64
             * @description amountCop + feeCop.
             */
            totalCop: number;
            /** @description Trace reference. */
            reference: string;
            /** @description Why the phone does not have the credit; null while it has, or may have. */
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        TopupProcessingEvent: {
            /** @constant */
            event: "topup.processing";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupRefundedEvent: {
            /** @constant */
            event: "topup.refunded";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["Topup"];
        };
        /** @enum {string} */
        TopupStatus: "processing" | "completed" | "failed" | "refunded";
        /** @description What proves the top-up to the person who holds the phone (docs/gaps.md, Top-ups). */
        TopupTicket: {
            /** @description The rail's own number. */
            number: string | null;
            /** @description The rail's approval code. */
            authorization: string | null;
            provider: string;
            /** Format: date-time */
            issuedAt: string;
            operator: string;
            phone: string;
            /** Format: int64 */
            amountCop: number;
            legend: string;
        };
        /** @description A webhook endpoint. */
        WebhookEndpoint: {
            /** @description Begins with whe_. */
            id: string;
            /** @description Null: the account has no webhook URL yet. */
            url: string | null;
            /** @description The kinds of events that it gets. For the account's own: with those always sent. */
            events: string[];
            description: string;
            /** @description Whether new events go there. */
            enabled: boolean;
            /** @description True for the webhook URL of the account: it cannot be deleted or switched off. */
            account: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Body of POST /webhook-endpoints. */
        WebhookEndpointCreateRequest: {
            /** @description https or http, with a public address. */
            url: string;
            /** @description The kinds of events that it gets. For the account's own: with those always sent. */
            events: string[];
            /** @default  */
            description?: string;
            /**
             * @description While it is false, no new events go there, and what is on its way waits.
             * @default true
             */
            enabled?: boolean;
        };
        /** @description What DELETE /webhook-endpoints/{id} returns. */
        WebhookEndpointDeletion: {
            id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        WebhookEndpointDeletionResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["WebhookEndpointDeletion"];
        };
        WebhookEndpointListResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEndpointResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description Body of PATCH /webhook-endpoints/{id}. What is left out stays. */
        WebhookEndpointUpdateRequest: {
            /** @description https or http, with a public address. Null only for the account's own: then its events wait. */
            url?: string | null;
            /** @description The kinds of events that it gets. For the account's own: with those always sent. */
            events?: string[];
            description?: string;
            enabled?: boolean;
        };
        /** @description A webhook endpoint with its new secret. */
        WebhookEndpointWithSecret: {
            /** @description Begins with whe_. */
            id: string;
            /** @description Null: the account has no webhook URL yet. */
            url: string | null;
            /** @description The kinds of events that it gets. For the account's own: with those always sent. */
            events: string[];
            description: string;
            /** @description Whether new events go there. */
            enabled: boolean;
            /** @description True for the webhook URL of the account: it cannot be deleted or switched off. */
            account: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description whsec_ and base64. It is shown here and never again: keep it on your server. Null when the request is repeated with its key after more than 24 hours. */
            secret: string | null;
        };
        WebhookEndpointWithSecretResponse: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        WebhookTestEvent: {
            /** @constant */
            event: "webhook.test";
            data: components["schemas"]["TestPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.completed";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.failed";
            data: components["schemas"]["FailurePayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentExpiredFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.expired";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentCancelledFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.cancelled";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentConfirmedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.confirmed";
            data: components["schemas"]["OrderPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.refunded";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentPartiallyRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.partially_refunded";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentChargebackFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.chargeback";
            data: components["schemas"]["DisputePayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PaymentDisputedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payment.disputed";
            data: components["schemas"]["DisputePayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundRequestedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "refund.requested";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundApprovedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "refund.approved";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundRejectedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "refund.rejected";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        RefundCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "refund.completed";
            data: components["schemas"]["RefundPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        SettlementClosedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "settlement.closed";
            data: components["schemas"]["SettlementPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        LinkPaidFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "link.paid";
            data: components["schemas"]["PaymentLinkPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchRunningFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "batch.running";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchPausedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "batch.paused";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchDoneFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "batch.done";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchCancelledFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "batch.cancelled";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BatchRejectedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "batch.rejected";
            data: components["schemas"]["BatchPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PayoutProcessingFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payout.processing";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PayoutCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payout.completed";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PayoutFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payout.failed";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        PayoutRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "payout.refunded";
            data: components["schemas"]["PayoutPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupProcessingFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "topup.processing";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "topup.completed";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "topup.failed";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        TopupRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "topup.refunded";
            data: components["schemas"]["TopupPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BillProcessingFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "bill.processing";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BillCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "bill.completed";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BillFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "bill.failed";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        BillRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "bill.refunded";
            data: components["schemas"]["BillPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        WebhookTestFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header X-Service-Event-Id. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "webhook.test";
            data: components["schemas"]["TestPayload"];
            /** Format: date-time */
            timestamp: string;
        };
        EventsByKind: {
            "payment.completed": components["schemas"]["PaymentCompletedEvent"];
            "payment.failed": components["schemas"]["PaymentFailedEvent"];
            "payment.expired": components["schemas"]["PaymentExpiredEvent"];
            "payment.cancelled": components["schemas"]["PaymentCancelledEvent"];
            "payment.confirmed": components["schemas"]["PaymentConfirmedEvent"];
            "payment.refunded": components["schemas"]["PaymentRefundedEvent"];
            "payment.partially_refunded": components["schemas"]["PaymentPartiallyRefundedEvent"];
            "payment.chargeback": components["schemas"]["PaymentChargebackEvent"];
            "payment.disputed": components["schemas"]["PaymentDisputedEvent"];
            "refund.requested": components["schemas"]["RefundRequestedEvent"];
            "refund.approved": components["schemas"]["RefundApprovedEvent"];
            "refund.rejected": components["schemas"]["RefundRejectedEvent"];
            "refund.completed": components["schemas"]["RefundCompletedEvent"];
            "settlement.closed": components["schemas"]["SettlementClosedEvent"];
            "link.paid": components["schemas"]["LinkPaidEvent"];
            "batch.running": components["schemas"]["BatchRunningEvent"];
            "batch.paused": components["schemas"]["BatchPausedEvent"];
            "batch.done": components["schemas"]["BatchDoneEvent"];
            "batch.cancelled": components["schemas"]["BatchCancelledEvent"];
            "batch.rejected": components["schemas"]["BatchRejectedEvent"];
            "payout.processing": components["schemas"]["PayoutProcessingEvent"];
            "payout.completed": components["schemas"]["PayoutCompletedEvent"];
            "payout.failed": components["schemas"]["PayoutFailedEvent"];
            "payout.refunded": components["schemas"]["PayoutRefundedEvent"];
            "topup.processing": components["schemas"]["TopupProcessingEvent"];
            "topup.completed": components["schemas"]["TopupCompletedEvent"];
            "topup.failed": components["schemas"]["TopupFailedEvent"];
            "topup.refunded": components["schemas"]["TopupRefundedEvent"];
            "bill.processing": components["schemas"]["BillProcessingEvent"];
            "bill.completed": components["schemas"]["BillCompletedEvent"];
            "bill.failed": components["schemas"]["BillFailedEvent"];
            "bill.refunded": components["schemas"]["BillRefundedEvent"];
            "webhook.test": components["schemas"]["WebhookTestEvent"];
        };
        /** @enum {string} */
        KnownErrorCode: "AMOUNT_ABOVE_LIMIT" | "AMOUNT_BELOW_MINIMUM" | "BILL_CHANGED" | "BILL_PAYMENT_NOT_ENABLED" | "BILL_SELECTION_REQUIRED" | "CHARGE_REFUSED" | "DIRECT_API_NOT_ENABLED" | "FORBIDDEN" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INSUFFICIENT_BALANCE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_CREDENTIALS" | "MERCHANT_NOT_ACTIVE" | "METHOD_NOT_AVAILABLE" | "MISSING_CREDENTIALS" | "NOT_ALLOWED" | "NOT_FOUND" | "NO_PENDING_BILL" | "ORDER_NOT_CANCELLABLE" | "ORDER_NOT_DISPUTABLE" | "ORDER_NOT_FOUND" | "ORDER_NOT_PAYABLE" | "ORDER_NOT_REFUNDABLE" | "PAYLOAD_TOO_LARGE" | "PAYOUT_DISABLED" | "PAYOUT_METHOD_NOT_AVAILABLE" | "PAYOUT_PROVIDER_UNAVAILABLE" | "QR_NOT_VALID" | "RATE_LIMIT_EXCEEDED" | "REFUND_PROVIDER_UNAVAILABLE" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "TOPUP_NOT_ENABLED" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceListResponse"];
                };
            };
        };
    };
    listMovements: {
        parameters: {
            query?: {
                account?: "available" | "held";
                /** @description The id of a movement: the page begins with the one before it. Not together with offset. */
                before?: string;
                /** @description Included. */
                createdFrom?: string;
                /** @description Excluded. */
                createdTo?: string;
                currency?: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
                kind?: "collect_settled" | "payout_reserved" | "payout_released" | "payout_completed" | "payout_returned" | "topup_reserved" | "topup_released" | "topup_completed" | "topup_returned" | "bill_reserved" | "bill_released" | "bill_completed" | "bill_returned" | "refund_reserved" | "refund_released" | "refund_completed" | "refund_returned" | "dispute_opened" | "dispute_won" | "dispute_lost" | "unmatched_credited" | "bank_line_credited" | "bank_line_reversed" | "sandbox_credited";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovementListResponse"];
                };
            };
        };
    };
    listBillingAgreements: {
        parameters: {
            query?: {
                page?: number;
                /** @description Words of the name, type or number. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAgreementPageResponse"];
                };
            };
        };
    };
    checkBill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillCheckRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillCheckResultResponse"];
                };
            };
        };
    };
    createBillPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillPaymentCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillPaymentResponse"];
                };
            };
        };
    };
    listBillPayments: {
        parameters: {
            query?: {
                /** @description Included. */
                createdFrom?: string;
                /** @description Excluded. */
                createdTo?: string;
                limit?: number;
                offset?: number;
                status?: "processing" | "completed" | "failed" | "refunded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillPaymentListResponse"];
                };
            };
        };
    };
    getBillPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillPaymentResponse"];
                };
            };
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Included. */
                createdFrom?: string;
                /** @description Excluded. */
                createdTo?: string;
                limit?: number;
                offset?: number;
                /** @description Exactly as it was given. */
                reference?: string;
                status?: "PENDING" | "PROCESSING" | "WAITING_TRANSFER" | "COMPLETED" | "FAILED" | "EXPIRED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderListResponse"];
                };
            };
        };
    };
    createCollection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCreatedResponse"];
                };
            };
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
        };
    };
    cancelCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
        };
    };
    listCollectionMethods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectMethodListResponse"];
                };
            };
        };
    };
    payCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DirectPayRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectChargeResponse"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundListResponse"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                refund_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
        };
    };
    getCollectionStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionStatisticsResponse"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Id of the last event that you have; without it, from the first. */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedEventListResponse"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "ACTIVE" | "PAUSED" | "ENDED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkListResponse"];
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    updatePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaymentLinkUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    setPaymentLinkImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkImageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Included. */
                createdFrom?: string;
                /** @description Excluded. */
                createdTo?: string;
                limit?: number;
                offset?: number;
                status?: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutListResponse"];
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
        };
    };
    listPayoutBatches: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "CHECKING" | "REFUSED" | "CHECKED" | "WAITING_APPROVAL" | "RUNNING" | "PAUSED" | "DONE" | "CANCELLED" | "REJECTED" | "DISCARDED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchSummaryListResponse"];
                };
            };
        };
    };
    createPayoutBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutBatchCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchResponse"];
                };
            };
        };
    };
    getPayoutBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchResponse"];
                };
            };
        };
    };
    listPayoutBatchLines: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "WRONG" | "WAITING" | "REFUSED" | "CANCELLED" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchLineListResponse"];
                };
            };
        };
    };
    listPayoutMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutCatalogueResponse"];
                };
            };
        };
    };
    decodePayoutQr: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutQrCodeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutQrContentResponse"];
                };
            };
        };
    };
    sandboxCreditBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BalanceCreditRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditedBalanceResponse"];
                };
            };
        };
    };
    sandboxResolveCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderOutcomeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
        };
    };
    sandboxCreateDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DisputeCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    sandboxResolveDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisputeOutcomeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    sandboxResolvePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutOutcomeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutResponse"];
                };
            };
        };
    };
    sandboxResolveRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundOutcomeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                currency?: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
                /** @description First day in Bogota, included. */
                from?: string;
                limit?: number;
                offset?: number;
                /** @description Last day in Bogota, included. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementListResponse"];
                };
            };
        };
    };
    getSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementResponse"];
                };
            };
        };
    };
    downloadSettlementCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    downloadSettlementHtml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    downloadStatementCsv: {
        parameters: {
            query: {
                currency?: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
                /** @description Included. */
                from: string;
                /** @description Included; today at most. */
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    downloadStatementHtml: {
        parameters: {
            query: {
                currency?: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
                /** @description Included. */
                from: string;
                /** @description Included; today at most. */
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listTopups: {
        parameters: {
            query?: {
                /** @description Included. */
                createdFrom?: string;
                /** @description Excluded. */
                createdTo?: string;
                limit?: number;
                offset?: number;
                status?: "processing" | "completed" | "failed" | "refunded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupListResponse"];
                };
            };
        };
    };
    createTopup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopupCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupResponse"];
                };
            };
        };
    };
    getTopup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupResponse"];
                };
            };
        };
    };
    listTopupOperators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupOperatorListResponse"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointListResponse"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretResponse"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointDeletionResponse"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
}
