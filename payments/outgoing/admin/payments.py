"""The page of a product's payments: the list with its queue of exceptions, and one payment.

A product's page inherits from OutgoingAdmin. It is read-only except for the actions of actions.py.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin import AdminSite
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from merchants.models import Merchant
from payments.console import own_search, tenancy
from payments.console.detail_page import NextStep
from payments.console.fieldsets import technical, without
from payments.console.formatting import amount, badge, timestamp_column
from payments.console.money_admin import FOUND_MAX, WHOSE_AND_WHEN, by_id
from payments.console.reason_words import failure_shown
from payments.console.registry import Text
from payments.console.timeline import TimelineLine, who
from payments.outgoing.admin.actions import OutgoingActions, amount_of, currency_of
from payments.outgoing.admin.next_steps import of_outgoing
from payments.outgoing.admin.timelines import add_product, ticket, timeline_lines
from payments.outgoing.models import OutgoingPayment, OutgoingStatus
from payments.outgoing.product import P
from payments.rails.admin.provider_fees import PROVIDER_FEES, ProviderFees
from payments.rails.admin.wire_references import WIRE_REFERENCES, WireReferences
from payments.rails.services import wire_references

EXCEPTIONS = "exceptions"
# A fieldset in Django's format.
Section = tuple[Any, dict[str, Any]]
# What developers of a merchant look for.
TECHNICAL = ("idempotency_key", "provider_id", "authorization")


class ExceptionsFilter(admin.SimpleListFilter):
    """The queue of payments that wait for a person. One index of the product's table serves it."""

    title = _("exceptions")
    parameter_name = EXCEPTIONS
    waiting: ClassVar[dict[str, tuple[Promise, Q]]] = {
        "operator": (_("In doubt"), Q(needs_operator=True))
    }

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        # Users of merchants do not see doubtful payments: operators handle them.
        hidden = ("all", "operator") if tenancy.is_merchant_user(request) else ()
        return [(key, str(label)) for key, (label, _) in self.waiting.items() if key not in hidden]

    def queryset(self, request: HttpRequest, queryset: QuerySet[P]) -> QuerySet[P]:
        """Ignores a choice that this person is not offered."""
        value = self.value()
        if value not in dict(self.lookup_choices):
            return queryset
        return queryset.filter(self.waiting[str(value)][1])


class OutgoingAdmin(ProviderFees, WireReferences, OutgoingActions):
    """Every product sets `engine` and its columns."""

    merchant_path = "merchant"
    not_for_merchants = (
        frozenset(
            {
                "waits",
                "failure_reason",
                "failure_shown",
                "requested_by",
                "asked_by",
                "provider",
                "our_reference",
                "attempts_made",
                "sent",
                "next_action",
                "code_at_rail",
                "code_record",
            }
        )
        | PROVIDER_FEES
        | WIRE_REFERENCES
    )
    exceptions: ClassVar[type[ExceptionsFilter]] = ExceptionsFilter
    # Facts of the product in the first section, and sections of its own below it.
    own_facts: ClassVar[list[str | tuple[str, ...]]] = []
    own_sections: ClassVar[list[Section]] = []
    # The sentence of the timeline, and the gender of the Spanish noun.
    arrived: ClassVar[Text] = _("It arrived")
    is_feminine: ClassVar[bool] = True
    has_timeline = True
    labels = {
        OutgoingStatus.PENDING: "info",
        OutgoingStatus.PROCESSING: "warning",
        OutgoingStatus.COMPLETED: "success",
        OutgoingStatus.FAILED: "danger",
        OutgoingStatus.REFUNDED: "danger",
    }
    failure_shown = failure_shown
    created = timestamp_column("created_at", _("created at"))
    sent = timestamp_column("sent_at", _("handed to the rail at"))
    completed = timestamp_column("completed_at", _("completed at"))
    next_action = timestamp_column("next_action_at", _("next question to the rail"))
    list_display = ["amount_shown", "status_label", "id", "merchant_link", "created", "waits"]
    list_display_links = ["amount_shown", "id"]
    list_filter = ["status", *WHOSE_AND_WHEN]
    search_help_text = _("Id, idempotency key, or reference at the provider")
    search_help_for_merchants = _("Id, or idempotency key of the call")

    def __init__(self, model: type[OutgoingPayment], admin_site: AdminSite) -> None:
        name = str(model._meta.model_name)
        add_product(name, arrived=self.arrived, is_feminine=self.is_feminine)
        super().__init__(model, admin_site)

    def get_fieldsets(self, request: HttpRequest, obj: OutgoingPayment | None = None) -> list[Any]:
        facts = [
            ("amount_shown", "fee_shown"),
            ("debit_shown", "waits"),
            ("failure_shown", "completed"),
            "asked_by",
            *self.own_facts,
        ]
        key = ["idempotency_key"]
        rail = [
            ("provider", "attempts_made"),
            "our_reference",  # long ids need a line of their own
            "wire_references_shown",
            "provider_id",
            "authorization",
            ("provider_fee_shown", "provider_taxes_shown"),
            ("sent", "next_action"),
        ]
        sections = [(None, {"fields": facts}), *self.own_sections]
        if obj is not None and tenancy.current_user_is_merchant():
            return [*_plain(sections), _technical(obj)]
        at_rail = rail if obj is None or _was_at_rail(obj) else []
        return [*sections, technical(_("Technical detail"), [*key, *at_rail])]

    def get_readonly_fields(
        self, request: HttpRequest, obj: OutgoingPayment | None = None
    ) -> list[str]:
        return list(flatten_fieldsets(self.get_fieldsets(request, obj)))

    def get_list_filter(self, request: HttpRequest) -> list[object]:
        return [self.exceptions, *self.list_filter]

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """The queue has the oldest first."""
        if request.GET.get(EXCEPTIONS) in self.exceptions.waiting:
            return ["created_at", "id"]
        return super().get_ordering(request)

    def ticket_facts(self, payment: Any) -> dict[Promise, str]:
        """The facts of this product on its ticket. Empty for products without tickets."""
        return {}

    def related_tables(self, row: OutgoingPayment) -> list[dict[str, object]]:
        facts = self.ticket_facts(row)
        return [ticket(row, facts)] if facts and row.ticket else []

    def timeline_lines(self, row: OutgoingPayment) -> list[TimelineLine]:
        return timeline_lines(row)

    def next_step(self, row: OutgoingPayment) -> NextStep:
        return of_outgoing(row)

    def search_by(self, term: str) -> QuerySet[Any] | None:
        """A condition on fields that only this product has. It needs an index."""
        return None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[P], search_term: str
    ) -> tuple[QuerySet[P], bool]:
        """Each kind of term has its own index.

        One OR over all of them would read the whole table.
        """
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith(f"{self.model.REFERENCE_PREFIX}_"):
            return queryset.filter(provider_reference=term), False
        if term.startswith(f"{self.model.ID_PREFIX}_"):
            return by_id(queryset, term), False
        if ours := wire_references.find_payments(term):
            return queryset.filter(provider_reference__in=ours), False
        # The index of the keys begins with the merchant, so a few look-ups replace a scan of the
        # table.
        merchants = tenancy.limit(request, Merchant.objects.values("pk"), "pk")
        rows = self.model._default_manager
        found: set[str] = set()
        by_key = rows.filter(merchant__in=merchants, idempotency_key=term)
        for matching in (by_key, self.search_by(term)):
            if matching is not None:
                own = tenancy.limit(request, matching, "merchant")
                found.update(own.values_list("pk", flat=True)[:FOUND_MAX])
        found.update(own_search.keys(request, self.model, term))
        return queryset.filter(pk__in=found), False

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, payment: OutgoingPayment) -> str:
        return amount_of(payment)

    @display(description=_("fee"))
    def fee_shown(self, payment: OutgoingPayment) -> str:
        return amount(payment.fee_amount, currency_of(payment))

    @display(description=_("debit"))
    def debit_shown(self, payment: OutgoingPayment) -> str:
        return amount(payment.debit, payment.currency)

    @display(description=_("our reference at the rail"))
    def our_reference(self, payment: OutgoingPayment) -> str:
        return payment.provider_reference

    @display(description=_("requested by"))
    def asked_by(self, payment: OutgoingPayment) -> str:
        return str(who(payment.requested_by))

    @display(description=_("attempts"))
    def attempts_made(self, payment: OutgoingPayment) -> str:
        return str(payment.attempts)

    @display(description=_("waits for"))
    def waits(self, payment: Any) -> str | SafeString:
        return badge(_("Operator"), "danger") if payment.needs_operator else "-"


def _plain(sections: list[Section]) -> list[Section]:
    hidden = frozenset({"idempotency_key"})
    return without(sections, hidden)


def _technical(payment: OutgoingPayment) -> Section:
    """Without what the payment does not have yet."""
    fields = [name for name in TECHNICAL if getattr(payment, name)]
    return technical(_("Technical detail"), fields)


def _was_at_rail(payment: OutgoingPayment) -> bool:
    """A payment that waits for a person has nothing of a rail to show."""
    return bool(payment.sent_at or payment.attempts or not payment.is_held_back)
