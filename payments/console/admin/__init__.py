"""Console pages about the console itself, and the log of API calls."""

from payments.console.admin import (  # noqa: F401  registers the pages
    api_calls,
    audit_log,
    exports,
    mailbox,
    operators,
    roles,
)
