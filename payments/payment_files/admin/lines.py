"""Lines of payment files in the console: what became of each, and what a person has to decide."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from payments.console import four_eyes
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.cells import copyable
from payments.console.detail_page import NextStep
from payments.console.exports import columns
from payments.console.formatting import (
    actor,
    amount,
    badge,
    link,
    time_element,
    timestamp_column,
)
from payments.console.model_admins import PossibleActions
from payments.console.timeline import TimelineLine
from payments.core import clock, masking
from payments.core.models import AuditEntry
from payments.payment_files import banks
from payments.payment_files.admin import forms
from payments.payment_files.admin.line_tables import (
    DECLARED_WORDS,
    SHORT_FINDINGS,
    history,
    movement,
    movement_page,
    movements_table,
    sources,
)
from payments.payment_files.admin.words import LINE_KINDS
from payments.payment_files.models import BatchLine, BatchStatus, FindingKind, LineStatus
from payments.payment_files.services import batches, declarations, findings
from payments.payment_files.services.decisions import Person
from payments.payment_files.services.payments import payment_of

OPERATOR = Q(needs_operator=True)
DECLARED = ~Q(declared_status="")
BEFORE_THE_FILE = (BatchStatus.OPEN, BatchStatus.CLOSED)


class ExceptionsFilter(admin.SimpleListFilter):
    title = _("exceptions")
    parameter_name = "exceptions"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [
            ("operator", _("The bank disagrees")),
            ("declared", _("Waiting for a second person")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[BatchLine]) -> QuerySet[BatchLine]:
        found = {"operator": OPERATOR, "declared": DECLARED}.get(self.value() or "")
        return queryset if found is None else queryset.filter(found)


def destination(line: BatchLine) -> str:
    """Masked."""
    return f"{masking.tail(line.account_number)} · {banks.NAMES.get(line.bank, line.bank)}"


def whole(text: object) -> SafeString:
    """A cell of the list that is neither cut nor broken where the page is wide."""
    return format_html('<span class="desk-whitespace-nowrap">{}</span>', text)


@admin.register(BatchLine)
class BatchLineAdmin(PossibleActions):
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    created = timestamp_column("created_at", _("created at"))
    decided = timestamp_column("decided_at", _("decided at"))
    handed_over = timestamp_column("handed_over_at", _("handed over at"))
    declared = timestamp_column("declared_at", _("declared at"))
    shown_if_empty = _(
        "Each payout that went into a file for the bank, with what the bank reported of it."
    )
    list_display = ["amount_shown", "code", "recipient_name", "destination_masked", "of_batch"]
    list_display += ["status_label", "exception"]
    list_display_links = ["amount_shown", "code"]
    list_select_related = ["batch"]
    list_filter = [ExceptionsFilter, "status", "account"]
    search_fields = ["=code", "=payment_id"]
    search_help_text = _("Code, or id of the payment")
    ordering = ["-id"]
    fields = [
        ("declared_shown", "declared_by"),
        ("declared", "declared_note"),
        ("payment", "document_masked"),
        ("handed_over", "waits"),
        ("decided", "decided_by"),
        ("debited_on", "debit_shown"),
        ("returned_on", "return_shown"),
        ("reason", "note_shown"),
    ]
    readonly_fields = [
        *("payment", "waits", "document_masked"),
        *("handed_over", "decided", "declared_shown", "declared"),
        *("debit_shown", "return_shown", "note_shown"),
    ]
    private = (
        (_("document"), lambda row: f"{row.document_type} {row.document}"),
        (_("account"), lambda row: row.account_number),
    )
    private_fields = frozenset({"document", "account_number"})
    actions_detail: ClassVar[list[str]] = [
        *("take_out", "declare", "agree", "reject", "close_findings"),
    ]
    has_remove_permission = right_to("remove")
    has_declare_permission = right_to("declare")
    has_approve_permission = right_to("approve")
    has_acknowledge_permission = right_to("acknowledge")
    export_columns = [
        *columns.fields(code="code", account="account", batch="batch__number"),
        *columns.fields(payment="payment_id", reference="reference"),
        *columns.fields(recipientName="recipient_name", documentType="document_type"),
        *columns.personal(masking.tail, document="document"),
        *columns.fields(bank="bank", accountType="account_type"),
        *columns.personal(masking.tail, accountNumber="account_number"),
        *columns.fields(amount="amount", status="status", reason="reason", note="note"),
        *columns.fields(debitedOn="debited_on", returnedOn="returned_on"),
        *columns.fields(createdAt="created_at", decidedAt="decided_at", decidedBy="decided_by"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[BatchLine]:
        rows: QuerySet[BatchLine] = super().get_queryset(request)
        return rows.prefetch_related("findings")

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        return lookup == "batch__id__exact" or super().lookup_allowed(lookup, value, request)

    def possible(self, row: BatchLine) -> set[str]:
        is_before = row.handed_over_at is None and row.batch.status in BEFORE_THE_FILE
        has_effect = {
            "take_out": row.status == LineStatus.PENDING and is_before,
            "declare": bool(declarations.outcomes(row)) and not row.declared_status,
            "agree": bool(row.declared_status),
            "reject": bool(row.declared_status),
            "close_findings": row.needs_operator,
        }
        return {name for name, possible in has_effect.items() if possible}

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[UnfoldAction]:
        """The person who declared is not offered to agree, and withdraws where others reject."""
        items = super().get_actions_detail(request, object_id)
        own = BatchLine.objects.filter(pk=unquote(object_id), declared_by=actor(request))
        is_own = own.exclude(declared_status="").exists()
        if not is_own:
            return items
        for one in items:
            if one.action_name.endswith("_reject"):
                one.description = gettext("Withdraw the declaration")
        return [one for one in items if not one.action_name.endswith("_agree")]

    def next_step(self, row: BatchLine) -> NextStep:
        if row.needs_operator:
            why = gettext(
                "Compare the movements below with the bank's portal. Ask the bank for what it paid "
                "too much, correct the books, and then close the finding."
            )
            newest = row.findings.filter(closed_at=None).order_by("-id").first()
            address = movement_page(newest.source) if newest else ""
            page = (gettext("Open the bank movement"), address) if address else None
            return NextStep(why=why, actions=("close_findings",), link=page, is_quiet=True)
        if row.declared_status:
            why = gettext(
                "%(who)s declared this payment “%(what)s”. The declaration waits for agreement."
            )
            given = {"who": row.declared_by, "what": row.get_declared_status_display()}
            return NextStep(why=why % given, actions=("agree",))
        if row.status != LineStatus.PENDING:
            return NextStep(why=gettext("The line is decided."))
        if row.handed_over_at is None:
            return NextStep(why=gettext("It waits for the file of its batch."))
        why = gettext("The statement of the account or the bank's answer decides it.")
        return NextStep(why=why)

    def alarms(self, row: BatchLine) -> list[object]:
        return [
            format_html(
                "{}: {}",
                one.get_kind_display(),
                movement(one.source, one.amount, one.booked_on),
            )
            for one in row.findings.filter(closed_at=None).order_by("id")
        ]

    def head(self, row: BatchLine) -> dict[str, Any] | None:
        facts = [
            (gettext("beneficiary"), row.recipient_name),
            (gettext("destination"), destination(row)),
            (gettext("code"), copyable(row.code)),
            (gettext("batch"), link(row.batch)),
            (gettext("created at"), time_element(row.created_at)),
        ]
        state = self.status_label(row)
        if row.declared_status:
            declared = DECLARED_WORDS[LineStatus(row.declared_status)]
            state = format_html("{} {}", state, badge(declared, "warning"))
        return {"amount": self.amount_shown(row), "state": state, "facts": facts}

    def warnings(self, row: BatchLine) -> list[object]:
        return four_eyes.warnings(
            subject_id=row.pk,
            approval="batch_line.declaration_approved",
            asked_by=_declared_by(row),
        )

    def related_tables(self, row: BatchLine) -> list[dict[str, Any]]:
        found = movements_table(row)
        return [] if found is None else [found]

    def timeline_lines(self, row: BatchLine) -> list[TimelineLine]:
        return history(row)

    @display(description=_("status"), ordering="status")
    def status_label(self, row: BatchLine) -> SafeString:
        return badge(row.get_status_display(), LINE_KINDS[LineStatus(row.status)])

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, row: BatchLine) -> str:
        return amount(row.amount, "COP")

    @display(description=_("waits for"))
    def waits(self, row: BatchLine) -> str | SafeString:
        if row.needs_operator:
            return badge(_("Operator"), "danger")
        return badge(_("Second person"), "warning") if row.declared_status else "-"

    @display(description=_("exception"))
    def exception(self, row: BatchLine) -> str | SafeString:
        if not row.needs_operator:
            return badge(_("Second person"), "warning") if row.declared_status else "-"
        open_now = [one for one in row.findings.all() if one.closed_at is None]
        first = min(open_now, key=lambda one: one.pk, default=None)
        return badge(SHORT_FINDINGS[FindingKind(first.kind)] if first else _("Operator"), "danger")

    @display(description=_("batch"), ordering="batch")
    def of_batch(self, row: BatchLine) -> SafeString:
        return whole(link(row.batch))

    @display(description=_("payment"))
    def payment(self, row: BatchLine) -> str | SafeString:
        found = payment_of(row.reference)
        return link(found) if found is not None else row.payment_id

    @display(description=_("document"))
    def document_masked(self, row: BatchLine) -> str:
        return f"{row.document_type} {masking.tail(row.document)}"

    @display(description=_("destination"))
    def destination_masked(self, row: BatchLine) -> SafeString:
        return whole(destination(row))

    @display(description=_("note"))
    def note_shown(self, row: BatchLine) -> str:
        """What a person wrote. What the bank decided has the id of its movement here."""
        return row.note if row.note not in sources(row) else "-"

    @display(description=_("debited by"))
    def debit_shown(self, row: BatchLine) -> str | SafeString:
        return movement(row.debit_source, row.amount, row.debited_on)

    @display(description=_("returned by"))
    def return_shown(self, row: BatchLine) -> str | SafeString:
        return movement(row.return_source, row.amount, row.returned_on)

    @display(description=_("declared"))
    def declared_shown(self, row: BatchLine) -> str:
        return str(row.get_declared_status_display() or "-")

    @action(
        description=forms.TAKE_OUT.title,
        icon="remove_circle",
        variant=ActionVariant.DANGER,
        permissions=["remove"],
    )
    def take_out(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.TAKE_OUT, batches.take_out)

    @action(description=_("Declare by hand"), icon="gavel", permissions=["declare"])
    def declare(self, request: HttpRequest, object_id: str) -> HttpResponse:
        line: BatchLine = self.get_record(request, object_id)
        return self._ask(request, object_id, forms.declare_action(line), declarations.declare)

    @action(description=forms.AGREE.title, icon="check_circle", permissions=["approve"])
    def agree(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.AGREE, declarations.approve)

    @action(description=forms.REJECT.title, icon="block", permissions=["approve"])
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.REJECT, declarations.reject)

    @action(description=forms.CLOSE_FINDINGS.title, icon="done", permissions=["acknowledge"])
    def close_findings(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, forms.CLOSE_FINDINGS, findings.close_findings)

    def _ask(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        step: Callable[..., object],
    ) -> HttpResponse:
        line: BatchLine = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            person = Person(actor=actor(request), reason=form.pop("reason"))
            step(line_id=line.pk, person=person, now=clock.now(), **form)
            return self.done(request, line, confirmed)

        rows = [
            f"{line.code} · {amount(line.amount, 'COP')}",
            f"{line.recipient_name} · {line.document_type} {masking.tail(line.document)} · "
            f"{destination(line)}",
        ]
        if line.declared_status:
            declared = f"{line.get_declared_status_display()} · {line.declared_note}"
            rows.append(f"{line.declared_by}: {declared}")
        return self.confirm_first(request, line, confirmed, perform, rows=rows)


def _declared_by(line: BatchLine) -> str:
    """Who declared what was approved. From the audit log, because a decision clears the line."""
    rows = AuditEntry.objects.filter(
        subject_id=line.pk, action="batch_line.declaration_approved"
    ).order_by("-id")
    details = rows.values_list("details", flat=True).first() or {}
    return str(details.get("declared_by", ""))
