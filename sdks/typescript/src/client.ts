import { type PasarelaOptions, Transport } from "./http.js";
import * as resources from "./resources.js";

/** A merchant's client. One serves a whole program: it keeps no state between requests. */
export class Pasarela {
  readonly orders: resources.Orders;
  readonly refunds: resources.Refunds;
  readonly payouts: resources.Payouts;
  readonly payoutBatches: resources.PayoutBatches;
  readonly topups: resources.Topups;
  readonly bills: resources.Bills;
  readonly links: resources.Links;
  readonly events: resources.Events;
  readonly webhookEndpoints: resources.WebhookEndpoints;
  readonly balance: resources.BalanceResource;
  readonly settlements: resources.Settlements;
  readonly sandbox: resources.Sandbox;

  constructor(options: PasarelaOptions) {
    const api = new resources.Api(new Transport(options));
    this.orders = new resources.Orders(api);
    this.refunds = new resources.Refunds(api);
    this.payouts = new resources.Payouts(api);
    this.payoutBatches = new resources.PayoutBatches(api);
    this.topups = new resources.Topups(api);
    this.bills = new resources.Bills(api);
    this.links = new resources.Links(api);
    this.events = new resources.Events(api);
    this.webhookEndpoints = new resources.WebhookEndpoints(api);
    this.balance = new resources.BalanceResource(api);
    this.settlements = new resources.Settlements(api);
    this.sandbox = new resources.Sandbox(api);
  }
}
