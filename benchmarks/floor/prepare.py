"""Tables and a merchant with a key: `python -m benchmarks.floor.prepare` prints the key pair."""

import hashlib
import json
import secrets

import django
from django.core.management import call_command


def main() -> None:
    """One line of JSON, like `manage.py create_merchant`."""
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    from benchmarks.floor.models import Key, Merchant

    secret = secrets.token_urlsafe(32)
    key = Key.objects.create(
        merchant=Merchant.objects.create(name="Café Andino"),
        public_key=f"pk_{secrets.token_hex(16)}",
        secret_hash=hashlib.sha256(secret.encode()).digest(),
    )
    print(json.dumps({"apiKey": key.public_key, "apiSecret": secret}))


if __name__ == "__main__":
    main()
