"""The console's pages of beneficiaries. People of the merchant make and change them."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.models import Merchant
from payments.console import reauthentication, registry, tenancy
from payments.console.actions import Cleaned, ConfirmedAction, own_right_to
from payments.console.detail_page import NextStep, nit_warnings
from payments.console.exports import columns
from payments.console.formatting import (
    admin_url,
    amount,
    badge,
    link,
    table,
    time_element,
    timestamp_column,
    when,
)
from payments.console.model_admins import PossibleActions
from payments.console.money_admin import WHOSE_AND_WHEN
from payments.console.state_words import state_badge
from payments.console.timeline import TimelineLine, add_actions, who
from payments.core import clock, masking, money
from payments.core.errors import ServiceError
from payments.core.text import normalised_document
from payments.outgoing.admin.payments import OutgoingAdmin
from payments.payout.admin import hand_form
from payments.payout.admin.beneficiary_form import BeneficiaryForm
from payments.payout.admin.beneficiary_history import history
from payments.payout.admin.hand_page import enabled
from payments.payout.admin.payout_facts import destination
from payments.payout.admin.place_form import BANK, initial_of
from payments.payout.models import Beneficiary
from payments.payout.services import beneficiaries, by_hand
from payments.payout.services.beneficiaries import RECENT

SHOWN_PAYOUTS = 20
FACTS = ("merchant_link", "account", "made_by", "created")
ADD_TITLE, EDIT_TITLE = _("Add a beneficiary"), _("Change the beneficiary")
ARCHIVE = ConfirmedAction(
    verb="keep",
    title=_("Archive beneficiary"),
    explanation=_("It is not offered for payouts any more. Its payouts and history stay."),
    submit=_("Archive"),
    form_class=forms.Form,
    danger=True,
)
RESTORE = ConfirmedAction(
    verb="keep",
    title=_("Take out of the archive"),
    explanation=_("It is offered for payouts again."),
    submit=_("Take out"),
    form_class=forms.Form,
)
add_actions(
    {
        "beneficiary.created": _("Made the beneficiary"),
        "beneficiary.place": _("Changed the account or key"),
        "beneficiary.details": _("Changed the name or document"),
        "beneficiary.archived": _("Archived the beneficiary"),
        "beneficiary.restored": _("Took the beneficiary out of the archive"),
    }
)


class ArchiveFilter(admin.SimpleListFilter):
    """Without a choice the list has no archived ones."""

    title = _("archive")
    parameter_name = "archive"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [("yes", _("Archived")), ("all", _("All"))]

    def choices(self, changelist: Any) -> Any:
        shown = list(super().choices(changelist))
        shown[0]["display"] = _("In use")
        return shown

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "all":
            return queryset
        return queryset.filter(archived_at__isnull=self.value() != "yes")


name_contains = registry.name_contains("name")


@admin.register(Beneficiary)
class BeneficiaryAdmin(PossibleActions):
    empty_text = _(
        "The people and companies that you pay again and again. A payout by hand keeps its "
        "beneficiary, or you add one here."
    )
    shown_if_empty = _("People and companies that merchants pay often.")
    merchant_path = "merchant"
    merchant_actions = frozenset(
        {"add_beneficiary", "pay_beneficiary", "edit", "archive", "restore"}
    )
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    created = timestamp_column("created_at", _("created at"))
    list_display = [
        "name",
        "document_masked",
        "place_masked",
        "merchant_link",
        "account",
        "last_payout",
        "pay",
    ]
    list_filter = [ArchiveFilter, "network", *WHOSE_AND_WHEN]
    search_fields = ["name__icontains"]
    search_help_text = _("Name, document or id")
    ordering = ["name", "id"]
    fields: ClassVar[list[tuple[str, ...]]] = [
        ("merchant_link", "account"),
        ("made_by", "created"),
    ]
    readonly_fields = FACTS
    actions_list = ["add_beneficiary"]
    actions_detail: ClassVar[list[str]] = ["pay_beneficiary", "edit", "archive", "restore"]
    private = (
        (_("document"), lambda row: f"{row.doc_type} {row.doc_number}"),
        (_("account"), lambda row: row.account_number),
        (_("key"), lambda row: row.key_value),
    )
    private_fields = frozenset(
        {"doc_number", "document", "account_number", "key_value", "place", "changes"}
    )
    export_columns = [
        *columns.fields(
            beneficiaryId="pk", merchantId="merchant_id", name="name", docType="doc_type"
        ),
        *columns.personal(masking.tail, docNumber="doc_number"),
        *columns.fields(network="network", bankCanonicalId="bank_id", accountType="account_type"),
        *columns.personal(masking.tail, accountNumber="account_number"),
        *columns.fields(keyType="key_type"),
        *columns.personal(masking.contact, keyValue="key_value"),
        *columns.fields(createdAt="created_at", archivedAt="archived_at"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Beneficiary]:
        rows: QuerySet[Beneficiary] = super().get_queryset(request)
        return rows.select_related("merchant", "bank").defer("merchant__webhook_secret")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if term.startswith("ben_"):
            return queryset.filter(pk=term), False
        document = normalised_document(term)
        if document and any(char.isdigit() for char in document):
            return queryset.filter(document=document), False
        if not term:
            return queryset, False
        contained = name_contains(term)
        return (queryset.filter(contained) if contained is not None else queryset.none()), False

    has_keep_permission = own_right_to("keep")

    def has_pay_permission(self, request: HttpRequest, obj: object = None) -> bool:
        is_own = tenancy.is_merchant_user(request) and bool(request.user.has_perm(by_hand.RIGHT))
        return is_own and bool(enabled(request))

    def possible(self, row: Beneficiary) -> set[str]:
        if row.archived_at is not None:
            return {"restore"}
        return {"pay_beneficiary", "edit", "archive"}

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """One query for the last payouts to all beneficiaries of the page."""
        response: HttpResponse = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None) or {}
        if (changes := context.get("cl")) is not None:
            last = beneficiaries.last_payouts(changes.result_list)
            for row in changes.result_list:
                row.last_at = last.get((row.merchant_id, row.document))
        return response

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """People who may pay have the form of a payout one click away."""
        columns = list(super().get_list_display(request))
        if not self.has_pay_permission(request):
            columns.remove("pay")
        return columns

    def head(self, row: Beneficiary) -> dict[str, Any]:
        found = beneficiaries.sums(row)
        facts = [
            (_("document"), self.document_masked(row)),
            (_("account or key"), self.place_masked(row)),
            (_("paid so far"), amount(found.paid, money.FIAT)),
            (_("payouts that arrived"), str(found.count)),
        ]
        state = badge(_("Archived"), "default") if row.archived_at is not None else ""
        return {"amount": row.name, "state": state, "facts": facts}

    def next_step(self, row: Beneficiary) -> NextStep | None:
        return None

    def warnings(self, row: Beneficiary) -> list[object]:
        found = nit_warnings(row.doc_type, row.document)
        if row.archived_at is not None:
            found.append(gettext("In the archive since %s.") % when(row.archived_at))
        changed = row.place_changed_at
        if changed is not None and clock.now() - changed < RECENT:
            text = gettext("%(person)s changed the account or key on %(day)s.")
            found.append(text % {"person": who(row.place_changed_by), "day": when(changed)})
        return found

    def related_tables(self, row: Beneficiary) -> list[dict[str, Any]]:
        rows = [
            [
                link(one, when(one.created_at)),
                amount(one.amount, money.FIAT),
                state_badge(one, OutgoingAdmin.labels),
                destination(one),
                one.reference or "-",
            ]
            for one in beneficiaries.payouts_to(row)[:SHOWN_PAYOUTS]
        ]
        headers = [_("created at"), _("amount"), _("status"), _("destination"), _("reference")]
        return [table(_("Last payouts to this document"), headers, rows)] if rows else []

    def timeline_lines(self, row: Beneficiary) -> list[TimelineLine]:
        return history(row)

    @display(description=_("document"))
    def document_masked(self, row: Beneficiary) -> str:
        return f"{row.doc_type} {masking.tail(row.document)}"

    @display(description=_("account or key"))
    def place_masked(self, row: Beneficiary) -> str:
        return destination(row)

    @display(description=_("merchant"))
    def merchant_link(self, row: Beneficiary) -> str | SafeString:
        return link(row.merchant)

    @display(description=_("saved account changed"))
    def account(self, row: Beneficiary) -> str | SafeString:
        if row.archived_at is not None:
            return badge(_("Archived"), "default")
        if row.place_changed_at is None:
            return gettext("Not since it was saved")
        shown = f"{when(row.place_changed_at).rpartition(',')[0]} · {who(row.place_changed_by)}"
        is_recent = clock.now() - row.place_changed_at < RECENT
        return badge(shown, "warning") if is_recent else shown

    @display(description=_("last payout that arrived"))
    def last_payout(self, row: Beneficiary) -> str | SafeString:
        return time_element(getattr(row, "last_at", None))

    @display(description=_("payout"))
    def pay(self, row: Beneficiary) -> str | SafeString:
        if row.archived_at is not None:
            return "-"
        address = reverse("admin:payout_payout_pay")
        return format_html('<a href="{}?to={}">{}</a>', address, row.pk, pgettext("button", "Pay"))

    @display(description=_("made by"))
    def made_by(self, row: Beneficiary) -> str:
        name = str(who(row.created_by))
        return gettext("%s, with a payout") % name if row.from_payout else name

    @action(
        description=ADD_TITLE,
        icon="person_add",
        variant=ActionVariant.PRIMARY,
        permissions=["keep"],
    )
    def add_beneficiary(self, request: HttpRequest) -> HttpResponse:
        merchants = list(
            Merchant.objects.filter(pk__in=_own(request)).defer("webhook_secret").order_by("name")
        )

        def save(form: BeneficiaryForm, user: User) -> Beneficiary:
            return beneficiaries.create(
                merchant=form.chosen, details=form.details, user=user, now=clock.now()
            )

        initial: dict[str, object] = {"how": BANK}
        return self._form(request, merchants, ADD_TITLE, save, initial=initial)

    @action(
        description=_("Make a payout"),
        icon="send_money",
        variant=ActionVariant.PRIMARY,
        permissions=["pay"],
    )
    def pay_beneficiary(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: Beneficiary = self.get_record(request, object_id)
        return redirect(f"{reverse('admin:payout_payout_pay')}?to={row.pk}")

    @action(description=_("Change"), icon="edit", permissions=["keep"])
    def edit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: Beneficiary = self.get_record(request, object_id)

        def save(form: BeneficiaryForm, user: User) -> Beneficiary:
            details = form.details
            beneficiaries.change(beneficiary=row, details=details, user=user, now=clock.now())
            return row

        initial = initial_of(beneficiaries.details_of(row))
        return self._form(request, [row.merchant], EDIT_TITLE, save, initial=initial, row=row)

    @action(
        description=ARCHIVE.title,
        icon="archive",
        variant=ActionVariant.DANGER,
        permissions=["keep"],
    )
    def archive(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, ARCHIVE, beneficiaries.archive)

    @action(description=RESTORE.title, icon="unarchive", permissions=["keep"])
    def restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, RESTORE, beneficiaries.restore)

    def _decide(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        decide: Callable[..., None],
    ) -> HttpResponse:
        row: Beneficiary = self.get_record(request, object_id)
        user = self._keeper(request)

        def act(_form: Cleaned) -> None:
            decide(beneficiary=row, user=user, now=clock.now())

        rows = [hand_form.shown(row)]
        return self.confirm_and_return(request, row, confirmed, act, rows=rows)

    def _keeper(self, request: HttpRequest) -> User:
        if not self.has_keep_permission(request) or not isinstance(request.user, User):
            raise PermissionDenied
        return request.user

    def _form(
        self,
        request: HttpRequest,
        merchants: list[Merchant],
        title: Any,
        save: Callable[[BeneficiaryForm, User], Beneficiary],
        *,
        initial: dict[str, object],
        row: Beneficiary | None = None,
    ) -> HttpResponse:
        """Re-authentication, because a changed account takes the next payouts."""
        user = self._keeper(request)
        sent = request.POST if request.method == "POST" else None
        form = BeneficiaryForm(merchants, sent, initial=initial)
        if sent is not None and form.is_valid():
            if (page := reauthentication.require_reauthentication(request)) is not None:
                return page
            try:
                kept = save(form, user)
            except ServiceError as error:
                form.add_error(None, error.shown())
            else:
                self.message_user(request, gettext("The beneficiary is saved."))
                return redirect(admin_url(kept) or "admin:index")
        return self.page(
            request,
            "admin/beneficiary_form.html",
            status=400 if form.errors else 200,
            title=title,
            form=form,
            subject=row,
            back_url=self.back_url(row),
        )


def _own(request: HttpRequest) -> list[str]:
    return tenancy.merchants(request) if tenancy.is_merchant_user(request) else []
