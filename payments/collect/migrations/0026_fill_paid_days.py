"""Counts the orders that were paid before the trigger `tally_paid` existed, while payments go on."""

from datetime import date
from typing import Any

from django.db import migrations, transaction

from payments.core import days

# Payments wait for the lock only as long as one day takes: about 0.1 s for 100,000 orders.
# It waits for open payments first, and gives up so that new ones do not wait behind it for long.
LOCK_TIMEOUT = "5s"
DAYS = """
SELECT (min(paid_at) AT TIME ZONE 'America/Bogota')::date,
    (max(paid_at) AT TIME ZONE 'America/Bogota')::date
FROM collect_order WHERE paid_at IS NOT NULL
"""
CLEAR = "DELETE FROM collect_paidtally WHERE day = %(day)s"
COUNT = """
INSERT INTO collect_paidtally (merchant_id, day, currency, orders, amount)
SELECT merchant_id, %(day)s, currency, count(*), sum(amount) FROM collect_order
WHERE paid_at >= %(start)s AND paid_at < %(end)s GROUP BY merchant_id, currency
"""


def fill(_apps: Any, editor: Any) -> None:
    """May be repeated, and stopped at any time."""
    connection = editor.connection
    with connection.cursor() as cursor:
        cursor.execute(DAYS)
        day, last = cursor.fetchone()
    while day is not None and day <= last:
        count_day(connection, day)
        day += days.ONE_DAY


def count_day(connection: Any, day: date) -> None:
    values = {"day": day, "start": days.start_of(day), "end": days.start_of(day + days.ONE_DAY)}
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute("SET LOCAL statement_timeout = 0")
        # No payment is between its row and its count now. The statements after the lock see all
        # that were counted, and those that come later add to what is written here.
        cursor.execute("LOCK TABLE collect_paidtally IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute(CLEAR, values)
        cursor.execute(COUNT, values)


class Migration(migrations.Migration):
    # Each day is a transaction of its own.
    atomic = False

    dependencies = [
        ('collect', '0025_paid_days'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
