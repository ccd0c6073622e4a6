"""The tables of the simulator's SQLite file. Each list is the change of one release."""

CHARGES = [
    """CREATE TABLE charges (
        reference TEXT PRIMARY KEY, provider_id TEXT NOT NULL UNIQUE, rail TEXT NOT NULL,
        amount TEXT NOT NULL, currency TEXT NOT NULL, description TEXT NOT NULL,
        merchant_name TEXT NOT NULL, bank_code TEXT NOT NULL, return_url TEXT NOT NULL,
        callback_url TEXT NOT NULL, instructions TEXT NOT NULL, magic TEXT NOT NULL,
        status TEXT NOT NULL, received TEXT NOT NULL, unconfirmed TEXT NOT NULL,
        trace_code TEXT NOT NULL, reason TEXT NOT NULL, started_at TEXT NOT NULL,
        open_until TEXT, opened_at TEXT, expires_at TEXT NOT NULL, changed_at TEXT NOT NULL,
        notices INTEGER NOT NULL, notice_status INTEGER NOT NULL
    )""",
    """CREATE TABLE calls (
        reference TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (reference, kind)
    )""",
]
PAYOUTS = [
    """CREATE TABLE payouts (
        reference TEXT PRIMARY KEY, payout_id TEXT NOT NULL, provider_id TEXT NOT NULL UNIQUE,
        network TEXT NOT NULL, amount TEXT NOT NULL, recipient_name TEXT NOT NULL,
        document TEXT NOT NULL, destination TEXT NOT NULL, description TEXT NOT NULL,
        callback_url TEXT NOT NULL, magic TEXT NOT NULL, state TEXT NOT NULL,
        reason TEXT NOT NULL, started_at TEXT NOT NULL, changed_at TEXT NOT NULL, due_at TEXT,
        notices INTEGER NOT NULL, notice_status INTEGER NOT NULL
    )""",
    "CREATE INDEX payouts_by_id ON payouts (payout_id)",
    "CREATE INDEX payouts_due ON payouts (due_at) WHERE due_at IS NOT NULL",
    # One row each time money leaves. No column is unique, so that tests see a second execution.
    """CREATE TABLE executions (
        reference TEXT NOT NULL, payout_id TEXT NOT NULL, executed_at TEXT NOT NULL
    )""",
    "CREATE INDEX executions_by_id ON executions (payout_id)",
]
# For four products instead of payouts only.
OUTGOING = [
    "ALTER TABLE payouts RENAME TO outgoing",
    "ALTER TABLE outgoing RENAME COLUMN payout_id TO payment_id",
    "ALTER TABLE outgoing RENAME COLUMN network TO rail",
    "ALTER TABLE outgoing ADD COLUMN product TEXT NOT NULL DEFAULT 'payout'",
    "ALTER TABLE outgoing ADD COLUMN item TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE outgoing ADD COLUMN authorization TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE executions RENAME COLUMN payout_id TO payment_id",
    "CREATE INDEX outgoing_by_destination ON outgoing (product, rail, destination)",
]
DIRECT_METHODS = [
    "ALTER TABLE charges ADD COLUMN direct_method TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE charges ADD COLUMN flow TEXT NOT NULL DEFAULT 'INSTRUCTIONS'",
    "UPDATE charges SET flow = 'REDIRECT' WHERE rail = 'PSE'",
]
# For the clock, which finds charges that are due.
CHARGES_DUE = [
    "ALTER TABLE charges ADD COLUMN due_at TEXT",
    "CREATE INDEX charges_due ON charges (due_at) WHERE due_at IS NOT NULL AND status = 'PENDING'",
]
LEGAL_DATA = [
    "ALTER TABLE charges ADD COLUMN merchant_legal_name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE charges ADD COLUMN merchant_nit TEXT NOT NULL DEFAULT ''",
]
# The file's user_version is the number of lists that were applied; `store` applies the rest.
SCHEMAS = [CHARGES, PAYOUTS, OUTGOING, DIRECT_METHODS, CHARGES_DUE, LEGAL_DATA]
