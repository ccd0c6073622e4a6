"""Console pages of webhook endpoints. The URL of the account is the first of a merchant's list."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from merchants.models import Merchant
from payments.console import tenancy
from payments.console.cells import copyable
from payments.console.changelist import RecordFilter
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    admin_url,
    badge,
    link,
    table,
    time_element,
    when,
)
from payments.console.timeline import TimelineLine, action_words, timeline, who
from payments.core import clock
from payments.core.models import AuditEntry
from webhooks.admin import words
from webhooks.admin.endpoint_actions import EndpointActions, merchant_of
from webhooks.admin.endpoint_columns import EndpointColumns, EndpointList, with_figures
from webhooks.admin.event_deliveries import attempts_shown, cause_shown
from webhooks.admin.inlines import colour_of, status_of
from webhooks.endpoint_models import EarlierSecret, Endpoint
from webhooks.models import Delivery, Status

NEWEST = 10
# Of how many deliveries the rate is made.
ENDED_MAX = 1000
HISTORY_MAX = 50


class StateFilter(admin.SimpleListFilter):
    """Without a choice the list has no removed ones."""

    title = _("state")
    parameter_name = "state"
    _where: ClassVar[dict[str, dict[str, Any]]] = {
        "on": {"is_enabled": True},
        "off": {"is_enabled": False, "deleted_at": None},
        "removed": {"deleted_at__isnull": False},
    }

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [
            ("on", pgettext_lazy("webhook endpoint", "On")),
            ("off", pgettext_lazy("webhook endpoint", "Off")),
            ("removed", pgettext_lazy("webhook endpoint", "Removed")),
        ]

    def choices(self, changelist: Any) -> Any:
        shown = list(super().choices(changelist))
        shown[0]["display"] = _("In use")
        return shown

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**self._where.get(self.value() or "", {"deleted_at": None}))


@admin.register(Endpoint)
class EndpointAdmin(EndpointColumns, EndpointActions):
    empty_text = _("Your server is told of each payment at the URLs that you add here.")
    shown_if_empty = _(
        "URLs that merchants add to be told of events, beside the URL of their account."
    )
    merchant_path = "merchant"
    merchant_actions = frozenset(
        {
            *("new_endpoint", "add_to", "edit", "switch_on", "switch_off", "rotate_secret"),
            *("send_test", "resend_range", "deliveries", "remove"),
        }
    )
    merchant_pages = frozenset({"changelist_view", "change_view"})
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    list_display = [
        *("named", "events", "state", "last", "failing", "merchant_link"),
    ]
    list_filter = [StateFilter, ("merchant", RecordFilter)]
    search_fields = ["id__exact", "url__icontains", "description__icontains"]
    search_help_text = _("Id, or a part of the URL or of the description")
    ordering = ["-id"]
    actions_list = ["new_endpoint"]
    actions_detail = [
        *("edit", "send_test", "deliveries", "resend_range", "rotate_secret"),
        *("switch_on", "switch_off", "remove"),
    ]
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "arrived",
                    "failing",
                    "kinds_shown",
                    "secret_shown",
                    "merchant_link",
                ]
            },
        ),
    ]
    readonly_fields = flatten_fieldsets(fieldsets)  # type: ignore[arg-type]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        rows = rows.select_related("merchant").defer("secret", "merchant__webhook_secret")
        return with_figures(rows, clock.now())

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[EndpointList]:
        return EndpointList

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """The URL of the account is on the page of the merchant."""
        merchant_id = merchant_of(unquote(object_id))
        own = tenancy.limit(request, Merchant.objects.only("pk"), "pk")
        if merchant_id and (merchant := own.filter(pk=merchant_id).first()) is not None:
            return redirect(admin_url(merchant) or "admin:index")
        return super().change_view(request, object_id, form_url, extra_context)

    def title_of(self, row: Endpoint) -> object:
        return str(row)

    def head(self, row: Endpoint) -> dict[str, Any]:
        facts = [
            (gettext("URL"), copyable(row.url)),
            (gettext("Id"), copyable(row.pk)),
            (gettext("created at"), time_element(row.created_at)),
            (gettext("updated at"), time_element(row.updated_at)),
        ]
        return {"amount": str(row), "state": self.state(row), "facts": facts}

    def next_step(self, row: Any) -> NextStep | None:
        if row.deleted_at:
            return NextStep(why=gettext("It was removed: nothing is sent there any more."))
        if not row.is_enabled:
            why = gettext("It is off: new events do not go there, and what was on its way waits.")
            return NextStep(why=why, actions=("switch_on",))
        if row.failed_count:
            why = ngettext(
                "%(count)s delivery failed for good in 24 hours. Send it again once your server "
                "answers.",
                "%(count)s deliveries failed for good in 24 hours. Send them again once your "
                "server answers.",
                row.failed_count,
            )
            return NextStep(
                why=why % {"count": row.failed_count}, actions=("resend_range", "deliveries")
            )
        if not row.last_id:
            why = gettext("Nothing has been sent there yet. A test event shows whether it answers.")
            return NextStep(why=why, actions=("send_test",))
        return None

    def related_tables(self, row: Endpoint) -> list[dict[str, Any]]:
        newest = Delivery.objects.filter(endpoint=row).select_related("event")
        newest = newest.defer("event__body").order_by("-created_at", "-id")[:NEWEST]
        rows = [
            [
                link(each, words.of_kind(each.event.kind)),
                badge(status_of(each), colour_of(each)),
                cause_shown(each),
                attempts_shown(each),
                when(each.created_at),
            ]
            for each in newest
        ]
        headers = [_("event"), _("status"), _("cause"), _("attempts"), _("time")]
        return [table(_("Newest deliveries"), headers, rows, is_compact=True)] if rows else []

    def timeline_lines(self, row: Endpoint) -> list[TimelineLine]:
        return timeline([row.pk], _acts_for_merchants(row))

    @display(description=_("arrived"))
    def arrived(self, row: Endpoint) -> str:
        """Of what ended, in a day and in a week. Bounded, because a busy one has very many."""
        texts = []
        for days, label in ((1, gettext("24 hours")), (7, gettext("7 days"))):
            since = clock.now() - timedelta(days=days)
            ended = Delivery.objects.filter(
                endpoint=row, created_at__gte=since, status__in=[Status.DELIVERED, Status.FAILED]
            ).order_by("-created_at", "-id")
            states = list(ended.values_list("status", flat=True)[:ENDED_MAX])
            if states:
                part = round(100 * states.count(Status.DELIVERED) / len(states))
                named = {"period": label, "percent": part, "count": len(states)}
                texts.append(gettext("%(period)s: %(percent)s %% of %(count)s") % named)
        return " · ".join(texts) or "-"

    @display(description=_("events"))
    def kinds_shown(self, row: Endpoint) -> SafeString:
        shown = '<li>{} <code class="desk-small" lang="en" translate="no">{}</code></li>'
        items = format_html_join("", shown, ((words.of_kind(kind), kind) for kind in row.kinds))
        return format_html('<ul class="shell-kinds">{}</ul>', items)

    @display(description=_("webhook secret"))
    def secret_shown(self, row: Endpoint) -> str:
        """Never the secret."""
        earlier = EarlierSecret.objects.filter(destination=row.pk, until__gt=clock.now())
        until = earlier.values_list("until", flat=True).first()
        if until is None:
            return gettext("It was shown once.")
        return gettext("A new one; the old one is valid, too, until %s") % when(until)


def _acts_for_merchants(row: Endpoint) -> Iterable[TimelineLine]:
    """Who did what, without reasons. Operators see the rows of the audit log itself."""
    if not tenancy.current_user_is_merchant():
        return
    found = AuditEntry.objects.filter(subject_id=row.pk).order_by("-id")[:HISTORY_MAX]
    for entry in found:
        yield TimelineLine(
            at=entry.at,
            what=_switched(entry) or action_words(entry.action) or entry.action,
            who=who(entry.actor),
            kind="person",
        )


def _switched(entry: AuditEntry) -> str:
    """A change of nothing but its state."""
    new = entry.details.get("new") if isinstance(entry.details, dict) else None
    if not isinstance(new, dict) or set(new) != {"is_enabled"}:
        return ""
    if new["is_enabled"]:
        return gettext("Switched the endpoint on")
    return gettext("Switched the endpoint off")
