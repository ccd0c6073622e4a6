"""Deliveries to merchants."""

from config.settings.environment import PRODUCTION, env

WEBHOOK_RETRY_DELAYS = env.list(
    "WEBHOOK_RETRY_DELAYS", cast=int, default=[0, 300, 1800, 7200, 86400]
)
WEBHOOK_HEADER_PREFIX = env("WEBHOOK_HEADER_PREFIX", default="X-Service-")
WEBHOOK_ALLOW_PRIVATE = env.bool("WEBHOOK_ALLOW_PRIVATE", default=not PRODUCTION)
WEBHOOK_TIMEOUT_SECONDS = env.float("WEBHOOK_TIMEOUT_SECONDS", default=10.0)
WEBHOOK_CONNECT_TIMEOUT_SECONDS = env.float("WEBHOOK_CONNECT_TIMEOUT_SECONDS", default=3.0)
WEBHOOK_RESPONSE_MAX_BYTES = 4096
WEBHOOK_LEASE_SECONDS = env.int("WEBHOOK_LEASE_SECONDS", default=30)
WEBHOOK_MERCHANT_CAP = env.int("WEBHOOK_MERCHANT_CAP", default=16)
# Of each further endpoint: a merchant may have many, and they may all be dead.
WEBHOOK_ENDPOINT_CAP = env.int("WEBHOOK_ENDPOINT_CAP", default=4)
WEBHOOK_WINDOW = env.int("WEBHOOK_WINDOW", default=200)
WEBHOOK_CLAIM_SIZE = env.int("WEBHOOK_CLAIM_SIZE", default=100)
# A slower send no longer counts against the window: it holds a socket and delays no other delivery.
WEBHOOK_SLOW_AFTER_SECONDS = env.float("WEBHOOK_SLOW_AFTER_SECONDS", default=1.0)
WEBHOOK_MAX_SENDS = env.int("WEBHOOK_MAX_SENDS", default=600)
# How long one task runs. At the end it finishes its open sends and wakes up the next task.
WEBHOOK_RUN_SECONDS = env.float("WEBHOOK_RUN_SECONDS", default=30.0)
