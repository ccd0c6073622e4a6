"""Files that wait for colleagues, each on a row of the first page of a merchant's people."""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext, pgettext

from payments.console.formatting import amount, page_url
from payments.console.registry import Task
from payments.console.timeline import who
from payments.payout_batches.models import PayoutBatch


def batches(rows: QuerySet[PayoutBatch]) -> Iterator[Task]:
    for row in rows:
        lines = ngettext("%(count)s payout", "%(count)s payouts", row.line_count)
        asked = pgettext("masculine", "asked for by %(person)s")
        person = asked % {"person": who(row.submitted_by or row.created_by)}
        yield Task(
            what=gettext("File %(name)s") % {"name": row.name or row.pk},
            detail=f"{lines % {'count': row.line_count}} · {person}",
            figure=amount(row.amount, "COP"),
            link=page_url(row),
        )
