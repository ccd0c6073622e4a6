import { createHmac, timingSafeEqual } from "node:crypto";

import { remember } from "./amounts.js";
import { SignatureError } from "./errors.js";
import type { VerifiedEvent } from "./types.js";

export type WebhookBody = string | Uint8Array;
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** `whsec_...`. During a rotation both: `[NEW, OLD]`. */
export type WebhookSecrets = string | readonly string[];

export interface WebhookOptions {
  /** How old a message may be. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Of the installation's own headers. Default `X-Service-`. */
  headerPrefix?: string | undefined;
}

const PREFIX = "X-Service-";

/**
 * The event of a webhook whose `webhook-signature` (Standard Webhooks) is right; otherwise a
 * SignatureError. `body` is what arrived: a parsed and rewritten body has another signature.
 */
export function verifyWebhook(
  body: WebhookBody, headers: WebhookHeaders, secrets: WebhookSecrets, options: WebhookOptions = {},
): VerifiedEvent {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  checkAge(timestamp, 1, options);
  const expected = listOf(secrets).map((secret) => standard(secret, id, timestamp, body));
  checkSignature(header(headers, "webhook-signature").split(" "), expected);
  return eventOf(body, id);
}

/**
 * The same by `X-Service-Signature`. It does not sign the event's id, with which you recognise
 * duplicates: prefer `verifyWebhook`.
 */
export function verifyServiceSignature(
  body: WebhookBody, headers: WebhookHeaders, secrets: WebhookSecrets, options: WebhookOptions = {},
): VerifiedEvent {
  const prefix = options.headerPrefix ?? PREFIX;
  const timestamp = header(headers, `${prefix}Timestamp`);
  checkAge(timestamp, 1000, options);
  const expected = listOf(secrets).map((secret) => service(secret, timestamp, body));
  checkSignature([header(headers, `${prefix}Signature`)], expected);
  return eventOf(body, header(headers, `${prefix}Event-Id`));
}

/** The headers of a webhook as the service sends it: for tests of your receiver. */
export function signWebhook(
  body: WebhookBody, secret: string, id: string, options: WebhookOptions = {},
): Record<string, string> {
  const prefix = options.headerPrefix ?? PREFIX;
  const milliseconds = String(Date.now());
  const seconds = milliseconds.slice(0, -3);
  return {
    "Content-Type": "application/json",
    [`${prefix}Timestamp`]: milliseconds,
    [`${prefix}Signature`]: service(secret, milliseconds, body),
    [`${prefix}Event-Id`]: id,
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": standard(secret, id, seconds, body),
  };
}

/** The key is what the base64 after `whsec_` encodes. */
function standard(secret: string, id: string, timestamp: string, body: WebhookBody): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return "v1," + createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
}

/** The key is the whole secret. */
function service(secret: string, timestamp: string, body: WebhookBody): string {
  return "sha256=" + createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
}

function listOf(secrets: WebhookSecrets): readonly string[] {
  const all = typeof secrets === "string" ? [secrets] : secrets;
  // With an empty key anybody could sign.
  if (all.length === 0 || !all.every((each) => /^whsec_.{16,}/.test(each))) {
    throw new TypeError("A webhook secret is missing, or does not begin with whsec_.");
  }
  return all;
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    typeof (headers as Headers).get === "function"
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  if (typeof value !== "string" || !value) throw new SignatureError(`The header ${name} is missing.`);
  return value;
}

function checkAge(timestamp: string, unitsPerSecond: number, options: WebhookOptions): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new SignatureError("The timestamp is not a number.");
  const away = Math.abs(Date.now() / 1000 - Number(timestamp) / unitsPerSecond);
  if (away > (options.toleranceSeconds ?? 300)) throw new SignatureError("The timestamp is too far from now.");
}

function checkSignature(given: readonly string[], expected: readonly string[]): void {
  const right = given.some((one) => expected.some((other) => same(Buffer.from(one), Buffer.from(other))));
  if (!right) throw new SignatureError("No signature is right.");
}

function same(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function eventOf(body: WebhookBody, id: string): VerifiedEvent {
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  const pick = (parsed: unknown) => ({ ...(parsed as object), id });
  const event = pick(JSON.parse(text)) as VerifiedEvent;
  remember(event, { text, pick, info: null });
  return event;
}
