"""What waits for colleagues, each on a row of the first page of a merchant's people."""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext, pgettext

from payments.console.formatting import amount, page_url
from payments.console.registry import Task
from payments.console.timeline import who
from payments.payout import hooks
from payments.payout.models import ApprovalPolicy, Payout, TeamApproval


def requested_by(subject_ids: list[str]) -> dict[str, str]:
    """{id of a payout or of a batch: who asked for it}"""
    rows = TeamApproval.objects.filter(subject_id__in=subject_ids)
    return dict(rows.values_list("subject_id", "requested_by"))


def payouts(rows: QuerySet[Payout]) -> Iterator[Task]:
    found = list(rows)
    ids = [row.pk for row in found]
    people = requested_by(ids)
    own = {pk: title for find in hooks.withdrawals for pk, title in find(ids).items()}
    for row in found:
        person, title = people.get(row.pk), own.get(row.pk)
        asked = gettext("asked for by %(person)s")
        if title:
            asked = pgettext("masculine", "asked for by %(person)s")
        yield Task(
            what=title or gettext("Payout to %(name)s") % {"name": row.recipient_name},
            detail=asked % {"person": who(person)} if person else "",
            figure=amount(row.amount, "COP"),
            link=page_url(row),
        )


def policies(rows: QuerySet[ApprovalPolicy]) -> Iterator[Task]:
    for row in rows:
        yield Task(
            what=gettext("New approval rules"),
            detail=gettext("proposed by %(person)s") % {"person": who(row.proposed_by)},
            link=page_url(row),
        )
