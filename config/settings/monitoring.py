"""Metrics for Prometheus, and logs: one JSON line an event."""

import structlog
from structlog.typing import Processor

from config.logs import add_request_id, redact_personal_data
from config.settings.environment import env

# The token of Prometheus; without one /metrics is a 404.
METRICS_TOKEN = env("METRICS_TOKEN", default="")
# Within this time, scrapes share one result, so that more scrapers do not load the database.
METRICS_CACHE_SECONDS = env.float("METRICS_CACHE_SECONDS", default=5)
# A count stops at this number of rows. The age of the oldest row shows that a queue is longer.
METRICS_COUNT_CAP = env.int("METRICS_COUNT_CAP", default=10_000)
METRICS_TIMEOUT_SECONDS = env.int("METRICS_TIMEOUT_SECONDS", default=3)

LOG_LEVEL = env("LOG_LEVEL", default="INFO")
_shared_processors: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _shared_processors,
            "processors": [
                add_request_id,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                redact_personal_data,
                structlog.processors.JSONRenderer(),
            ],
        },
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"level": "WARNING"},
        "axes": {"level": "ERROR"},  # payments.console.lockout writes the useful lines
        "celery": {"level": "INFO"},
        "celery.beat": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_shared_processors,
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
