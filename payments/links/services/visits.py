"""Counts the visitors of a link's page: one upsert, which waits for no disk."""

from datetime import datetime

from django.db import connection, transaction
from django.utils.timezone import localtime

from payments.links.models import PaymentLink

_COUNT = """
    INSERT INTO links_linkvisits AS counted (link_id, day, visits) VALUES (%s, %s, 1)
    ON CONFLICT (link_id, day) DO UPDATE SET visits = counted.visits + 1
"""


@transaction.atomic
def count_visit(*, link: PaymentLink, now: datetime) -> None:
    """A crash of the database may lose the last visits. They are statistics, and no money."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
        cursor.execute(_COUNT, [link.pk, localtime(now).date()])
