"""The environment variables that the supervisor needs, without loading Django's settings."""

import os
import socket
from dataclasses import dataclass, field
from pathlib import Path

from config.devstack.process import StackError

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Options:
    """`environment` is for the children and has absolute paths."""

    data_dir: Path
    host: str
    port: int
    public_url: str
    web_workers: int
    web_threads: int
    environment: dict[str, str] = field(repr=False)
    has_fake_rails: bool = False
    has_local_chains: bool = False

    @property
    def embeds_postgres(self) -> bool:
        return not {"DATABASE_URL", "DATABASE_URL_FILE"} & self.environment.keys()

    @property
    def embeds_valkey(self) -> bool:
        return not {"REDIS_URL", "REDIS_URL_FILE"} & self.environment.keys()

    @property
    def logs(self) -> Path:
        return self.data_dir / "logs"

    @property
    def local_address(self) -> tuple[str, int]:
        return ("127.0.0.1" if self.host in ("", "0.0.0.0") else self.host, self.port)


def read_options(environ: dict[str, str] | None = None) -> Options:
    """Raises StackError with the name of an invalid variable."""
    given = dict(os.environ if environ is None else environ)
    if given.get("ENV", "development") == "production":
        raise StackError(
            "`make run` is for development and keeps its own database; ENV=production is served "
            "by the image (see docs/operations/install.md)."
        )
    port = _number(given, "PORT", 8000, most=65535)
    _check_webhook_url(given)
    # Not for the children: `RAILS` is a name of Django's settings, too, with another meaning.
    has_fake_rails = _wants_fake_rails(given.pop("RAILS", ""))
    has_local_chains = _wants_local_chains(given.pop("CHAINS", ""))
    data_dir = (PROJECT / given.get("DATA_DIR", ".data")).resolve()
    environment = given | {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "PYTHONUNBUFFERED": "1",
        # Metrics of the web server's processes; emptied by each start.
        "PROMETHEUS_MULTIPROC_DIR": str(data_dir / "metrics"),
        "WEB_PULSE_DIR": str(data_dir / "web-pulse"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return Options(
        data_dir=data_dir,
        host=given.get("HOST") or "127.0.0.1",
        port=port,
        public_url=given.get("PUBLIC_URL", f"http://localhost:{port}").rstrip("/"),
        web_workers=_number(given, "WEB_WORKERS", min(os.cpu_count() or 1, 2), most=64),
        web_threads=_number(given, "WEB_THREADS", 4, most=256),
        environment=environment,
        has_fake_rails=has_fake_rails,
        has_local_chains=has_local_chains,
    )


def _wants_fake_rails(text: str) -> bool:
    """Raises StackError where the fakes are missing, before anything is started."""
    if text not in ("", "fake"):
        raise StackError(f"RAILS={text} is not known. There is only: make run RAILS=fake")
    if text and not (PROJECT / "tests" / "rails").is_dir():
        raise StackError(
            "RAILS=fake needs tests/rails, which images of the service do not have. Start it from "
            "a checkout of the source."
        )
    return bool(text)


def _wants_local_chains(text: str) -> bool:
    """Raises StackError."""
    if text not in ("", "local"):
        raise StackError(f"CHAINS={text} is not known. There is only: make run CHAINS=local")
    return bool(text)


def _check_webhook_url(given: dict[str, str]) -> None:
    """Applies the rules of deliveries before anything is started."""
    url = given.get("WEBHOOK_URL", "").strip()
    if not url:
        return
    from merchants.url_safety import UnsafeUrl, check_url

    text = given.get("WEBHOOK_ALLOW_PRIVATE", "1").lower()
    allow_private = text in ("true", "on", "ok", "y", "yes", "1")  # as django-environ reads it
    try:
        check_url(url, allow_private=allow_private)
    except UnsafeUrl as error:
        why = _URL_RULES[str(error.code)]
        raise StackError(f"WEBHOOK_URL={url} cannot be used: {why}") from error


_URL_RULES = {
    "INVALID_URL": "it must look like https://shop.example/webhooks or http://localhost:9000/, on "
    "port 80, 443 or one above 1023, without user and password.",
    "BLOCKED_ADDRESS": "webhooks are not sent to this address. WEBHOOK_ALLOW_PRIVATE=1, the "
    "default here, allows receivers on this machine and in private networks.",
}


def _number(given: dict[str, str], name: str, default: int, *, most: int) -> int:
    text = given.get(name) or str(default)
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise StackError(f"{name}={text} is not a whole number from 1 to {most}.")
    return int(text)


def refuse_taken_port(options: Options) -> None:
    """Raises StackError, before the web server prints a traceback."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise StackError(
            f"Cannot listen on {options.host}:{options.port}: {error.strerror}. "
            f"Choose another port: make run PORT={_other_port(options.port)}"
        ) from error


def _other_port(port: int) -> int:
    return port + 1 if 1024 <= port < 65535 else 8001
