"""What this process serves: docs/decisions/0018."""

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import env

# `api` also serves payers' pages and the documentation. config.worker sets `worker`.
WEB_ROLE = env("WEB_ROLE", default="all")
if WEB_ROLE not in ("all", "api", "console", "worker"):
    raise ImproperlyConfigured(f"WEB_ROLE must be all, api or console, not {WEB_ROLE!r}.")
SERVES_API = WEB_ROLE != "console"
SERVES_CONSOLE = WEB_ROLE != "api"
# A worker has all addresses for links, but registers the console's pages when it needs them.
LOADS_CONSOLE = WEB_ROLE in ("all", "console")
