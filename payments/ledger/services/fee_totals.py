"""The fees of one merchant up to this moment: the totals of days, and what they lack yet."""

from datetime import date
from decimal import Decimal

from django.db import connection

# One statement, so that no posting is counted twice or left out while the totals are kept. Only
# entries with a posting of the merchant: taxes, which have none, come with the totals.
_SQL = """
WITH added AS (SELECT COALESCE(max(posting_id), 0) AS upto FROM ledger_totalscursor)
SELECT currency, sum(amount) FROM (
    SELECT currency, amount FROM ledger_feeday
    WHERE merchant_id = %(merchant)s AND day >= %(first)s
    UNION ALL
    SELECT fee.currency, fee.amount
    FROM (
        SELECT DISTINCT own.entry_id
        FROM ledger_account AS owner JOIN ledger_posting AS own ON own.account_id = owner.id
        WHERE owner.merchant_id = %(merchant)s AND own.id > (SELECT upto FROM added)
    ) AS newest
        JOIN ledger_posting AS fee ON fee.entry_id = newest.entry_id
        JOIN ledger_account AS earned ON earned.id = fee.account_id AND earned.kind = 'fees'
    WHERE fee.id > (SELECT upto FROM added)
) AS fees
GROUP BY currency
HAVING sum(amount) <> 0
ORDER BY currency
"""


def fees_since(first: date, *, merchant_id: str) -> dict[str, Decimal]:
    """{currency: fees from that day in Bogotá on}, with those of a second ago."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL, {"merchant": merchant_id, "first": first})
        return dict(cursor.fetchall())
