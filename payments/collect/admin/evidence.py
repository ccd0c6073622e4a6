"""The evidence files of a dispute: the table on its page, and the download."""

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Dispute, DisputeFile
from payments.console import tenancy
from payments.console.formatting import table, when


def files_of(dispute: Dispute) -> QuerySet[DisputeFile]:
    """People of a merchant see what their team has added."""
    rows = dispute.files.all()
    return rows.filter(is_of_merchant=True) if tenancy.current_user_is_merchant() else rows


def table_of(dispute: Dispute) -> dict[str, object]:
    rows = [
        [
            _link(file),
            file.get_media_type_display(),
            _size(file),
            file.added_by,
            when(file.added_at),
        ]
        for file in files_of(dispute).defer("content").order_by("added_at", "pk")
    ]
    headers = [_("file"), _("type"), _("size"), _("added by"), _("added at")]
    return table(_("Evidence files"), headers, rows)


def download(file: DisputeFile) -> HttpResponse:
    response = HttpResponse(bytes(file.content), content_type=file.media_type)
    disposition = content_disposition_header(True, file.name)
    response.headers["Content-Disposition"] = disposition or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store, private"
    # Also if a browser shows it all the same, no script runs in it.
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _link(file: DisputeFile) -> SafeString:
    address = reverse("admin:collect_dispute_file", args=[file.dispute_id, file.pk])
    style = "text-primary-600 dark:text-primary-500"
    return format_html('<a class="{}" href="{}" download>{}</a>', style, address, file.name)


def _size(file: DisputeFile) -> str:
    return f"{max(file.size // 1024, 1):,} KB"
