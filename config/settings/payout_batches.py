"""Payouts by file and POST /payout/batches (payments.payout_batches)."""

from config.settings.environment import env

# Of Bre-B, in one file, of which the rail is asked for the holder. The others are asked for before
# each payout is sent.
PAYOUT_BATCH_KEYS_MAX = env.int("PAYOUT_BATCH_KEYS_MAX", default=300)
# How long the lines of a file that was never sent are kept.
PAYOUT_BATCH_DRAFT_DAYS = env.int("PAYOUT_BATCH_DRAFT_DAYS", default=30)
# Where a file or a request with all its lines arrives, and how long that may take.
PAYOUT_BATCH_UPLOAD_PATH = "/admin/payout_batches/payoutbatch/upload/"
PAYOUT_BATCH_UPLOAD_MAX_BYTES = 8 * 1024 * 1024
PAYOUT_BATCH_API_PATH = "/api/v1/payout/batches"
PAYOUT_BATCH_API_MAX_BYTES = 8 * 1024 * 1024
PAYOUT_BATCH_UPLOAD_SECONDS = 60
