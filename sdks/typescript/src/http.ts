import { randomUUID } from "node:crypto";

import { type ResponseInfo, remember } from "./amounts.js";
import { ApiError, ConnectionError, PasarelaError, TimeoutError, apiError } from "./errors.js";
import { VERSION } from "./version.js";

export interface PasarelaOptions {
  apiKey: string;
  apiSecret: string;
  /** The address of your installation: `https://pagos.example`. */
  baseUrl: string;
  /** Of one attempt. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Attempts after the first. Default 2. */
  maxRetries?: number | undefined;
  /** If the service asks for a longer pause, the error is thrown at once. Default 60,000. */
  maxRetryDelayMs?: number | undefined;
  /** In place of the global one: for proxies and tests. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /** Your own name of this operation. Without one each call makes its own. */
  idempotencyKey?: string | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Whether a request may be sent again when its outcome is unknown. `safe`: it changes nothing, or
 * the second time changes nothing more. `key`: with its idempotency key. `once`: never.
 */
export type Repeat = "safe" | "key" | "once";

export interface Call {
  method: string;
  path: string;
  repeat: Repeat;
  query?: object | undefined;
  body?: object | undefined;
  /** The answer is a file, not JSON. */
  isFile?: boolean | undefined;
}

export interface Reply {
  body: unknown;
  text: string;
  info: ResponseInfo;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

export class Transport {
  readonly #options: PasarelaOptions;
  readonly #base: string;

  constructor(options: PasarelaOptions) {
    for (const name of ["apiKey", "apiSecret", "baseUrl"] as const) {
      if (!options[name]) throw new TypeError(`${name} is missing.`);
    }
    this.#options = options;
    const url = new URL(options.baseUrl);
    this.#base = url.pathname === "/" ? `${url.origin}/api/v1` : url.href.replace(/\/+$/, "");
  }

  async send(call: Call, options: CallOptions = {}): Promise<Reply> {
    const key = keyOf(call, options);
    const request = this.#request(call, key);
    const retries = options.maxRetries ?? this.#options.maxRetries ?? 2;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(call, request, options);
      } catch (error) {
        if (error instanceof PasarelaError) error.idempotencyKey = key;
        const pause = attempt < retries && mayRepeat(call.repeat, error) ? pauseMs(error, attempt) : null;
        if (pause === null || pause > (this.#options.maxRetryDelayMs ?? 60_000)) throw error;
        await sleep(pause, options.signal);
      }
    }
  }

  /** The same in every attempt, its idempotency key, too. */
  #request(call: Call, key: string | null): RequestInit {
    const headers: Record<string, string> = {
      "X-Api-Key": this.#options.apiKey,
      "X-Api-Secret": this.#options.apiSecret,
      "User-Agent": `pasarela-typescript/${VERSION} node/${process.versions.node}`,
      Accept: "application/json",
    };
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== null) headers["Idempotency-Key"] = key;
    const body = call.body === undefined ? null : JSON.stringify(call.body, refuseNaN);
    // The keys would follow a redirect to any host.
    return { method: call.method, headers: new Headers(headers), body, redirect: "manual" };
  }

  async #attempt(call: Call, request: RequestInit, options: CallOptions): Promise<Reply> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const what = `${call.method} ${call.path}`;
    options.signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort(options.signal?.reason);
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      const url = this.#base + call.path + queryString(call.query);
      const response = await (this.#options.fetch ?? fetch)(url, { ...request, signal: controller.signal });
      return reply(call, response, await response.text());
    } catch (cause) {
      if (cause instanceof ApiError) throw cause;
      options.signal?.throwIfAborted();
      if (controller.signal.aborted) throw new TimeoutError(`${what}: no answer in ${timeoutMs} ms.`, { cause });
      throw new ConnectionError(`${what}: ${(cause as Error).message}`, { cause });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
    }
  }
}

/** A key in the body serves as well, and two different ones would be refused. */
function keyOf({ repeat, body }: Call, { idempotencyKey }: CallOptions): string | null {
  const own = (body as { idempotencyKey?: string | null } | undefined)?.idempotencyKey;
  return idempotencyKey ?? own ?? (repeat === "key" ? randomUUID() : null);
}

function reply(call: Call, response: Response, text: string): Reply {
  const headers = response.headers;
  const requestId = headers.get("X-Request-Id");
  const replayed = headers.get("Idempotent-Replayed") === "true";
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson ? parsed(text) : undefined;
  if (response.ok && (body !== undefined || (call.isFile && !isJson))) {
    const info = { status: response.status, requestId, replayed, headers };
    return { body, text, info };
  }
  const error = (body as { error?: { code: string; message: string; details?: Record<string, unknown> } })?.error;
  throw apiError({
    status: response.status,
    code: error?.code ?? `HTTP_${response.status}`,
    message: error?.message ?? `${call.method} ${call.path}: the answer is not one of the service.`,
    details: error?.details ?? {},
    requestId,
    retryAfterSeconds: retryAfter(headers.get("Retry-After")),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or a date. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Nothing was sent: names and connections come before the request. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

function mayRepeat(repeat: Repeat, error: unknown): boolean {
  if (error instanceof ConnectionError) {
    const { cause } = (error.cause ?? {}) as { cause?: { code?: string } };
    return repeat !== "once" || NOT_SENT.has(cause?.code ?? "");
  }
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429 || error.status === 408) return true; // nothing was done
  if (repeat === "once" || error.status < 500) return false;
  // The service's 503 without Retry-After says that the account does not have the product.
  return error.status !== 503 || error.retryAfterSeconds !== null || error.code === "HTTP_503";
}

function pauseMs(error: unknown, attempt: number): number {
  if (error instanceof ApiError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return longest * (0.5 + Math.random() / 2); // or all clients would come back together
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** JSON would make it null, and a refund of null is a refund of everything. */
function refuseNaN(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${name} is not a number.`);
  return value;
}

function queryString(query: object | undefined): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) given.append(name, String(value));
  }
  return given.size ? `?${given}` : "";
}

/** Fills `{id}`. An empty id would lead to the list, and `..` to another path. */
export function fill(template: string, ids: readonly string[]): string {
  let next = 0;
  return template.replace(/\{\w+\}/g, () => {
    const id = ids[next++];
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${template}: an id is missing.`);
    return encodeURIComponent(id);
  });
}

export function dataOf(reply: Reply): unknown {
  const data = (reply.body as { data: unknown }).data;
  remember(data, { ...reply, pick: (body) => (body as { data: unknown }).data });
  return data;
}
