"""A merchant's webhooks of 24 hours, on the page of the merchant."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from merchants.models import ApiKey, Merchant
from payments.console import subjects, tenancy
from payments.console.cockpit import ROWS_MAX, Fact, Panel, Row, Subject
from payments.console.formatting import badge, page_url
from payments.console.overview import NOW_SECONDS
from payments.console.registry import Text
from payments.console.subjects import SubjectFacts
from payments.core.money import grouped
from webhooks.admin import words
from webhooks.models import Delivery, Status
from webhooks.success import success_of_day


def panels(subject: Subject) -> Iterator[Panel]:
    if not subject.may("webhooks.view_delivery"):
        return
    if not tenancy.is_merchant_user(subject.request):
        yield _day(subject)
        yield _failed(subject)
    elif _has_a_server(subject.merchant_id):
        day, failed = _day(subject), _failed(subject)
        links = (*day.links, *(failed.links if failed.rows else ()))
        figures = day.figures if day.note else ()  # none has ended
        is_nothing = not failed.rows and not any(fact.value for fact in day.facts)
        shown = replace(day, figures=figures, rows=failed.rows, links=links)
        yield replace(shown, is_technical=True, is_nothing=is_nothing)


def _has_a_server(merchant_id: str) -> bool:
    """A shop that sells by payment links alone has neither an address for webhooks nor a key."""
    address = Merchant.objects.filter(pk=merchant_id).exclude(webhook_url="", endpoint_kinds=[])
    keys = ApiKey.objects.filter(merchant=merchant_id, revoked_at=None)
    return address.exists() or keys.exists()


def _day(subject: Subject) -> Panel:
    found = subject.overview.cached(
        "cockpit-webhooks",
        NOW_SECONDS,
        lambda _scope, now: success_of_day(merchant_id=subject.merchant_id, now=now),
    )
    return Panel(
        order=40,
        title=_("Webhooks, 24 hours"),
        figures=(found.percent,),
        note=_share(found.delivered, found.ended) if found.ended else "",
        alarm=_alarm(subject, found.failed) if found.failed else None,
        facts=(
            Fact(_("delivered"), found.delivered),
            Fact(_("failed for good"), found.failed, is_bad=bool(found.failed)),
            Fact(_("on their way"), found.pending),
            *(
                (Fact(_("waiting for a webhook URL"), found.waiting, is_bad=True),)
                if found.waiting
                else ()
            ),
        ),
        links=((_("Deliveries"), _list(subject)),),
    )


def _share(delivered: int, ended: int) -> str:
    text = ngettext(
        "%(delivered)s of %(ended)s delivery arrived",
        "%(delivered)s of %(ended)s deliveries arrived",
        ended,
    )
    return text % {"delivered": grouped(str(delivered)), "ended": grouped(str(ended))}


def _alarm(subject: Subject, failed: int) -> tuple[object, Text, str]:
    text = ngettext(
        "%(count)s webhook of the last 24 hours did not arrive, and is not sent again.",
        "%(count)s webhooks of the last 24 hours did not arrive, and are not sent again.",
        failed,
    )
    address = _list(subject, status__exact=Status.FAILED)
    return text % {"count": grouped(str(failed))}, _("See and send again"), address


def _failed(subject: Subject) -> Panel:
    failed = Delivery.objects.filter(merchant=subject.merchant_id, status=Status.FAILED)
    newest = failed.select_related("event").defer("event__body").order_by("-created_at", "-id")
    rows = list(newest[:ROWS_MAX])
    facts = subjects.facts_of(delivery.event.subject_id for delivery in rows)
    return Panel(
        order=60,
        title=_("Webhooks that failed"),
        rows=tuple(_row(delivery, facts) for delivery in rows),
        empty=_("None has failed for good."),
        links=((_("All that failed"), _list(subject, status__exact=Status.FAILED)),),
    )


def _row(delivery: Delivery, facts: Mapping[str, SubjectFacts]) -> Row:
    subject_id = delivery.event.subject_id
    return Row(
        at=delivery.created_at,
        what=words.of_kind(delivery.event.kind),
        detail=subjects.about(subject_id, facts.get(subject_id, subjects.NOTHING)),
        state=badge(delivery.get_status_display(), "danger"),
        href=page_url(delivery),
    )


def _list(subject: Subject, **filters: str) -> str:
    query = urlencode({"merchant__id__exact": subject.merchant_id, **filters})
    return f"{reverse('admin:webhooks_delivery_changelist')}?{query}"
