"""The console's page of payouts: the receiver, the destination, and who has to approve it."""

from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import quote, unquote
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import crumbs, four_eyes, tenancy
from payments.console.detail_page import NextStep, nit_warnings
from payments.console.exports.columns import fields, personal
from payments.console.formatting import amount, badge, when
from payments.console.money_admin import WHOSE_AND_WHEN
from payments.console.timeline import TimelineLine
from payments.core import masking
from payments.core.text import normalised_document
from payments.outgoing.admin import export
from payments.outgoing.admin.payments import ExceptionsFilter, OutgoingAdmin, Section
from payments.payout.admin import record_places
from payments.payout.admin.hand_page import HandPayoutPage
from payments.payout.admin.payout_facts import OPEN, arrives, destination, document
from payments.payout.admin.qr_page import QRCodePage
from payments.payout.admin.receipt import has_receipt, operation_number, receipt_of
from payments.payout.admin.team_actions import (
    TEAM_ACTIONS,
    TEAM_DECISIONS,
    team_lines,
    waits_for_team,
)
from payments.payout.models import Network, Payout
from payments.payout.services import approvals, keys
from payments.payout.services.engine import engine
from payments.rails.admin import key_holders

BENEFICIARY = _("Beneficiary")


class PayoutExceptionsFilter(ExceptionsFilter):
    """Payouts in doubt, or waiting for a second person."""

    waiting: ClassVar[dict[str, tuple[Promise, Q]]] = {
        "all": (_("Waiting for people"), Q(needs_operator=True) | Q(needs_approval=True)),
        **ExceptionsFilter.waiting,
        "approval": (_("Waiting for approval"), Q(needs_approval=True)),
        "team": (_("Waiting for the merchant's team"), Q(needs_team_approval=True)),
    }


@admin.register(Payout)
class PayoutAdmin(HandPayoutPage, QRCodePage):
    empty_text = _(
        "Pay suppliers and people from your balance: one by one here, or many at once with a file."
    )
    shown_if_empty = _(
        "What merchants pay from their balance: over the API, one by one by hand, or many with "
        "a file."
    )
    engine = engine
    arrived = _("It arrived at the beneficiary's bank")
    actions_list = ["pay", "read_qr"]
    merchant_actions = QRCodePage.merchant_actions | {"pay", *TEAM_ACTIONS}
    merchant_pages = OutgoingAdmin.merchant_pages | {"receipt"}
    related = ("bank",)
    exceptions = PayoutExceptionsFilter
    list_display = [
        *OutgoingAdmin.list_display,
        "recipient_name",
        "document_masked",
        "destination_masked",
    ]
    list_for_merchants: ClassVar[list[str]] = [
        *("amount_shown", "status_label", "merchant_link", "recipient_name"),
        *("destination_masked", "reference", "created"),
    ]
    list_filter = ["status", "network", "currency", *WHOSE_AND_WHEN]
    search_help_text = _("Id, idempotency key, reference at the provider, or document")
    search_help_for_merchants = _("Name or document of the beneficiary, or your reference")
    own_facts = [("rate_shown", "description"), "reference"]
    own_sections: ClassVar[list[Section]] = [
        (
            BENEFICIARY,
            {
                "fields": [
                    ("recipient_name", "document_masked"),
                    ("way", "destination_masked"),
                    "key_holder",
                ]
            },
        )
    ]
    # Their badge says what it waits for.
    not_for_merchants = (OutgoingAdmin.not_for_merchants - {"asked_by"}) | {"key_holder"}
    private = (
        (_("document"), lambda row: f"{row.recipient_doc_type} {row.recipient_doc_number}"),
        (_("account"), lambda row: row.account_number),
        (_("key"), lambda row: row.key_value),
    )
    private_fields = frozenset(
        {"recipient_doc_number", "recipient_document", "account_number", "key_value"}
    )
    export_columns = export.columns(
        "payout",
        [
            *fields(recipientName="recipient_name", recipientDocType="recipient_doc_type"),
            *personal(masking.tail, recipientDocNumber="recipient_doc_number"),
            *fields(network="network", bankCanonicalId="bank_id", accountType="account_type"),
            *personal(masking.tail, accountNumber="account_number"),
            *fields(keyType="key_type"),
            *personal(masking.contact, keyValue="key_value"),
            *fields(rate="rate", description="description", needsApproval="needs_approval"),
            *fields(reference="reference", needsTeamApproval="needs_team_approval"),
        ],
    )

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """People of merchants find a withdrawal below the withdrawals."""
        is_merchant = tenancy.is_merchant_user(request)
        place = record_places.place_of(unquote(object_id)) if is_merchant else None
        if place is not None:
            crumbs.stand_below(request, place.menu)
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if place is None or context is None or (row := context.get("original")) is None:
            return response
        row.console_title = place.title
        row.is_own_account = True
        above = [crumbs.list_crumb(apps.get_model(place.menu))]
        context |= {"crumbs": above, "title": place.title}
        context["record_head"]["state"] = place.state(row)
        form = context["adminform"]
        form.fieldsets = [
            (place.section if name == BENEFICIARY else name, options)
            for name, options in form.fieldsets
        ]
        return response

    def head(self, row: Any) -> dict[str, Any] | None:
        """For people of merchants also when it arrives, while it has not."""
        found = super().head(row)
        if found is not None and row.status in OPEN and tenancy.current_user_is_merchant():
            found["facts"].append((gettext("Arrives"), arrives(row)))
        return found

    def search_by(self, term: str) -> QuerySet[Payout] | None:
        number = normalised_document(term)
        return Payout.objects.filter(recipient_document=number) if number else None

    def beneficiary(self, payment: Payout) -> str:
        return f"{payment.recipient_name} · {document(payment)} · {destination(payment)}"

    def warnings(self, row: Payout) -> list[object]:
        """Warns about an impossible NIT, a key in another name, and about a second person who may
        be the first one.
        """
        found = nit_warnings(row.recipient_doc_type, row.recipient_document)
        if not tenancy.current_user_is_merchant():  # the rail tells us, not merchants
            found += key_holders.warnings(keys.last_check(row), row.recipient_name)
        for approval in ("payout.approved", "payout.team_approved"):
            found += four_eyes.warnings(
                subject_id=row.pk,
                approval=approval,
                asked_by=row.requested_by,
                rule_set_by=row.merchant.payout_approval_set_by,
            )
        return found

    @display(description=_("rate and spread"))
    def rate_shown(self, payout: Payout) -> str:
        """Only a payout from USDT has a rate. It is fixed when the payout is created."""
        if payout.rate is None:
            return "-"
        return f"{amount(payout.rate, 'COP')} · {amount((payout.spread or 0) * 100, '%')}"

    @display(description=_("waits for"))
    def waits(self, payment: Payout) -> str | SafeString:
        """Users of merchants do not see that a payout is in doubt: operators handle it."""
        if payment.needs_team_approval:
            return badge(_("Colleague"), "warning")
        if payment.needs_approval:
            return badge(_("Approval"), "warning")
        return "-" if tenancy.current_user_is_merchant() else super().waits(payment)

    def title_of(self, row: Any) -> object:
        """A shop knows its payouts by whom they pay. The id is in the head of the page."""
        return row.recipient_name if tenancy.current_user_is_merchant() else super().title_of(row)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.receipt)
        route = "<path:object_id>/receipt.pdf"
        return [path(route, view, name="payout_payout_receipt"), *super().get_urls()]

    def receipt(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Raises Http404 also before the payout has arrived."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        payout: Payout = self.get_record(request, object_id)
        if not has_receipt(payout):
            raise Http404
        file = f"{gettext('receipt')}-{payout.pk}.pdf"
        return HttpResponse(
            receipt_of(payout),
            content_type="application/pdf",
            headers={
                "Content-Disposition": f'attachment; filename="{file}"',
                "Cache-Control": "no-store, private",
            },
        )

    def next_step(self, row: Any) -> NextStep:
        if has_receipt(row) and not row.needs_operator:
            return _arrived(row)
        if row.status != Payout.Status.PENDING or not row.needs_team_approval:
            return super().next_step(row)
        why = waits_for_team(row)
        if approvals.waits_for_operator(row):
            why = gettext("No colleague is left who may approve it: an operator decides.")
            waiting = gettext("No colleague is left who may approve it: Pasarela decides.")
            return NextStep(why=why, actions=("approve", "reject"), waiting=waiting)
        return NextStep(why=why, actions=TEAM_DECISIONS, waiting=why)

    def timeline_lines(self, row: Any) -> list[TimelineLine]:
        """Operators see the decisions of the team in the audit log."""
        own = team_lines(row.pk) if tenancy.current_user_is_merchant() else []
        return sorted([*super().timeline_lines(row), *own], key=lambda one: (one.is_ahead, one.at))

    @display(description=_("method"))
    def way(self, payout: Payout) -> str:
        return payout.get_network_display()

    @display(description=_("document"))
    def document_masked(self, payout: Payout) -> str:
        """The NIT of a business is no secret to its own people."""
        return document(payout, is_whole=getattr(payout, "is_own_account", False))

    @display(description=_("destination"))
    def destination_masked(self, payout: Payout) -> str:
        return destination(payout)

    @display(description=_("holder of the key"))
    def key_holder(self, payout: Payout) -> str:
        """As the rail masks it."""
        is_key = payout.network == Network.BREB
        return key_holders.shown(keys.last_check(payout)) if is_key else "-"


def _arrived(payout: Payout) -> NextStep:
    """Where and when, and the number by which the bank finds it."""
    facts = [destination(payout), when(payout.completed_at)]
    if number := operation_number(payout):
        facts.append(gettext("operation number: %s") % number)
    file = reverse("admin:payout_payout_receipt", args=[quote(payout.pk)])
    return NextStep(
        title=gettext("It arrived at the beneficiary's bank"),
        why=" · ".join(facts),
        link=(gettext("Download the receipt (PDF)"), file),
    )
