"""The forms of endpoints, and the choice of one of a merchant's endpoints."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from merchants import url_safety
from merchants.admin.event_choices import EventGroupsWidget, choice
from merchants.models import Merchant
from payments.console.actions import OptionalReasonForm, ReasonForm
from webhooks import catalogue, endpoints
from webhooks.admin import words
from webhooks.endpoint_requests import OVERLAP_HOURS
from webhooks.endpoints import Destination

# What the API takes, too, in steps that people choose from.
HOURS = (0, 1, 6, 24, 48, 72)
ACCOUNT = "account"
OLD, NEW = "OLD", "NEW"


def named(destination: Destination) -> str:
    """Its description, or where it leads."""
    if destination.is_account:
        return gettext("Main URL of the account")
    return destination.description or str(destination.url)


def kind_choices() -> list[tuple[str, SafeString]]:
    """What happened, and below it the code that a receiver reads."""
    return [(kind, choice(words.of_kind(kind), kind)) for kind in endpoints.subscribable()]


class EndpointForm(OptionalReasonForm):
    """Refuses a URL that the sender would refuse, but keeps the stored URL."""

    url = forms.CharField(
        label=_("URL"),
        max_length=2000,
        widget=UnfoldAdminTextInputWidget(
            attrs={"inputmode": "url", "spellcheck": "false", "placeholder": "https://"}
        ),
        help_text=_("Of your server. It gets each event as a POST request."),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("To tell your endpoints apart, e.g. “accounting”."),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=kind_choices,
        widget=EventGroupsWidget(),
    )
    field_order = ["url", "description", "kinds", "reason"]

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"].strip()
        if url != self.initial.get("url"):
            url_safety.check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
        return url


def first_kinds() -> list[str]:
    """What a new endpoint takes unless others are chosen."""
    return list(catalogue.kinds(catalogue.Sent.ALWAYS))


def _hours(hours: int) -> str:
    if not hours:
        return gettext("Not at all: the old secret ends now")
    return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours}


class RotateForm(ReasonForm):
    overlap_hours = forms.TypedChoiceField(
        label=_("The old secret stays valid for"),
        choices=lambda: [(hours, _hours(hours)) for hours in HOURS],
        coerce=int,
        initial=OVERLAP_HOURS,
        widget=UnfoldAdminSelectWidget(),
        help_text=_("Until then webhook-signature has two values, so that no event is refused."),
    )
    contract_signature = forms.ChoiceField(
        label=_("X-Service-Signature until then"),
        choices=[
            (OLD, pgettext_lazy("webhook secret", "Made with the old secret")),
            (NEW, pgettext_lazy("webhook secret", "Made with the new secret")),
        ],
        initial=OLD,
        widget=UnfoldAdminRadioSelectWidget(),
        help_text=_(
            "This header has room for one value. If your server does not check it, leave this as "
            "it is."
        ),
    )
    field_order = ["overlap_hours", "contract_signature", "reason"]


def _choices(
    destinations: Sequence[Destination], arrived: Collection[str | None] | None
) -> list[tuple[str, str]]:
    if arrived is None:
        return [(key_of(each), named(each)) for each in destinations]
    has, lacks = gettext("%s: has it"), gettext("%s: has not got it")
    return [
        (key_of(each), (has if endpoint_of(each) in arrived else lacks) % named(each))
        for each in destinations
    ]


def endpoint_of(destination: Destination) -> str | None:
    """As a delivery has it."""
    return destination.endpoint.pk if destination.endpoint is not None else None


def with_destination(
    form: type[forms.Form],
    destinations: Sequence[Destination],
    arrived: Collection[str | None] | None = None,
) -> type[forms.Form]:
    """The form with the choice of an endpoint, if there is more than one.

    arrived   the endpoints that have got the event; None is the URL of the account.
    """
    if len(destinations) < 2:
        return form
    order = ["destination", *(getattr(form, "field_order", None) or ())]
    made: dict[str, Any] = {
        "destination": forms.ChoiceField(
            label=_("Endpoint"),
            choices=_choices(destinations, arrived),
            widget=UnfoldAdminSelectWidget(),
        ),
        "field_order": order,
        "__module__": __name__,
    }
    return type(f"{form.__name__}WithDestination", (form,), made)


def resendable(merchant: Merchant) -> list[Destination]:
    """The account's first, then those that are on."""
    found = endpoints.list_destinations(merchant=merchant)
    return [each for each in found if each.is_account or each.is_enabled]


def chosen(destinations: Sequence[Destination], key: str | None) -> Destination:
    """The account's where there was no choice. Raises ValidationError for one that is gone."""
    if key is None:
        return destinations[0]
    for each in destinations:
        if key_of(each) == key:
            return each
    raise ValidationError(_("This endpoint was removed or switched off. Choose another one."))


def key_of(destination: Destination) -> str:
    return ACCOUNT if destination.is_account else destination.key
