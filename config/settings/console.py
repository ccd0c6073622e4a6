"""The console: who may log in and for how long, exports, the theme."""

from datetime import timedelta

from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from config.settings.environment import PRODUCTION, SANDBOX, env

SESSION_COOKIE_AGE = 12 * 3600
# A session ends this long after the login, or after the last request. An action on keys, secrets or
# money asks for the password if it was given more than CONSOLE_FRESH_SECONDS ago.
CONSOLE_SESSION_SECONDS = env.int("CONSOLE_SESSION_SECONDS", default=SESSION_COOKIE_AGE)
CONSOLE_IDLE_SECONDS = env.int("CONSOLE_IDLE_SECONDS", default=30 * 60)
CONSOLE_FRESH_SECONDS = env.int("CONSOLE_FRESH_SECONDS", default=15 * 60)
# A user must replace a password that an operator set within these days. Then it is no longer valid.
CONSOLE_FIRST_PASSWORD_DAYS = env.float("CONSOLE_FIRST_PASSWORD_DAYS", default=7)
# How long the link of an invitation is valid.
INVITATION_HOURS = env.float("INVITATION_HOURS", default=72)
# How long a request for access waits, and how long an approved key can be collected.
ACCESS_REQUEST_DAYS = env.float("ACCESS_REQUEST_DAYS", default=7)
# False: a user needs a code only after setting up a device.
CONSOLE_SECOND_FACTOR = env.bool("CONSOLE_SECOND_FACTOR", default=PRODUCTION)
# Evidence files of disputes: the size of one, and how many a dispute has.
DISPUTE_FILE_MAX_BYTES = env.int("DISPUTE_FILE_MAX_BYTES", default=5 * 1024 * 1024)
DISPUTE_FILES_MAX = env.int("DISPUTE_FILES_MAX", default=20)
DISPUTE_FILE_PATH = "/admin/collect/dispute/*/file_added/"
# The bank's certificate of a merchant's account for withdrawals.
BANK_CERTIFICATE_MAX_BYTES = env.int("BANK_CERTIFICATE_MAX_BYTES", default=5 * 1024 * 1024)
BANK_CERTIFICATE_PATH = "/admin/withdrawals/bankaccount/enter/"
OTP_TOTP_ISSUER = "Pasarela" if not SANDBOX else "Pasarela sandbox"
LOGIN_REDIRECT_URL = "admin:index"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# Wrong passwords for one name from one address, until this pair is locked out.
AXES_FAILURE_LIMIT = env.int("CONSOLE_LOCK_AFTER", default=5)
AXES_COOLOFF_TIME = timedelta(seconds=env.int("CONSOLE_LOCK_SECONDS", default=15 * 60))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
# Further attempts do not extend the lock-out.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "payments.console.client_ip.client_ip"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Limits of exported lists. The bytes are those of the compressed file.
EXPORT_MAX_ROWS = env.int("EXPORT_MAX_ROWS", default=500_000)
EXPORT_MAX_BYTES = env.int("EXPORT_MAX_BYTES", default=50 * 1024 * 1024)
EXPORTS_PER_PERSON = 3
EXPORT_KEPT = timedelta(days=env.int("EXPORT_KEPT_DAYS", default=7))
# How long one thread of the money worker works on exports before it takes other tasks.
EXPORT_TURN_SECONDS = env.float("EXPORT_TURN_SECONDS", default=5)


def _reverse(name: str) -> str:
    """Imported late: beat reads these settings without models, and `django.urls` loads models."""
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
        # Ctrl-K: the palette calls SearchViews.search.
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
