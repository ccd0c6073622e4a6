"""Files of the operator's own bank (payments.reconciliation)."""

from config.settings.environment import env

# 100,000 entries of CAMT.053 with line breaks have about 120 MB.
BANK_STATEMENT_MAX_BYTES = env.int("BANK_STATEMENT_MAX_BYTES", default=200 * 1024 * 1024)
# Movements.
BANK_STATEMENT_MAX_LINES = env.int("BANK_STATEMENT_MAX_LINES", default=250_000)
