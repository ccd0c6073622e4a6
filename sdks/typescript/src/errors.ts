import type { ErrorCode } from "./types.js";

/** Every error of this package. */
export class PasarelaError extends Error {
  /** The key of the request, also one that was made here: with it you can send it again. */
  idempotencyKey: string | null = null;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No answer came: whether the service did something is unknown. */
export class ConnectionError extends PasarelaError {}

/** The answer did not come in time. */
export class TimeoutError extends ConnectionError {}

/** A webhook is not from the service, or is too old. Answer it with 400. */
export class SignatureError extends PasarelaError {}

export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
  requestId: string | null;
  retryAfterSeconds: number | null;
}

/** The service refused: `code` is for programs, `message` for people. */
export class ApiError extends PasarelaError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  /** Quote it when you ask support about this request. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.details = refusal.details;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }

  /** The first field that is wrong, as a path. */
  get field(): string | null {
    return typeof this.details.field === "string" ? this.details.field : null;
  }

  /** Every field that is wrong, with the reason. */
  get fields(): Record<string, string> {
    return (this.details.fields ?? {}) as Record<string, string>;
  }
}

/** 4xx: nothing was done. Correct the request. */
export class InvalidRequestError extends ApiError {}
/** 401: the keys are missing, wrong or revoked, or the account is switched off. */
export class AuthenticationError extends ApiError {}
/** 403: the account does not have the product, or the key lacks the permission. */
export class PermissionError extends ApiError {}
/** 404: there is no such record in this account. */
export class NotFoundError extends ApiError {}
/** 429, also after the retries. */
export class RateLimitError extends ApiError {}
/** 5xx, also after the retries: send it again with the same `idempotencyKey`. */
export class ServerError extends ApiError {}
/** 503: for the moment, if there is `retryAfterSeconds`; else a product that is not enabled. */
export class ServiceUnavailableError extends ServerError {}

const CLASSES: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  429: RateLimitError,
  503: ServiceUnavailableError,
};

export function apiError(refusal: Refusal): ApiError {
  const { status } = refusal;
  const general = status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : ApiError;
  return new (CLASSES[status] ?? general)(refusal);
}
