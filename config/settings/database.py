"""PostgreSQL, in development, tests and production."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.devstack import defaults
from config.settings.environment import DATA_DIR, env

USES_EMBEDDED_DATABASE = not ("DATABASE_URL" in env or "DATABASE_URL_FILE" in env)
_database_url = env(
    "DATABASE_URL", default=defaults.database_url(DATA_DIR) if USES_EMBEDDED_DATABASE else ""
)
# A read replica for lists, statistics and exports (payments.core.replica, docs/scaling.md).
_replica_url = env("DATABASE_REPLICA_URL", default="")
# `transaction`: a pooler lends a connection for one transaction (PgBouncer's pool_mode =
# transaction, docs/scaling.md). `none`: no pooler, or one that lends it for the whole session.
DATABASE_POOLER = env("DATABASE_POOLER", default="none")
if DATABASE_POOLER not in ("none", "transaction"):
    raise ImproperlyConfigured(f"DATABASE_POOLER must be none or transaction: {DATABASE_POOLER!r}.")
_pooled = DATABASE_POOLER == "transaction"
# A database that hangs must not hold the web threads; 0, as in manage.py, is no limit.
_TIME_LIMITS = {
    "statement_timeout": env.int("DATABASE_STATEMENT_TIMEOUT_SECONDS", default=30),
    "lock_timeout": env.int("DATABASE_LOCK_TIMEOUT_SECONDS", default=15),
    "idle_in_transaction_session_timeout": env.int(
        "DATABASE_IDLE_IN_TRANSACTION_SESSION_TIMEOUT_SECONDS", default=60
    ),
}


def _database(url: str) -> dict[str, Any]:
    config: dict[str, Any] = env.db_url_config(url)
    config.update(
        # The scheme of the URL is ignored, because there is one dialect.
        ENGINE="config.postgresql",
        # A connection is kept as long as its thread: reconnecting made a request 2.5 to 3.3 times
        # slower.
        CONN_MAX_AGE=None,
        CONN_HEALTH_CHECKS=True,
        # A server-side cursor or a prepared statement stays on the pooler's connection. By the next
        # query the pooler may have lent this connection to another client.
        DISABLE_SERVER_SIDE_CURSORS=_pooled,
    )
    config.setdefault("OPTIONS", {}).update(
        server_side_binding=True,
        prepare_threshold=None if _pooled else 3,
        connect_timeout=env.int("DATABASE_CONNECT_TIMEOUT", default=3),
        # A machine that vanished does not close its connections. These options detect that in half
        # a minute.
        tcp_user_timeout=30_000,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=4,
    )
    if not _pooled:
        # A pooler takes no such options. Set them for the role instead (ALTER ROLE ... SET).
        config["OPTIONS"]["options"] = " ".join(
            f"-c {name}={seconds * 1000}" for name, seconds in _TIME_LIMITS.items()
        )
    return config


DATABASES = {"default": _database(_database_url)}
if _replica_url:
    DATABASES["replica"] = _database(_replica_url) | {"TEST": {"MIRROR": "default"}}
    DATABASE_ROUTERS = ["payments.core.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
