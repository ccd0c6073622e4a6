"""A user requests a list as a file, downloads it, or cancels it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext_noop

from payments.console import masking
from payments.console.exports import builder, permissions
from payments.console.models import Export
from payments.core import audit, jobs
from payments.core.errors import ServiceError

RUN_TASK = "payments.console.tasks.run_exports"


class TooManyExports(ServiceError):
    """409: the user has too many open exports."""

    status = 409
    code = "CONFLICT"
    message = gettext_noop("Three of your exports are being made. Wait for one, or cancel it.")


def ask(*, user: Any, now: datetime, **wanted: Any) -> tuple[Export, bool]:
    """Returns the export, and whether it is new. A second click returns the export of the first.

    `wanted` is model, query, format, language, is_revealed, scope. Raises TooManyExports.
    """
    with transaction.atomic():
        # The lock makes two simultaneous clicks run one after the other.
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        under_way = Export.objects.filter(user=person, status__in=Export.OPEN)
        scope = wanted.pop("scope")
        same = [export for export in under_way.filter(**wanted) if export.scope == scope]
        if same:
            return same[0], False
        if under_way.count() >= settings.EXPORTS_PER_PERSON:
            raise TooManyExports
        export = Export.objects.create(
            user=person, scope=scope, created_at=now, due_at=now, **wanted
        )
        _audit(export, "export.asked")
        jobs.enqueue(RUN_TASK)
    return export, True


def take(export: Export) -> Iterator[bytes]:
    """The file, read in pieces. The audit row of the download is written before the first byte.

    Raises PermissionDenied if the owner's rights have changed since the request.
    """
    page, _request = permissions.enter(export)
    _audit(export, "export.downloaded", rows=export.rows_done)
    return builder.file_of(export, page)


def cancel(export: Export, now: datetime) -> bool:
    """Returns whether the export was still open."""
    return builder.end(export, Export.Status.CANCELLED, now=now)


def kept_until(export: Export) -> datetime | None:
    return export.finished_at + settings.EXPORT_KEPT if export.finished_at else None


def forget_old(now: datetime) -> int:
    """Deletes expired files and their search terms; returns how many."""
    before = now - settings.EXPORT_KEPT
    forgotten = 0
    for export in Export.objects.filter(status=Export.Status.READY, finished_at__lte=before):
        export.parts.all().delete()
        Export.objects.filter(pk=export.pk).update(
            status=Export.Status.FORGOTTEN, query="", stored_bytes=0
        )
        forgotten += 1
    return forgotten


def filters_shown(query: str) -> dict[str, str]:
    """The filters without personal data, because more people read the audit log than the list."""
    found = QueryDict(query)
    shown = {name: ", ".join(found.getlist(name)) for name in found}
    return {**shown, **({"q": masking.search(shown["q"])} if "q" in shown else {})}


def _audit(export: Export, action: str, **details: Any) -> None:
    audit.record(
        actor=export.user.get_username(),
        action=action,
        subject=export,
        list=export.model,
        format=export.format,
        filters=filters_shown(export.query),
        whole_personal_data=export.is_revealed,
        **details,
    )
