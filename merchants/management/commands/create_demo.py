"""`manage.py create_demo`: the demo merchant and operator of a development machine.

DATA_DIR/demo.json (0600) has their credentials. Each start prints them, and creates again the
records that the database has lost.
"""

import json
import os
import secrets
import tempfile
from argparse import ArgumentParser
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import transaction

from merchants import services
from merchants.management.base import OperatorCommand
from merchants.management.commands.create_merchant import PRODUCTS, credit_sandbox
from merchants.management.commands.set_webhook_url import set_webhook_url
from merchants.models import ApiKey, Merchant, Permission
from payments.core import audit

NAME, EMAIL = "Café Andino", "demo@cafe-andino.example"
USERNAME = "operator"
BALANCES = [("COPM", Decimal(5_000_000)), ("USDT", Decimal(1_000))]
Kept = dict[str, Any]


class Command(OperatorCommand):
    help = "Creates the demo merchant and operator on the first start; prints them on every start."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--webhook-url", default="", metavar="URL", help="without it the URL stays as it is"
        )

    def result(self, *, webhook_url: str, **_: object) -> Kept:
        if settings.PRODUCTION:
            raise CommandError("There is no demo merchant in production. Use create_merchant.")
        path = settings.DATA_DIR / "demo.json"
        kept = read(path)
        with transaction.atomic():
            merchant = self.merchant(kept)
            if webhook_url:
                set_webhook_url(merchant, webhook_url, actor=self.actor, reason="demo")
                merchant.refresh_from_db(fields=["webhook_url"])
            demo = {
                "merchantId": merchant.pk,
                **self.api_key(kept, merchant),
                "webhookSecret": merchant.webhook_secret,
                "webhookUrl": merchant.webhook_url,
                "operator": self.operator(kept),
            }
        # Written after the commit, so that the file never names a record that was rolled back.
        if demo != kept:
            write_private(path, demo)
        return demo

    def merchant(self, kept: Kept) -> Merchant:
        """The merchant of demo.json, or the one of an earlier start, or a new one."""
        known = Merchant.objects.filter(pk=kept.get("merchantId") or "").first()
        merchant = known or Merchant.objects.filter(name=NAME, email=EMAIL).first()
        if merchant is not None:
            return merchant
        products: dict[str, Any] = {f"{name}_enabled": True for name in PRODUCTS}
        merchant, _ = services.create_merchant(name=NAME, actor=self.actor, email=EMAIL, **products)
        if settings.SANDBOX:
            credit_sandbox(merchant, BALANCES)
        return merchant

    def api_key(self, kept: Kept, merchant: Merchant) -> Kept:
        """The pair of demo.json if it is valid, or a new pair."""
        good = ApiKey.objects.filter(
            merchant=merchant, public_key=kept.get("apiKey") or "", revoked_at=None
        )
        if kept.get("apiSecret") and good.exists():
            return {"apiKey": kept["apiKey"], "apiSecret": kept["apiSecret"]}
        key, secret = services.issue_api_key(
            merchant=merchant,
            actor=self.actor,
            permissions=list(Permission.values),
            label="Demo",
        )
        return {"apiKey": key.public_key, "apiSecret": secret}

    def operator(self, kept: Kept) -> Kept:
        """The login of demo.json if its user exists, or a new random password."""
        users = get_user_model().objects
        login: Kept = kept.get("operator") or {}
        if login.get("password") and users.filter(username=login.get("username")).exists():
            return login
        user, created = users.get_or_create(
            username=USERNAME, defaults={"is_staff": True, "is_superuser": True}
        )
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
        action = "operator.created" if created else "operator.password_changed"
        audit.record(actor=self.actor, action=action, subject=user, reason="demo")
        return {"username": USERNAME, "password": password}


def read(path: Path) -> Kept:
    """Empty when the file is absent or damaged."""
    try:
        kept = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def write_private(path: Path, demo: Kept) -> None:
    """Replaces the file as a whole. At no time can other users read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(handle, "w") as file:
        json.dump(demo, file, indent=2, ensure_ascii=False)
    os.replace(name, path)
