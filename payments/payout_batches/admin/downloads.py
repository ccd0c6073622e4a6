"""The files that people download from the pages."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from payments.console.exports.files import Csv, Xlsx
from payments.console.formatting import actor
from payments.core import audit
from payments.payout_batches.admin.steps_pages import BatchSteps
from payments.payout_batches.models import PayoutBatch
from payments.payout_batches.services import results, templates


class BatchDownloads(BatchSteps):
    def has_download_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Results: those who work with the file, and operators who may export lists."""
        return self.has_right(request, "stop") or request.user.has_perm("core.export_rows")

    @action(description=_("Template (XLSX)"), icon="download", permissions=["prepare"])
    def template_xlsx(self, request: HttpRequest) -> HttpResponse:
        content = templates.xlsx_template()
        return _attachment([content], Xlsx.content_type, f"{gettext('payouts')}.xlsx")

    @action(description=_("Template (CSV)"), icon="download", permissions=["prepare"])
    def template_csv(self, request: HttpRequest) -> HttpResponse:
        content = templates.csv_template()
        return _attachment([content], Csv.content_type, f"{gettext('payouts')}.csv")

    @action(description=_("Wrong lines (XLSX)"), icon="download", permissions=["prepare"])
    def errors_xlsx(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._errors(request, object_id, "xlsx")

    @action(description=_("Wrong lines (CSV)"), icon="download", permissions=["prepare"])
    def errors_csv(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._errors(request, object_id, "csv")

    @action(
        description=_("Lines with their state (XLSX)"), icon="download", permissions=["download"]
    )
    def result_xlsx(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._result(request, object_id, "xlsx")

    @action(
        description=_("Lines with their state (CSV)"), icon="download", permissions=["download"]
    )
    def result_csv(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._result(request, object_id, "csv")

    def _errors(self, request: HttpRequest, object_id: str, kind: str) -> HttpResponse:
        batch = self._downloaded(request, object_id, gettext("errors"))
        pieces = results.errors_file(batch=batch, kind=kind)
        return self._file(batch, pieces, kind, gettext("errors"))

    def _result(self, request: HttpRequest, object_id: str, kind: str) -> HttpResponse:
        batch = self._downloaded(request, object_id, gettext("result"))
        pieces = results.result_file(batch=batch, kind=kind)
        return self._file(batch, pieces, kind, gettext("result"))

    def _downloaded(self, request: HttpRequest, object_id: str, what: str) -> PayoutBatch:
        """The audit log keeps who has personal data of beneficiaries."""
        batch: PayoutBatch = self.get_record(request, object_id)
        audit.record(
            actor=actor(request), action="payout_batch.downloaded", subject=batch, file=what
        )
        return batch

    def _file(
        self, batch: PayoutBatch, pieces: Iterable[bytes], kind: str, what: str
    ) -> HttpResponse:
        stem = slugify(batch.name.rpartition(".")[0])[:60] or batch.pk
        return _attachment(pieces, results.KINDS[kind].content_type, f"{stem}-{what}.{kind}")


def _attachment(pieces: Iterable[bytes], content_type: str, name: str) -> HttpResponse:
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store, private"
    return response  # type: ignore[return-value]
