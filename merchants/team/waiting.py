"""Requests for access on the first page of those who decide about them."""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext

from merchants.team.models import AccessRequest
from payments.console.formatting import page_url
from payments.console.registry import Task
from payments.console.timeline import who


def requests(rows: QuerySet[AccessRequest]) -> Iterator[Task]:
    for row in rows.select_related("user"):
        of = row.label or (row.user.get_full_name() or row.user.get_username() if row.user else "")
        yield Task(
            what=": ".join(filter(None, (row.get_kind_display(), of))),
            detail=gettext("asked for by %(person)s") % {"person": who(row.requested_by)},
            link=page_url(row),
        )
