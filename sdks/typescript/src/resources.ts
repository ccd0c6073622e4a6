import { type CallOptions, type Repeat, type Transport, dataOf, fill } from "./http.js";
import { type Cursor, List } from "./pages.js";
import type {
  Agreement, Balance, BillCheck, BillPayment, Body, CreatedOrder, Data, Dispute, FeedEvent, Item, Link,
  LinkChange, Movement, NewBillPayment, NewCharge, NewLink, NewOrder, NewPayout, NewPayoutBatch,
  NewRefund, NewTopup, NewWebhookEndpoint, Operator, Order, OrderCharge, OrderMethod, OrderStatistics, PathOf, Payout,
  PayoutBatch, PayoutBatchEntry, PayoutBatchItem, PayoutMethods, PayoutQr, Query, Refund,
  SandboxBalance, SandboxSettlement, Settlement, Topup, WebhookEndpoint, WebhookEndpointChange, WebhookEndpointDeletion,
  WebhookEndpointWithSecret, WebhookResend, WebhookTest,
} from "./types.js";

/** The transport with the types of the document: a path that it does not have is an error. */
export class Api {
  constructor(private readonly transport: Transport) {}

  async get<P extends PathOf<"get">>(path: P, ids: string[], options?: CallOptions): Promise<Data<P>> {
    const call = { method: "GET", path: fill(path, ids), repeat: "safe" } as const;
    return dataOf(await this.transport.send(call, options)) as Data<P>;
  }

  async post<P extends PathOf<"post">>(
    path: P, ids: string[], body: Body<P> | undefined, repeat: Repeat, options?: CallOptions,
  ): Promise<Data<P, "post">> {
    const call = { method: "POST", path: fill(path, ids), repeat, body: body as object | undefined };
    return dataOf(await this.transport.send(call, options)) as Data<P, "post">;
  }

  async patch<P extends PathOf<"patch">>(
    path: P, ids: string[], body: Body<P, "patch">, options?: CallOptions,
  ): Promise<Data<P, "patch">> {
    const call = { method: "PATCH", path: fill(path, ids), repeat: "safe", body: body as object } as const;
    return dataOf(await this.transport.send(call, options)) as Data<P, "patch">;
  }

  async delete<P extends PathOf<"delete">>(path: P, ids: string[], options?: CallOptions): Promise<Data<P, "delete">> {
    const call = { method: "DELETE", path: fill(path, ids), repeat: "safe" } as const;
    return dataOf(await this.transport.send(call, options)) as Data<P, "delete">;
  }

  async text(path: PathOf<"get">, ids: string[], query: object, options?: CallOptions): Promise<string> {
    const call = { method: "GET", path: fill(path, ids), repeat: "safe", query, isFile: true } as const;
    return (await this.transport.send(call, options)).text;
  }

  list<P extends PathOf<"get">>(
    path: P, ids: string[], query: object, options?: CallOptions, cursor: Cursor = { by: "offset" },
  ): List<Item<P>> {
    const call = { method: "GET", path: fill(path, ids), repeat: "safe" } as const;
    return new List((asked) => this.transport.send({ ...call, query: asked }, options), { ...query }, cursor);
  }
}

class Resource {
  constructor(protected readonly api: Api) {}
}

export class Orders extends Resource {
  /** The payer pays at `collectUrl`. */
  create(order: NewOrder, options?: CallOptions): Promise<CreatedOrder> {
    return this.api.post("/collect", [], order, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<Order> {
    return this.api.get("/collect/{id}", [id], options);
  }

  list(query: Query<"/collect"> = {}, options?: CallOptions): List<Order> {
    return this.api.list("/collect", [], query, options);
  }

  cancel(id: string, options?: CallOptions): Promise<Order> {
    return this.api.post("/collect/{id}/cancel", [id], undefined, "once", options);
  }

  statistics(options?: CallOptions): Promise<OrderStatistics> {
    return this.api.get("/collect/stats", [], options);
  }

  methods(id: string, options?: CallOptions): Promise<OrderMethod[]> {
    return this.api.get("/collect/{id}/methods", [id], options);
  }

  /** Never repeated by itself: each request begins a new charge. */
  pay(id: string, charge: NewCharge, options?: CallOptions): Promise<OrderCharge> {
    return this.api.post("/collect/{id}/pay", [id], charge, "once", options);
  }
}

export class Refunds extends Resource {
  /** Without an amount: all that remains. */
  async create(orderId: string, refund: NewRefund, options?: CallOptions): Promise<Refund> {
    if ("amount" in refund && refund.amount === undefined) {
      throw new TypeError("amount is undefined. Leave it out to refund all that remains.");
    }
    return this.api.post("/collect/{id}/refunds", [orderId], refund, "key", options);
  }

  get(orderId: string, id: string, options?: CallOptions): Promise<Refund> {
    return this.api.get("/collect/{id}/refunds/{refund_id}", [orderId, id], options);
  }

  list(orderId: string, query: Query<"/collect/{id}/refunds"> = {}, options?: CallOptions): List<Refund> {
    return this.api.list("/collect/{id}/refunds", [orderId], query, options);
  }
}

export class Payouts extends Resource {
  create(payout: NewPayout, options?: CallOptions): Promise<Payout> {
    return this.api.post("/payout", [], payout, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<Payout> {
    return this.api.get("/payout/{id}", [id], options);
  }

  list(query: Query<"/payout"> = {}, options?: CallOptions): List<Payout> {
    return this.api.list("/payout", [], query, options);
  }

  methods(options?: CallOptions): Promise<PayoutMethods> {
    return this.api.get("/payout/methods", [], options);
  }

  readQr(qr: Body<"/payout/qr">, options?: CallOptions): Promise<PayoutQr> {
    return this.api.post("/payout/qr", [], qr, "safe", options);
  }
}

export class PayoutBatches extends Resource {
  create(batch: NewPayoutBatch, options?: CallOptions): Promise<PayoutBatch> {
    return this.api.post("/payout/batches", [], batch, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<PayoutBatch> {
    return this.api.get("/payout/batches/{id}", [id], options);
  }

  list(query: Query<"/payout/batches"> = {}, options?: CallOptions): List<PayoutBatchEntry> {
    return this.api.list("/payout/batches", [], query, options);
  }

  lines(
    id: string, query: Query<"/payout/batches/{id}/lines"> = {}, options?: CallOptions,
  ): List<PayoutBatchItem> {
    return this.api.list("/payout/batches/{id}/lines", [id], query, options);
  }
}

export class Topups extends Resource {
  create(topup: NewTopup, options?: CallOptions): Promise<Topup> {
    return this.api.post("/topup", [], topup, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<Topup> {
    return this.api.get("/topup/{id}", [id], options);
  }

  list(query: Query<"/topup"> = {}, options?: CallOptions): List<Topup> {
    return this.api.list("/topup", [], query, options);
  }

  operators(options?: CallOptions): Promise<Operator[]> {
    return this.api.get("/topup/operators", [], options);
  }
}

export class Bills extends Resource {
  agreements(query: Query<"/bills/agreements"> = {}, options?: CallOptions): List<Agreement> {
    const rows = (body: unknown) => (body as { data: { items: Agreement[] } }).data.items;
    return this.api.list("/bills/agreements", [], query, options, { by: "page", rows });
  }

  /** What is owed; it charges nothing. */
  check(bill: Body<"/bills/check">, options?: CallOptions): Promise<BillCheck> {
    return this.api.post("/bills/check", [], bill, "safe", options);
  }

  pay(bill: NewBillPayment, options?: CallOptions): Promise<BillPayment> {
    return this.api.post("/bills/pay", [], bill, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<BillPayment> {
    return this.api.get("/bills/payments/{id}", [id], options);
  }

  list(query: Query<"/bills/payments"> = {}, options?: CallOptions): List<BillPayment> {
    return this.api.list("/bills/payments", [], query, options);
  }
}

export class Links extends Resource {
  create(link: NewLink, options?: CallOptions): Promise<Link> {
    return this.api.post("/links", [], link, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<Link> {
    return this.api.get("/links/{id}", [id], options);
  }

  list(query: Query<"/links"> = {}, options?: CallOptions): List<Link> {
    return this.api.list("/links", [], query, options);
  }

  change(id: string, change: LinkChange, options?: CallOptions): Promise<Link> {
    return this.api.patch("/links/{id}", [id], change, options);
  }

  setImage(id: string, image: Body<"/links/{id}/image">, options?: CallOptions): Promise<Link> {
    return this.api.post("/links/{id}/image", [id], image, "safe", options);
  }
}

export class Events extends Resource {
  /** Oldest first, without gaps. Store the id of the last one, and pass it as `after` next time. */
  list(query: Query<"/events"> = {}, options?: CallOptions): List<FeedEvent> {
    const cursor = { by: "after" } as const;
    return this.api.list("/events", [], query, options, cursor) as unknown as List<FeedEvent>;
  }
}

export class WebhookEndpoints extends Resource {
  /** `secret` is shown in this answer only. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.api.post("/webhook-endpoints", [], endpoint, "key", options);
  }

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.api.get("/webhook-endpoints/{id}", [id], options);
  }

  list(query: Query<"/webhook-endpoints"> = {}, options?: CallOptions): List<WebhookEndpoint> {
    return this.api.list("/webhook-endpoints", [], query, options);
  }

  change(id: string, change: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.api.patch("/webhook-endpoints/{id}", [id], change, options);
  }

  delete(id: string, options?: CallOptions): Promise<WebhookEndpointDeletion> {
    return this.api.delete("/webhook-endpoints/{id}", [id], options);
  }

  /** With the new secret. For `overlapHours` (24) the old one is valid, too. */
  rotateSecret(
    id: string, rotation: Body<"/webhook-endpoints/{id}/rotate-secret"> = {}, options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.api.post("/webhook-endpoints/{id}/rotate-secret", [id], rotation, "key", options);
  }

  /** Sends it the event `webhook.test`. */
  test(id: string, options?: CallOptions): Promise<WebhookTest> {
    return this.api.post("/webhook-endpoints/{id}/test", [id], undefined, "once", options);
  }

  /** Sends it one event again (`eventId`), or those of a time (`from`, `to`). */
  resend(
    id: string, chosen: Body<"/webhook-endpoints/{id}/resend">, options?: CallOptions,
  ): Promise<WebhookResend> {
    return this.api.post("/webhook-endpoints/{id}/resend", [id], chosen, "key", options);
  }
}

export class BalanceResource extends Resource {
  /** One element for each currency. */
  get(options?: CallOptions): Promise<Balance[]> {
    return this.api.get("/balance", [], options);
  }

  movements(query: Query<"/balance/movements"> = {}, options?: CallOptions): List<Movement> {
    return this.api.list("/balance/movements", [], query, options, { by: "before" });
  }
}

export class Settlements extends Resource {
  get(id: string, options?: CallOptions): Promise<Settlement> {
    return this.api.get("/settlements/{id}", [id], options);
  }

  list(query: Query<"/settlements"> = {}, options?: CallOptions): List<Settlement> {
    return this.api.list("/settlements", [], query, options);
  }

  /** The statement of one closing, for spreadsheets. */
  csv(id: string, options?: CallOptions): Promise<string> {
    return this.api.text("/settlements/{id}/statement.csv", [id], {}, options);
  }

  /** The same as a page, to read and print. */
  html(id: string, options?: CallOptions): Promise<string> {
    return this.api.text("/settlements/{id}/statement.html", [id], {}, options);
  }

  /** Of the days from `from` to `to`, both included. */
  statementCsv(query: Query<"/settlements/statement.csv">, options?: CallOptions): Promise<string> {
    return this.api.text("/settlements/statement.csv", [], query, options);
  }

  statementHtml(query: Query<"/settlements/statement.html">, options?: CallOptions): Promise<string> {
    return this.api.text("/settlements/statement.html", [], query, options);
  }
}

/** Outcomes on demand. None of this exists where money is real. */
export class Sandbox extends Resource {
  order(id: string, outcome: Body<"/sandbox/collect/{id}">, options?: CallOptions): Promise<Order> {
    return this.api.post("/sandbox/collect/{id}", [id], outcome, "once", options);
  }

  refund(id: string, outcome: Body<"/sandbox/refund/{id}">, options?: CallOptions): Promise<Refund> {
    return this.api.post("/sandbox/refund/{id}", [id], outcome, "once", options);
  }

  payout(id: string, outcome: Body<"/sandbox/payout/{id}">, options?: CallOptions): Promise<Payout> {
    return this.api.post("/sandbox/payout/{id}", [id], outcome, "once", options);
  }

  openDispute(
    orderId: string, dispute: Body<"/sandbox/collect/{id}/dispute">, options?: CallOptions,
  ): Promise<Dispute> {
    return this.api.post("/sandbox/collect/{id}/dispute", [orderId], dispute, "once", options);
  }

  decideDispute(id: string, outcome: Body<"/sandbox/dispute/{id}">, options?: CallOptions): Promise<Dispute> {
    return this.api.post("/sandbox/dispute/{id}", [id], outcome, "once", options);
  }

  credit(credit: Body<"/sandbox/balance">, options?: CallOptions): Promise<SandboxBalance> {
    return this.api.post("/sandbox/balance", [], credit, "once", options);
  }

  /** Sends settlement.closed with the figures of today so far. */
  closeSettlement(
    day: Body<"/sandbox/settlement"> = {}, options?: CallOptions,
  ): Promise<SandboxSettlement> {
    return this.api.post("/sandbox/settlement", [], day, "once", options);
  }
}
