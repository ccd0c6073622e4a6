"""Applications, middleware, templates, languages and static files."""

from django.utils.translation import gettext_lazy as _

from config.settings.environment import BASE_DIR, PRODUCTION, env
from config.settings.roles import SERVES_CONSOLE

# What sends money: docs/recipes/product.md.
PRODUCTS = [
    "payments.payout.declaration.PAYOUTS",
    "payments.topup.declaration.TOPUPS",
    "payments.bills.declaration.BILLS",
    "payments.collect.declaration.REFUNDS",
]
INSTALLED_APPS = [
    # The plain `unfold` would replace our admin site by its own.
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
    "csp",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "payments.core",
    "payments.mail",
    "payments.console",
    "payments.api",
    "merchants",
    "merchants.legal",
    "merchants.team",
    "webhooks",
    "payments.ledger",
    "payments.rates",
    "payments.rails",
    "payments.chains",
    "payments.collect",
    "payments.payout",
    "payments.topup",
    "payments.bills",
    "payments.settlement",
    "payments.payment_files",
    "payments.payout_batches",
    "payments.withdrawals",
    "payments.alerts",
    "payments.reconciliation",
    "payments.links",
    "payments.simulator",
    "payments.sandbox",
]

MIDDLEWARE = [
    # First, so that it measures the whole time that the client waited.
    "config.metrics.requests.RequestMetricsMiddleware",
    "payments.api.middleware.RequestIdMiddleware",
    "payments.api.middleware.CallLogMiddleware",
    "payments.api.middleware.EnvelopeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "payments.api.middleware.BodySizeMiddleware",
    "config.middleware.WebPagesMiddleware",
]
# API requests do not need sessions, CSRF, messages and the language, which cost time and cookies.
# config.middleware wraps these around every path outside the API.
WEB_PAGES_MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    *(["payments.console.site.middleware.ConsoleSiteMiddleware"] if SERVES_CONSOLE else []),
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# Django's checks look for these in MIDDLEWARE; they run for pages, in WEB_PAGES_MIDDLEWARE.
SILENCED_SYSTEM_CHECKS = [
    "admin.E408",
    "admin.E409",
    "admin.E410",
    "security.W002",
    "security.W003",
    "axes.W002",  # its middleware; the console's login renders the page of the lock-out
]
API_PREFIXES = (
    *("/api/", "/callbacks/", "/healthz", "/readyz", "/metrics"),
    *(() if SERVES_CONSOLE else ("/admin",)),
)

ROOT_URLCONF = "config.urls"
MERCHANTS_URLCONF = "config.urls_merchants"
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

LANGUAGE_CODE = "es"
FORMAT_MODULE_PATH = "config.formats"
LANGUAGES = [("es", _("Spanish")), ("en", _("English"))]
# Unfold has no Spanish: locale/unfold holds ours.
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "unfold"]
TIME_ZONE = "America/Bogota"
USE_TZ = True
STATIC_URL = "/static/"
# Collected into the image; a bare machine serves the source files.
STATIC_ROOT = env("STATIC_ROOT", default=str(BASE_DIR / ".static")) if PRODUCTION else None
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
