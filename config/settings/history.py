"""How long tables that only grow are kept (docs/operations/history.md)."""

from config.settings.environment import env

# 0 keeps them for ever.
WEBHOOK_HISTORY_MONTHS = env.int("WEBHOOK_HISTORY_MONTHS", default=0)
AUDIT_MONTHS = env.int("AUDIT_MONTHS", default=0)
# Partitions that exist beyond the present month.
HISTORY_MONTHS_AHEAD = env.int("HISTORY_MONTHS_AHEAD", default=3)
# Where `retire_history` writes what it drops.
HISTORY_ARCHIVE_DIRECTORY = env("HISTORY_ARCHIVE_DIRECTORY", default="")
# Whether it drops without a file.
HISTORY_DROP = env.bool("HISTORY_DROP", default=False)
