export { type Decimals, type ResponseInfo, decimals, responseOf } from "./amounts.js";
export { Pasarela } from "./client.js";
export * from "./errors.js";
export type { CallOptions, PasarelaOptions } from "./http.js";
export type { List, Page } from "./pages.js";
export type { components, paths } from "./schema.js";
export type * from "./types.js";
export { VERSION } from "./version.js";
export * from "./webhooks.js";
