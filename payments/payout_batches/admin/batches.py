"""The page of a file of payouts: what was found, the steps of two persons, and the progress."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import tenancy
from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.detail_page import NextStep
from payments.console.fieldsets import without
from payments.console.formatting import amount, link_column, timestamp_column
from payments.console.timeline import TimelineLine, know_keys, timeline, who
from payments.core import money
from payments.payout.models import Payout
from payments.payout_batches.admin import decision_facts, next_steps, tables
from payments.payout_batches.admin.downloads import BatchDownloads
from payments.payout_batches.admin.words import OPEN, batch_state
from payments.payout_batches.models import BatchStatus, PayoutBatch
from payments.payout_batches.services import steps, totals

REFRESH_SECONDS = 3
ENDED = (BatchStatus.DONE, BatchStatus.CANCELLED)
MOVING = (BatchStatus.CHECKING, BatchStatus.RUNNING)
# The steps of each state, beside the downloads.
POSSIBLE: dict[str, set[str]] = {
    BatchStatus.CHECKING: {"discard"},
    BatchStatus.REFUSED: {"mend", "discard"},
    BatchStatus.CHECKED: {"send", "discard"},
    BatchStatus.WAITING: {"approve", "reject", "discard"},
    BatchStatus.RUNNING: {"pause", "cancel"},
    BatchStatus.PAUSED: {"resume", "cancel"},
}
# Facts that a file may not have yet: field of the page -> column.
_LATER = {
    "warning_count": "warning_count",
    "keys": "keys_count",
    "replaced": "replaces_id",
    "sent": "submitted_at",
    "sent_by": "submitted_at",
    "approved": "approved_at",
    "let_go_by": "approved_by",
    "finished": "finished_at",
    "idempotency_key": "has_own_key",
}


class StateFilter(admin.SimpleListFilter):
    """With the words of the list: a file is on its way until its last payout has ended."""

    title = _("status")
    parameter_name = "status__exact"
    SENT = (BatchStatus.RUNNING, BatchStatus.DONE)

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for status in BatchStatus:
            if status == BatchStatus.RUNNING:
                found.append((status.value, _("On the way or completed")))
            elif status != BatchStatus.DONE:
                found.append((status.value, status.label))
        return found

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[PayoutBatch]
    ) -> QuerySet[PayoutBatch]:
        if not (value := self.value()):
            return queryset
        return queryset.filter(status__in=self.SENT if value in self.SENT else (value,))


@admin.register(PayoutBatch)
class PayoutBatchAdmin(BatchDownloads):
    empty_text = _(
        "Pay many people at once: download the template, fill in a line for each, and "
        "upload it. Nothing is paid before you have seen the totals and a colleague has "
        "approved them."
    )
    shown_if_empty = _(
        "Files with many payouts, which people of merchants upload or send over the API."
    )
    merchant_path = "merchant"
    merchant_pages = frozenset({"changelist_view", "change_view"})
    merchant_actions = frozenset(
        {
            *("upload", "template_csv", "template_xlsx"),
            *("send", "approve", "reject", "discard", "pause", "resume", "cancel", "mend"),
            *("errors_csv", "errors_xlsx", "result_csv", "result_xlsx"),
        }
    )
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    created = timestamp_column("created_at", _("created at"))
    sent = timestamp_column("submitted_at", _("sent at"))
    approved = timestamp_column("approved_at", _("approved at"))
    finished = timestamp_column("finished_at", _("all created at"))
    merchant_link = link_column("merchant", _("merchant"))
    replaced = link_column("replaces", _("replaces"))
    list_display = [
        *("label", "total_shown", "state", "line_count", "wrong_count", "merchant_link"),
        *("made_by", "created"),
    ]
    list_filter = [StateFilter, ("merchant", RecordFilter), ("created_at", DaysFilter)]
    search_fields = ["=id", "name__icontains"]
    search_help_text = _("Name of the file")
    ordering = ["-id"]
    fieldsets = [
        (
            _("Details"),
            {
                "classes": ["collapse"],
                "fields": [
                    ("merchant_link", "currency"),
                    ("warning_count", "keys"),
                    ("created", "made_by"),
                    ("sent", "sent_by"),
                    ("approved", "let_go_by"),
                    ("finished", "replaced"),
                    "idempotency_key",
                ],
            },
        ),
    ]
    readonly_fields = [
        *("merchant_link", "currency", "warning_count", "keys", "created", "made_by", "sent"),
        *("sent_by", "approved", "let_go_by", "finished", "replaced", "idempotency_key"),
    ]
    actions_list: ClassVar[list[str]] = ["upload", "template_xlsx", "template_csv"]
    actions_detail: ClassVar[list[Any]] = [
        *("send", "approve", "resume", "restart", "pause", "mend"),
        {
            "title": _("Downloads"),
            "icon": "download",
            "items": ["result_xlsx", "result_csv", "errors_xlsx", "errors_csv"],
        },
        *("reject", "discard", "cancel"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PayoutBatch]:
        rows: QuerySet[PayoutBatch] = super().get_queryset(request)
        return rows.select_related("merchant", "replaces").defer("merchant__webhook_secret")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """One query tells which files have payouts that have not ended, one the names of keys."""
        response: HttpResponse = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None) or {}
        if (changes := context.get("cl")) is not None:
            done = [row for row in changes.result_list if row.status == BatchStatus.DONE]
            know_keys([row.created_by for row in changes.result_list])
            moving = _under_way(done) if done else set()
            for row in done:
                row.is_under_way = row.pk in moving
        return response

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Loads itself again while a worker works on it, also without JavaScript."""
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None) or {}
        batch = context.get("original")
        if (step := context.get("record_step")) and step["is_needed"]:
            context["actions_detail"] = _without_the_steps(context["actions_detail"], step)
        if batch is not None and batch.status in MOVING:
            response.headers["Refresh"] = str(REFRESH_SECONDS)
        return response

    def get_fieldsets(self, request: HttpRequest, obj: PayoutBatch | None = None) -> list[Any]:
        """Without what has not happened yet, and without the balance if it is in pesos."""
        fieldsets: list[Any] = super().get_fieldsets(request, obj)
        absent = {name for name, path in _LATER.items() if obj and not getattr(obj, path)}
        if obj is not None and obj.currency == money.BALANCE_OF_FIAT:
            absent.add("currency")
        return without(fieldsets, frozenset(absent))

    def possible(self, row: PayoutBatch) -> set[str]:
        names = set(POSSIBLE.get(row.status, ()))
        if row.status == BatchStatus.CHECKED and not row.line_count:
            names.discard("send")
        if row.status == BatchStatus.WAITING and not self._decides(row):
            names.discard("approve")
        if next_steps.is_stopped(row) and not tenancy.current_user_is_merchant():
            names = names - {"resume"} | {"restart"}
        if row.status == BatchStatus.CHECKED and row.wrong_count:
            names.add("mend")
        if row.wrong_count and row.lines.filter(cells__isnull=False).exists():
            names |= {"errors_xlsx", "errors_csv"}
        if row.status in (BatchStatus.WAITING, BatchStatus.RUNNING, BatchStatus.PAUSED, *ENDED):
            names |= {"result_xlsx", "result_csv"}
        return names

    def _decides(self, row: PayoutBatch) -> bool:
        if tenancy.current_user_is_merchant():
            return steps.waits_for_team(row)
        return steps.waits_for_operator(row)

    def head(self, row: PayoutBatch) -> dict[str, Any]:
        """What people get, as in the list, and how much has arrived. Who did what is below."""
        facts: list[tuple[object, object]] = []
        if row.approved_at is not None:
            facts.append((_("arrived"), self.progress(row)))
        if row.line_count:
            facts.append((_("valid lines"), money.grouped(str(row.line_count))))
        if row.wrong_count:
            facts.append((_("wrong lines"), money.grouped(str(row.wrong_count))))
        if row.line_count:
            facts.append((_("fees"), self.fee_shown(row)))
            facts.append((_("with fees"), amount(row.amount + row.fee_amount, money.FIAT)))
            facts += decision_facts.balances(row)
        return {
            "amount": self.total_shown(row) if row.line_count else "",
            "state": self.state_now(row),
            "facts": facts,
        }

    def next_step(self, row: PayoutBatch) -> NextStep:
        return next_steps.next_step(row)

    def warnings(self, row: PayoutBatch) -> list[object]:
        return next_steps.warnings(row)

    def related_tables(self, row: PayoutBatch) -> list[dict[str, Any]]:
        return tables.tables(row)

    def timeline_lines(self, row: PayoutBatch) -> list[TimelineLine]:
        return timeline([row.pk])

    @display(description=_("file"), ordering="-id")
    def label(self, row: PayoutBatch) -> str:
        return str(row)

    @display(description=_("status"), ordering="status")
    def state(self, row: PayoutBatch) -> SafeString:
        return batch_state(row, is_under_way=getattr(row, "is_under_way", False))

    @display(description=_("status"))
    def state_now(self, row: PayoutBatch) -> SafeString:
        """Of the page: it asks the payouts, which go on after the batch is done."""
        is_done = row.status == BatchStatus.DONE
        return batch_state(row, is_under_way=is_done and next_steps.is_under_way(row))

    @display(description=_("amount"), ordering="amount")
    def total_shown(self, row: PayoutBatch) -> str:
        return amount(row.amount, money.FIAT)

    @display(description=_("fee"))
    def fee_shown(self, row: PayoutBatch) -> str:
        return amount(row.fee_amount, money.FIAT)

    @display(description=_("made by"))
    def made_by(self, row: PayoutBatch) -> object:
        return who(row.created_by)

    @display(description=_("sent by"))
    def sent_by(self, row: PayoutBatch) -> object:
        return who(row.submitted_by)

    @display(description=_("approved by"))
    def let_go_by(self, row: PayoutBatch) -> object:
        return who(row.approved_by)

    def progress(self, row: PayoutBatch) -> SafeString:
        done = totals.count_by_payout_status(row).get(Payout.Status.COMPLETED, 0)
        text = gettext("%(done)s of %(total)s")
        shown = text % {
            "done": money.grouped(str(done)),
            "total": money.grouped(str(row.line_count)),
        }
        return format_html(
            '<span class="desk-progress whitespace-nowrap">'
            '<progress value="{}" max="{}" aria-label="{}">'
            "</progress> {}</span>",
            *(done, max(row.line_count, 1), gettext("arrived"), shown),
        )

    @display(description=_("holders of Bre-B keys"))
    def keys(self, row: PayoutBatch) -> str:
        if not row.keys_asked and not row.keys_left:
            return "-"
        text = gettext("%(asked)s resolved, %(left)s not: they are asked for before each payout.")
        return text % {"asked": row.keys_asked, "left": row.keys_left}


def _under_way(batches: list[PayoutBatch]) -> set[str]:
    """The ids of those of which a payout has not ended. By the index of a merchant's states."""
    rows = Payout.objects.filter(
        merchant__in={batch.merchant_id for batch in batches},
        status__in=OPEN,
        batch_line__batch__in=[batch.pk for batch in batches],
    )
    return set(rows.order_by().values_list("batch_line__batch", flat=True).distinct())


def _without_the_steps(buttons: list[dict[str, Any]], step: dict[str, Any]) -> list[dict[str, Any]]:
    """The buttons of the page's head that the next step does not have: one main button a page."""
    taken = {path for line in step["lines"] for _title, path in line["buttons"]}
    left = []
    for button in buttons:
        if items := button.get("items"):
            if rest := [one for one in items if one["path"] not in taken]:
                left.append({**button, "items": rest})
        elif button["path"] not in taken:
            left.append(button)
    return left
