"""The evidence files of a dispute: the table on its page."""

import re
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Dispute, DisputeFile
from payments.console import tenancy
from payments.console.formatting import lines, table, when
from payments.console.kept_files import file_link, kilobytes
from payments.console.timeline import who
from payments.core.models import AuditEntry

_NOTE = re.compile(r"(\d{4}-\d\d-\d\dT[\d:.]+Z) ([^:]+): (.*)")


def files_of(dispute: Dispute) -> QuerySet[DisputeFile]:
    """People of a merchant see what their team has added."""
    rows = dispute.files.all()
    return rows.filter(is_of_merchant=True) if tenancy.current_user_is_merchant() else rows


def said_of_files(dispute: Dispute) -> dict[str, str]:
    """{id of the file: what it shows}, as who added it said."""
    rows = AuditEntry.objects.filter(subject_id=dispute.pk, action="dispute.file_added")
    return {entry.details.get("file", ""): entry.reason for entry in rows}


def table_of(dispute: Dispute) -> dict[str, object]:
    said = said_of_files(dispute)
    rows = [
        [
            _link(file),
            said.get(file.pk) or "-",
            file.get_media_type_display(),
            kilobytes(file),
            who(file.added_by),
            when(file.added_at),
        ]
        for file in files_of(dispute).defer("content").order_by("added_at", "pk")
    ]
    headers = [_("file"), _("what it shows"), _("type"), _("size"), _("added by"), _("added at")]
    return table(_("Evidence files"), headers, rows)


def notes_of(dispute: Dispute) -> str | SafeString:
    """`15 nov 2026, 2:52 a. m. · ana: …`: the stored notes begin with the time in UTC."""
    return lines(_note(line) for line in dispute.evidence.splitlines()) or "-"


def _note(line: str) -> str:
    if (match := _NOTE.fullmatch(line)) is None:
        return line
    try:
        at = datetime.fromisoformat(match[1])
    except ValueError:
        return line
    return f"{when(at)} · {who(match[2])}: {match[3]}"


def _link(file: DisputeFile) -> SafeString:
    return file_link(file, reverse("admin:collect_dispute_file", args=[file.dispute_id, file.pk]))
