"""Currencies, amounts, fees and the times of orders, payouts and settlements."""

from decimal import Decimal
from typing import TypedDict

from config.settings.environment import PRODUCTION, SANDBOX, env


class _Currency(TypedDict):
    # The smallest amount in the ledger, and the decimals that a request may have.
    quantum: Decimal
    input_decimals: int


CURRENCIES: dict[str, _Currency] = {
    "COP": {"quantum": Decimal("1"), "input_decimals": 2},
    "COPM": {"quantum": Decimal("1"), "input_decimals": 2},
    "USDT": {"quantum": Decimal("0.000001"), "input_decimals": 6},
    "USDC": {"quantum": Decimal("0.000001"), "input_decimals": 6},
    "BTC": {"quantum": Decimal("0.00000001"), "input_decimals": 8},
    "ETH": {"quantum": Decimal("0.00000001"), "input_decimals": 8},
}
COLLECT_FEE_RATE = Decimal(env("COLLECT_FEE_RATE", default="0.0005"))
COLLECT_MIN_AMOUNT = Decimal("1000")
# Of one operation by Bre-B: 1,000 UVB. The UVB changes every year.
BREB_MAX_AMOUNT = Decimal(env("BREB_MAX_AMOUNT", default="11552000"))
MAX_AMOUNT = Decimal("999999999999.99")
COLLECT_EXPIRATION_MINUTES = {"default": 60, "min": 5, "max": 10080}
# How long an order of a payment link can be paid, and one that holds a use or a piece in stock.
LINK_ORDER_MINUTES = env.int("LINK_ORDER_MINUTES", default=60)
LINK_HELD_ORDER_MINUTES = env.int("LINK_HELD_ORDER_MINUTES", default=30)
# A link with so many unpaid orders makes no more until some of them end.
LINK_MAX_OPEN_ORDERS = env.int("LINK_MAX_OPEN_ORDERS", default=1000)
# How long after the rail's own limit the order expires while the payer is at the bank.
COLLECT_PROCESSING_GRACE_SECONDS = 30 * 60
# How long to wait before each further poll of the provider about an open charge.
CHARGE_RECONCILE_DELAYS = env.list(
    "CHARGE_RECONCILE_DELAYS",
    cast=int,
    default=[5, 30, 60, 120, 300, 600, 1800, 3600, 10800, 86400],
)
# How long to wait before each poll of the rail about an outgoing payment. The last delay repeats.
OUTGOING_RECONCILE_DELAYS = env.list(
    "OUTGOING_RECONCILE_DELAYS", cast=int, default=[5, 30, 120, 600, 1800, 3600]
)
OUTGOING_OPERATOR_AFTER_SECONDS = env.int("OUTGOING_OPERATOR_AFTER_SECONDS", default=24 * 3600)
# How long a request waits for the rail of an outgoing payment, polls included.
OUTGOING_BUDGET_SECONDS = env.float("OUTGOING_BUDGET_SECONDS", default=10)
BILLS_PAGE_SIZE = 20
# A day is closed this long after midnight in Bogotá. By then all transactions that began before
# midnight have ended.
SETTLEMENT_CLOSES_AFTER_MINUTES = env.int("SETTLEMENT_CLOSES_AFTER_MINUTES", default=10)
# Movements on the printable statement; a longer one refers to its CSV file.
STATEMENT_PAGE_ROWS = env.int("STATEMENT_PAGE_ROWS", default=2000)
CHARGE_FORGOTTEN_AFTER_DAYS = 90
COLLECT_PROCESSING_RECHECK_SECONDS = 60
# How long an order waits for confirmations of a coin; networks need minutes to hours.
COLLECT_CONFIRMATION_LIMIT_SECONDS = 24 * 3600
# Charge attempts of one order: no payer needs more.
COLLECT_MAX_CHARGES = 20
# How long after the deadline of a refused order its payer may try again, and how often.
COLLECT_RETRY_SECONDS = env.int("COLLECT_RETRY_SECONDS", default=24 * 3600)
COLLECT_MAX_RETRIES = env.int("COLLECT_MAX_RETRIES", default=9)
# How long one run of a scanner may take, so that slow providers delay no other work.
SCANNER_BUDGET_SECONDS = 20
QUOTE_LIFETIME_SECONDS = env.int("QUOTE_LIFETIME_SECONDS", default=900)
# In a sandbox the prices of load_catalogues hold for ever. With real money an old price, which a
# quote holds even longer, is a free option for payers: docs/gaps.md has the reasons.
_IS_PLAY_MONEY = SANDBOX or not PRODUCTION
RATE_MAX_AGE_SECONDS = env.int("RATE_MAX_AGE_SECONDS", default=0 if _IS_PLAY_MONEY else 900)
# Our share of the price when a payer pays in another currency: 0.01 is one percent.
CRYPTO_SPREAD = Decimal(env("CRYPTO_SPREAD", default="0" if _IS_PLAY_MONEY else "0.01"))
# Our share of the price when a payout is paid from USDT: 0.01 is one percent.
PAYOUT_SPREAD = Decimal(env("PAYOUT_SPREAD", default="0"))
# Where prices come from (docs/rates.md). Empty: operators type them, and nothing is fetched.
RATE_SOURCES = env.list("RATE_SOURCES", default=[])
# How often, and how long all sources together may take.
RATE_FEED_SECONDS = env.int("RATE_FEED_SECONDS", default=60)
RATE_SOURCE_TIMEOUT_SECONDS = env.float("RATE_SOURCE_TIMEOUT_SECONDS", default=5)
RATE_SOURCE_URLS = {
    "buda": env("RATE_BUDA_URL", default="https://www.buda.com"),
    "binance": env("RATE_BINANCE_URL", default="https://api.binance.com"),
    "bitso": env("RATE_BITSO_URL", default="https://api.bitso.com"),
    "coinbase": env("RATE_COINBASE_URL", default="https://api.exchange.coinbase.com"),
    "kraken": env("RATE_KRAKEN_URL", default="https://api.kraken.com"),
    "trm": env("RATE_TRM_URL", default="https://www.datos.gov.co/resource/32sa-8pi3.json"),
}
# What a coin in pesos is called. "A*B" is the product of two pairs, and "trm" the official dollar.
RATE_SOURCE_PAIRS = {
    "buda": env.dict(
        "RATE_BUDA_PAIRS",
        default={"USDT": "usdt-cop", "USDC": "usdc-cop", "BTC": "btc-cop", "ETH": "eth-cop"},
    ),
    "binance": env.dict(
        "RATE_BINANCE_PAIRS",
        default={
            "USDT": "USDTCOP",
            "USDC": "USDCUSDT*USDTCOP",
            "BTC": "BTCUSDT*USDTCOP",
            "ETH": "ETHUSDT*USDTCOP",
        },
    ),
    "bitso": env.dict(
        "RATE_BITSO_PAIRS",
        default={"USDT": "usdt_cop", "USDC": "usd_cop", "BTC": "btc_cop", "ETH": "eth_cop"},
    ),
    "coinbase": env.dict(
        "RATE_COINBASE_PAIRS",
        default={"USDT": "USDT-USD*trm", "BTC": "BTC-USD*trm", "ETH": "ETH-USD*trm"},
    ),
    "kraken": env.dict(
        "RATE_KRAKEN_PAIRS",
        default={
            "USDT": "USDTUSD*trm",
            "USDC": "USDCUSD*trm",
            "BTC": "XBTUSD*trm",
            "ETH": "ETHUSD*trm",
        },
    ),
}

# After this many days `purge` removes payers' data from final orders; 0 keeps it.
DATA_RETENTION_DAYS = env.int("DATA_RETENTION_DAYS", default=0)
