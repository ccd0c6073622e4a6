"""The REST API: limits, Django REST framework, the OpenAPI document, rate limits."""

import hashlib
import re

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import PRODUCTS
from config.settings.environment import PUBLIC_URL, env
from payments.core.products import enumerate_in_words, load

API_MAX_BODY_BYTES = 64 * 1024
API_MAX_JSON_DEPTH = 64
# The largest form of the console has a logo of 64 KB, and the multipart text around it.
PAGE_MAX_BODY_BYTES = 128 * 1024
# How long the web server waits for a body before it hangs up, and the memory for all bodies that a
# process holds. One client may take a quarter of that.
BODY_SECONDS = env.int("BODY_SECONDS", default=10)
# An upload may last longer, but not pause longer than this.
UPLOAD_PAUSE_SECONDS = env.int("UPLOAD_PAUSE_SECONDS", default=10)
BODIES_MAX_BYTES = 64 * 1024 * 1024
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["merchants.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["payments.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["payments.api.renderers.EnvelopeRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "payments.api.renderers.JSONOnly",
    "EXCEPTION_HANDLER": "payments.api.errors.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "payments.api.auto_schema.EnvelopeAutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
}
_OFFERED = enumerate_in_words(
    ["Collections", *(product.plural for product in load(PRODUCTS) if product.urls)]
)
SPECTACULAR_SETTINGS = {
    "DEFAULT_GENERATOR_CLASS": "payments.api.auto_schema.DescribedGenerator",
    "TITLE": "Pasarela",
    "DESCRIPTION": (
        f"{_OFFERED} for merchants in Colombia. Amounts are JSON numbers: parse them with "
        "decimals, not as floats. Timestamps are in UTC."
    ),
    "CONTACT": {"name": "Pasarela", "url": f"{PUBLIC_URL}/docs"},
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVERS": [{"url": f"{PUBLIC_URL}/api/v1"}],
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "COMPONENT_SPLIT_REQUEST": True,
    # The body of a PATCH has a serializer of its own.
    "COMPONENT_SPLIT_PATCH": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "payments.api.reference.document.add_tags",
        "config.event_docs.with_headers",
        "config.event_docs.with_tag",
        "config.event_docs.with_feed",
        "payments.api.links.with_links",
        "payments.api.links.with_contract_names",
        "payments.api.reference.descriptions.describe",
        "payments.api.reference.document.add_examples",
        "payments.api.reference.operation_errors.add_error_codes",
        "payments.api.reference.document.for_generators",
    ],
    "ENUM_NAME_OVERRIDES": {},
    "WEBHOOKS": "config.event_docs.WEBHOOKS",
}
# The console's log of API requests: whether it is kept, and for how many days.
API_LOG = env.bool("API_LOG", default=True)
API_LOG_DAYS = env.int("API_LOG_DAYS", default=30)
PAGE_DEFAULT_LIMIT = 20
PAGE_MAX_LIMIT = 100
RATE_LIMITS = {
    "collect_create": env("RATE_LIMIT_COLLECT_CREATE", default="100/m"),
    "collect_read": env("RATE_LIMIT_COLLECT_READ", default="1000/m"),
    "write": env("RATE_LIMIT_WRITE", default="300/m"),
    "read": env("RATE_LIMIT_READ", default="1000/m"),
    # A statement costs as much as a hundred other reads, so it has its own limit.
    "statement": env("RATE_LIMIT_STATEMENT", default="10/m"),
    "failed_credentials": env("RATE_LIMIT_FAILED_CREDENTIALS", default="30/m"),
    # Receipts looked up by their code, per client address.
    "verify": env("RATE_LIMIT_VERIFY", default="20/m"),
    # Payment look-ups at the rail for payers who claim that they have paid, per client address.
    "already_paid": env("RATE_LIMIT_ALREADY_PAID", default="20/m"),
    # Pages of payment links, and orders made with them, per client address.
    "link_page": env("RATE_LIMIT_LINK_PAGE", default="120/m"),
    "link_pay": env("RATE_LIMIT_LINK_PAY", default="10/m"),
    # Links of invitations that are opened or answered, per client address.
    "invitation": env("RATE_LIMIT_INVITATION", default="20/m"),
    # Invitations and keys that one person makes.
    "team": env("RATE_LIMIT_TEAM", default="30/h"),
}
for _name, _rate in RATE_LIMITS.items():
    if not re.fullmatch(r"[1-9][0-9]*/[smhd]", _rate):
        raise ImproperlyConfigured(f"RATE_LIMIT_{_name.upper()} must look like 100/m, not {_rate}.")
# Pictures of methods for the payer's page. Empty: our own drawings.
PAY_MARKS_DIR = env("PAY_MARKS_DIR", default="")
# Where payers ask about their data (Law 1581 of 2012).
DATA_POLICY_URL = env("DATA_POLICY_URL", default="")
DATA_CONTACT_EMAIL = env("DATA_CONTACT_EMAIL", default="")
RATELIMIT_FAIL_OPEN = True
RATELIMIT_USE_CACHE = "limits"
# The package's own defaults. Without them it looks up each missing setting at every request.
RATELIMIT_ENABLE = True
RATELIMIT_CACHE_PREFIX = "rl:"
RATELIMIT_HASH_ALGORITHM = hashlib.sha256
# How many reverse proxies in front append to X-Forwarded-For; 0: only the socket is trusted.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
