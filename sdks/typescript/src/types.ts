import type { components, paths } from "./schema.js";

type Operation<P extends keyof paths, M> = M extends keyof paths[P] ? paths[P][M] : never;
type Success<R> = R extends { 200: infer S } ? S : R extends { 201: infer S } ? S : never;

/** Paths with the method. */
export type PathOf<M extends string> = {
  [P in keyof paths]: [Operation<P, M>] extends [{ responses: unknown }] ? P : never;
}[keyof paths];
/** What a request may carry in its query. */
export type Query<P extends keyof paths> =
  Operation<P, "get"> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
/** What a request carries in its body. */
export type Body<P extends keyof paths, M extends string = "post"> =
  Operation<P, M> extends { requestBody?: { content: { "application/json": infer B } } | undefined } ? B : never;
/** What an answer carries in `data`. */
export type Data<P extends keyof paths, M extends string = "get"> =
  Operation<P, M> extends { responses: infer R }
    ? Success<R> extends { content: { "application/json": { data: infer D } } }
      ? D
      : never
    : never;
/** An element of a list. */
export type Item<P extends keyof paths> = Data<P> extends (infer E)[] | { items: (infer E)[] } ? E : never;

export type CreatedOrder = Data<"/collect", "post">;
export type Order = Data<"/collect/{id}">;
export type OrderStatistics = Data<"/collect/stats">;
export type OrderMethod = Item<"/collect/{id}/methods">;
export type OrderCharge = Data<"/collect/{id}/pay", "post">;
export type Refund = Data<"/collect/{id}/refunds", "post">;
export type Payout = Data<"/payout/{id}">;
export type PayoutMethods = Data<"/payout/methods">;
export type PayoutBatch = Data<"/payout/batches/{id}">;
export type PayoutQr = Data<"/payout/qr", "post">;
export type PayoutBatchEntry = Item<"/payout/batches">;
export type PayoutBatchItem = Item<"/payout/batches/{id}/lines">;
export type Topup = Data<"/topup/{id}">;
export type Operator = Item<"/topup/operators">;
export type Agreement = Item<"/bills/agreements">;
export type BillCheck = Data<"/bills/check", "post">;
export type BillPayment = Data<"/bills/payments/{id}">;
export type Link = Data<"/links/{id}">;
export type WebhookEndpoint = Data<"/webhook-endpoints/{id}">;
export type WebhookEndpointWithSecret = Data<"/webhook-endpoints", "post">;
export type WebhookTest = Data<"/webhook-endpoints/{id}/test", "post">;
export type WebhookResend = Data<"/webhook-endpoints/{id}/resend", "post">;
export type WebhookEndpointDeletion = Data<"/webhook-endpoints/{id}", "delete">;
export type Balance = Item<"/balance">;
export type Movement = Item<"/balance/movements">;
export type SandboxBalance = Data<"/sandbox/balance", "post">;
export type SandboxSettlement = Data<"/sandbox/settlement", "post">;
export type Dispute = Data<"/sandbox/collect/{id}/dispute", "post">;
export type Settlement = Data<"/settlements/{id}">;

export type NewOrder = Body<"/collect">;
export type NewCharge = Body<"/collect/{id}/pay">;
export type NewRefund = Body<"/collect/{id}/refunds">;
export type NewPayout = Body<"/payout">;
export type NewPayoutBatch = Body<"/payout/batches">;
export type NewTopup = Body<"/topup">;
export type NewBillPayment = Body<"/bills/pay">;
export type NewWebhookEndpoint = Body<"/webhook-endpoints">;
export type WebhookEndpointChange = Body<"/webhook-endpoints/{id}", "patch">;
export type NewLink = Body<"/links">;
export type LinkChange = Body<"/links/{id}", "patch">;

type Events = components["schemas"]["EventsByKind"];
export type EventKind = keyof Events;
/** What a webhook carries. `event` tells which: `if (event.event === "payment.completed")`. */
export type Event = Events[EventKind];
/** A webhook that is verified, with the id of its event. */
export type VerifiedEvent = Event & { id: string };
/** An element of `events.list()`. */
export type FeedEvent = Event & { id: string; sequence: number };

/** Codes that are known today; a newer service may send others. */
export type ErrorCode = components["schemas"]["KnownErrorCode"] | (string & {});
