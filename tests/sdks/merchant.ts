// A merchant's program on the TypeScript SDK, compiled and run by the tests: node merchant.js STEP.
// A step reads standard input, and prints what it saw as JSON. merchant.php has the same steps.
import { readFileSync } from "node:fs";

import {
  ApiError, type NewOrder, Pasarela, PasarelaError, type VerifiedEvent, decimals, responseOf, signWebhook,
  verifyServiceSignature, verifyWebhook,
} from "pasarela";

const given = JSON.parse(readFileSync(0, "utf8") || "{}");
const pasarela = new Pasarela({
  apiKey: process.env.PASARELA_PUBLIC_KEY!,
  apiSecret: process.env.PASARELA_SECRET_KEY!,
  baseUrl: process.env.PASARELA_URL!,
  ...given.options,
});

const ORDER: NewOrder = {
  reference: "PEDIDO-1",
  amount: 50000,
  customerName: "María Ñáñez",
  customerEmail: "maria@example.com",
  customerDocType: "CC",
  customerDocNumber: "1020304050",
  metadata: { cart: "A-7" },
};

async function refused(call: () => Promise<unknown> | unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof PasarelaError)) return { class: (error as Error).name };
    const seen = { class: error.name, idempotencyKey: error.idempotencyKey !== null };
    if (!(error instanceof ApiError)) return seen;
    const { status, code, field, fields, retryAfterSeconds: retryAfter } = error;
    return { ...seen, status, code, field, fields: Object.keys(fields), retryAfter, requestId: error.requestId !== null };
  }
  return "taken";
}

/** The kind decides what `data` is: the compiler knows the fields of each. */
function told(event: VerifiedEvent): unknown {
  switch (event.event) {
    case "payment.completed":
      return [event.id, event.event, event.data.reference, event.data.paidAt !== null];
    case "payment.partially_refunded":
      return [event.id, event.event, event.data.refundId, event.data.remainingAmount];
    case "payout.failed":
      return [event.id, event.event, event.data.failureReason];
    default:
      return [event.id, event.event];
  }
}

const steps: Record<string, () => unknown> = {
  async order() {
    const created = await pasarela.orders.create(ORDER);
    const read = await pasarela.orders.get(created.id);
    return {
      created: [created.id, created.reference, created.amount, created.status],
      read: [read.id, read.customer.name, read.baseAmount, read.feeAmount, read.metadata],
      statistics: (await pasarela.orders.statistics()).total,
    };
  },

  async replay() {
    const idempotencyKey = "once";
    const orders = [await pasarela.orders.create(ORDER, { idempotencyKey }), await pasarela.orders.create(ORDER, { idempotencyKey })];
    return { ids: orders.map((each) => each.id), replayed: orders.map((each) => responseOf(each).replayed) };
  },

  async list() {
    for (const number of [1, 2, 3, 4, 5]) await pasarela.orders.create({ ...ORDER, reference: `PEDIDO-${number}` });
    const walked: string[] = [];
    for await (const order of pasarela.orders.list({ status: "PENDING", limit: 2 })) {
      walked.push(order.reference);
      // What is new moves the others to the next page.
      if (walked.length === 2) await pasarela.orders.create({ ...ORDER, reference: "PEDIDO-6" });
    }
    const page = await pasarela.orders.list({ limit: 3, offset: 1 }).page();
    return { walked, page: page.data.map((each) => each.reference), total: page.total };
  },

  async refusals() {
    await pasarela.orders.create(ORDER);
    const stranger = new Pasarela({ apiKey: "pk_no", apiSecret: "sk_no", baseUrl: process.env.PASARELA_URL! });
    return [
      await refused(() => pasarela.orders.create(ORDER)),
      await refused(() => stranger.orders.get("col_1")),
      await refused(() => pasarela.orders.get("col_1")),
      await refused(() => pasarela.topups.operators().then(() => pasarela.topups.create(
        { phone: "3001234567", operatorCode: "claro", amountCop: 5000 }))),
      await refused(() => pasarela.orders.get("")),
      await refused(() => pasarela.refunds.create("col_1", { amount: NaN, reason: "?" })),
    ];
  },

  async refund() {
    const { id } = await pasarela.orders.create(ORDER);
    const paid = await pasarela.sandbox.order(id, { status: "COMPLETED", method: "PSE" });
    const asked = await pasarela.refunds.create(id, { amount: 20000, reason: "Agotado" });
    const done = await pasarela.sandbox.refund(asked.id, { status: "COMPLETED" });
    const listed = [];
    for await (const each of pasarela.refunds.list(id)) listed.push(each.id === asked.id);
    const events = [];
    for await (const each of pasarela.events.list({ limit: 1 })) events.push(each.event);
    const read = await pasarela.refunds.get(id, asked.id);
    return {
      paid: [paid.status, paid.paidAt !== null], asked: [asked.amount, asked.status], done: done.status,
      read: read.status, listed, events,
    };
  },

  async payout() {
    const balance = await pasarela.sandbox.credit({ currency: "COPM", amount: 500000 });
    const made = await pasarela.payouts.create({
      amount: 100000,
      recipientName: "Juan Pérez",
      recipientDocType: "CC",
      recipientDocNumber: "79123456",
      network: "BANK",
      bankCanonicalId: "bancolombia",
      accountType: "SAVINGS",
      accountNumber: "12345678901",
    });
    const listed = [];
    for await (const each of pasarela.payouts.list()) listed.push(each.payoutId === made.payoutId);
    const read = await pasarela.payouts.get(made.payoutId);
    return {
      balance: [balance.currency, balance.available],
      made: [made.amount, made.status, made.network],
      read: read.payoutId === made.payoutId,
      listed,
    };
  },

  async endpoints() {
    const made = await pasarela.webhookEndpoints.create({ url: "https://shop.example/hooks", events: ["payment.completed"] });
    const changed = await pasarela.webhookEndpoints.change(made.id, { description: "Tienda" });
    const listed = [];
    for await (const each of pasarela.webhookEndpoints.list()) listed.push(each.id);
    return {
      secret: made.secret?.slice(0, 6),
      changed: changed.description,
      listed: listed.includes(made.id),
      deleted: (await pasarela.webhookEndpoints.delete(made.id)).deleted,
      gone: (await refused(() => pasarela.webhookEndpoints.get(made.id)) as { class: string }).class,
    };
  },

  /** A new secret for the account's endpoint, and a test event to it. */
  async rotation() {
    for await (const { id, account } of pasarela.webhookEndpoints.list()) {
      if (!account) continue;
      const { secret } = await pasarela.webhookEndpoints.rotateSecret(id, given.rotation);
      const { eventId } = await pasarela.webhookEndpoints.test(id);
      return { id, secret, eventId };
    }
    return null;
  },

  async resend() {
    const { id, eventId, from, to } = given;
    const one = await pasarela.webhookEndpoints.resend(id, { eventId });
    const many = await pasarela.webhookEndpoints.resend(id, { from, to, onlyMissing: false });
    return [one.events, many.events];
  },

  /** Calls each method of each resource, with as little as it takes. */
  async everything() {
    const names: Record<string, string[]> = {};
    for (const [name, resource] of Object.entries(pasarela as unknown as Record<string, any>)) {
      names[name] = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((each) => each !== "constructor");
      for (const method of names[name]!) {
        for (const second of ["a", {}]) {
          try {
            await (await resource[method]("a", second))?.page?.();
            break;
          } catch {
            continue; // This one wants an object.
          }
        }
      }
    }
    return names;
  },

  async amounts() {
    await pasarela.sandbox.credit({ currency: "BTC", amount: 0.12345678 });
    await pasarela.sandbox.credit({ currency: "BTC", amount: 987654321 });
    await pasarela.sandbox.credit({ currency: "COPM", amount: 12345.67 });
    const balances = await pasarela.balance.get();
    const moved = [];
    for await (const each of pasarela.balance.movements({ currency: "BTC", limit: 1 })) moved.push(decimals(each).amount);
    return {
      exact: decimals(balances).map((each) => [each.currency, each.available]).sort(),
      moved,
    };
  },

  async webhooks() {
    const { body, headers, secrets } = given;
    const event = verifyWebhook(body, headers, secrets);
    return {
      exact: event.event === "payment.partially_refunded" ? decimals(event).data.amount : null,
      told: told(event),
      byBytes: told(verifyWebhook(Buffer.from(body), new Headers(headers), secrets)),
      own: told(verifyServiceSignature(body, headers, secrets)),
    };
  },

  async refusedWebhooks() {
    const { body, headers, secrets } = given;
    return [await refused(() => verifyWebhook(body, headers, secrets)), await refused(() => verifyServiceSignature(body, headers, secrets))];
  },

  signed() {
    return signWebhook(given.body, given.secret, given.id);
  },

  async calls() {
    const seen = [];
    for (const _ of given.times ?? [1]) {
      const call = { order: () => pasarela.orders.create(ORDER), pay: () => pasarela.orders.pay("col_1", { method: "pse", fields: {} }),
        read: () => pasarela.orders.get("col_1") }[given.call as "order" | "pay" | "read"];
      seen.push(await call().then((answer) => (answer as { id: string }).id, (error) => refused(() => { throw error; })));
    }
    return seen;
  },
};

const step = steps[process.argv[2]!];
if (!step) throw new Error(`There is no step ${process.argv[2]}.`);
console.log(JSON.stringify(await step()));
