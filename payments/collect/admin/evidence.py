"""The evidence files of a dispute: the table on its page."""

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Dispute, DisputeFile
from payments.console import tenancy
from payments.console.formatting import table, when
from payments.console.kept_files import file_link, kilobytes


def files_of(dispute: Dispute) -> QuerySet[DisputeFile]:
    """People of a merchant see what their team has added."""
    rows = dispute.files.all()
    return rows.filter(is_of_merchant=True) if tenancy.current_user_is_merchant() else rows


def table_of(dispute: Dispute) -> dict[str, object]:
    rows = [
        [
            _link(file),
            file.get_media_type_display(),
            kilobytes(file),
            file.added_by,
            when(file.added_at),
        ]
        for file in files_of(dispute).defer("content").order_by("added_at", "pk")
    ]
    headers = [_("file"), _("type"), _("size"), _("added by"), _("added at")]
    return table(_("Evidence files"), headers, rows)


def _link(file: DisputeFile) -> SafeString:
    return file_link(file, reverse("admin:collect_dispute_file", args=[file.dispute_id, file.pk]))
