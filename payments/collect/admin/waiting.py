"""Disputes that wait for evidence, each on a row of the first page of a merchant's people."""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext

from payments.collect.models import Dispute
from payments.console.formatting import amount, page_url, when
from payments.console.registry import Task


def disputes(rows: QuerySet[Dispute]) -> Iterator[Task]:
    for row in rows.select_related("order"):
        details = [row.order.customer_name]
        if row.evidence_due_at is not None:
            due = gettext("evidence until %(moment)s") % {"moment": when(row.evidence_due_at)}
            details.append(due)
        yield Task(
            what=gettext("Dispute of %(reference)s") % {"reference": row.order.reference},
            detail=" · ".join(filter(None, details)),
            figure=amount(row.claimed, row.currency),
            link=page_url(row),
        )
