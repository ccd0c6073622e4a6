"""How the environment is read, and what nearly every other setting depends on."""

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from environ.fileaware_mapping import FileAwareMapping

from config.devstack import defaults

BASE_DIR = Path(__file__).resolve().parents[2]


class _Environment(FileAwareMapping):
    """Removes the line break at the end of a value from a file that was written by hand."""

    def __getitem__(self, key: str) -> str:
        return str(super().__getitem__(key)).strip()


class _Env(environ.FileAwareEnv):
    ENVIRON = _Environment()


env = _Env()

ENV = env("ENV", default="development")
if ENV not in ("development", "production"):
    # A misspelt `production` must not run with development defaults.
    raise ImproperlyConfigured(f"ENV must be development or production, not {ENV!r}.")
PRODUCTION = ENV == "production"
DEBUG = env.bool("DEBUG", default=False)
PORT = env.int("PORT", default=8000)
PUBLIC_URL = env("PUBLIC_URL", default=f"http://localhost:{PORT}").rstrip("/")
DATA_DIR = Path(env("DATA_DIR", default=str(BASE_DIR / ".data"))).resolve()
SANDBOX = env.bool("SANDBOX", default=not PRODUCTION)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"] if not PRODUCTION else [])

# Generated keys are kept in DATA_DIR: after a restart the service must read what it encrypted.
USES_GENERATED_KEYS = not (
    ("SECRET_KEY" in env or "SECRET_KEY_FILE" in env)
    and ("ENCRYPTION_KEYS" in env or "ENCRYPTION_KEYS_FILE" in env)
)
_generated = defaults.development_keys(DATA_DIR) if USES_GENERATED_KEYS else {}
SECRET_KEY = env("SECRET_KEY", default=_generated.get("SECRET_KEY"))
# Fernet keys, newest first: the first encrypts, all of them decrypt.
ENCRYPTION_KEYS = env.list("ENCRYPTION_KEYS", default=[_generated.get("ENCRYPTION_KEYS")])
