// Generated from the OpenAPI document by `make sdks`: do not change it by hand.

export const VERSION = "1.0.0";
