/** The same shape with every number as the text that the service sent. */
export type Decimals<T> = T extends number
  ? string
  : T extends readonly (infer E)[]
    ? Decimals<E>[]
    : T extends object
      ? { [K in keyof T]: Decimals<T[K]> }
      : T;

/** What is known of the answer in which an object came. */
export interface ResponseInfo {
  status: number;
  requestId: string | null;
  /** The request had been done before: the answer is the resource as it stands now. */
  replayed: boolean;
  headers: Headers;
}

interface Origin {
  text: string;
  pick: (body: unknown) => unknown;
  info: ResponseInfo | null;
}

const origins = new WeakMap<object, Origin>();
// Strings are matched first, so that digits inside them are left alone.
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function remember(value: unknown, origin: Origin): void {
  if (typeof value === "object" && value !== null) origins.set(value, origin);
}

/**
 * The object with every number as a decimal string, exactly as the service sent it:
 * `decimals(order).amount`. A number of JavaScript is exact up to 15 digits. That is enough for
 * pesos; take this for coins, and for sums. Only for objects that this package returned.
 */
export function decimals<T extends object>(value: T): Decimals<T> {
  const { text, pick } = originOf(value);
  const quoted = text.replace(STRING_OR_NUMBER, (found) => (found[0] === '"' ? found : `"${found}"`));
  return pick(JSON.parse(quoted)) as Decimals<T>;
}

/** Status, request id and headers of the answer in which the object came. */
export function responseOf(value: object): ResponseInfo {
  const { info } = originOf(value);
  if (info === null) throw new TypeError("A webhook has no response.");
  return info;
}

function originOf(value: object): Origin {
  const origin = origins.get(value);
  if (!origin) throw new TypeError("Not an object that came from the service, or a copy of one.");
  return origin;
}
