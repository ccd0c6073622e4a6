"""The mail server, and how long mails are tried and kept."""

from config.settings.environment import PRODUCTION, env

# smtp://, smtp+tls://, smtp+ssl://user:password@host:port. Without one, development writes mails to
# the log of the money worker, and production sends none.
EMAIL_URL = env("EMAIL_URL", default="")
_server = env.email_url_config(EMAIL_URL) if EMAIL_URL else {}
EMAIL_BACKEND = _server.get(
    "EMAIL_BACKEND", "" if PRODUCTION else "payments.mail.backends.LogBackend"
)
EMAIL_HOST = _server.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _server.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _server.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _server.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = _server.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _server.get("EMAIL_USE_SSL", False)
# For each answer of the server.
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=10)
MAIL_FROM = env("MAIL_FROM", default="Pasarela <pasarela@localhost>")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL_FROM
MAIL_RETRY_DELAYS = env.list(
    "MAIL_RETRY_DELAYS", cast=int, default=[60, 300, 1800, 7200, 21600, 86400]
)
MAIL_KEPT_DAYS = env.int("MAIL_KEPT_DAYS", default=30)
