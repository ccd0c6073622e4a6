"""Batches in the console: what waits, the steps of two persons, and the file."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from payments.console import four_eyes
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.changelist import DaysFilter
from payments.console.detail_page import NextStep
from payments.console.exports import columns
from payments.console.formatting import (
    actor,
    amount,
    badge,
    time_element,
    timestamp_column,
)
from payments.console.model_admins import PossibleActions
from payments.console.timeline import TimelineLine
from payments.core import clock, days
from payments.payment_files.admin import forms
from payments.payment_files.admin.batch_tables import (
    CURRENCY,
    alarm,
    answers_table,
    by,
    debited,
    files_table,
    history,
    lines_table,
    states_table,
    summary,
)
from payments.payment_files.admin.words import BATCH_KINDS
from payments.payment_files.models import (
    BatchFile,
    BatchStatus,
    LineStatus,
    PaymentBatch,
)
from payments.payment_files.services import answers, batches, declarations, files
from payments.payment_files.services.decisions import Person

# Above the page of the batch, one for each line.
ALARMS_SHOWN = 5
NEXT_STEPS: dict[str, tuple[object, tuple[str, ...]]] = {
    BatchStatus.OPEN: (
        _("New payments still enter this batch. To pay them, send it for approval."),
        ("close",),
    ),
    BatchStatus.CLOSED: (_("It waits for approval. Then its file is made."), ("approve",)),
    BatchStatus.APPROVED: (_("The file is ready: download it for the bank."), ("download",)),
    BatchStatus.SENT: (
        _("The bank has it. The statement of the account or the bank's answer decides its lines."),
        ("answer",),
    ),
}


@admin.register(PaymentBatch)
class PaymentBatchAdmin(PossibleActions):
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    created = timestamp_column("created_at", _("created at"))
    done_time = timestamp_column("done_at", _("done at"))
    shown_if_empty = _(
        "Payouts over a bank that takes files are collected here. Close a batch, download its "
        "file, and upload it at the bank."
    )
    list_display = ["label", "status_label", "pay_on", "amount_shown", "line_count", "open_shown"]
    list_display += ["created"]
    tab_field = "status"
    list_filter = ["status", "account", ("created_at", DaysFilter)]
    ordering = ["-id"]
    fields = [
        ("debited_shown", "open_shown"),
        ("pay_on", "age"),
        ("sent_for_approval", "approved"),
        "done_time",
    ]
    readonly_fields = [
        *("debited_shown", "open_shown", "age"),
        *("sent_for_approval", "approved", "done_time"),
    ]
    actions_detail: ClassVar[list[str]] = [
        *("close", "approve", "download", "answer", "agree_all", "renew"),
    ]
    has_close_permission = right_to("close")
    has_approve_permission = right_to("approve")
    has_download_permission = right_to("download")
    has_renew_permission = right_to("renew")
    has_answer_permission = right_to("answer")
    export_columns = [
        *columns.fields(account="account", number="number", status="status", payOn="pay_on"),
        *columns.fields(lines="line_total", amount="amount_total", open="open_total"),
        *columns.fields(createdAt="created_at", closedAt="closed_at", closedBy="closed_by"),
        *columns.fields(approvedAt="approved_at", approvedBy="approved_by", doneAt="done_at"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PaymentBatch]:
        rows: QuerySet[PaymentBatch] = super().get_queryset(request)
        waits = Q(lines__status=LineStatus.PENDING)
        return rows.annotate(
            line_total=Count("lines"),
            amount_total=Sum("lines__amount", default=0),
            open_total=Count("lines", filter=waits),
        )

    def possible(self, row: PaymentBatch) -> set[str]:
        names = {
            BatchStatus.OPEN: {"close"},
            BatchStatus.CLOSED: {"approve", "close"},
            BatchStatus.APPROVED: {"download", "renew"},
            BatchStatus.SENT: {"answer", "renew"},
            BatchStatus.DONE: {"answer"},
        }[BatchStatus(row.status)]
        if row.status == BatchStatus.CLOSED and row.lines.filter(handed_over_at__isnull=False):
            names = {*names, "answer"}
        has_declared = row.lines.exclude(declared_status="").exists()
        return {*names, "agree_all"} if has_declared else set(names)

    def hidden(self, request: HttpRequest, row: PaymentBatch) -> set[str]:
        """The person who took the first step is not offered the second one."""
        name = actor(request)
        is_declarer = row.lines.exclude(declared_status="").filter(declared_by=name).exists()
        is_sender = row.status == BatchStatus.CLOSED and row.closed_by == name
        return {*(["agree_all"] if is_declarer else []), *(["approve"] if is_sender else [])}

    def next_step(self, row: PaymentBatch) -> NextStep:
        """With what costs money first: lines with which the bank disagrees."""
        step = self._usual_step(row)
        disagreed = row.lines.filter(needs_operator=True).count()
        if not disagreed:
            return step
        why = ngettext(
            "The bank disagrees with %d line. Look into it before anything else.",
            "The bank disagrees with %d lines. Look into them before anything else.",
            disagreed,
        )
        page = (gettext("See the lines"), _lines_page(row, "exceptions=operator&"))
        return NextStep(why=why % disagreed, link=page, further=(step,))

    def _usual_step(self, row: PaymentBatch) -> NextStep:
        declared = row.lines.exclude(declared_status="").count()
        if declared:
            why = ngettext(
                "%d line was declared not paid or returned. Another person has to agree.",
                "%d lines were declared not paid or returned. Another person has to agree.",
                declared,
            )
            page = (gettext("See the declared lines"), _lines_page(row, "exceptions=declared&"))
            return NextStep(why=why % declared, actions=("agree_all",), link=page)
        if row.status == BatchStatus.DONE:
            return NextStep(why=gettext("Each line is decided."))
        what, actions = NEXT_STEPS[row.status]
        return NextStep(why=what, actions=actions)

    def alarms(self, row: PaymentBatch) -> list[object]:
        """The lines with which the bank disagrees, each with its link."""
        waiting = row.lines.filter(needs_operator=True).order_by("id")
        found = waiting[: ALARMS_SHOWN + 1].prefetch_related("findings")
        alarms: list[object] = [alarm(line) for line in found[:ALARMS_SHOWN]]
        if len(found) > ALARMS_SHOWN:
            url = _lines_page(row, "exceptions=operator&")
            text = gettext("The bank disagrees with more lines. See all of them")
            alarms.append(format_html('<a href="{}">{}</a>', url, text))
        return alarms

    def warnings(self, row: PaymentBatch) -> list[object]:
        return four_eyes.warnings(
            subject_id=row.pk, approval="payment_batch.approved", asked_by=row.closed_by
        )

    def head(self, row: PaymentBatch) -> dict[str, Any] | None:
        facts = [
            (gettext("batch"), str(row)),
            (gettext("lines"), self.line_count(row)),
            (gettext("created at"), time_element(row.created_at)),
        ]
        return {
            "amount": self.amount_shown(row),
            "state": self.status_label(row),
            "facts": facts,
        }

    def related_tables(self, row: PaymentBatch) -> list[dict[str, Any]]:
        """Totals only if the head of the page has not told them."""
        totals = states_table(row)
        found = [totals] if len(totals["table"]["rows"]) > 1 else []
        found += [one for one in (files_table(row), answers_table(row)) if one["table"]["rows"]]
        return [*found, lines_table(row)]

    def timeline_lines(self, row: PaymentBatch) -> list[TimelineLine]:
        return history(row)

    @display(description=_("batch"), ordering="-id")
    def label(self, row: PaymentBatch) -> str:
        return str(row)

    @display(description=_("status"), ordering="status")
    def status_label(self, row: PaymentBatch) -> SafeString:
        return badge(row.get_status_display(), BATCH_KINDS[BatchStatus(row.status)])

    @display(description=_("sent for approval at"))
    def sent_for_approval(self, row: PaymentBatch) -> str:
        return by(row.closed_at, row.closed_by) or "-"

    @display(description=pgettext_lazy("batch", "approved at"))
    def approved(self, row: PaymentBatch) -> str:
        return by(row.approved_at, row.approved_by) or "-"

    @display(description=_("lines"))
    def line_count(self, row: Any) -> int:
        return int(row.line_total)

    @display(description=_("total"))
    def amount_shown(self, row: Any) -> str:
        return amount(row.amount_total, CURRENCY)

    @display(description=_("without an answer"))
    def open_shown(self, row: Any) -> str:
        """Before the bank has the file, no line can have an answer."""
        is_with_bank = row.status in (BatchStatus.SENT, BatchStatus.DONE)
        return str(row.open_total) if is_with_bank else "-"

    @display(description=_("account debited"))
    def debited_shown(self, row: PaymentBatch) -> str:
        return debited(row)

    @display(description=_("age"), ordering="created_at")
    def age(self, row: PaymentBatch) -> str:
        return timesince(row.created_at, row.done_at or clock.now())

    @action(description=forms.CLOSE.title, icon="lock", permissions=["close"])
    def close(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.CLOSE, batches.close)

    @action(description=forms.APPROVE.title, icon="check_circle", permissions=["approve"])
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.APPROVE, batches.approve)

    @action(
        description=forms.VERSION.title,
        icon="restart_alt",
        variant=ActionVariant.DANGER,
        permissions=["renew"],
    )
    def renew(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.VERSION, batches.request_version)

    @action(description=forms.AGREE_ALL.title, icon="done_all", permissions=["approve"])
    def agree_all(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.AGREE_ALL, declarations.approve_all)

    @action(description=forms.DOWNLOAD.title, icon="download", permissions=["download"])
    def download(self, request: HttpRequest, object_id: str) -> HttpResponse:
        batch: PaymentBatch = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            file = files.download(batch_id=batch.pk, actor=actor(request), now=clock.now(), **form)
            return _attachment(file)

        return self.confirm_first(request, batch, forms.DOWNLOAD, perform, facts=summary(batch))

    @action(description=forms.ANSWER.title, icon="upload_file", permissions=["answer"])
    def answer(self, request: HttpRequest, object_id: str) -> HttpResponse:
        batch: PaymentBatch = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            upload = answers.Upload(name=form["file"].name, data=form["file"].read())
            answers.take_answer(
                batch_id=batch.pk, upload=upload, actor=actor(request), now=clock.now()
            )
            return self.done(request, batch, forms.ANSWER)

        return self.confirm_first(request, batch, forms.ANSWER, perform, facts=summary(batch))

    def _ask(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        step: Callable[..., object],
    ) -> HttpResponse:
        batch: PaymentBatch = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            person = Person(actor=actor(request), reason=form.pop("reason"))
            step(batch_id=batch.pk, person=person, now=clock.now(), **form)
            return self.done(request, batch, confirmed)

        return self.confirm_first(request, batch, confirmed, perform, facts=summary(batch))

    def confirm_first(
        self,
        request: HttpRequest,
        subject: Any,
        confirmed: ConfirmedAction,
        perform: Callable[[Cleaned], HttpResponse],
        **context: object,
    ) -> HttpResponse:
        return super().confirm_first(request, subject, _today(confirmed), perform, **context)


def _lines_page(row: PaymentBatch, query: str = "") -> str:
    address = reverse("admin:payment_files_batchline_changelist")
    return f"{address}?{query}batch__id__exact={row.pk}"


def _today(confirmed: ConfirmedAction) -> ConfirmedAction:
    """The form of a day begins with today."""
    if confirmed.form_class is not forms.DayForm:
        return confirmed
    return replace(confirmed, initial={"pay_on": days.day_of(clock.now())})


def _attachment(file: BatchFile) -> HttpResponse:
    response = HttpResponse(bytes(file.content), content_type="application/octet-stream")
    response.headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    response.headers["Cache-Control"] = "no-store, private"
    response.headers["Pragma"] = "no-cache"
    return response
