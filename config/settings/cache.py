"""Redis: wake-ups and counters. It may be lost at any time."""

from config.devstack import defaults
from config.settings.environment import DATA_DIR, env

USES_EMBEDDED_REDIS = not ("REDIS_URL" in env or "REDIS_URL_FILE" in env)
REDIS_URL = env("REDIS_URL", default=defaults.redis_url(DATA_DIR) if USES_EMBEDDED_REDIS else "")
REDIS_TIMEOUT_SECONDS = env.float("REDIS_TIMEOUT_SECONDS", default=0.3)
_redis_cache = {
    "LOCATION": REDIS_URL,
    "KEY_PREFIX": "pasarela",
    "OPTIONS": {
        "pool_class": "config.redis_pool.SharedPool",
        "socket_timeout": REDIS_TIMEOUT_SECONDS,
        "socket_connect_timeout": REDIS_TIMEOUT_SECONDS,
    },
}
CACHES = {
    "default": {"BACKEND": "payments.core.redis_cache.KeptRedisCache", **_redis_cache},
    # The counters of the rate limits; a prefix of their own keeps the keys apart.
    "limits": {
        **_redis_cache,
        "BACKEND": "payments.api.ratelimit_cache.CounterCache",
        "KEY_PREFIX": "pasarela:limits",
    },
}
