"""Console pages of bill payments, agreements and terms."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.bills.models import Agreement, BillPayment, BillTerms
from payments.bills.search_text import search_words
from payments.bills.services.engine import engine
from payments.console.changelist import RecordFilter
from payments.console.exports.columns import Column, fields, internal, personal
from payments.console.formatting import link
from payments.console.money_admin import WHOSE_AND_WHEN
from payments.console.timeline import add_methods
from payments.core import masking
from payments.core.text import normalised_document
from payments.outgoing.admin import export
from payments.outgoing.admin.catalogue import CatalogueAdmin, CodesForm, OneTermsAdmin
from payments.outgoing.admin.payments import OutgoingAdmin, Section

add_methods({"BILL": _("Bill")})


@admin.register(BillPayment)
class BillPaymentAdmin(OutgoingAdmin):
    is_feminine = False
    empty_text = _("Bills of public services and others that your shop pays over the API.")
    shown_if_empty = _("Bills of public services and others that merchants pay over the API.")
    engine = engine
    related = ("agreement",)
    list_display = [*OutgoingAdmin.list_display, "agreement_link", "reference_masked"]
    list_filter = ["status", ("agreement", RecordFilter), *WHOSE_AND_WHEN]
    search_help_text = _("Id, idempotency key, reference at the provider, or of the bill")
    search_help_for_merchants = _("Reference of the bill, or id")
    own_sections: ClassVar[list[Section]] = [
        (
            _("Bill"),
            {"fields": [("agreement_link", "reference_masked"), ("code_at_rail", "code_record")]},
        )
    ]
    private = ((_("reference"), lambda row: row.bill_reference),)
    private_fields = frozenset({"bill_reference", "bill_key"})
    export_columns = export.columns(
        "billPayment",
        [
            Column("agreementId", lambda row: str(row.agreement_id)),
            *fields(agreement="agreement_name"),
            *personal(masking.tail, billReference="bill_reference"),
            *internal(codeRecord="code_record"),
        ],
    )

    def search_by(self, term: str) -> QuerySet[BillPayment] | None:
        key = normalised_document(term)
        return BillPayment.objects.filter(bill_key=key) if key else None

    def beneficiary(self, payment: BillPayment) -> str:
        return f"{payment.agreement_name} · {masking.tail(payment.bill_reference)}"

    def ticket_facts(self, payment: BillPayment) -> dict[Promise, str]:
        return {
            _("agreement"): payment.agreement_name,
            _("reference"): masking.tail(payment.bill_reference),
        }

    @display(description=_("agreement"))
    def agreement_link(self, payment: BillPayment) -> str | SafeString:
        return link(payment.agreement, f"{payment.agreement_name} ({payment.agreement_id})")

    @display(description=_("agreement's code at the rail"))
    def code_at_rail(self, payment: BillPayment) -> str:
        return payment.agreement_code

    @display(description=_("reference"))
    def reference_masked(self, payment: BillPayment) -> str:
        return masking.tail(payment.bill_reference)


class AgreementForm(CodesForm):
    """What an operator may change by hand. The rest comes from the file of the rail."""

    class Meta:
        model = Agreement
        fields = ["is_enabled", "codes"]


@admin.register(Agreement)
class AgreementAdmin(CatalogueAdmin):
    """The agreements of GET /bills/agreements. New ones: `manage.py load_agreements`."""

    form = AgreementForm
    shown_if_empty = _(
        "Billers whose bills can be paid. They are loaded with the command `load_agreements`."
    )
    list_display = ["name", "number", "type", "reference_label", "is_enabled", "codes_text"]
    list_filter = ["is_enabled"]
    search_fields = ["searchable__contains"]  # shows the search box only; see get_search_results
    search_help_text = _("Words of the name or the type, or the id")
    ordering = ["searchable"]
    readonly_fields = ["id", "name", "type", "reference_label"]

    @display(description=_("number"), ordering="id")
    def number(self, agreement: Agreement) -> str:
        return str(agreement.pk)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Agreement], search_term: str
    ) -> tuple[QuerySet[Agreement], bool]:
        """Every word must occur, without case and accents, as in the API."""
        for word in search_words(search_term):
            queryset = queryset.filter(searchable__contains=word)
        return queryset, False


@admin.register(BillTerms)
class BillTermsAdmin(OneTermsAdmin):
    """One row. If it is off, POST /bills/pay is 503, and payments in progress continue."""

    list_display = ["title", *OneTermsAdmin.list_display]
