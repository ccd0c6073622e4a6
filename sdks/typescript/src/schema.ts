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
        /**
         * List the movements of your balances, newest first
         * @description Each payment, fee, refund and payout is one movement or several.
         */
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
        /**
         * Query what is owed on a reference
         * @description Charges nothing. Send `codeRecord` and the amount of a bill to POST /bills/pay.
         */
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
        /**
         * List your bill payments, newest first
         * @description Also those that failed.
         */
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
        /**
         * Read one bill payment
         * @description `ticket` is the proof for the payer.
         */
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
        /**
         * List your orders, newest first
         * @description The filters are combined.
         */
        get: operations["listCollections"];
        put?: never;
        /**
         * Create a collection order
         * @description Send the payer to `collectUrl`. The webhook tells you when the order is paid.
         */
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
        /**
         * Read one order
         * @description Use it to check an order; the webhook tells you earlier.
         */
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
        /**
         * List the methods that can pay the order
         * @description With the fields that each needs. Choose one and start the payment with it.
         */
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
        /**
         * List the refunds of an order, newest first
         * @description Also those that were rejected or failed.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund an order, in whole or in part
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
        /**
         * Read one refund
         * @description Its `status` and `waitsFor` tell what it waits for.
         */
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
        /**
         * Count your orders by status and sum what was collected
         * @description All orders of the account, from the first one.
         */
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
        /**
         * List your payment links, newest first
         * @description With their figures.
         */
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
        /**
         * Read one payment link, with its figures
         * @description `availability` tells whether it can be paid now.
         */
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
        /**
         * List your payouts, newest first
         * @description Also those of batches.
         */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Send money to a bank account or a Bre-B key
         * @description The amount and the fee are held of your balance at once. Events tell how it ends.
         */
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
        /**
         * Read one payout
         * @description A PROCESSING payout is with the bank: never send it again under a new key.
         */
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
        /**
         * List your batches, newest first
         * @description Also those that people uploaded as files in the console.
         */
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
        /**
         * Read one batch
         * @description `lines` counts its lines by status.
         */
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
        /**
         * List the lines of a batch in their order, with their payouts
         * @description `reason` tells why a line was not paid.
         */
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
        /**
         * List the methods with their limits, fields and banks
         * @description Offer these banks to your users; the list changes seldom.
         */
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
        /**
         * Add play money to a balance
         * @description Use it to try payouts, top-ups and bill payments without a paid order.
         */
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
        /**
         * Simulate the outcome of an order
         * @description The order changes at once, and its webhook is sent as in production.
         */
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
        /**
         * Open a dispute of a paid order, as the payer would at their bank
         * @description The disputed amount is held of your balance, as far as it reaches.
         */
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
        /**
         * Decide a dispute, as the payer's bank would
         * @description WON: the held amount is yours again. LOST: it goes to the payer.
         */
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
        /**
         * Simulate the outcome of a payout
         * @description The payout changes at once, and its events are sent as in production.
         */
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
        /**
         * Simulate a refund's approval or outcome
         * @description In production an operator of ours decides, and the payer's bank reports the outcome.
         */
        post: operations["sandboxResolveRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/settlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send settlement.closed with the figures of today so far
         * @description Use it to test your receiver without waiting for midnight in Bogota. No settlement is
         *     stored, and no money moves. Each request sends an event of its own.
         */
        post: operations["sandboxCloseSettlement"];
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
        /**
         * List the closed days, newest first
         * @description One for each day and currency.
         */
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
        /**
         * Read one closed day with its tax lines
         * @description A closed day never changes.
         */
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
        /**
         * Download the statement of the day as a page to print
         * @description The same figures as in the CSV.
         */
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
        /**
         * Download the statement of any period as a page to print
         * @description The same figures as in the CSV.
         */
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
        /**
         * List your top-ups, newest first
         * @description Also those that failed.
         */
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
        /**
         * Read one top-up
         * @description `ticket` is the proof for the holder of the phone.
         */
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
        /**
         * List the mobile operators whose phones can be topped up
         * @description With the amounts that each sells.
         */
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
        /**
         * List the webhook endpoints
         * @description First the one of the account, then the others in the order of their creation. No secret is
         *     among them.
         */
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
        /**
         * Read one webhook endpoint
         * @description Its secret is shown only when it is made: by creating the endpoint, or by a rotation.
         */
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
    "/webhook-endpoints/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events to a webhook endpoint again
         * @description One event, or those of a range that the endpoint takes, at most 500 in 31 days. Each has the
         *     same body and event id as before, in a new delivery with attempts of its own. A new endpoint
         *     gets events from before its creation in this way. The key needs the permission
         *     webhook:manage.
         */
        post: operations["resendWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description During the overlap webhook-signature has two values, made with the new secret and with the
         *     old one: a library of Standard Webhooks accepts either. X-Service-Signature has room for
         *     one, which `contractSignature` chooses. Another rotation ends the overlap of the one before.
         *     The key needs the permission webhook:manage.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description It is webhook.test, signed and retried like every event, whatever kinds the endpoint takes.
         *     The key needs the permission webhook:manage.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        AccountType: "SAVINGS" | "CHECKING";
        /** @description The figures of today so far. collected = net + fee + tax. */
        AnnouncedDay: {
            /** @description New in each answer. GET /settlements does not know it. */
            id: string;
            /**
             * Format: date
             * @description The day in Bogota.
             */
            date: string;
            /** @description Time zone of the day: Colombia's. */
            timezone: string;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /**
             * Format: int64
             * @description How many orders were completed on the day.
             */
            orderCount: number;
            /**
             * Format: int64
             * @description How many refunds were completed on the day.
             */
            refundCount: number;
            /**
             * Format: date-time
             * @description The time of this request.
             */
            closedAt: string;
            /** @description As in the header webhook-id. Null if neither your account nor one of your webhook endpoints takes settlement.closed: then nothing is sent. */
            eventId: string | null;
        };
        AnnouncedDayResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["AnnouncedDay"];
        };
        /** @description Element of GET /balance. */
        Balance: {
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["BalanceCurrency"];
            /** @description Play money to add, in the currency of the balance. */
            amount: number;
        };
        /** @enum {string} */
        BalanceCurrency: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
        BalanceListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["Balance"][];
        };
        BatchCancelledEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "batch.cancelled";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchDoneEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "batch.done";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchPausedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "batch.paused";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description A batch at the time of the event, as GET /payout/batches/{id} shows it. */
        BatchPayload: {
            /** @description As `batchId` of GET /payout/batches/{id}. */
            id: string;
            /** @description Present state. */
            status: components["schemas"]["PayoutBatchStatus"];
            /** @description FILE: uploaded by a person in the console. API: sent by POST /payout/batches. */
            source: components["schemas"]["PayoutBatchSource"];
            /** @description Name to show to people. */
            name: string;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When no more payouts were to be created, in UTC. Null until then.
             */
            finishedAt: string | null;
        };
        BatchRejectedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "batch.rejected";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchRunningEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "batch.running";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description Element of data.products. */
        Bill: {
            /** @description Id of one bill of the reference; send it in POST /bills/pay. */
            codeRecord: string;
            /** @description What is owed, in the biller's words. */
            description: string;
            /** @description What is owed, in COP. */
            amount: number;
            /** @description Least that can be paid, in COP. If it and `maxAmount` are null, pay exactly `amount`. */
            minAmount: number | null;
            /** @description Most that can be paid, in COP. If it and `minAmount` are null, pay exactly `amount`. */
            maxAmount: number | null;
        };
        /** @description Body of POST /bills/check. */
        BillCheckRequest: {
            /**
             * Format: int64
             * @description Id of the billing agreement, from GET /bills/agreements.
             */
            agreementId: number;
            /** @description The payer's reference; what it is, the agreement's referenceLabel says. */
            reference: string;
        };
        /** @description Answer of POST /bills/check. */
        BillCheckResult: {
            /**
             * Format: int64
             * @description Id of the billing agreement, from GET /bills/agreements.
             */
            agreementId: number;
            /** @description Name of the billing agreement. */
            agreementName: string;
            /** @description The biller's own words, for the payer. */
            supplierMessage: string | null;
            /** @description Bills that are owed on the reference. */
            products: components["schemas"]["Bill"][];
        };
        BillCheckResultResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["BillCheckResult"];
        };
        BillCompletedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "bill.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BillFailedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "bill.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /**
         * @description A bill payment at the time of the event, as GET /bills/payments/{id} shows it, with the
         *     bill's reference masked.
         */
        BillPayload: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description `processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final. */
            status: components["schemas"]["BillPaymentStatus"];
            /**
             * Format: int64
             * @description Id of the billing agreement, from GET /bills/agreements.
             */
            agreementId: number;
            /** @description Name of the billing agreement. */
            agreementName: string;
            /** @description The last characters. */
            billReference: string;
            /**
             * Format: int64
             * @description Amount in whole COP, without the fee.
             */
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
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
        };
        /** @description A bill payment. */
        BillPayment: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description `processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final. */
            status: components["schemas"]["BillPaymentStatus"];
            /**
             * Format: int64
             * @description Amount in whole COP, without the fee.
             */
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
            /**
             * Format: int64
             * @description Id of the billing agreement, from GET /bills/agreements.
             */
            agreementId: number;
            /** @description Name of the billing agreement. */
            agreementName: string;
            /** @description Reference of the bill, as you sent it. */
            billReference: string;
            /** @description Id of one bill of the reference; send it in POST /bills/pay. */
            codeRecord: string;
            /** @description Why the bill is not paid; null while it is, or may be. */
            failureReason: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
        };
        /** @description Body of POST /bills/pay. */
        BillPaymentCreateRequest: {
            /**
             * Format: int64
             * @description Id of the billing agreement, from GET /bills/agreements.
             */
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
            /** @description The elements of this page. */
            data: components["schemas"]["BillPayment"][];
        };
        BillPaymentResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["BillPayment"];
        };
        /** @enum {string} */
        BillPaymentStatus: "processing" | "completed" | "failed" | "refunded";
        BillProcessingEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "bill.processing";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BillRefundedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "bill.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description What proves the payment to the payer. */
        BillTicket: {
            /** @description The provider's own number. */
            number: string | null;
            /** @description The provider's approval code. Null if it has none. */
            authorization: string | null;
            /** @description Name of the provider that made the payment. */
            provider: string;
            /**
             * Format: date-time
             * @description When it was paid, in UTC.
             */
            issuedAt: string;
            /** @description Name of the billing agreement. */
            agreement: string;
            /** @description Reference of the bill that was paid. */
            reference: string;
            /**
             * Format: int64
             * @description Amount in whole COP, without the fee.
             */
            amountCop: number;
            /** @description A line to print, for the payer. */
            legend: string;
        };
        /** @description Element of data.items. */
        BillingAgreement: {
            /**
             * Format: int64
             * @description Id of the billing agreement, from GET /bills/agreements.
             */
            agreementId: number;
            /** @description Name to show to people. */
            name: string;
            /** @description What the agreement calls its reference, such as the customer number. Show it to the payer. */
            referenceLabel: string;
            /** @description What the agreement is for, such as electricity. */
            type: string;
        };
        /** @description Answer of GET /bills/agreements. */
        BillingAgreementPage: {
            /** @description Billing agreements of this page. */
            items: components["schemas"]["BillingAgreement"][];
            /**
             * Format: int64
             * @description How many agreements match, on every page.
             */
            total: number;
        };
        BillingAgreementPageResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["BillingAgreementPage"];
        };
        /** @enum {string} */
        BrebKeyType: "PHONE" | "EMAIL" | "ALPHANUMERIC" | "ID" | "BCODE";
        /** @enum {string} */
        ChargeFlow: "redirect" | "push" | "key";
        /** @description Answer of GET /collect/stats. */
        CollectionStatistics: {
            /**
             * Format: int64
             * @description All orders.
             */
            total: number;
            /**
             * Format: int64
             * @description Orders that are PENDING.
             */
            pending: number;
            /**
             * Format: int64
             * @description Orders that are COMPLETED.
             */
            completed: number;
            /**
             * Format: int64
             * @description Orders that are FAILED.
             */
            failed: number;
            /** @description Sum of all currencies as decimal text; the number 0 if nothing was paid. Use `collectedByCurrency`. */
            totalCollected: string | 0;
            /** @description The same sum apart by currency, since pesos and bitcoin do not add up. */
            collectedByCurrency: {
                [key: string]: string;
            };
        };
        CollectionStatisticsResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["CollectionStatistics"];
        };
        /** @description The order, and the try that paid it. */
        CompletionPayload: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description Present state. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description Only of an order whose document you left to the payment page. */
            customer?: components["schemas"]["EventCustomer"];
            /** @description Trace code of the last try; for PSE, the CUS. */
            traceCode?: string | null;
            /** @description Why the last try brought no money, as a code; null if it did, or if the bank did not say. */
            failureReason?: string | null;
            /**
             * Format: int64
             * @description How many payments were begun for the order, the last one included.
             */
            attempts?: number;
        };
        /** @description What is available after the credit. */
        CreditedBalance: {
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["BalanceCurrency"];
            /** @description Money that you may spend, in the currency of the balance. It is a JSON number: parse it as a decimal, not as a float. */
            available: number;
        };
        CreditedBalanceResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["CreditedBalance"];
        };
        /** @description The payer as the merchant named them. */
        Customer: {
            /** @description Full name of the payer. */
            name: string;
            /** @description E-mail address of the payer. */
            email: string;
            /** @description Null where you left the document to the payment page and no payer has given it yet. Empty, like the other fields, where a payment link did not ask for it. */
            documentType: components["schemas"]["CustomerDocumentType"] | null;
            /** @description Number of the document. Null together with documentType. */
            documentNumber: string | null;
        };
        /** @enum {string} */
        CustomerDocumentType: "CC" | "CE" | "NIT" | "PP" | "";
        /** @description Body of POST /sandbox/settlement. */
        DayAnnouncementRequest: {
            /**
             * @description Currency of the amounts. COPM is the balance in pesos.
             * @default COPM
             */
            currency?: components["schemas"]["BalanceCurrency"];
        };
        /** @description Answer of POST /collect/{id}/pay. */
        DirectCharge: {
            /**
             * Format: uri
             * @description Page to which you send the payer, for the flow `redirect`; else null.
             */
            paymentUrl: string | null;
            /** @description Id of this payment at the payment provider. */
            transactionId: string;
            /** @description Name of the method. */
            method: string;
            /** @description What comes next. `redirect`: open `paymentUrl`. `push`: the payer approves in their app. `key`: show `keyValue`. */
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
            /** @description The result. */
            data: components["schemas"]["DirectCharge"];
        };
        /** @description Element of GET /collect/{id}/methods. */
        DirectMethod: {
            /** @description Name of the method; send it as `method` in POST /collect/{id}/pay. */
            method: string;
            /** @description Name to show to people. */
            label: string;
            /** @description How the payer pays: on a page (`webview`) or in an app (`push`). */
            uiType: components["schemas"]["DirectMethodUiType"];
            /** @description Payers pay in pesos. */
            currency: string;
            /** @description Smallest amount that the method accepts, in COP. */
            minAmount: number;
            /** @description Fields that the method takes. */
            requiredFields: components["schemas"]["DirectMethodField"][];
            /** @description Show the links to the payer, who accepts them: `acceptedTerms`. Absent without. */
            terms?: components["schemas"]["DirectMethodTerm"][];
        };
        /** @description A field to ask the payer for. */
        DirectMethodField: {
            /** @description Name of the field in `fields` of POST /collect/{id}/pay. */
            key: string;
            /** @description Type of the value. */
            type: components["schemas"]["DirectMethodFieldType"];
            /** @description Name to show to people. */
            label: string;
            /** @description Whether a value must be given. */
            required: boolean;
            /** @description Of the types with a list. */
            options?: components["schemas"]["DirectMethodFieldOption"][];
        };
        /** @description One entry of a list to choose from. */
        DirectMethodFieldOption: {
            /** @description Value to send. */
            value: string;
            /** @description Name to show to people. */
            label: string;
        };
        /** @enum {string} */
        DirectMethodFieldType: "bankSelect" | "select" | "phone" | "text";
        DirectMethodListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["DirectMethod"][];
        };
        /** @description A document that the payer must accept before paying. */
        DirectMethodTerm: {
            /**
             * Format: uri
             * @description Address of the document.
             */
            url: string;
            /** @description Title of the document. */
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
        /** @description Who pays, where that is not the order's customer. */
        DirectPayerRequest: {
            /** @description Full name of the payer. */
            name?: string;
            /** @description E-mail address of the payer. */
            email?: string;
            /** @description Phone number. */
            phone?: string;
            /** @description Type of the payer's document. Goes with `docNumber`. */
            docType?: components["schemas"]["DocumentType"];
            /** @description Goes with docType. */
            docNumber?: string;
        };
        /** @description A dispute, as in its events. */
        Dispute: {
            /** @description Id of the dispute. */
            disputeId: string;
            /** @description What the merchant answers for. */
            disputedAmount: number;
            /** @description Why, in words. */
            reason: string;
            /**
             * Format: date-time
             * @description When the dispute was opened, in UTC.
             */
            openedAt: string;
            /**
             * Format: date-time
             * @description Null when the bank sets no limit.
             */
            evidenceDueAt: string | null;
            /** @description Id of the order. */
            orderId: string;
            /** @description DISPUTE: the bank asks; you may answer with evidence. CHARGEBACK: the bank took the money back. */
            kind: components["schemas"]["DisputeKind"];
            /** @description Present state. */
            status: components["schemas"]["DisputeStatus"];
        };
        /** @description Body of POST /sandbox/collect/{id}/dispute. */
        DisputeCreateRequest: {
            /**
             * @description DISPUTE: the bank asks; you may answer with evidence. CHARGEBACK: the bank took the money back.
             * @default DISPUTE
             */
            kind?: components["schemas"]["DisputeKind"];
            /** @description In the order's currency. Default: what is neither refunded nor contested. */
            amount?: number | null;
            /**
             * @description Why, in words.
             * @default Contested in the sandbox
             */
            reason?: string;
        };
        /** @enum {string} */
        DisputeKind: "DISPUTE" | "CHARGEBACK";
        /** @enum {string} */
        DisputeOutcome: "WON" | "LOST";
        /** @description Body of POST /sandbox/dispute/{id}. */
        DisputeOutcomeRequest: {
            /** @description Outcome to simulate. */
            status: components["schemas"]["DisputeOutcome"];
        };
        /** @description The order, and what is contested of it. */
        DisputePayload: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description Only of an order whose document you left to the payment page. */
            customer?: components["schemas"]["EventCustomer"];
            /** @description Id of the dispute. */
            disputeId: string;
            /** @description What the merchant answers for. */
            disputedAmount: number;
            /** @description Why, in words. */
            reason: string;
            /**
             * Format: date-time
             * @description When the dispute was opened, in UTC.
             */
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
            /** @description The result. */
            data: components["schemas"]["Dispute"];
        };
        /** @enum {string} */
        DisputeStatus: "OPEN" | "WON" | "LOST";
        /** @enum {string} */
        DocumentType: "CC" | "CE" | "NIT" | "PP";
        /** @description What went wrong. */
        ErrorBody: {
            /** @description What went wrong, for your program. More codes may be added; treat an unknown one by the HTTP status. */
            code: string;
            /** @description What went wrong, for people, in English. Do not compare it in your program. */
            message: string;
            /** @description More about the error, for your program. Which fields it has depends on the code. */
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
            /** @description What went wrong. */
            error: components["schemas"]["ErrorBody"];
        };
        /** @description What the payer gave on the payment page, masked. GET /collect/{id} has all of it. */
        EventCustomer: {
            /** @description Null unless the order was paid with a document. */
            documentType: components["schemas"]["DocumentType"] | null;
            /** @description The last characters. Null unless the order was paid with a document. */
            documentNumber: string | null;
        };
        /** @description The order, and why it failed. */
        FailurePayload: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description Only of an order whose document you left to the payment page. */
            customer?: components["schemas"]["EventCustomer"];
            /** @description Trace code of the last try; for PSE, the CUS. */
            traceCode?: string | null;
            /** @description Why the last try brought no money, as a code; null if it did, or if the bank did not say. */
            failureReason?: string | null;
            /**
             * Format: int64
             * @description How many payments were begun for the order, the last one included.
             */
            attempts?: number;
        };
        /** @description An event with its place in the merchant's sequence. */
        FeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
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
            /** @description The elements of this page. */
            data: components["schemas"]["FeedEvent"][];
        };
        LinkPaidEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "link.paid";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PaymentLinkPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description Element of GET /balance/movements. */
        Movement: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description Why the money moved, such as `collect_settled`. More kinds may be added. */
            kind: components["schemas"]["MovementKind"];
            /** @description What caused it: the id of an order or a payout; of the account for play money. */
            subjectId: string;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["BalanceCurrency"];
            /** @description `available`: money that you may spend. `held`: money set aside for payouts and refunds under way. */
            account: components["schemas"]["BalanceAccount"];
            /** @description Change of the account. Negative if money left the account. */
            amount: number;
            /** @description Of this account, after this movement. */
            balanceAfter: number;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
        };
        /** @enum {string} */
        MovementKind: "collect_settled" | "payout_reserved" | "payout_released" | "payout_completed" | "payout_returned" | "topup_reserved" | "topup_released" | "topup_completed" | "topup_returned" | "bill_reserved" | "bill_released" | "bill_completed" | "bill_returned" | "refund_reserved" | "refund_released" | "refund_completed" | "refund_returned" | "dispute_opened" | "dispute_won" | "dispute_lost" | "unmatched_credited" | "bank_line_credited" | "bank_line_reversed" | "sandbox_credited";
        MovementListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["Movement"][];
        };
        /** @description Element of GET /collect, answer of GET /collect/{id}. */
        Order: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer pays: baseAmount + feeAmount. A JSON number: parse it as a decimal. */
            amount: number;
            /** @description What you receive, in the order's currency. Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Our fee, on top of `baseAmount`, in the order's currency. Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: uri
             * @description Payment page of the order. Send the payer there.
             */
            collectUrl: string;
            /**
             * Format: date-time
             * @description When it can no longer be paid, in UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /** @description Text that people read; for your own data use `metadata`. */
            description: string;
            /** @description Method that the payer has chosen. Null until then. */
            selectedMethod: components["schemas"]["PaymentMethod"] | null;
            /** @description Methods with which the payer may pay this order. */
            allowedMethods: components["schemas"]["PaymentMethod"][];
            /** @description The payer, as you named them. */
            customer: components["schemas"]["Customer"];
            /** @description Where the payer's browser returns. Webhooks do not go there. */
            callbackUrl: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the whole amount had arrived, in UTC. Null until then.
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description When the payment became final and it is safe to deliver, in UTC. Null until then.
             */
            confirmedAt: string | null;
            /**
             * Format: date-time
             * @description When the order was cancelled, in UTC. Null if it was not.
             */
            cancelledAt: string | null;
            /** @description The id of the refused order whose payer tried again; null on all other orders. */
            retryOf: string | null;
            /** @description What refunds have brought back to the payer. */
            refundedAmount: number;
            /** @description Of the payment link with which the payer made the order; null on all other orders. */
            linkId: string | null;
            /** @description Trace code of the try that paid, or else of the last one; for PSE, the CUS. */
            traceCode: string | null;
            /** @description Why the last try brought no money, as a code; null if the order is paid, or if the bank did not say. */
            failureReason: string | null;
            /**
             * Format: int64
             * @description How many payments were begun for the order.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             */
            updatedAt: string;
        };
        /** @description Body of POST /collect. */
        OrderCreateRequest: {
            /** @description Your own number of the order. Each can be used once, for ever: after an order that FAILED or EXPIRED, a second try needs a new one. */
            reference: string;
            /** @description What you receive, in the order's currency; the fee comes on top. A JSON number. */
            amount: number;
            /**
             * @description Currency of `amount`: COP, or the coin in which the payer pays.
             * @default COP
             */
            currency?: components["schemas"]["OrderCurrency"];
            /**
             * @description What is paid. The payer reads it on the payment page.
             * @default
             */
            description?: string;
            /** @description Full name of the payer. */
            customerName: string;
            /**
             * Format: email
             * @description E-mail address of the payer, for the receipt.
             */
            customerEmail: string;
            /** @description Required, unless the account leaves the document to the payment page (a switch in the console): then leave out both fields, and the payer is asked where the way to pay needs it. */
            customerDocType?: components["schemas"]["DocumentType"];
            /** @description Goes with customerDocType: both, or none where the account allows it. */
            customerDocNumber?: string;
            /**
             * Format: int32
             * @description Minutes until the unpaid order expires.
             * @default 60
             */
            expirationMinutes?: number;
            /**
             * Format: uri
             * @description Where the payer's browser returns; webhooks go to the URL of your account. When the order is COMPLETED, FAILED or EXPIRED, our page has a button that leads there; right after a payment it goes there by itself in 10 seconds. It adds `id`, `reference`, `status` and `confirmation=webhook` to the query and keeps yours, so do not use these names. The return proves nothing: only the signed webhook confirms a payment. In a sandbox it may be `http://localhost` or `http://127.0.0.1`, with any port.
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
        /** @description Answer of POST /collect. */
        OrderCreated: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer pays: baseAmount + feeAmount. A JSON number: parse it as a decimal. */
            amount: number;
            /** @description What you receive, in the order's currency. Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Our fee, on top of `baseAmount`, in the order's currency. Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: uri
             * @description Payment page of the order. Send the payer there.
             */
            collectUrl: string;
            /**
             * Format: date-time
             * @description When it can no longer be paid, in UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
        };
        OrderCreatedResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["OrderCreated"];
        };
        /** @enum {string} */
        OrderCurrency: "COP" | "USDT" | "USDC" | "BTC" | "ETH";
        OrderListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["Order"][];
        };
        /** @description Body of POST /sandbox/collect/{id}. */
        OrderOutcomeRequest: {
            /** @description Outcome to simulate. */
            status: components["schemas"]["SandboxCollectionOutcome"];
            /** @description Default: the one that the payer has chosen, else the first of the order. */
            method?: components["schemas"]["PaymentMethod"] | null;
            /** @description What arrives, in the order's currency. Default: what is missing. */
            amount?: number | null;
        };
        /** @description The order at the time of the event. */
        OrderPayload: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description Only of an order whose document you left to the payment page. */
            customer?: components["schemas"]["EventCustomer"];
        };
        OrderResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Order"];
        };
        /** @enum {string} */
        OrderStatus: "PENDING" | "PROCESSING" | "WAITING_TRANSFER" | "COMPLETED" | "FAILED" | "EXPIRED";
        PaymentCancelledEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.cancelled";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["OrderPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentChargebackEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.chargeback";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["DisputePayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentCompletedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["CompletionPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentConfirmedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.confirmed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["OrderPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentDisputedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.disputed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["DisputePayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentExpiredEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.expired";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["OrderPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentFailedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["FailurePayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description A payment link. */
        PaymentLink: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /**
             * Format: uri
             * @description Send it to payers. /qr.svg and /qr.png below it.
             */
            url: string;
            /** @description Present state. */
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description PAYABLE, or why a payer cannot pay now. BUSY: others are paying the last ones. */
            availability: components["schemas"]["PaymentLinkAvailability"];
            /** @description What is paid. The payer reads it. */
            title: string;
            /** @description Text that people read; for your own data use `metadata`. */
            description: string;
            /**
             * Format: uri
             * @description Set by POST /links/{id}/image.
             */
            imageUrl: string | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description Null: the payer chooses. */
            amount: number | null;
            /** @description Smallest amount that is accepted. Null: no limit of its own. */
            minAmount: number | null;
            /** @description Largest amount that is accepted. Null: no limit of its own. */
            maxAmount: number | null;
            /** @description Which data the page asks of the payer. */
            ask: components["schemas"]["PaymentLinkAsk"];
            /** @description Questions of your own that the page asks. */
            fields: components["schemas"]["PaymentLinkField"][];
            /**
             * Format: int64
             * @description How many payments the link accepts in all. Null: any number.
             */
            maxUses: number | null;
            /**
             * Format: int64
             * @description Pieces in all, with those that are sold. Null: any number.
             */
            stock: number | null;
            /**
             * Format: int64
             * @description How many more payments by maxUses and stock. Null: any.
             */
            left: number | null;
            /**
             * Format: date-time
             * @description When the page stops taking payments, in UTC. Null: never.
             */
            expiresAt: string | null;
            /** @description Where the payer's browser returns. Webhooks do not go there. */
            callbackUrl: string | null;
            /** @description Figures of the link so far. */
            statistics: components["schemas"]["PaymentLinkStatistics"];
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             */
            updatedAt: string;
        };
        /** @description What the payer is asked for. */
        PaymentLinkAsk: {
            /**
             * @description Whether the page asks for the name.
             * @default REQUIRED
             */
            name?: components["schemas"]["PaymentLinkAskRule"];
            /**
             * @description Whether the page asks for the e-mail address.
             * @default REQUIRED
             */
            email?: components["schemas"]["PaymentLinkAskRule"];
            /**
             * @description Whether the page asks for type and number of the document.
             * @default NONE
             */
            document?: components["schemas"]["PaymentLinkAskRule"];
            /**
             * @description Whether the page asks for the phone number.
             * @default NONE
             */
            phone?: components["schemas"]["PaymentLinkAskRule"];
        };
        /** @description What the payer is asked for. */
        PaymentLinkAskRequest: {
            /**
             * @description Whether the page asks for the name.
             * @default REQUIRED
             */
            name?: components["schemas"]["PaymentLinkAskRule"];
            /**
             * @description Whether the page asks for the e-mail address.
             * @default REQUIRED
             */
            email?: components["schemas"]["PaymentLinkAskRule"];
            /**
             * @description Whether the page asks for type and number of the document.
             * @default NONE
             */
            document?: components["schemas"]["PaymentLinkAskRule"];
            /**
             * @description Whether the page asks for the phone number.
             * @default NONE
             */
            phone?: components["schemas"]["PaymentLinkAskRule"];
        };
        /** @enum {string} */
        PaymentLinkAskRule: "NONE" | "OPTIONAL" | "REQUIRED";
        /** @description What is left out stays. */
        PaymentLinkAskUpdateRequest: {
            /** @description Whether the page asks for the name. */
            name?: components["schemas"]["PaymentLinkAskRule"];
            /** @description Whether the page asks for the e-mail address. */
            email?: components["schemas"]["PaymentLinkAskRule"];
            /** @description Whether the page asks for type and number of the document. */
            document?: components["schemas"]["PaymentLinkAskRule"];
            /** @description Whether the page asks for the phone number. */
            phone?: components["schemas"]["PaymentLinkAskRule"];
        };
        /** @enum {string} */
        PaymentLinkAvailability: "PAYABLE" | "PAUSED" | "ENDED" | "EXPIRED" | "USED_UP" | "SOLD_OUT" | "BUSY" | "MERCHANT_NOT_ACTIVE";
        /** @description Body of POST /links. */
        PaymentLinkCreateRequest: {
            /** @description What is paid. It becomes the order's description. */
            title: string;
            /**
             * @description Text that people read; for your own data use `metadata`.
             * @default
             */
            description?: string;
            /** @description What you receive; the fee comes on top. Null or absent: the payer chooses. */
            amount?: number | null;
            /** @description Smallest amount that is accepted. Null: no limit of its own. */
            minAmount?: number | null;
            /** @description Largest amount that is accepted. Null: no limit of its own. */
            maxAmount?: number | null;
            /** @description Which data the page asks of the payer. */
            ask?: components["schemas"]["PaymentLinkAskRequest"];
            /** @description Questions of your own that the page asks. */
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
            /**
             * Format: date-time
             * @description When the page stops taking payments, in UTC. Null: never.
             */
            expiresAt?: string | null;
            /**
             * Format: uri
             * @description Where the payer's browser returns. Webhooks do not go there.
             */
            callbackUrl?: string | null;
            /**
             * @description Currency of the amounts. It cannot be changed later.
             * @default COP
             */
            currency?: components["schemas"]["OrderCurrency"];
        };
        /** @description A question of your own. */
        PaymentLinkField: {
            /** @description What the payer reads. */
            label: string;
            /**
             * @description Whether a value must be given.
             * @default false
             */
            required?: boolean;
        };
        /** @description A question of your own. */
        PaymentLinkFieldRequest: {
            /** @description What the payer reads. */
            label: string;
            /**
             * @description Whether a value must be given.
             * @default false
             */
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
            /** @description The elements of this page. */
            data: components["schemas"]["PaymentLink"][];
        };
        /** @description The order that a payer of the link has paid, the try that paid it, and the link. */
        PaymentLinkPayload: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description Only of an order whose document you left to the payment page. */
            customer?: components["schemas"]["EventCustomer"];
            /** @description Trace code of the last try; for PSE, the CUS. */
            traceCode?: string | null;
            /** @description Why the last try brought no money, as a code; null if it did, or if the bank did not say. */
            failureReason?: string | null;
            /**
             * Format: int64
             * @description How many payments were begun for the order, the last one included.
             */
            attempts?: number;
            /** @description The end of its address. */
            linkCode: string;
            /** @description Title of the payment link. */
            linkTitle: string;
            /**
             * Format: uri
             * @description Address of the payment link.
             */
            linkUrl: string;
        };
        PaymentLinkResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PaymentLink"];
        };
        /** @description Figures of a link so far. */
        PaymentLinkStatistics: {
            /**
             * Format: int64
             * @description Browsers, each once a day.
             */
            visits: number;
            /**
             * Format: int64
             * @description Orders that payers have made with the link.
             */
            orders: number;
            /**
             * Format: int64
             * @description Orders that may still be paid.
             */
            open: number;
            /**
             * Format: int64
             * @description Orders of the link that are paid.
             */
            paid: number;
            /** @description What you received, in the link's currency. */
            collected: number;
        };
        /** @enum {string} */
        PaymentLinkStatus: "ACTIVE" | "PAUSED" | "ENDED";
        /** @description Body of PATCH /links/{id}. What is left out stays. `status` moves the link. */
        PaymentLinkUpdateRequest: {
            /** @description What is paid. The payer reads it. */
            title?: string;
            /** @description Text that people read; for your own data use `metadata`. */
            description?: string;
            /** @description A fixed amount stays fixed, an open one open. */
            amount?: number | null;
            /** @description Smallest amount that is accepted. Null: no limit of its own. */
            minAmount?: number | null;
            /** @description Largest amount that is accepted. Null: no limit of its own. */
            maxAmount?: number | null;
            /** @description Which data the page asks of the payer. */
            ask?: components["schemas"]["PaymentLinkAskUpdateRequest"];
            /** @description Questions of your own that the page asks. */
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
            /**
             * Format: date-time
             * @description When the page stops taking payments, in UTC. Null: never.
             */
            expiresAt?: string | null;
            /**
             * Format: uri
             * @description Where the payer's browser returns. Webhooks do not go there.
             */
            callbackUrl?: string | null;
            /** @description PAUSED, ACTIVE again, or ENDED for ever. Open orders can still be paid. */
            status?: components["schemas"]["PaymentLinkStatus"];
        };
        /** @enum {string} */
        PaymentMethod: "PSE" | "BANK_TRANSFER" | "CRYPTO";
        PaymentPartiallyRefundedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.partially_refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentRefundedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payment.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description A payout. */
        Payout: {
            /** @description Id of the payout. */
            payoutId: string;
            /** @description PENDING and PROCESSING are under way: do not send the payout again. COMPLETED, FAILED and REFUNDED (it came back) are final. */
            status: components["schemas"]["PayoutStatus"];
            /** @description What the beneficiary gets, in COP. It is a JSON number: parse it as a decimal, not as a float. */
            amount: number;
            /** @description On top, in COP, paid by the merchant. */
            feeAmount: number;
            /** @description Full name of the beneficiary. */
            recipientName: string;
            /** @description `bank` or `breb`. */
            network: string;
            /** @description The trace code. Null until the provider has one. */
            providerPayoutId: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
            /** @description Why the beneficiary does not have the money; null while they have it, or may have it. */
            failureReason: string | null;
            /** @description Your own, as you gave it; null without one. */
            reference: string | null;
            /** @description Text that people read; for your own data use `metadata`. */
            description: string;
            /** @description Who gets the money, masked. */
            beneficiary: components["schemas"]["PayoutBeneficiary"];
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
        };
        /** @description A bank that the method reaches. */
        PayoutBank: {
            /** @description Our id of the bank; send it in POST /payout. */
            bankCanonicalId: string;
            /** @description Name to show to people. */
            name: string;
        };
        /** @description With how many lines have which status. */
        PayoutBatch: {
            /** @description Id of the batch. */
            batchId: string;
            /** @description Present state. */
            status: components["schemas"]["PayoutBatchStatus"];
            /** @description FILE: uploaded by a person in the console. */
            source: components["schemas"]["PayoutBatchSource"];
            /** @description Name to show to people. */
            name: string;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When no more payouts were to be created, in UTC. Null until then.
             */
            finishedAt: string | null;
            /** @description How many lines have which status. A line with a payout has the payout's status. */
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
            /** @description The payouts of the batch, 1 to 10,000. */
            lines: components["schemas"]["PayoutBatchLineCreateRequest"][];
        };
        /** @description A line and its payout. */
        PayoutBatchLine: {
            /**
             * Format: int64
             * @description Of the file, or from 1 as the lines were sent.
             */
            number: number;
            /** @description Your own number of the line, as you sent it. */
            reference: string;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Present state. */
            status: components["schemas"]["PayoutBatchLineStatus"];
            /** @description What the beneficiary gets, in COP. Null if the line is wrong. */
            amount: number | null;
            /** @description Our fee, on top, in COP. Null if the line is wrong. */
            feeAmount: number | null;
            /** @description Full name of the beneficiary. */
            recipientName: string;
            /** @description Id of the payout of this line. Null until it is created. */
            payoutId: string | null;
            /** @description The trace code. */
            providerPayoutId: string | null;
            /** @description Why the line was not paid, failed or came back; else null. */
            reason: string | null;
            /** @description What may be a mistake, such as the same payment within 30 days. */
            warnings: string[];
        };
        /** @description A payout of a batch: the fields of POST /payout. Its payout has its metadata. */
        PayoutBatchLineCreateRequest: {
            /** @description What the beneficiary gets, in COP. */
            amount: number;
            /** @description Full name of the beneficiary. */
            recipientName: string;
            /** @description Type of the beneficiary's document. */
            recipientDocType: components["schemas"]["DocumentType"];
            /** @description Number of the beneficiary's document. */
            recipientDocNumber: string;
            /**
             * @description BANK or BREB.
             * @default BANK
             */
            network?: string;
            /** @description Our id of the bank, from GET /payout/methods. Required for BANK. */
            bankCanonicalId?: string | null;
            /** @description SAVINGS or CHECKING. Required for BANK. */
            accountType?: components["schemas"]["AccountType"] | null;
            /** @description Number of the bank account, 6 to 20 digits; of Nequi and DaviPlata the mobile number. Required for BANK. */
            accountNumber?: string | null;
            /** @description Type of the Bre-B key. Required for BREB. */
            keyType?: components["schemas"]["BrebKeyType"] | null;
            /** @description The Bre-B key, such as a mobile number or an e-mail address. Required for BREB. */
            keyValue?: string | null;
            /**
             * @description Text that people read; for your own data use `metadata`.
             * @default
             */
            description?: string;
            /**
             * @description Yours. No two lines of a batch have the same.
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
        };
        PayoutBatchLineListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["PayoutBatchLine"][];
        };
        /** @enum {string} */
        PayoutBatchLineStatus: "WRONG" | "WAITING" | "REFUSED" | "CANCELLED" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
        PayoutBatchResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PayoutBatch"];
        };
        /** @enum {string} */
        PayoutBatchSource: "FILE" | "API";
        /** @enum {string} */
        PayoutBatchStatus: "CHECKING" | "REFUSED" | "CHECKED" | "WAITING_APPROVAL" | "RUNNING" | "PAUSED" | "DONE" | "CANCELLED" | "REJECTED" | "DISCARDED";
        /** @description A batch of payouts. */
        PayoutBatchSummary: {
            /** @description Id of the batch. */
            batchId: string;
            /** @description Present state. */
            status: components["schemas"]["PayoutBatchStatus"];
            /** @description FILE: uploaded by a person in the console. */
            source: components["schemas"]["PayoutBatchSource"];
            /** @description Name to show to people. */
            name: string;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When no more payouts were to be created, in UTC. Null until then.
             */
            finishedAt: string | null;
        };
        PayoutBatchSummaryListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["PayoutBatchSummary"][];
        };
        /** @description Who gets the money, masked. The names are those of POST /payout. */
        PayoutBeneficiary: {
            /** @description The initials. */
            name: string;
            /** @description Type of the document, such as CC or NIT. */
            documentType: string;
            /** @description Last characters of the document's number. */
            documentNumber: string | null;
            /** @description Null for a key. */
            bankCanonicalId: string | null;
            /** @description SAVINGS, CHECKING; null for a key. */
            accountType: string | null;
            /** @description Last digits of the bank account. Null for a key. */
            accountNumber: string | null;
            /** @description Such as PHONE; null for an account. */
            keyType: string | null;
            /** @description Last characters of the Bre-B key. Null for an account. */
            keyValue: string | null;
        };
        /** @description Answer of GET /payout/methods. */
        PayoutCatalogue: {
            /** @description Whether your account may send payouts. */
            enabled: boolean;
            /** @description Methods with which you can pay out. */
            methods: components["schemas"]["PayoutMethod"][];
        };
        PayoutCatalogueResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PayoutCatalogue"];
        };
        PayoutCompletedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payout.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description Body of POST /payout. */
        PayoutCreateRequest: {
            /** @description What the beneficiary gets, in COP. */
            amount: number;
            /**
             * @description The balance that pays: COPM (pesos) or USDT.
             * @default COPM
             */
            currency?: components["schemas"]["PayoutCurrency"];
            /** @description Full name of the beneficiary. */
            recipientName: string;
            /** @description Type of the beneficiary's document. */
            recipientDocType: components["schemas"]["DocumentType"];
            /** @description Number of the beneficiary's document. */
            recipientDocNumber: string;
            /**
             * @description BANK or BREB.
             * @default BANK
             */
            network?: string;
            /** @description Our id of the bank, from GET /payout/methods. Required for BANK. */
            bankCanonicalId?: string | null;
            /** @description SAVINGS or CHECKING. Required for BANK. */
            accountType?: components["schemas"]["AccountType"] | null;
            /** @description Number of the bank account, 6 to 20 digits; of Nequi and DaviPlata the mobile number. Required for BANK. */
            accountNumber?: string | null;
            /** @description Type of the Bre-B key. Required for BREB. */
            keyType?: components["schemas"]["BrebKeyType"] | null;
            /** @description The Bre-B key, such as a mobile number or an e-mail address. Required for BREB. */
            keyValue?: string | null;
            /**
             * @description Text that people read; for your own data use `metadata`.
             * @default
             */
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
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payout.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PayoutListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["Payout"][];
        };
        /** @description Element of data.methods. */
        PayoutMethod: {
            /** @description Name of the method. */
            method: string;
            /** @description Name to show to people. */
            label: string;
            /** @description BANK (account) or BREB (key). */
            network: components["schemas"]["PayoutNetwork"];
            /** @description Beneficiaries are paid in pesos. */
            currency: string;
            /** @description Smallest amount that is accepted. Null: no limit of its own. */
            minAmount: number | null;
            /** @description Limits for one payout. */
            limits: components["schemas"]["PayoutMethodLimits"];
            /** @description Fields that the method takes. */
            requiredFields: components["schemas"]["PayoutMethodField"][];
            /** @description Banks that the method reaches. Only BANK has them. */
            banks?: components["schemas"]["PayoutBank"][];
        };
        /** @description A field that POST /payout needs for the method. */
        PayoutMethodField: {
            /** @description Name of the field in the body of POST /payout. */
            key: string;
            /** @description Whether a value must be given. */
            required: boolean;
            /** @description Type of the value. */
            type: string;
            /** @description Values that are allowed. Absent if there is no closed list. */
            enum?: string[];
        };
        /** @description Per transaction. */
        PayoutMethodLimits: {
            /** @description Largest amount of one payout, in COP. */
            maxAmountCop: number;
        };
        /** @enum {string} */
        PayoutNetwork: "BANK" | "BREB";
        /** @enum {string} */
        PayoutOutcome: "COMPLETED" | "FAILED" | "REFUNDED";
        /** @description Body of POST /sandbox/payout/{id}. */
        PayoutOutcomeRequest: {
            /** @description Outcome to simulate. */
            status: components["schemas"]["PayoutOutcome"];
        };
        /** @description A payout at the time of the event. */
        PayoutPayload: {
            /** @description As `payoutId` of GET /payout/{id}. */
            id: string;
            /** @description Your own, as you gave it; null without one. */
            reference: string | null;
            /** @description PENDING and PROCESSING are under way: do not send the payout again. COMPLETED, FAILED and REFUNDED (it came back) are final. */
            status: components["schemas"]["PayoutStatus"];
            /** @description What the beneficiary gets, in COP. */
            amount: number;
            /** @description On top, in COP. */
            feeAmount: number;
            /** @description The balance that pays. */
            currency: components["schemas"]["PayoutCurrency"];
            /** @description `bank` or `breb`. */
            network: string;
            /** @description Who gets the money, masked. */
            beneficiary: components["schemas"]["PayoutBeneficiary"];
            /** @description The trace code. Null until the provider has one. */
            providerPayoutId: string | null;
            /** @description Why the beneficiary does not have the money; null while they have it, or may have it. */
            failureReason: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
        };
        PayoutProcessingEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payout.processing";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description Body of POST /payout/qr. */
        PayoutQrCodeRequest: {
            /** @description What a scanner reads from the picture: `000201...`. */
            qr: string;
        };
        /** @description What a QR code says. The first five are fields of POST /payout. */
        PayoutQrContent: {
            /** @description BANK (account) or BREB (key). */
            network: components["schemas"]["PayoutQrNetwork"];
            /** @description Type of the Bre-B key. */
            keyType: components["schemas"]["BrebKeyType"];
            /** @description The Bre-B key. */
            keyValue: string;
            /** @description As the code has it, at most 25 characters. */
            recipientName: string;
            /** @description Null: the payer chooses it. */
            amount: number | null;
            /** @description City of the shop, as the code has it. */
            city: string | null;
            /** @description Tax number of the shop. Null if the QR code has none. */
            taxId: string | null;
            /** @description Code of the shop at its payment provider. Null if the QR code has none. */
            merchantCode: string | null;
            /** @description Reference in the QR code. Null if it has none. */
            reference: string | null;
            /** @description false: made for one payment at a shop. */
            isStatic: boolean;
        };
        PayoutQrContentResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["PayoutQrContent"];
        };
        /** @enum {string} */
        PayoutQrNetwork: "BREB";
        PayoutRefundedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "payout.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PayoutResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Payout"];
        };
        /** @enum {string} */
        PayoutStatus: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
        /** @description A refund. */
        Refund: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description Id of the order. */
            orderId: string;
            /** @description PENDING until an operator has decided and the bank was asked. FAILED: nothing went back. REFUNDED: the payer's bank returned the refund to us. */
            status: components["schemas"]["RefundStatus"];
            /** @description What goes back to the payer, in the order's currency. It is a JSON number: parse it as a decimal, not as a float. */
            amount: number;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description Why you asked for the refund, as you sent it. */
            reason: string;
            /**
             * Format: date-time
             * @description When you asked for it, in UTC.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When an operator approved it, in UTC. Null or absent until then.
             */
            approvedAt: string | null;
            /**
             * Format: date-time
             * @description When an operator rejected it, in UTC. Null or absent until then.
             */
            rejectedAt: string | null;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
            /**
             * Format: uri
             * @description Send it to the payer, who names an account or an address there. Null if the money goes back by itself, or the account or address is known.
             */
            destinationUrl: string | null;
            /** @description DESTINATION: the payer, who opens destinationUrl. APPROVAL: an operator. PAYMENT: an operator who sends coins. CONFIRMATIONS: the network of the coins. Null: the payer's bank, or nothing. */
            waitsFor: components["schemas"]["RefundWait"] | null;
            /** @description Of a payment in coins that is returned to an address of the payer; else null. */
            coins: components["schemas"]["ReturnedCoins"] | null;
            /** @description Why nothing went back, or why the bank returned it to us; else null. */
            failureReason: string | null;
        };
        RefundApprovedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "refund.approved";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundCompletedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "refund.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
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
            /** @description The elements of this page. */
            data: components["schemas"]["Refund"][];
        };
        /** @enum {string} */
        RefundOutcome: "APPROVED" | "REJECTED" | "COMPLETED" | "FAILED" | "REFUNDED";
        /** @description Body of POST /sandbox/refund/{id}. */
        RefundOutcomeRequest: {
            /** @description APPROVED and REJECTED: what our operator decides. The others: what the bank reports; a refund that waits is approved first. */
            status: components["schemas"]["RefundOutcome"];
        };
        /** @description The order, and what this refund has to do with it. */
        RefundPayload: {
            /** @description Id of the order. */
            id: string;
            /** @description Your own number of the order, as you sent it. */
            reference: string;
            /** @description What the payer paid: baseAmount + feeAmount. */
            amount: number;
            /** @description Null on orders from before 2026. */
            baseAmount: number | null;
            /** @description Null on orders from before 2026. */
            feeAmount: number | null;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
            currency: components["schemas"]["OrderCurrency"];
            /** @description COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid. */
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: date-time
             * @description Null unless the order was paid.
             */
            paidAt: string | null;
            /** @description Your own data, as you sent it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Only on an order that repeats a refused one: the id of the refused order. */
            retryOf?: string;
            /** @description Only of an order of a payment link. */
            linkId?: string;
            /** @description Only of an order whose document you left to the payment page. */
            customer?: components["schemas"]["EventCustomer"];
            /** @description Id of the refund. */
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
            /** @description Why, in words. */
            reason: string;
            /**
             * Format: date-time
             * @description When you asked for it, in UTC.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When an operator approved it, in UTC. Null or absent until then.
             */
            approvedAt?: string;
            /**
             * Format: date-time
             * @description When an operator rejected it, in UTC. Null or absent until then.
             */
            rejectedAt?: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt?: string;
        };
        RefundRejectedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "refund.rejected";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundRequestedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "refund.requested";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
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
            /** @description Coin in which the refund is paid. */
            currency: string;
            /** @description Network on which the coins are sent. */
            network: string;
            /** @description On the network. Null until the coins were sent. */
            transaction: string | null;
        };
        /** @enum {string} */
        SandboxCollectionOutcome: "COMPLETED" | "FAILED" | "EXPIRED";
        /** @description A closed day of one balance. collected = net + fee + tax. */
        Settlement: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /**
             * Format: date
             * @description The day in Bogota.
             */
            date: string;
            /** @description Time zone of the day: Colombia's. */
            timezone: string;
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /**
             * Format: int64
             * @description How many orders were completed on the day.
             */
            orderCount: number;
            /**
             * Format: int64
             * @description How many refunds were completed on the day.
             */
            refundCount: number;
            /** @description Available and held. */
            openingBalance: number;
            /** @description The part of it that was held. */
            openingHeld: number;
            /** @description Available and held. */
            closingBalance: number;
            /** @description The part of it that was held. */
            closingHeld: number;
            /** @description Taxes on our fee. */
            taxLines: components["schemas"]["TaxLine"][];
            /**
             * Format: date-time
             * @description When the day was closed, in UTC.
             */
            closedAt: string;
        };
        SettlementClosedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "settlement.closed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["SettlementPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        SettlementListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["Settlement"][];
        };
        /** @description A closed day of one balance. collected = net + fee + tax. */
        SettlementPayload: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /**
             * Format: date
             * @description The day in Bogota.
             */
            date: string;
            /**
             * @description Time zone of the day: Colombia's.
             * @constant
             */
            timezone: "America/Bogota";
            /** @description Currency of the amounts. COPM is the balance in pesos. */
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
            /**
             * Format: int64
             * @description How many orders were completed on the day.
             */
            orderCount: number;
            /**
             * Format: int64
             * @description How many refunds were completed on the day.
             */
            refundCount: number;
            /**
             * Format: date-time
             * @description When the day was closed, in UTC.
             */
            closedAt: string;
        };
        SettlementResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Settlement"];
        };
        /** @enum {string} */
        TaxKind: "INCLUDED" | "WITHHELD";
        /** @description A tax on our fee. INCLUDED is a part of it, WITHHELD is only stated. */
        TaxLine: {
            /** @description Name of the tax. */
            name: string;
            /** @description INCLUDED: part of our fee. WITHHELD: only stated. */
            kind: components["schemas"]["TaxKind"];
            /** @description 0.19 is 19%. */
            rate: number;
            /** @description Our fee without the taxes in it. */
            base: number;
            /** @description The tax, in the currency of the settlement. */
            amount: number;
        };
        /** @description About no payment. */
        TestPayload: {
            /** @description Id of your account. */
            merchantId: string;
            /** @description A sentence that says that this is a test. */
            message: string;
        };
        /** @description A top-up. */
        Topup: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description `processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final. */
            status: components["schemas"]["TopupStatus"];
            /** @description Ten digits. */
            phone: string;
            /**
             * Format: int64
             * @description Amount in whole COP, without the fee.
             */
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
            /** @description Proof for the holder of the phone. Null until completed. */
            ticket: components["schemas"]["TopupTicket"] | null;
            /** @description Id of the mobile operator, from the list of mobile operators. */
            operatorCode: string;
            /** @description Why the phone does not have the credit; null while it has, or may have. */
            failureReason: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
        };
        TopupCompletedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "topup.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description Body of POST /topup. */
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
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "topup.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["Topup"][];
        };
        /** @description An operator and what it sells. */
        TopupOperator: {
            /** @description Id of the operator; send it as `operatorCode`. */
            code: string;
            /** @description Name to show to people. */
            name: string;
            /**
             * Format: uri
             * @description Address of the operator's logo.
             */
            logo: string;
            /** @description Smallest amount that is accepted. Null: no limit of its own. */
            minAmount: number | null;
            /** @description Largest amount that is accepted. Null: no limit of its own. */
            maxAmount: number;
            /** @description Null: every amount within the limits. Else only these. */
            allowedAmounts: number[] | null;
        };
        TopupOperatorListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["TopupOperator"][];
        };
        /** @description A top-up at the time of the event, as GET /topup/{id} shows it, with the phone masked. */
        TopupPayload: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description `processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final. */
            status: components["schemas"]["TopupStatus"];
            /** @description The last digits. */
            phone: string;
            /** @description Id of the mobile operator, from the list of mobile operators. */
            operatorCode: string;
            /**
             * Format: int64
             * @description Amount in whole COP, without the fee.
             */
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
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, in UTC. Null or absent until then.
             */
            completedAt: string | null;
        };
        TopupProcessingEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "topup.processing";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupRefundedEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "topup.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["Topup"];
        };
        /** @enum {string} */
        TopupStatus: "processing" | "completed" | "failed" | "refunded";
        /** @description What proves the top-up to the person who holds the phone. */
        TopupTicket: {
            /** @description The provider's own number. */
            number: string | null;
            /** @description The provider's approval code. */
            authorization: string | null;
            /** @description Name of the provider that made the payment. */
            provider: string;
            /**
             * Format: date-time
             * @description When it was paid, in UTC.
             */
            issuedAt: string;
            /** @description Name of the mobile operator. */
            operator: string;
            /** @description Phone number. */
            phone: string;
            /**
             * Format: int64
             * @description Amount in whole COP, without the fee.
             */
            amountCop: number;
            /** @description A line to print for the holder of the phone. */
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
            /** @description Your own name of the endpoint. */
            description: string;
            /** @description Whether new events go there. */
            enabled: boolean;
            /** @description True for the webhook URL of the account: it cannot be deleted or switched off. */
            account: boolean;
            /** @description Null: one secret is valid. */
            rotation: components["schemas"]["WebhookEndpointRotation"] | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             */
            updatedAt: string;
        };
        /** @description Body of POST /webhook-endpoints. */
        WebhookEndpointCreateRequest: {
            /** @description https (or http, which others can read), with a public address. */
            url: string;
            /** @description The kinds of events that it gets. For the account's own: with those always sent. */
            events: string[];
            /**
             * @description Your own name of the endpoint.
             * @default
             */
            description?: string;
            /**
             * @description While it is false, no new events go there, and what is on its way waits.
             * @default true
             */
            enabled?: boolean;
        };
        /** @description What DELETE /webhook-endpoints/{id} returns. */
        WebhookEndpointDeletion: {
            /** @description Id of this resource, for the path of its requests. */
            id: string;
            /** @description Always true. */
            deleted: boolean;
        };
        WebhookEndpointDeletionResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["WebhookEndpointDeletion"];
        };
        WebhookEndpointListResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The elements of this page. */
            data: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEndpointResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description Two secrets are valid. */
        WebhookEndpointRotation: {
            /**
             * Format: date-time
             * @description Until then webhook-signature has two values, new and old.
             */
            until: string;
            /** @description Which secret signs X-Service-Signature until then. */
            contractSignature: components["schemas"]["WebhookSignatureSecret"];
        };
        /** @description Body of PATCH /webhook-endpoints/{id}. What is left out stays. */
        WebhookEndpointUpdateRequest: {
            /** @description https (or http, which others can read), with a public address. Null only for the account's own: then its events wait. */
            url?: string | null;
            /** @description The kinds of events that it gets. For the account's own: with those always sent. */
            events?: string[];
            /** @description Your own name of the endpoint. */
            description?: string;
            /** @description While it is false, no new events go there, and what is on its way waits. */
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
            /** @description Your own name of the endpoint. */
            description: string;
            /** @description Whether new events go there. */
            enabled: boolean;
            /** @description True for the webhook URL of the account: it cannot be deleted or switched off. */
            account: boolean;
            /** @description Null: one secret is valid. */
            rotation: components["schemas"]["WebhookEndpointRotation"] | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC.
             */
            updatedAt: string;
            /** @description whsec_ and base64. It is shown here and never again: keep it on your server. Null when the request is repeated with its key after more than 24 hours. */
            secret: string | null;
        };
        WebhookEndpointWithSecretResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        /** @description Body of POST /webhook-endpoints/{id}/resend: `eventId`, or `from` and `to`. */
        WebhookResendRequest: {
            /** @description One event. */
            eventId?: string;
            /**
             * Format: date-time
             * @description Events since then, this moment included.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Until then, not included. At most 31 days.
             */
            to?: string;
            /**
             * @description Of a range only what the endpoint was never sent, or what has failed for good.
             * @default true
             */
            onlyMissing?: boolean;
        };
        /** @description What is sent again. */
        WebhookResendResult: {
            /** @description Of the endpoint. */
            id: string;
            /**
             * Format: int64
             * @description How many events are on their way again.
             */
            events: number;
        };
        WebhookResendResultResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["WebhookResendResult"];
        };
        /** @description Body of POST /webhook-endpoints/{id}/rotate-secret. */
        WebhookSecretRotateRequest: {
            /**
             * Format: int32
             * @description How long the old secret is valid, too. 0: not at all.
             * @default 24
             */
            overlapHours?: number;
            /**
             * @description Which secret signs X-Service-Signature during the overlap; then the new one.
             * @default OLD
             */
            contractSignature?: components["schemas"]["WebhookSignatureSecret"];
        };
        /** @enum {string} */
        WebhookSignatureSecret: "OLD" | "NEW";
        WebhookTestEvent: {
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "webhook.test";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TestPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        /** @description The test event that is on its way. */
        WebhookTestResult: {
            /** @description Of the endpoint. */
            id: string;
            /** @description As in the header webhook-id. */
            eventId: string;
        };
        WebhookTestResultResponse: {
            /** @description Always true. */
            success: boolean;
            /** @description The result. */
            data: components["schemas"]["WebhookTestResult"];
        };
        PaymentCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["CompletionPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["FailurePayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentExpiredFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.expired";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["OrderPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentCancelledFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.cancelled";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["OrderPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentConfirmedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.confirmed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["OrderPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentPartiallyRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.partially_refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentChargebackFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.chargeback";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["DisputePayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PaymentDisputedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.disputed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["DisputePayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundRequestedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "refund.requested";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundApprovedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "refund.approved";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundRejectedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "refund.rejected";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        RefundCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "refund.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["RefundPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        SettlementClosedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "settlement.closed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["SettlementPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        LinkPaidFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "link.paid";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PaymentLinkPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchRunningFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "batch.running";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchPausedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "batch.paused";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchDoneFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "batch.done";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchCancelledFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "batch.cancelled";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BatchRejectedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "batch.rejected";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BatchPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PayoutProcessingFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payout.processing";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PayoutCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payout.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PayoutFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payout.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        PayoutRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payout.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["PayoutPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupProcessingFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "topup.processing";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "topup.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "topup.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        TopupRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "topup.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TopupPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BillProcessingFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "bill.processing";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BillCompletedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "bill.completed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BillFailedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "bill.failed";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        BillRefundedFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "bill.refunded";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["BillPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            timestamp: string;
        };
        WebhookTestFeedEvent: {
            /**
             * Format: int64
             * @description Place in your sequence of events: 1, 2, 3 and so on, without gaps.
             */
            sequence: number;
            /** @description Id of the event, as in the webhook's header webhook-id. */
            id: string;
            /**
             * @description Kind of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.test";
            /** @description What the event is about, as it was at that time. */
            data: components["schemas"]["TestPayload"];
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
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
        KnownErrorCode: "AMOUNT_ABOVE_LIMIT" | "AMOUNT_BELOW_MINIMUM" | "BILL_CHANGED" | "BILL_PAYMENT_NOT_ENABLED" | "BILL_SELECTION_REQUIRED" | "CHARGE_REFUSED" | "DIRECT_API_NOT_ENABLED" | "FORBIDDEN" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INSUFFICIENT_BALANCE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_CREDENTIALS" | "MERCHANT_NOT_ACTIVE" | "METHOD_NOT_AVAILABLE" | "MISSING_CREDENTIALS" | "NOT_ALLOWED" | "NOT_FOUND" | "NO_PENDING_BILL" | "NO_WEBHOOK_URL" | "ORDER_NOT_CANCELLABLE" | "ORDER_NOT_DISPUTABLE" | "ORDER_NOT_FOUND" | "ORDER_NOT_PAYABLE" | "ORDER_NOT_REFUNDABLE" | "PAYLOAD_TOO_LARGE" | "PAYOUT_DISABLED" | "PAYOUT_METHOD_NOT_AVAILABLE" | "PAYOUT_PROVIDER_UNAVAILABLE" | "QR_NOT_VALID" | "RATE_LIMIT_EXCEEDED" | "REFUND_PROVIDER_UNAVAILABLE" | "REQUEST_TIMEOUT" | "SERVICE_UNAVAILABLE" | "TOPUP_NOT_ENABLED" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR";
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
                /** @description Only movements of this account: `available` or `held`. */
                account?: "available" | "held";
                /** @description The id of a movement: the page begins with the one before it. Not together with offset. */
                before?: string;
                /** @description Included. */
                createdFrom?: string;
                /** @description Excluded. */
                createdTo?: string;
                /** @description Only this currency. COPM is the balance in pesos. */
                currency?: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
                /** @description Only movements of this kind. */
                kind?: "collect_settled" | "payout_reserved" | "payout_released" | "payout_completed" | "payout_returned" | "topup_reserved" | "topup_released" | "topup_completed" | "topup_returned" | "bill_reserved" | "bill_released" | "bill_completed" | "bill_returned" | "refund_reserved" | "refund_released" | "refund_completed" | "refund_returned" | "dispute_opened" | "dispute_won" | "dispute_lost" | "unmatched_credited" | "bank_line_credited" | "bank_line_reversed" | "sandbox_credited";
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
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
                /** @description Number of the page, from 1. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Only elements in this state. */
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
                /** @description Id of the resource. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Exactly as it was given. */
                reference?: string;
                /** @description Only elements in this state. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
                id: string;
                /** @description Id of the refund. */
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
                /** @description How many elements a page has, at most. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Only elements in this state. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Only elements in this state. */
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
                /** @description Id of the resource. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Only elements in this state. */
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
                /** @description Id of the resource. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Only elements in this state. */
                status?: "WRONG" | "WAITING" | "REFUSED" | "CANCELLED" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "REFUNDED";
            };
            header?: never;
            path: {
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
    sandboxCloseSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DayAnnouncementRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncedDayResponse"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /** @description Only this currency. COPM is the balance in pesos. */
                currency?: "COPM" | "USDT" | "USDC" | "BTC" | "ETH";
                /** @description First day in Bogota, included. */
                from?: string;
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Only this currency. COPM is the balance in pesos. */
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
                /** @description Only this currency. COPM is the balance in pesos. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
                offset?: number;
                /** @description Only elements in this state. */
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
                /** @description Id of the resource. */
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
                /** @description How many elements a page has, at most. */
                limit?: number;
                /** @description How many elements to skip, newest first. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
                /** @description Id of the resource. */
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
    resendWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookResendRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResendResultResponse"];
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again return the same resource instead of a second one. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotateRequest"];
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
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResultResponse"];
                };
            };
        };
    };
}
