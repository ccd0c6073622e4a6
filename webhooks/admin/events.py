"""Console pages of events."""

from typing import Any

from django.contrib import admin
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import tenancy
from payments.console.cells import copyable
from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.formatting import badge, time_element, timestamp_column
from payments.console.prepared_rows import RowsAboutRecords
from payments.console.timeline import TimelineLine
from webhooks.admin import exchanges, words
from webhooks.admin.event_deliveries import deliveries_of, deliveries_table, state_of
from webhooks.admin.inlines import STATUS_LABELS
from webhooks.admin.sending import ResendAdmin
from webhooks.models import Delivery, Event, Status

_WORST_FIRST = (Status.FAILED, Status.WAITING, Status.PENDING, Status.DELIVERED)


@admin.register(Event)
class EventAdmin(ResendAdmin, RowsAboutRecords):
    empty_text = _("What happened to your payments and payouts, as your shop's server is told.")
    shown_if_empty = _(
        "What happened to payments and payouts, as the servers of merchants are told."
    )
    merchant_actions = frozenset({"resend"})
    created = timestamp_column("created_at", _("created at"))
    list_display = ["named", "state", "about_shown", "merchant_link", "created", "id"]
    list_filter = ["kind", ("merchant", RecordFilter), ("created_at", DaysFilter)]
    list_select_related = ["merchant"]
    search_fields = ["id__exact", "subject_id__exact"]
    search_help_text = _("Id of the event or of the order")
    ordering = ["-id"]
    has_timeline = True
    change_form_outer_after_template = "admin/webhooks/after_event.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        events: QuerySet[Event] = super().get_queryset(request)
        events = events.select_related("merchant").defer("merchant__webhook_secret")
        of_event = Delivery.objects.filter(event=OuterRef("pk")).order_by()
        return events.annotate(states=ArraySubquery(of_event.values("status")))

    @display(description=_("event"), ordering="kind")
    def named(self, event: Event) -> str | SafeString:
        return words.with_code(event.kind)

    @display(description=_("delivery"))
    def state(self, event: Event) -> str | SafeString:
        """The worst of its deliveries, one to each endpoint."""
        states = set(getattr(event, "states", None) or ())
        worst = next((each for each in _WORST_FIRST if each in states), None)
        return badge(worst.label, STATUS_LABELS[worst]) if worst is not None else "-"

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> list[Any]:
        """The head, the body and the deliveries say all."""
        return []

    def title_of(self, row: Event) -> str:
        return words.of_kind(row.kind)

    def head(self, row: Event) -> dict[str, Any]:
        facts: list[tuple[object, object]] = [
            (gettext("event"), copyable(row.kind)),
            (gettext("Id"), copyable(row.pk)),
            (gettext("created at"), time_element(row.created_at)),
        ]
        if row.subject_id:
            facts.insert(0, (gettext("about"), self.about_shown(row)))
        if not tenancy.current_user_is_merchant():
            facts.append((gettext("merchant"), self.merchant_link(row)))
        return {
            "amount": words.of_kind(row.kind),
            "state": state_of(self._deliveries(row)),
            "facts": facts,
        }

    def timeline_lines(self, row: Event) -> list[TimelineLine] | None:
        """Its deliveries have their own."""
        return None

    def related_tables(self, row: Event) -> list[dict[str, Any]]:
        return [deliveries_table(self._deliveries(row))]

    def _deliveries(self, row: Any) -> list[Delivery]:
        """Read once for the page."""
        if not hasattr(row, "shown_deliveries"):
            row.shown_deliveries = deliveries_of(row)
        found: list[Delivery] = row.shown_deliveries
        return found

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (event := context.get("original")) is not None:
            context["event_body"] = exchanges.body_text(event)
        return response
