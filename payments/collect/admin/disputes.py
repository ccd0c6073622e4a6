"""Console pages of disputes: open ones by their deadline, evidence, and the bank's decision."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import flatten, unquote
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from payments.collect.admin import columns, evidence, next_steps, timelines
from payments.collect.admin.actions import (
    AmountForm,
    ConfirmedActionsAdmin,
    acknowledge_action,
    amount_field,
    validate_decimals,
)
from payments.collect.admin.dispute_filter import DisputeExceptionsFilter
from payments.collect.admin.labels import status_label
from payments.collect.models import Dispute
from payments.collect.services.disputes import dispute_decisions, evidence_files
from payments.console import kept_files, tenancy
from payments.console.actions import ConfirmedAction, ReasonForm, right_to
from payments.console.cells import short_id
from payments.console.changelist import DaysFilter
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    actor,
    amount,
    amount_column,
    link,
    link_column,
    time_element,
    timestamp_column,
    when,
)
from payments.console.kept_files import DocumentField
from payments.console.timeline import TimelineLine, who
from payments.core import audit, clock
from payments.outgoing.admin.actions import ProofForm

Status = Dispute.Status
FEW_DAYS = timedelta(days=5)


class DecideForm(AmountForm, ProofForm):
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        # The first is empty, because neither is the usual one.
        choices=[
            ("", _("Choose what the bank decided")),
            (Status.WON.value, Status.WON.label),
            (Status.LOST.value, Status.LOST.label),
        ],
        widget=UnfoldAdminSelectWidget(),
    )
    amount = amount_field(
        required=False,
        help_text=_(
            "Only if it is lost: what the bank took, if it is less than it claimed. Empty: all of "
            "it."
        ),
    )
    field_order = ["outcome", "amount", "proof", "reason"]


class AcknowledgeForm(AmountForm, ProofForm):
    is_loss = forms.BooleanField(
        label=_("It was won, and the bank took the money all the same: book it as our loss"),
        required=False,
    )
    amount = amount_field(
        required=False, help_text=_("What the bank took. Empty: all that it claimed.")
    )
    field_order = ["is_loss", "amount", "proof", "reason"]


class EvidenceForm(ReasonForm):
    text = forms.CharField(
        label=_("Evidence"),
        min_length=3,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )
    field_order = ["text", "reason"]


class FileForm(ReasonForm):
    file = DocumentField(label=_("File"))
    reason = forms.CharField(
        label=_("What does it show?"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=_("For example: proof of delivery, signed by the buyer. Kept with your name."),
    )
    field_order = ["file", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = gettext("PDF, PNG or JPEG, at most %(most)s MB. A dispute takes %(files)s files.")
        most = kept_files.megabytes(settings.DISPUTE_FILE_MAX_BYTES)
        values = {"most": most, "files": settings.DISPUTE_FILES_MAX}
        self.fields["file"].help_text = text % values

    def clean_file(self) -> UploadedFile:
        return kept_files.checked(self.cleaned_data["file"], settings.DISPUTE_FILE_MAX_BYTES)


DECIDE = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Record the decision"),
    explanation=_(
        "Won: what was held is the merchant's again. Lost: the payer's bank takes the money, and "
        "what the merchant's balance does not cover is our loss. The person who opened the "
        "dispute cannot record that it is lost. It cannot be undone."
    ),
    submit=_("Record for good"),
    danger=True,
    form_class=DecideForm,
)
EVIDENCE = ConfirmedAction(
    verb="note",
    title=_("Add evidence"),
    explanation=_(
        "Kept with the dispute, with the time and your name. The service sends nothing: hand it to "
        "the payer's bank or to the provider yourself."
    ),
    submit=_("Add"),
    form_class=EvidenceForm,
    done=_("The evidence is added."),
)
FILE = ConfirmedAction(
    verb="note",
    title=_("Add a file"),
    explanation=_(
        "A file that shows what was sold and delivered. It is kept with the dispute and cannot be "
        "changed. The service sends nothing: hand it to the payer's bank or to the provider "
        "yourself."
    ),
    submit=_("Add the file"),
    form_class=FileForm,
    done=_("The file is added."),
)
FILE_OF_MERCHANT = replace(
    FILE,
    explanation=_(
        "A file that shows what was sold and delivered. Pasarela's team hands it to the payer's "
        "bank. It is kept with the dispute and cannot be changed."
    ),
)
ACKNOWLEDGE = acknowledge_action(AcknowledgeForm)


@admin.register(Dispute)
class DisputeAdmin(ConfirmedActionsAdmin):
    empty_text = _(
        "When a payer contests a payment at the bank, it appears here, with the day until "
        "which you may add evidence."
    )
    shown_if_empty = _(
        "When a payer claims a payment at the bank, the provider reports it and it is here, "
        "with the last day for evidence."
    )
    noun = "dispute"
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    merchant_path = "order__merchant"
    merchant_pages = ConfirmedActionsAdmin.merchant_pages | {"file"}
    merchant_actions = frozenset({"file_added"})
    # Evidence is written by operators and is for operators only.
    not_for_merchants = frozenset(
        {
            "opened_by",
            "opened_shown",
            "provider",
            "provider_reference",
            "needs_operator",
            "shortfall_shown",
            "suspended_shown",
            "evidence",
            "notes_shown",
        }
    )
    export_columns = columns.DISPUTE
    actions_detail = ["decide", "file_added", "evidence_added", "acknowledge"]
    has_decide_permission = right_to("decide")
    has_note_permission = right_to("note")
    has_acknowledge_permission = right_to("acknowledge")
    opened = timestamp_column("opened_at", _("opened at"))
    closed = timestamp_column("closed_at", _("closed at"))
    order_link = link_column("order", _("order"), known_as="reference")
    order_named = link_column("order", _("order"), named="reference")
    merchant_link = link_column("order.merchant", _("merchant"))
    amount_shown = amount_column(
        "amount", _("disputed"), currency="order.currency", is_sortable=True
    )
    claimed_shown = amount_column("claimed", _("claimed"), currency="order.currency")
    held_shown = amount_column("held", _("held"), currency="order.currency")
    suspended_shown = amount_column(
        "suspended", _("taken from suspense"), currency="order.currency"
    )
    shortfall_shown = amount_column(
        "shortfall", _("borne by the service"), currency="order.currency"
    )
    status_label = status_label
    tab_field = "status"
    list_display = [
        "amount_shown",
        "status_label",
        "id",
        "merchant_link",
        "order_named",
        "kind",
        "held_shown",
        "due",
        "opened",
        "needs_operator",
    ]
    list_display_links = ["amount_shown", "id"]
    list_for_merchants: ClassVar[list[str]] = [
        *("amount_shown", "status_label", "order_link", "customer", "reason", "due", "opened")
    ]
    list_filter = [
        DisputeExceptionsFilter,
        "status",
        "kind",
        "needs_operator",
        ("opened_at", DaysFilter),
    ]
    search_fields = ["id__exact", "order__id__exact", "provider_reference__exact"]
    search_help_text = _("Id of the dispute or the order, or the rail's reference")
    ordering = ["-id"]
    fields = [
        ("kind", "charge_link"),
        ("amount_shown", "claimed_shown"),
        ("held_shown", "shortfall_shown"),
        "suspended_shown",
        ("reason", "opened_shown"),
        ("opened", "due"),
        ("closed", "needs_operator"),
        ("provider", "provider_reference"),
        "notes_shown",
    ]
    readonly_fields = flatten(fields)  # type: ignore[arg-type]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Dispute]:
        rows: QuerySet[Dispute] = super().get_queryset(request)
        return rows.select_related("order__merchant", "charge").defer(
            "order__merchant__webhook_secret"
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.file)
        route = "<path:object_id>/file/<str:file_id>/"
        return [path(route, view, name="collect_dispute_file"), *super().get_urls()]

    def file(self, request: HttpRequest, object_id: str, file_id: str) -> HttpResponse:
        """Each download is in the audit log. The browser never shows the content as a page."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        dispute: Dispute = self.get_record(request, object_id)
        found = evidence.files_of(dispute).filter(pk=unquote(file_id)).first()
        if found is None:
            raise Http404
        audit.record(
            actor=actor(request), action="dispute.file_read", subject=dispute, file=found.pk
        )
        return kept_files.download(found)

    def related_tables(self, row: Dispute) -> list[dict[str, object]]:
        return [evidence.table_of(row)]

    @display(description=_("evidence due"), ordering="evidence_due_at")
    def due(self, dispute: Dispute) -> str | SafeString:
        """Marked while little time is left to answer the bank."""
        at = dispute.evidence_due_at
        shown = time_element(at)
        if at is None or dispute.closed_at is not None or at - clock.now() >= FEW_DAYS:
            return shown
        return format_html('<span class="desk-soon">{}</span>', shown)

    @display(description=_("charge"))
    def charge_link(self, row: Dispute) -> str | SafeString:
        """By the ends of its id: its page has the whole one."""
        charge = row.charge
        return "-" if charge is None else link(charge, short_id(charge.pk))

    @display(description=_("opened by"))
    def opened_shown(self, row: Dispute) -> str:
        return str(who(row.opened_by)) or "-"

    @display(description=_("evidence and notes"))
    def notes_shown(self, row: Dispute) -> str | SafeString:
        return evidence.notes_of(row)

    @display(description=_("customer"))
    def customer(self, row: Dispute) -> str:
        return row.order.customer_name or "-"

    def timeline_lines(self, row: Dispute) -> list[TimelineLine]:
        return timelines.dispute_lines(row)

    def next_step(self, row: Dispute) -> NextStep:
        return next_steps.of_dispute(row)

    def summary(self, row: Dispute) -> list[str]:
        return [
            f"{row.order.merchant} · {row.order.reference}",
            f"{row.get_kind_display()} · {amount(row.amount, row.order.currency)}",
        ]

    def act_facts(self, row: Dispute) -> list[tuple[object, object]]:
        order = row.order
        whose = [] if tenancy.current_user_has_one_merchant() else [(_("merchant"), order.merchant)]
        return [
            *whose,
            (_("order"), order.reference),
            (_("customer"), order.customer_name or "-"),
            (row.get_kind_display(), amount(row.amount, order.currency)),
            *([(_("reason"), row.reason)] if row.reason else []),
        ]

    def possible(self, row: Dispute) -> set[str]:
        acts = {"decide", "evidence_added", "file_added"} if row.status == Status.OPEN else set()
        return acts | ({"acknowledge"} if row.needs_operator else set())

    @action(
        description=DECIDE.title, icon="gavel", variant=ActionVariant.DANGER, permissions=["decide"]
    )
    def decide(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, DECIDE, _decide)

    @action(description=FILE.title, icon="upload_file", permissions=["note"])
    def file_added(self, request: HttpRequest, object_id: str) -> HttpResponse:
        is_of_merchant = tenancy.is_merchant_user(request)

        def add(*, dispute: Dispute, file: UploadedFile, **why: Any) -> None:
            new = evidence_files.NewEvidence(
                file=kept_files.read(file), is_of_merchant=is_of_merchant
            )
            evidence_files.add_file(dispute=dispute, new=new, **why)

        confirmed = FILE_OF_MERCHANT if is_of_merchant else FILE
        dispute: Dispute = self.get_record(request, object_id)
        if (until := dispute.evidence_due_at) is not None:
            limit = gettext("The bank takes evidence until %s.") % when(until)
            confirmed = replace(confirmed, explanation=f"{confirmed.explanation} {limit}")
        return self.confirm(request, object_id, confirmed, add)

    @action(description=EVIDENCE.title, icon="attach_file", permissions=["note"])
    def evidence_added(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, EVIDENCE, dispute_decisions.add_evidence)

    @action(description=ACKNOWLEDGE.title, icon="done_all", permissions=["acknowledge"])
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, ACKNOWLEDGE, _acknowledge)


def _decide(*, dispute: Dispute, actor: str, now: datetime, **form: Any) -> None:
    form["amount"] = validate_decimals(form["amount"], dispute.order.currency)
    decision = dispute_decisions.BankDecision(**form)
    dispute_decisions.record_decision(dispute=dispute, decision=decision, actor=actor, now=now)


def _acknowledge(*, dispute: Dispute, actor: str, now: datetime, **form: Any) -> None:
    form["amount"] = validate_decimals(form["amount"], dispute.order.currency)
    finding = dispute_decisions.Finding(**form)
    dispute_decisions.acknowledge(dispute=dispute, finding=finding, actor=actor, now=now)
