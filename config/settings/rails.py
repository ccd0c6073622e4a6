"""Providers: which one serves which product, and how long calls may take."""

from pathlib import Path

from config.settings.environment import DATA_DIR, SANDBOX, env

# Declarations of rails (docs/recipes/rail.md). The next settings name the rail of new payments.
RAILS = ["payments.simulator.rail.RAIL"]
PAYIN_PROVIDER = env("PAYIN_PROVIDER", default="simulator")
PAYOUT_PROVIDER = env("PAYOUT_PROVIDER", default="simulator")
TOPUP_PROVIDER = env("TOPUP_PROVIDER", default="simulator")
BILLS_PROVIDER = env("BILLS_PROVIDER", default="simulator")
REFUND_PROVIDER = env("REFUND_PROVIDER", default="simulator")
# After so many failures in a row a provider is not called for this long (providers/breaker.py).
PROVIDER_BREAKER_FAILURES = env.int("PROVIDER_BREAKER_FAILURES", default=5)
PROVIDER_BREAKER_SECONDS = env.int("PROVIDER_BREAKER_SECONDS", default=30)
SIMULATOR_CALLBACK_SECRET = env("SIMULATOR_CALLBACK_SECRET", default="simulator-callback-secret")
SIMULATOR_STATE = Path(env("SIMULATOR_STATE", default=str(DATA_DIR / "simulator.sqlite3")))
# Completes what the simulator accepted; without it an ordinary payout waits for the sandbox
# endpoint. Never with real money.
SIMULATOR_CLOCK = SANDBOX and env.bool("SIMULATOR_CLOCK", default=True)
PROVIDER_TIMEOUT_SECONDS = env.int("PROVIDER_TIMEOUT_SECONDS", default=10)
# After this a start is over: both the poll before it and the call itself have timed out.
CHARGE_SETTLING_SECONDS = 2 * PROVIDER_TIMEOUT_SECONDS + 5
