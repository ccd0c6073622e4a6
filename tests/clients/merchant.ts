// A merchant's program on types of openapi-typescript with openapi-fetch; compiled, and run as a process.
// merchant.js BASE_URL STEP, with the keys in the environment. A step prints what it saw as JSON.
// merchant.py has the same steps.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
declare const process: { argv: string[]; env: Record<string, string> };

const [baseUrl = "", wanted = ""] = process.argv.slice(2);
const headers = { "X-Api-Key": process.env.API_KEY, "X-Api-Secret": process.env.API_SECRET };
const api = createClient<paths>({ baseUrl, headers });

const ORDER: Schemas["OrderCreateRequest"] = {
  reference: "PEDIDO-1",
  amount: 50000,
  customerName: "María Ñáñez",
  customerEmail: "maria@example.com",
  customerDocType: "CC",
  customerDocNumber: "1020304050",
  metadata: { cart: "A-7" },
};
const PAYOUT: Schemas["PayoutCreateRequest"] = {
  amount: 100000,
  recipientName: "Juan Pérez",
  recipientDocType: "CC",
  recipientDocNumber: "79123456",
  network: "BANK",
  bankCanonicalId: "bancolombia",
  accountType: "SAVINGS",
  accountNumber: "12345678901",
};

// What is in the envelope; a refusal ends the program.
function taken<T>(answer: { data?: { data: T }; error?: Schemas["ErrorResponse"] }): T {
  if (!answer.data) {
    throw new Error(JSON.stringify(answer.error));
  }
  return answer.data.data;
}

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const created = async () => taken(await api.POST("/collect", { body: ORDER }));

async function order() {
  const made = await created();
  const read = taken(await api.GET("/collect/{id}", { params: { path: { id: made.id } } }));
  const query = { status: "PENDING", limit: 5 } as const;
  const listed = taken(await api.GET("/collect", { params: { query } }));
  return {
    created: [made.id, made.reference, made.amount, made.status],
    expires: made.expiresAt > made.createdAt,
    read: [read.id, read.customer.name, read.baseAmount, read.feeAmount, read.metadata],
    listed: listed.map((each) => each.id),
  };
}

async function replay() {
  const seen = { statuses: [] as number[], ids: [] as string[], replayed: [] as (string | null)[] };
  for (const _time of [1, 2]) {
    const answer = await api.POST("/collect", { body: ORDER, params: keyed("once") });
    seen.statuses.push(answer.response.status);
    seen.ids.push(taken(answer).id);
    seen.replayed.push(answer.response.headers.get("idempotent-replayed"));
  }
  return seen;
}

async function refusal() {
  await created();
  const { error, response } = await api.POST("/collect", { body: ORDER });
  if (!error) {
    throw new Error("It was not refused.");
  }
  const { code, message, details } = error.error;
  const field = details?.field;
  return { status: response.status, success: error.success, code, message, field };
}

async function refund() {
  const { id } = await created();
  const params = { path: { id } };
  const outcome = { status: "COMPLETED", method: "PSE" } as const;
  const paid = taken(await api.POST("/sandbox/collect/{id}", { params, body: outcome }));
  const body = { amount: 20000, reason: "Agotado" };
  const asked = taken(
    await api.POST("/collect/{id}/refunds", { params: { ...params, ...keyed("refund-1") }, body }),
  );
  const sandbox = { params: { path: { id: asked.id } }, body: { status: "COMPLETED" } as const };
  const done = taken(await api.POST("/sandbox/refund/{id}", sandbox));
  const path = { id, refund_id: asked.id };
  const read = taken(await api.GET("/collect/{id}/refunds/{refund_id}", { params: { path } }));
  const listed = taken(await api.GET("/collect/{id}/refunds", { params }));
  return {
    paid: [paid.status, paid.paidAt !== null],
    asked: [asked.amount, asked.status],
    done: done.status,
    read: read.status,
    listed: listed.map((each) => each.id === asked.id),
  };
}

async function credited() {
  const body = { currency: "COPM", amount: 500000 } as const;
  return taken(await api.POST("/sandbox/balance", { body }));
}

async function payout() {
  const balance = await credited();
  const made = taken(await api.POST("/payout", { body: PAYOUT, params: keyed("payout-1") }));
  const params = { path: { id: made.payoutId } };
  const read = taken(await api.GET("/payout/{id}", { params }));
  const listed = taken(await api.GET("/payout"));
  return {
    balance: [balance.currency, balance.available],
    made: [made.amount, made.feeAmount, made.status, made.network],
    read: [read.payoutId === made.payoutId, read.completedAt],
    listed: listed.map((each) => each.payoutId === made.payoutId),
  };
}

async function reads() {
  await credited();
  await created();
  return {
    statistics: taken(await api.GET("/collect/stats")).total,
    balance: taken(await api.GET("/balance")).length,
    movements: taken(await api.GET("/balance/movements")).length,
    events: taken(await api.GET("/events")).length,
    settlements: taken(await api.GET("/settlements")).length,
    methods: taken(await api.GET("/payout/methods")).methods.length,
    operators: taken(await api.GET("/topup/operators")).length,
    agreements: taken(await api.GET("/bills/agreements")).items.length,
  };
}

// The events of a refund in part, told apart by their kind.
async function feed() {
  await refund();
  const seen: unknown[] = [];
  for (const event of taken(await api.GET("/events"))) {
    if (event.event === "payment.partially_refunded") {
      seen.push([event.event, event.data.remainingAmount, event.data.totalRefunded]);
    } else if (event.event === "payment.completed") {
      seen.push([event.event, event.data.amount, event.sequence]);
    }
  }
  return seen;
}

const steps: Record<string, () => Promise<unknown>> = {
  order, replay, refusal, refund, payout, reads, feed,
};
console.log(JSON.stringify(await steps[wanted]!()));
