"""What an operator runs now and then: new keys, and forgetting payers."""

import contextlib
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from cryptography.fernet import Fernet, InvalidToken
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.core import clock, encryption
from tests.support.charges import books_are_clean, create, say, start
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
OLD, NEW = (Fernet.generate_key().decode() for _ in range(2))


def run(command: str) -> dict[str, Any]:
    out = StringIO()
    with contextlib.suppress(SystemExit):
        call_command(command, stdout=out)
    return json.loads(out.getvalue())


def lying() -> list[str]:
    """The webhook secrets as the table holds them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT webhook_secret FROM merchants_merchant ORDER BY id")
        return [row[0] for row in cursor.fetchall()]


class TestRotation:
    @pytest.fixture
    def secrets(self, settings: Any) -> dict[str, str]:
        """Five merchants, whose secrets were encrypted with the old key."""
        settings.ENCRYPTION_KEYS = [OLD]
        made = MerchantFactory.create_batch(5)
        return {merchant.pk: merchant.webhook_secret for merchant in made}

    def test_afterwards_the_old_key_can_go(self, settings: Any, secrets: dict[str, str]) -> None:
        settings.ENCRYPTION_KEYS = [NEW, OLD]
        assert run("rotate_encryption") == {"ok": True, "read": 5, "rotated": 5, "left": 0}

        settings.ENCRYPTION_KEYS = [NEW]
        assert {merchant.pk: merchant.webhook_secret for merchant in Merchant.objects.all()} == (
            secrets
        )
        settings.ENCRYPTION_KEYS = [OLD]
        with pytest.raises(InvalidToken):
            Merchant.objects.get(pk=next(iter(secrets)))

    def test_rotation_continues_where_it_was_stopped(
        self, settings: Any, secrets: dict[str, str], monkeypatch: Any
    ) -> None:
        settings.ENCRYPTION_KEYS = [NEW, OLD]
        monkeypatch.setattr(encryption, "BATCH", 2)
        exchange, done = encryption._rotate_one, []

        def dies(*arguments: Any) -> None:
            if len(done) == 3:
                raise KeyboardInterrupt
            done.append(exchange(*arguments))

        monkeypatch.setattr(encryption, "_rotate_one", dies)
        with pytest.raises(KeyboardInterrupt):
            encryption.rotate()
        monkeypatch.setattr(encryption, "_rotate_one", exchange)
        assert run("rotate_encryption") == {"ok": True, "read": 5, "rotated": 2, "left": 0}
        before = lying()
        assert run("rotate_encryption") == {"ok": True, "read": 5, "rotated": 0, "left": 0}
        assert lying() == before

    def test_a_secret_made_during_the_run_stays(
        self, settings: Any, secrets: dict[str, str], monkeypatch: Any
    ) -> None:
        settings.ENCRYPTION_KEYS = [NEW, OLD]
        exchange = encryption._rotate_one

        def late(model: Any, column: str, key: str, token: str, total: Any) -> None:
            merchant = Merchant.objects.get(pk=key)
            merchant.webhook_secret = "whsec_new"
            merchant.save()
            exchange(model, column, key, token, total)

        monkeypatch.setattr(encryption, "_rotate_one", late)
        assert encryption.rotate().rotated == 0
        assert {merchant.webhook_secret for merchant in Merchant.objects.all()} == {"whsec_new"}

    def test_what_no_key_reads_is_said(self, settings: Any, secrets: dict[str, str]) -> None:
        settings.ENCRYPTION_KEYS = [NEW]
        assert run("rotate_encryption") == {"ok": False, "read": 5, "rotated": 0, "left": 5}


class TestPurge:
    @pytest.fixture
    def paid(self, api: ApiClient) -> Order:
        """Paid a year and a day ago."""
        with time_machine.travel(clock.now() - timedelta(days=366)):
            order = create(api)
            charge = start(order)
            say(charge, "SUCCEEDED", charge.amount)
        order.refresh_from_db()
        assert order.status == Order.Status.COMPLETED
        return order

    def test_no_payer_is_forgotten_by_default(self, paid: Order) -> None:
        assert run("purge") == {"sessions": 0, "payers": 0}
        paid.refresh_from_db()
        assert paid.customer_doc_number == "1.020.304.050"

    def test_the_payer_goes_and_the_payment_stays(
        self, api: ApiClient, paid: Order, settings: Any
    ) -> None:
        settings.DATA_RETENTION_DAYS = 365
        assert run("purge")["payers"] == 1
        assert run("purge")["payers"] == 0

        shown = api.get(f"/collect/{paid.pk}").body["data"]
        assert (shown["status"], shown["amount"], shown["reference"]) == (
            "COMPLETED",
            50025,
            paid.reference,
        )
        with connection.cursor() as cursor:
            rows = ""
            for table in ("collect_order", "collect_charge"):
                cursor.execute(f"SELECT row_to_json(t)::text FROM {table} AS t")
                rows += "".join(row[0] for row in cursor.fetchall())
        for person in ("1.020.304.050", "1020304050", "maria@example.com", "Ñáñez"):
            assert person not in rows
        assert Charge.objects.get(order=paid).provider_id
        assert books_are_clean()

    def test_young_and_open_orders_keep_their_payer(self, api: ApiClient, settings: Any) -> None:
        settings.DATA_RETENTION_DAYS = 365
        with time_machine.travel(clock.now() - timedelta(days=364)):
            young = create(api)
            charge = start(young)
            say(charge, "SUCCEEDED", charge.amount)
        with time_machine.travel(clock.now() - timedelta(days=400)):
            create(api)  # the clock has not looked at it yet: it is not final
        assert run("purge")["payers"] == 0

    def test_purge_deletes_sessions_that_ended(self) -> None:
        for name, days in (("ended", -1), ("open", 1)):
            Session.objects.create(
                session_key=name, session_data="", expire_date=clock.now() + timedelta(days=days)
            )
        assert run("purge")["sessions"] == 1
        assert Session.objects.get().session_key == "open"
