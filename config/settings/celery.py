"""Broker, queues, the beat schedule, and how workers are watched."""

from config.settings.bank_statements import STATEMENT_DIRECTORY, STATEMENT_DIRECTORY_SECONDS
from config.settings.base import PRODUCTS
from config.settings.cache import REDIS_URL
from config.settings.chains import CHAIN_SCAN_SECONDS
from config.settings.environment import env
from config.settings.money import RATE_FEED_SECONDS, RATE_SOURCES
from config.settings.rails import RAIL_BALANCE_SECONDS
from payments.core.products import load

# Redis, or RabbitMQ with an amqp:// address (docs/scaling.md). Rate limits always need Redis.
CELERY_BROKER_URL = env("BROKER_URL", default=REDIS_URL)
# For processes that send to a broker that is not Redis.
TASKS_APP = "config.celery.app"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# No limit, because a worker that gives up stays down until an operator starts it again.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
if CELERY_BROKER_URL.startswith(("amqp:", "amqps:")):
    # One attempt to connect. If it fails, the wake-up is lost and the scanner finds the row.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
        **dict.fromkeys(("interval_start", "interval_step", "interval_max"), 0),
        "max_retries": 1,
        "write_timeout": 5,
    }
    CELERY_BROKER_CONNECTION_TIMEOUT = 2
    # Seconds until a worker finds out that the broker hangs.
    CELERY_BROKER_HEARTBEAT = 10
    CELERY_TASK_DEFAULT_DELIVERY_MODE = "transient"
    # Scanners come before wake-ups. RabbitMQ serves the highest priority first, Redis the lowest.
    CELERY_TASK_QUEUE_MAX_PRIORITY = 9
    SCANNER_PRIORITY, WAKE_UP_PRIORITY = 9, 3
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "global_keyprefix": "pasarela:",
        "visibility_timeout": 60,
    }
    SCANNER_PRIORITY, WAKE_UP_PRIORITY = 0, 6
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {"webhooks.tasks.*": {"queue": "webhooks"}}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"


def _beat(
    task: str, *, every: float, expires: int, queue: str = "", args: tuple[str, ...] = ()
) -> dict[str, object]:
    """`seconds` is the interval. Without `queue`, the route of the task decides."""
    options = {"expires": expires, **({"queue": queue} if queue else {})}
    return {
        "task": task,
        "schedule": float(every),
        **({"args": args} if args else {}),
        "options": {**options, "priority": SCANNER_PRIORITY},
    }


# Scanners find the rows whose wake-up was lost. Messages expire before they pile up.
CELERY_BEAT_SCHEDULE = {
    "webhooks-pump": _beat("webhooks.tasks.pump", every=2, expires=10, queue="webhooks"),
    "webhooks-number": _beat("webhooks.tasks.number_events", every=5, expires=15),
    "collect-expire": _beat("payments.collect.tasks.expire_due", every=2, expires=10),
    "collect-reconcile": _beat("payments.collect.tasks.reconcile_due", every=5, expires=15),
    "collect-coins": _beat("payments.collect.tasks.report_coins", every=2, expires=10),
    "bank-uploads": _beat("payments.reconciliation.tasks.import_uploads", every=5, expires=15),
    **(
        {
            "bank-directory": _beat(
                "payments.reconciliation.tasks.watch_directory",
                every=STATEMENT_DIRECTORY_SECONDS,
                expires=STATEMENT_DIRECTORY_SECONDS,
            )
        }
        if STATEMENT_DIRECTORY
        else {}
    ),
    "bank-uploads-forget": _beat(
        "payments.reconciliation.tasks.forget_uploads", every=3600, expires=1800
    ),
    "bank-lines": _beat("payments.reconciliation.tasks.match_due", every=5, expires=15),
    "payment-lines": _beat("payments.payment_files.tasks.report_lines", every=2, expires=10),
    "payout-batches": _beat("payments.payout_batches.tasks.process_batches", every=2, expires=10),
    "payout-batches-forget": _beat(
        "payments.payout_batches.tasks.forget_drafts", every=3600, expires=1800
    ),
    "chains-scan": _beat(
        "payments.chains.tasks.scan_chains", every=CHAIN_SCAN_SECONDS, expires=CHAIN_SCAN_SECONDS
    ),
    **{
        product.scanner: _beat(product.scan_task, every=2, expires=10) for product in load(PRODUCTS)
    },
    "rail-balances": _beat(
        "payments.rails.tasks.read_balances",
        every=RAIL_BALANCE_SECONDS,
        expires=RAIL_BALANCE_SECONDS,
    ),
    **(
        {
            "rate-feed": _beat(
                "payments.rates.tasks.read_prices",
                every=RATE_FEED_SECONDS,
                expires=RATE_FEED_SECONDS,
            )
        }
        if RATE_SOURCES
        else {}
    ),
    "ledger-totals": _beat("payments.ledger.tasks.add_day_totals", every=60, expires=50),
    "settlement-close": _beat("payments.settlement.tasks.close_due", every=300, expires=240),
    "disbursements-late": _beat(
        "payments.reconciliation.tasks.mark_late_disbursements", every=600, expires=300
    ),
    "reconcile-days": _beat("payments.reconciliation.tasks.reconcile_days", every=60, expires=60),
    "api-log-delete": _beat("payments.api.tasks.delete_old_calls", every=600, expires=300),
    "mail-send": _beat("payments.mail.tasks.send_due", every=5, expires=10),
    "alerts-scan": _beat("payments.alerts.tasks.scan", every=300, expires=240),
    "mail-delete": _beat("payments.mail.tasks.delete_old", every=3600, expires=1800),
    "exports-run": _beat("payments.console.tasks.run_exports", every=5, expires=10),
    "sessions-forget": _beat("payments.console.tasks.forget_sessions", every=3600, expires=1800),
    "exports-forget": _beat("payments.console.tasks.forget_exports", every=3600, expires=1800),
    "webhooks-forget": _beat(
        "webhooks.tasks.forget_earlier_secrets", every=3600, expires=1800, queue="webhooks"
    ),
    "history-months": _beat("payments.core.tasks.make_months", every=3600, expires=1800),
    "heartbeat-money": _beat("payments.core.tasks.heartbeat", every=5, expires=10, args=("money",)),
    "heartbeat-pump": _beat("webhooks.tasks.heartbeat", every=5, expires=10, queue="webhooks"),
}
# /readyz fails when a worker has sent no heartbeat for this long.
HEARTBEAT_MAX_AGE_SECONDS = env.int("HEARTBEAT_MAX_AGE_SECONDS", default=60)
# If a worker's clock differs more than this from the database's, the worker runs no task.
CLOCK_SKEW_MAX_SECONDS = env.float("CLOCK_SKEW_MAX_SECONDS", default=2)
# A worker touches this file with each heartbeat, for probes of a single process.
LIVENESS_PATH = env("LIVENESS_PATH", default="")
# Whether wake-ups are sent.
DOORBELL = env.bool("DOORBELL", default=True)
