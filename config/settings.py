"""Every setting of the service, read from the environment, with a default for a bare machine.

A secret may be given as NAME or as NAME_FILE (the path of a file that holds it).
Development defaults are refused in production by `check --deploy` (config/checks.py).
"""

import hashlib
import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import environ
import structlog
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from environ.fileaware_mapping import FileAwareMapping

from config.devstack import defaults
from config.logs import with_request_id, without_people

BASE_DIR = Path(__file__).resolve().parent.parent


class _Environment(FileAwareMapping):
    """A file that was written by hand ends with a line break, which is no part of the secret."""

    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(key).strip()


class _Env(environ.FileAwareEnv):
    ENVIRON = _Environment()


env = _Env()

# --- Where and what -----------------------------------------------------------------------------
ENV = env("ENV", default="development")
if ENV not in ("development", "production"):
    # A misspelt production must not run with what only a bare machine may have.
    raise ImproperlyConfigured(f"ENV must be development or production, not {ENV!r}.")
PRODUCTION = ENV == "production"
DEBUG = env.bool("DEBUG", default=False)
PORT = env.int("PORT", default=8000)
PUBLIC_URL = env("PUBLIC_URL", default=f"http://localhost:{PORT}").rstrip("/")
DATA_DIR = Path(env("DATA_DIR", default=str(BASE_DIR / ".data"))).resolve()
SANDBOX = env.bool("SANDBOX", default=not PRODUCTION)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"] if not PRODUCTION else [])

# --- Secrets ------------------------------------------------------------------------------------
# Generated keys live in DATA_DIR so that restarts keep reading what they encrypted.
USES_GENERATED_KEYS = not (
    ("SECRET_KEY" in env or "SECRET_KEY_FILE" in env)
    and ("ENCRYPTION_KEYS" in env or "ENCRYPTION_KEYS_FILE" in env)
)
_generated = defaults.development_keys(DATA_DIR) if USES_GENERATED_KEYS else {}
SECRET_KEY = env("SECRET_KEY", default=_generated.get("SECRET_KEY"))
# Fernet keys, newest first: the first encrypts, all of them decrypt.
ENCRYPTION_KEYS = env.list("ENCRYPTION_KEYS", default=[_generated.get("ENCRYPTION_KEYS")])

# --- Applications -------------------------------------------------------------------------------
INSTALLED_APPS = [
    # The plain `unfold` would put its own site in the place of ours.
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "config.apps.PasarelaAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "payments.core",
    "payments.console",
    "payments.api",
    "merchants",
    "webhooks",
    "payments.ledger",
    "payments.rates",
    "payments.providers",
    "payments.collect",
    "payments.payout",
    "payments.topup",
    "payments.bills",
    "payments.settlement",
    "payments.sandbox",
]

MIDDLEWARE = [
    # First, so that what it measures is what the client waited for.
    "config.metrics.requests.RequestMetricsMiddleware",
    "payments.api.middleware.RequestIdMiddleware",
    "payments.api.middleware.CallLogMiddleware",
    "payments.api.middleware.EnvelopeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "payments.api.middleware.BodySizeMiddleware",
    "config.middleware.WebPagesMiddleware",
]
# Sessions, CSRF, messages and the language cost time and cookies that API requests must not pay
# for: config.middleware wraps these around everything that is not under an API prefix.
WEB_PAGES_MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# Django looks for these in MIDDLEWARE; they run for pages, in WEB_PAGES_MIDDLEWARE.
SILENCED_SYSTEM_CHECKS = [
    "admin.E408",
    "admin.E409",
    "admin.E410",
    "security.W002",
    "security.W003",
    "axes.W002",  # its middleware; the console's login answers by itself
]
API_PREFIXES = ("/api/", "/callbacks/", "/healthz", "/readyz", "/metrics")

ROOT_URLCONF = "config.urls"
APPEND_SLASH = False
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Database: PostgreSQL everywhere ------------------------------------------------------------
USES_EMBEDDED_DATABASE = not ("DATABASE_URL" in env or "DATABASE_URL_FILE" in env)
_database_url = env(
    "DATABASE_URL", default=defaults.database_url(DATA_DIR) if USES_EMBEDDED_DATABASE else ""
)
# A copy that answers lists, statistics and exports (payments.core.replica, docs/scaling.md).
_replica_url = env("DATABASE_REPLICA_URL", default="")
# Between us and the server: none (or one that gives a connection for the whole session), or one
# that gives it for a transaction only (PgBouncer's pool_mode = transaction, docs/scaling.md).
DATABASE_POOLER = env("DATABASE_POOLER", default="none")
if DATABASE_POOLER not in ("none", "transaction"):
    raise ImproperlyConfigured(f"DATABASE_POOLER must be none or transaction: {DATABASE_POOLER!r}.")
_pooled = DATABASE_POOLER == "transaction"


def _database(url: str) -> dict[str, Any]:
    found: dict[str, Any] = env.db_url_config(url)
    found.update(
        # The URL's scheme decides nothing: there is one dialect.
        ENGINE="config.postgresql",
        # A connection lives as long as its thread: reconnecting made a request 2.5 to 3.3 times
        # slower.
        CONN_MAX_AGE=None,
        CONN_HEALTH_CHECKS=True,
        # A cursor that outlives its statement would stay on a pooler's connection, which is
        # somebody else's by then.
        DISABLE_SERVER_SIDE_CURSORS=_pooled,
    )
    found.setdefault("OPTIONS", {}).update(
        server_side_binding=True,
        # So would a prepared statement.
        prepare_threshold=None if _pooled else 3,
        connect_timeout=env.int("DATABASE_CONNECT_TIMEOUT", default=3),
        # A machine that vanished closes nothing: these say so, within half a minute.
        tcp_user_timeout=30_000,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=4,
    )
    if not _pooled:
        # A database that hangs must not hold the web threads; 0, as in manage.py, waits for ever.
        # A pooler takes no such options: there the role has them (ALTER ROLE ... SET).
        found["OPTIONS"]["options"] = " ".join(
            f"-c {name}={env.int(f'DATABASE_{name.upper()}_SECONDS', default=seconds) * 1000}"
            for name, seconds in (
                ("statement_timeout", 30),
                ("lock_timeout", 15),
                ("idle_in_transaction_session_timeout", 60),
            )
        )
    return found


DATABASES = {"default": _database(_database_url)}
if _replica_url:
    DATABASES["replica"] = _database(_replica_url) | {"TEST": {"MIRROR": "default"}}
    DATABASE_ROUTERS = ["payments.core.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: doorbell and counters, never the memory ---------------------------------------------
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
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", **_redis_cache},
    # What the rate limits count; another prefix, so that neither meets the other's keys.
    "limits": {
        **_redis_cache,
        "BACKEND": "payments.api.ratelimit_cache.CounterCache",
        "KEY_PREFIX": "pasarela:limits",
    },
}

# --- Celery -------------------------------------------------------------------------------------
# Redis, or RabbitMQ by an amqp:// address (docs/scaling.md). Limits are counted in Redis always.
CELERY_BROKER_URL = env("BROKER_URL", default=REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# For ever: a worker that gives up would wait for somebody who starts it again.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
if CELERY_BROKER_URL.startswith(("amqp:", "amqps:")):
    # One try to connect, then the ring is lost: the scanner finds the row.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        **dict.fromkeys(("interval_start", "interval_step", "interval_max"), 0),
        "max_retries": 1,
        "write_timeout": 5,
    }
    CELERY_BROKER_CONNECTION_TIMEOUT = 2
    # How soon a worker finds out that a broker hangs.
    CELERY_BROKER_HEARTBEAT = 10
    CELERY_TASK_DEFAULT_DELIVERY_MODE = "transient"
    # RabbitMQ serves the highest first, and Redis the lowest: rings come after scanners.
    CELERY_TASK_QUEUE_MAX_PRIORITY = 9
    SCANNER_PRIORITY, RING_PRIORITY = 9, 3
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "global_keyprefix": "pasarela:",
        "visibility_timeout": 60,
    }
    SCANNER_PRIORITY, RING_PRIORITY = 0, 6
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {"webhooks.tasks.*": {"queue": "webhooks"}}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
# Scanners find what the doorbell lost; each message goes stale before the next ones pile up.
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    "webhooks-pump": {
        "task": "webhooks.tasks.pump",
        "schedule": 2.0,
        "options": {"expires": 10, "queue": "webhooks"},
    },
    "webhooks-number": {
        "task": "webhooks.tasks.number_events",
        "schedule": 5.0,
        "options": {"expires": 15},
    },
    "collect-expire": {
        "task": "payments.collect.tasks.expire_due",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    "collect-reconcile": {
        "task": "payments.collect.tasks.reconcile_due",
        "schedule": 5.0,
        "options": {"expires": 15},
    },
    "refund-act": {
        "task": "payments.collect.tasks.act_due",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    "payout-act": {
        "task": "payments.payout.tasks.act_due",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    "topup-act": {
        "task": "payments.topup.tasks.act_due",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    "bills-act": {
        "task": "payments.bills.tasks.act_due",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    "settlement-close": {
        "task": "payments.settlement.tasks.close_due",
        "schedule": 300.0,
        "options": {"expires": 240},
    },
    "api-log-delete": {
        "task": "payments.api.tasks.delete_old_calls",
        "schedule": 600.0,
        "options": {"expires": 300},
    },
    "exports-run": {
        "task": "payments.console.tasks.run_exports",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "sessions-forget": {
        "task": "payments.console.tasks.forget_sessions",
        "schedule": 3600.0,
        "options": {"expires": 1800},
    },
    "exports-forget": {
        "task": "payments.console.tasks.forget_exports",
        "schedule": 3600.0,
        "options": {"expires": 1800},
    },
    "heartbeat-money": {
        "task": "payments.core.tasks.heartbeat",
        "schedule": 5.0,
        "args": ("money",),
        "options": {"expires": 10},
    },
    "heartbeat-pump": {
        "task": "webhooks.tasks.heartbeat",
        "schedule": 5.0,
        "options": {"expires": 10, "queue": "webhooks"},
    },
}
for _entry in CELERY_BEAT_SCHEDULE.values():
    _entry["options"]["priority"] = SCANNER_PRIORITY
# /readyz says so when a worker has not been heard for this long.
HEARTBEAT_MAX_AGE_SECONDS = env.int("HEARTBEAT_MAX_AGE_SECONDS", default=60)
# A worker whose clock is further from the database's than this works on nothing until it is right.
CLOCK_SKEW_MAX_SECONDS = env.float("CLOCK_SKEW_MAX_SECONDS", default=2)
# A worker touches this file with each heartbeat, for probes that look at one process only.
LIVENESS_PATH = env("LIVENESS_PATH", default="")
DOORBELL = env.bool("DOORBELL", default=True)

# --- API ----------------------------------------------------------------------------------------
API_MAX_BODY_BYTES = 64 * 1024
API_MAX_JSON_DEPTH = 64
# A form of the console with a logo of 64 KB, and all that is around it.
PAGE_MAX_BODY_BYTES = 128 * 1024
# How long the web server waits for a body before it hangs up, and what the bodies that a process
# has in hand may take together. A client may take a quarter of that.
BODY_SECONDS = env.int("BODY_SECONDS", default=10)
BODIES_MAX_BYTES = 64 * 1024 * 1024
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["merchants.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["payments.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["payments.api.renderers.EnvelopeRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "payments.api.negotiation.JSONOnly",
    "EXCEPTION_HANDLER": "payments.api.errors.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "payments.api.openapi.EnvelopeAutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pasarela",
    "DESCRIPTION": "Collections, payouts, top-ups and bill payments for merchants in Colombia.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVERS": [{"url": f"{PUBLIC_URL}/api/v1"}],
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"persistAuthorization": True, "validatorUrl": None},
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "payments.api.reference.document.add_tags",
        "config.event_docs.with_headers",
        "config.event_docs.with_tag",
        "payments.api.links.with_links",
        "payments.api.links.with_contract_names",
        "payments.api.reference.document.add_examples",
        "payments.api.reference.document.for_generators",
    ],
    "ENUM_NAME_OVERRIDES": {},
    "WEBHOOKS": "config.event_docs.WEBHOOKS",
}
# The console's log of API calls: whether it is kept, and for how many days.
API_LOG = env.bool("API_LOG", default=True)
API_LOG_DAYS = env.int("API_LOG_DAYS", default=30)
PAGE_DEFAULT_LIMIT = 20
PAGE_MAX_LIMIT = 100
RATE_LIMITS = {
    "collect_create": env("RATE_LIMIT_COLLECT_CREATE", default="100/m"),
    "collect_read": env("RATE_LIMIT_COLLECT_READ", default="1000/m"),
    "write": env("RATE_LIMIT_WRITE", default="300/m"),
    "read": env("RATE_LIMIT_READ", default="1000/m"),
    # Statements, which cost what a hundred other reads do.
    "statement": env("RATE_LIMIT_STATEMENT", default="10/m"),
    "failed_credentials": env("RATE_LIMIT_FAILED_CREDENTIALS", default="30/m"),
    # Receipts looked up by their code, for each address.
    "verify": env("RATE_LIMIT_VERIFY", default="20/m"),
    # Questions to the rail by payers who say that they have paid, for each address.
    "already_paid": env("RATE_LIMIT_ALREADY_PAID", default="20/m"),
}
for _name, _rate in RATE_LIMITS.items():
    if not re.fullmatch(r"[1-9][0-9]*/[smhd]", _rate):
        raise ImproperlyConfigured(f"RATE_LIMIT_{_name.upper()} must look like 100/m, not {_rate}.")
RATELIMIT_FAIL_OPEN = True
RATELIMIT_USE_CACHE = "limits"
# The package's own defaults: a setting that is not there is looked for at each request anew.
RATELIMIT_ENABLE = True
RATELIMIT_CACHE_PREFIX = "rl:"
RATELIMIT_HASH_ALGORITHM = hashlib.sha256
# How many reverse proxies in front append to X-Forwarded-For; 0 means: trust the socket only.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)

# --- Money --------------------------------------------------------------------------------------
# Digits after the point of one unit on the books, and the most a request may carry.
CURRENCIES: dict[str, dict[str, Any]] = {
    "COP": {"quantum": Decimal("1"), "input_decimals": 2},
    "COPM": {"quantum": Decimal("1"), "input_decimals": 2},
    "USDT": {"quantum": Decimal("0.000001"), "input_decimals": 6},
    "USDC": {"quantum": Decimal("0.000001"), "input_decimals": 6},
    "BTC": {"quantum": Decimal("0.00000001"), "input_decimals": 8},
    "ETH": {"quantum": Decimal("0.00000001"), "input_decimals": 8},
}
COLLECT_FEE_RATE = Decimal(env("COLLECT_FEE_RATE", default="0.0005"))
COLLECT_MIN_AMOUNT = Decimal("1000")
MAX_AMOUNT = Decimal("999999999999.99")
COLLECT_EXPIRATION_MINUTES = {"default": 60, "min": 5, "max": 10080}
# How long past the rail's own limit a payer at the bank is waited for before the order expires.
COLLECT_PROCESSING_GRACE_SECONDS = 30 * 60
# When a provider is asked again about an open charge, counted from the last question.
CHARGE_RECONCILE_DELAYS = env.list(
    "CHARGE_RECONCILE_DELAYS",
    cast=int,
    default=[5, 30, 60, 120, 300, 600, 1800, 3600, 10800, 86400],
)
# When a rail is asked about a payout, top-up or bill payment: after 5 s, 30 s, 2 min, 10 min ... at
# last every hour.
OUTGOING_RECONCILE_DELAYS = env.list(
    "OUTGOING_RECONCILE_DELAYS", cast=int, default=[5, 30, 120, 600, 1800, 3600]
)
OUTGOING_OPERATOR_AFTER_SECONDS = env.int("OUTGOING_OPERATOR_AFTER_SECONDS", default=24 * 3600)
# How long a request waits for the rail of a top-up or a bill, its questions included.
OUTGOING_BUDGET_SECONDS = env.float("OUTGOING_BUDGET_SECONDS", default=10)
BILLS_PAGE_SIZE = 20
# A day is closed so long after midnight in Bogotá: what began before it is committed by then.
SETTLEMENT_CLOSES_AFTER_MINUTES = env.int("SETTLEMENT_CLOSES_AFTER_MINUTES", default=10)
# Movements on the printable statement; a longer one refers to its CSV file.
STATEMENT_PAGE_ROWS = env.int("STATEMENT_PAGE_ROWS", default=2000)
CHARGE_FORGOTTEN_AFTER_DAYS = 90
COLLECT_PROCESSING_RECHECK_SECONDS = 60
# A coin that was seen holds its order this long; networks confirm within minutes to hours.
COLLECT_CONFIRMATION_LIMIT_SECONDS = 24 * 3600
# Tries to pay one order: beyond this it is no payer any more.
COLLECT_MAX_CHARGES = 20
# How long one run of a scanner may take, so that slow providers hold up nothing else.
SCANNER_BUDGET_SECONDS = 20
QUOTE_LIFETIME_SECONDS = env.int("QUOTE_LIFETIME_SECONDS", default=900)
# In a sandbox nobody sets prices anew: those of load_catalogues hold for ever. With real money a
# price that is old, and held for the quote's lifetime more, is an option that payers get from us:
# why these two defaults is in docs/gaps.md.
_IS_PLAY_MONEY = SANDBOX or not PRODUCTION
RATE_MAX_AGE_SECONDS = env.int("RATE_MAX_AGE_SECONDS", default=0 if _IS_PLAY_MONEY else 900)
# Our part of the price when a payer pays with another coin than asked: 0.01 is one percent.
CRYPTO_SPREAD = Decimal(env("CRYPTO_SPREAD", default="0" if _IS_PLAY_MONEY else "0.01"))
# Our part of the price when a payout is paid from USDT: 0.01 is one percent.
PAYOUT_SPREAD = Decimal(env("PAYOUT_SPREAD", default="0"))

# --- Providers ----------------------------------------------------------------------------------
PAYIN_PROVIDER = env("PAYIN_PROVIDER", default="simulator")
PAYOUT_PROVIDER = env("PAYOUT_PROVIDER", default="simulator")
TOPUP_PROVIDER = env("TOPUP_PROVIDER", default="simulator")
BILLS_PROVIDER = env("BILLS_PROVIDER", default="simulator")
REFUND_PROVIDER = env("REFUND_PROVIDER", default="simulator")
# A provider that fails this often in a row is left alone for this long (providers/breaker.py).
PROVIDER_BREAKER_FAILURES = env.int("PROVIDER_BREAKER_FAILURES", default=5)
PROVIDER_BREAKER_SECONDS = env.int("PROVIDER_BREAKER_SECONDS", default=30)
SIMULATOR_CALLBACK_SECRET = env("SIMULATOR_CALLBACK_SECRET", default="simulator-callback-secret")
SIMULATOR_STATE = Path(env("SIMULATOR_STATE", default=str(DATA_DIR / "simulator.sqlite3")))
# Ends what the simulator has taken; without it an ordinary payout waits for the sandbox endpoint.
# There is none where money is real.
SIMULATOR_CLOCK = SANDBOX and env.bool("SIMULATOR_CLOCK", default=True)
PROVIDER_TIMEOUT_SECONDS = env.int("PROVIDER_TIMEOUT_SECONDS", default=10)
# After this a start is no longer under way: a question before it and the call itself are over.
CHARGE_SETTLING_SECONDS = 2 * PROVIDER_TIMEOUT_SECONDS + 5

# --- Retention: after so many days `purge` takes payers out of orders that ended; 0 keeps them ----
DATA_RETENTION_DAYS = env.int("DATA_RETENTION_DAYS", default=0)

# --- Webhooks -----------------------------------------------------------------------------------
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
WEBHOOK_WINDOW = env.int("WEBHOOK_WINDOW", default=200)
WEBHOOK_CLAIM_SIZE = env.int("WEBHOOK_CLAIM_SIZE", default=100)
# A send that has lasted this long leaves the window: it costs a socket, and delays nobody.
WEBHOOK_SLOW_AFTER_SECONDS = env.float("WEBHOOK_SLOW_AFTER_SECONDS", default=1.0)
WEBHOOK_MAX_SENDS = env.int("WEBHOOK_MAX_SENDS", default=600)
# One task's turn; then it finishes what is under way and rings for the next one.
WEBHOOK_RUN_SECONDS = env.float("WEBHOOK_RUN_SECONDS", default=30.0)

# --- Pages, language, time ----------------------------------------------------------------------
LANGUAGE_CODE = "es"
LANGUAGES = [("es", _("Spanish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "America/Bogota"
USE_TZ = True
STATIC_URL = "/static/"
# Collected into the image; a bare machine serves them from where they lie.
STATIC_ROOT = BASE_DIR / ".static" if PRODUCTION else None
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = False

# --- Browser security ---------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}
# Unfold needs inline script and eval (Alpine): relaxed for the console only, never for payers.
ADMIN_CONTENT_SECURITY_POLICY = {
    **CONTENT_SECURITY_POLICY["DIRECTIVES"],
    "script-src": [SELF, "'unsafe-inline'", "'unsafe-eval'"],
    "style-src": [SELF, "'unsafe-inline'"],
}
DOCS_CONTENT_SECURITY_POLICY = {
    **CONTENT_SECURITY_POLICY["DIRECTIVES"],
    "script-src": [SELF, NONCE],
    "style-src": [SELF, "'unsafe-inline'"],
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
# Not "no-referrer": with it browsers send `Origin: null` with our own forms, and CSRF checks fail.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=PRODUCTION)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31536000 if PRODUCTION else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SESSION_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_AGE = 12 * 3600
# People at the console: a session ends so long after the login or the last click; an act on keys,
# secrets or money wants the password again when it was given longer ago than CONSOLE_FRESH_SECONDS.
CONSOLE_SESSION_SECONDS = env.int("CONSOLE_SESSION_SECONDS", default=SESSION_COOKIE_AGE)
CONSOLE_IDLE_SECONDS = env.int("CONSOLE_IDLE_SECONDS", default=30 * 60)
CONSOLE_FRESH_SECONDS = env.int("CONSOLE_FRESH_SECONDS", default=15 * 60)
# A password that somebody else gave is good for so long, unless its person changes it before.
CONSOLE_FIRST_PASSWORD_DAYS = env.float("CONSOLE_FIRST_PASSWORD_DAYS", default=7)
# Without it only those who have set up a device are asked for its code.
CONSOLE_SECOND_FACTOR = env.bool("CONSOLE_SECOND_FACTOR", default=PRODUCTION)
OTP_TOTP_ISSUER = "Pasarela" if not SANDBOX else "Pasarela sandbox"
LOGIN_REDIRECT_URL = "admin:index"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# Wrong passwords for one name from one address, until both together must wait.
AXES_FAILURE_LIMIT = env.int("CONSOLE_LOCK_AFTER", default=5)
AXES_COOLOFF_TIME = timedelta(seconds=env.int("CONSOLE_LOCK_SECONDS", default=15 * 60))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
# Whoever keeps trying is let in again at the same moment as whoever waits.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "config.console.address.client_address"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
CSRF_COOKIE_SECURE = PRODUCTION
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- Metrics: for Prometheus, who brings the token; without one /metrics does not exist ----------
METRICS_TOKEN = env("METRICS_TOKEN", default="")
# What one scrape read serves the others for so long: questions cost the database the same.
METRICS_CACHE_SECONDS = env.float("METRICS_CACHE_SECONDS", default=5)
# No count reads more rows than this: beyond it a queue is long, and its age says the rest.
METRICS_COUNT_CAP = env.int("METRICS_COUNT_CAP", default=10_000)
METRICS_TIMEOUT_SECONDS = env.int("METRICS_TIMEOUT_SECONDS", default=3)

# --- Logs: one JSON line an event in production, readable in development ------------------------
LOG_LEVEL = env("LOG_LEVEL", default="INFO")
_shared_processors: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _shared_processors,
            "processors": [
                with_request_id,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                without_people,
                structlog.processors.JSONRenderer(),
            ],
        },
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"level": "WARNING"},
        "axes": {"level": "ERROR"},  # payments.console.lockout says what matters
        "celery": {"level": "INFO"},
        "celery.beat": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_shared_processors,
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

# --- Console ------------------------------------------------------------------------------------
# Lists as files. Bytes are those kept, which are compressed.
EXPORT_MAX_ROWS = env.int("EXPORT_MAX_ROWS", default=500_000)
EXPORT_MAX_BYTES = env.int("EXPORT_MAX_BYTES", default=50 * 1024 * 1024)
EXPORTS_PER_PERSON = 3
EXPORT_KEPT = timedelta(days=env.int("EXPORT_KEPT_DAYS", default=7))
# One thread of the money worker makes exports for so long; then it looks at what else waits.
EXPORT_TURN_SECONDS = env.float("EXPORT_TURN_SECONDS", default=5)


def _reverse(name: str) -> str:
    """`django.urls` loads all that models are made of, and beat, which has none, reads this too."""
    from django.urls import reverse

    return reverse(name)


_link = lazy(_reverse, str)
UNFOLD = {
    "SITE_TITLE": "Pasarela",
    "SITE_HEADER": "Pasarela",
    "SITE_SUBHEADER": "config.admin.subheader",
    "SITE_SYMBOL": "payments",
    "SITE_URL": None,
    "SITE_FAVICONS": [{"rel": "icon", "href": "config.admin.favicon", "type": "image/svg+xml"}],
    "SHOW_VIEW_ON_SITE": False,
    "ENVIRONMENT": "config.admin.environment",
    "DASHBOARD_CALLBACK": "config.admin.dashboard",
    "STYLES": ["config.admin.styles"],
    "SIDEBAR": {
        "navigation": "config.admin.navigation",
        # Ctrl-K: the palette asks DeskPages.search.
        "show_search": True,
        "command_search": True,
    },
    "ACCOUNT": {
        "navigation": [
            {"title": _("Change password"), "link": _link("admin:password_change")},
            {"title": _("Second factor and sessions"), "link": _link("admin:access")},
        ]
    },
    "COLORS": {
        "primary": {
            "50": "oklch(97.7% .014 180)",
            "100": "oklch(94.5% .04 181)",
            "200": "oklch(89% .08 181)",
            "300": "oklch(83% .11 182)",
            "400": "oklch(75% .13 183)",
            "500": "oklch(66% .12 184)",
            "600": "oklch(53% .095 185)",
            "700": "oklch(45% .08 186)",
            "800": "oklch(39% .065 188)",
            "900": "oklch(34% .05 188)",
            "950": "oklch(25% .045 193)",
        },
    },
}
