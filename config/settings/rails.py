"""Providers: which one serves which product, and how long calls may take."""

from pathlib import Path

from config.settings.base import PRODUCTS
from config.settings.environment import DATA_DIR, PRODUCTION, SANDBOX, env
from payments.core.products import load

# Declarations of rails (docs/recipes/rail.md). The next settings name the rail of new payments.
RAILS = ["payments.simulator.rail.RAIL"]
# Providers that operators connect by accounts, in the console.
RAIL_TYPES = [
    "payments.providers.wompi.rail.TYPE",
    "payments.providers.wompi_payouts.rail.TYPE",
    "payments.chains.rail_types.BITCOIN",
    "payments.chains.rail_types.EVM",
    "payments.chains.rail_types.TRON",
    "payments.reconciliation.bankfile_rail.TYPE",
    "payments.payment_files.rail.TYPE",
]
# Lets accounts lead to fake rails over http and in our own network, live ones too. For development.
RAIL_ALLOW_PRIVATE = env.bool("RAIL_ALLOW_PRIVATE", default=not PRODUCTION)
# A file that declares accounts and routes (manage.py declare_rails). Its text is no setting:
# it has secrets.
RAIL_ACCOUNTS_FILE = env("RAIL_ACCOUNTS_FILE", default="")
# After a rotation, callbacks may be signed with the old secret for this many seconds.
RAIL_ROTATION_SECONDS = env.int("RAIL_ROTATION_SECONDS", default=48 * 3600)
# How often the balances of accounts that pay are read, and the pesos below which an account raises
# the alarm if it has no amount of its own.
RAIL_BALANCE_SECONDS = env.int("RAIL_BALANCE_SECONDS", default=300)
RAIL_BALANCE_RESERVE = env.int("RAIL_BALANCE_RESERVE", default=1_000_000)
# How long a rail may take to name the holder of an instant key.
KEY_CHECK_TIMEOUT_SECONDS = env.int("KEY_CHECK_TIMEOUT_SECONDS", default=5)
# How many holders of keys one person of a merchant may look up in an hour, before payouts by hand.
KEY_LOOKUPS_PER_HOUR = env.int("KEY_LOOKUPS_PER_HOUR", default=60)
PAYIN_PROVIDER = env("PAYIN_PROVIDER", default="simulator")
# PAYOUT_PROVIDER and so on: one for each product.
for _product in load(PRODUCTS):
    globals()[_product.provider_setting] = env(_product.provider_setting, default="simulator")
# After this many failures in a row the provider is not called for a while (providers/breaker.py).
PROVIDER_BREAKER_FAILURES = env.int("PROVIDER_BREAKER_FAILURES", default=5)
PROVIDER_BREAKER_SECONDS = env.int("PROVIDER_BREAKER_SECONDS", default=30)
SIMULATOR_CALLBACK_SECRET = env("SIMULATOR_CALLBACK_SECRET", default="simulator-callback-secret")
SIMULATOR_STATE = Path(env("SIMULATOR_STATE", default=str(DATA_DIR / "simulator.sqlite3")))
# Completes the payments that the simulator accepted. If it is off, an ordinary payout waits for the
# sandbox endpoint. Never use it with real money.
SIMULATOR_CLOCK = SANDBOX and env.bool("SIMULATOR_CLOCK", default=True)
PROVIDER_TIMEOUT_SECONDS = env.int("PROVIDER_TIMEOUT_SECONDS", default=10)
# For all calls that start one charge, at all accounts that are tried. The payer waits for them.
CHARGE_START_SECONDS = env.int("CHARGE_START_SECONDS", default=2 * PROVIDER_TIMEOUT_SECONDS)
# After this time the start of a charge, or a call that sends a payment, has certainly ended.
CHARGE_SETTLING_SECONDS = max(2 * PROVIDER_TIMEOUT_SECONDS, CHARGE_START_SECONDS) + 5
