"""What people do to an endpoint, each act with a page that asks for confirmation."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant

from merchants.models import Merchant
from merchants.team.pages import to_own_merchant
from payments.console import tenancy
from payments.console.actions import (
    Cleaned,
    ConfirmedAction,
    OptionalReasonForm,
    own_right_to,
    right_to,
)
from payments.console.formatting import actor, admin_url
from payments.console.model_admins import PossibleActions
from payments.core import clock
from payments.core.ids import is_id
from webhooks import endpoint_requests, endpoints, services
from webhooks.admin.endpoint_forms import OLD, EndpointForm, RotateForm, first_kinds, named
from webhooks.admin.sending import TEST, NoFieldsForm
from webhooks.endpoint_models import Endpoint
from webhooks.endpoints import Destination

# The rights are those of the account's own URL, and of deliveries: no role has them for one only.
RIGHTS = {
    "manage": "merchants.webhook_merchant",
    "rotate": "merchants.regenerate_merchant",
    "test": "webhooks.test_delivery",
    "resend": "webhooks.resend_delivery",
}
SECRET = _("Webhook secret")
ADD = ConfirmedAction(
    verb="manage",
    needs_reauthentication=True,
    title=_("Add a webhook endpoint"),
    explanation=_(
        "From now on the events that you choose are sent to this URL as well, signed with a secret "
        "of its own, which the next page shows once."
    ),
    submit=_("Add"),
    form_class=EndpointForm,
)
EDIT = ConfirmedAction(
    verb="manage",
    needs_reauthentication=True,
    title=_("Change the endpoint"),
    explanation=_(
        "Deliveries that are on their way go to the new URL. Events of the past are not sent "
        "later. Send a test event afterwards."
    ),
    submit=_("Save"),
    form_class=EndpointForm,
)
SWITCH_ON = ConfirmedAction(
    verb="manage",
    needs_reauthentication=True,
    title=_("Switch the endpoint on"),
    explanation=_(
        "New events go there, and the deliveries that wait go out at once. Events that happened "
        "while it was off are not sent by themselves: send a range again."
    ),
    submit=_("Switch on"),
    form_class=OptionalReasonForm,
)
SWITCH_OFF = ConfirmedAction(
    verb="manage",
    needs_reauthentication=True,
    title=_("Switch the endpoint off"),
    explanation=_(
        "New events do not go there. Deliveries that are on their way wait until it is on again."
    ),
    submit=_("Switch off"),
    form_class=OptionalReasonForm,
)
ROTATE = ConfirmedAction(
    verb="rotate",
    needs_reauthentication=True,
    title=_("Change the secret without losing events"),
    explanation=_(
        "The new secret is shown once, on the next page. Put it on your server before the old one "
        "ends. If others may know the old one, let it end now."
    ),
    submit=_("Make a new secret"),
    form_class=RotateForm,
    warns=True,
)
REMOVE = ConfirmedAction(
    verb="manage",
    needs_reauthentication=True,
    title=_("Remove the endpoint"),
    explanation=_(
        "Nothing is sent there any more, and deliveries that are on their way to it fail. This "
        "cannot be undone."
    ),
    submit=_("Remove for good"),
    danger=True,
)


class EndpointActions(PossibleActions):
    has_manage_permission = right_to("manage")
    has_rotate_permission = right_to("rotate")
    # Operators add endpoints from the page of the merchant.
    has_new_permission = own_right_to("manage")
    has_test_permission = right_to("test")
    has_resend_permission = right_to("resend")

    def has_right(self, request: HttpRequest, verb: str) -> bool:
        return bool(request.user.has_perm(RIGHTS[verb]))

    def get_custom_urls(self) -> Any:
        return (("new/<str:merchant_id>/", "webhooks_endpoint_add_to", self.add_to),)

    @action(
        description=ADD.title,
        icon="add_link",
        variant=ActionVariant.PRIMARY,
        permissions=["new"],
    )
    def new_endpoint(self, request: HttpRequest) -> HttpResponse:
        return to_own_merchant(request, "webhooks_endpoint_add_to")

    def add_to(self, request: HttpRequest, merchant_id: str, **_view: object) -> HttpResponse:
        merchant = self._account(request, unquote(merchant_id))

        def perform(form: Cleaned) -> HttpResponse:
            reason = form.pop("reason")
            made, _is_replayed = endpoints.create_endpoint(
                merchant=merchant,
                new=endpoints.NewEndpoint(**form, reason=reason),
                actor=actor(request),
                now=clock.now(),
            )
            return self._show_secret(request, made, gettext("Endpoint added"))

        confirmed = replace(ADD, initial={"kinds": first_kinds()})
        back = f"{reverse('admin:webhooks_endpoint_changelist')}?{_of(merchant)}"
        return self.confirm_first(request, merchant, confirmed, perform, back_url=back)

    @action(description=EDIT.title, icon="edit", permissions=["manage"])
    def edit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._endpoint(request, object_id)
        initial = {name: getattr(row, name) for name in ("url", "description", "kinds")}
        said = gettext("The endpoint is changed. Send a test event now.")
        return self._change(request, row, replace(EDIT, initial=initial), said)

    @action(description=SWITCH_ON.title, icon="power", permissions=["manage"])
    def switch_on(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._endpoint(request, object_id)
        said = gettext("The endpoint %s is on.") % row
        return self._change(request, row, SWITCH_ON, said, is_enabled=True)

    @action(description=SWITCH_OFF.title, icon="power_off", permissions=["manage"])
    def switch_off(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._endpoint(request, object_id)
        said = gettext("The endpoint %s is off.") % row
        return self._change(request, row, SWITCH_OFF, said, is_enabled=False)

    @action(description=ROTATE.title, icon="autorenew", permissions=["rotate"])
    def rotate_secret(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Also of the account's own URL, by the id that the API gives it."""
        destination = self._destination(request, object_id)
        subject = destination.endpoint or destination.merchant

        def perform(form: Cleaned) -> HttpResponse:
            rotated, _is_replayed = endpoint_requests.rotate_secret(
                destination=destination,
                rotation=endpoint_requests.Rotation(
                    overlap_hours=form["overlap_hours"],
                    is_earlier_for_contract=form["contract_signature"] == OLD,
                    reason=form["reason"],
                ),
                actor=actor(request),
                now=clock.now(),
            )
            return self._show_secret(request, rotated, gettext("The endpoint has a new secret"))

        rows = [destination.url or "-"] if named(destination) != destination.url else []
        return self.confirm_first(request, subject, ROTATE, perform, rows=rows)

    @action(description=TEST, icon="send", permissions=["test"])
    def send_test(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._endpoint(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            sent = services.send_test_event(
                merchant=row.merchant, endpoint=row, actor=actor(request), now=clock.now()
            )
            self.message_user(request, gettext("On its way. Its attempts appear below."))
            return redirect(admin_url(sent) or "admin:index")

        confirmed = ConfirmedAction(
            verb="test",
            title=TEST,
            explanation=gettext("A signed webhook.test event goes to %s. It is about no payment.")
            % row.url,
            submit=_("Send"),
            form_class=NoFieldsForm,
        )
        return self.confirm_first(request, row, confirmed, perform)

    @action(description=_("Send a range again"), icon="replay", permissions=["resend"])
    def resend_range(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._endpoint(request, object_id)
        address = reverse("admin:webhooks_resend_range", args=[quote(row.merchant_id)])
        return redirect(f"{address}?{urlencode({'endpoint': row.pk})}")

    @action(description=_("Deliveries"), icon="outbox")
    def deliveries(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: Endpoint = self.get_record(request, object_id)
        query = urlencode({"merchant__id__exact": row.merchant_id, "to": row.pk})
        return redirect(f"{reverse('admin:webhooks_delivery_changelist')}?{query}")

    @action(
        description=REMOVE.title,
        icon="delete",
        variant=ActionVariant.DANGER,
        permissions=["manage"],
    )
    def remove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._endpoint(request, object_id)

        def act(form: Cleaned) -> None:
            of = Destination(merchant=row.merchant, endpoint=row)
            endpoints.delete_endpoint(
                destination=of, actor=actor(request), now=clock.now(), reason=form["reason"]
            )

        pause = reverse("admin:webhooks_endpoint_switch_off", args=[quote(row.pk)])
        other_way = (gettext("Only switch it off"), pause) if row.is_enabled else None
        return self.confirm_and_return(
            request, row, REMOVE, act, rows=_rows(row), other_way=other_way
        )

    def possible(self, row: Endpoint) -> set[str]:
        if row.deleted_at:
            return {"deliveries"}
        of_on = {"switch_off", "send_test", "resend_range"} if row.is_enabled else {"switch_on"}
        return {"edit", "rotate_secret", "deliveries", "remove", *of_on}

    def _change(
        self,
        request: HttpRequest,
        row: Endpoint,
        confirmed: ConfirmedAction,
        said: str,
        **fixed: Any,
    ) -> HttpResponse:
        def perform(form: Cleaned) -> HttpResponse:
            endpoints.change_destination(
                destination=Destination(merchant=row.merchant, endpoint=row),
                actor=actor(request),
                now=clock.now(),
                **{**form, **fixed},
            )
            return self.done(request, row, confirmed, said)

        rows = _rows(row) if fixed else []
        return self.confirm_first(request, row, confirmed, perform, rows=rows)

    def _show_secret(self, request: HttpRequest, of: Destination, title: str) -> HttpResponse:
        return self.show_once(
            request,
            title=title,
            values={_("URL"): of.url or "-", SECRET: of.secret or "-"},
            back_url=self.back_url(of.endpoint or of.merchant),
            subject=of.endpoint or of.merchant,
            help=(gettext("How to check the signature"), reverse("guide", args=["webhooks"])),
        )

    def _endpoint(self, request: HttpRequest, object_id: str) -> Endpoint:
        """Of the person's own. Raises Http404 for one that was removed, and PermissionDenied."""
        row: Endpoint = self.get_record(request, object_id)
        if row.deleted_at:
            raise Http404
        return row

    def _destination(self, request: HttpRequest, object_id: str) -> Destination:
        endpoint_id = unquote(object_id)
        if (merchant_id := merchant_of(endpoint_id)) is not None:
            own = tenancy.limit(request, Merchant.objects.defer("webhook_secret"), "pk")
            if (merchant := own.filter(pk=merchant_id).first()) is not None:
                return Destination(merchant=merchant)
        row = self._endpoint(request, object_id)
        return Destination(merchant=row.merchant, endpoint=row)

    def _account(self, request: HttpRequest, merchant_id: str) -> Merchant:
        """Raises PermissionDenied, Http404."""
        if not self.has_right(request, "manage"):
            raise PermissionDenied
        own = tenancy.limit(request, Merchant.objects.defer("webhook_secret"), "pk")
        merchant: Merchant | None = own.filter(pk=merchant_id).first()
        if merchant is None:
            raise Http404
        return merchant


def _rows(row: Endpoint) -> list[str]:
    """Where it leads, unless that is its name."""
    return [row.url] if row.description else []


def merchant_of(endpoint_id: str) -> str | None:
    """The id of the merchant whose own URL has this id, if there is such a merchant."""
    if not is_id(endpoint_id, "whe"):
        return None
    return endpoints.MERCHANT_PREFIX + endpoint_id.removeprefix(endpoints.PREFIX)


def _of(merchant: Merchant) -> str:
    return urlencode({"merchant__id__exact": merchant.pk})
