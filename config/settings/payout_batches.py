"""Payouts by file and POST /payout/batches (payments.payout_batches)."""

from config.settings.environment import env

# Of Bre-B, in one file, of which the rail is asked for the holder. The others are asked for before
# each payout is sent.
PAYOUT_BATCH_KEYS_MAX = env.int("PAYOUT_BATCH_KEYS_MAX", default=300)
# How long the lines of a file that was never sent are kept.
PAYOUT_BATCH_DRAFT_DAYS = env.int("PAYOUT_BATCH_DRAFT_DAYS", default=30)
