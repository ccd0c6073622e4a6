"""The endpoints, among the settings that a merchant's people read about their account."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from payments.console.account_settings import WEBHOOKS, Setting
from payments.console.cockpit import Subject
from webhooks.models import Endpoint


def settings(subject: Subject) -> Iterator[Setting]:
    if not subject.may("webhooks.view_endpoint"):
        return
    on = Endpoint.objects.filter(
        merchant=subject.merchant_id, is_enabled=True, deleted_at=None
    ).count()
    text = ngettext("%(count)s that is on", "%(count)s that are on", on) % {"count": on}
    yield Setting(
        part=WEBHOOKS,
        label=_("Further endpoints"),
        value=text if on else "",
        change=reverse("admin:webhooks_endpoint_changelist"),
        act=_("See endpoints"),
    )
