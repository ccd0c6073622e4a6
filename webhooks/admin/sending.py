"""Sending again and the test event, each with a page that asks for confirmation."""

from collections.abc import Callable
from dataclasses import replace

from django import forms
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from merchants.models import Merchant
from payments.console import tenancy
from payments.console.actions import Cleaned, ConfirmedAction, OptionalReasonForm, right_to
from payments.console.crumbs import crumbs
from payments.console.formatting import actor, admin_url, link_column, when
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.widgets import SplitDateTimeWidget
from payments.core import clock
from webhooks import services
from webhooks.admin.endpoint_forms import (
    chosen,
    endpoint_of,
    key_of,
    resendable,
    with_destination,
)
from webhooks.models import Delivery, Event, Status
from webhooks.services import RESEND_MAX

FAILED_SHOWN = 20
RESEND = _("Send again")
RESEND_EXPLANATION = _(
    "The receiver gets the same body and event id again, in a new delivery "
    "with five attempts of its own."
)
TEST = _("Send test event")
RANGE = _("Send a range again")


class NoFieldsForm(forms.Form):
    """A test changes nothing, so it needs no reason."""


class RangeForm(OptionalReasonForm):
    """In local time."""

    first = forms.SplitDateTimeField(label=_("From"), widget=SplitDateTimeWidget())
    last = forms.SplitDateTimeField(label=_("To (not included)"), widget=SplitDateTimeWidget())
    only_missing = forms.BooleanField(
        label=_("Only what has never arrived"), required=False, initial=True
    )
    field_order = ["first", "last", "only_missing", "reason"]

    def clean(self) -> dict[str, object]:
        super().clean()
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last <= first:
            self.add_error("last", gettext("It is not after the start."))
        return self.cleaned_data


class ResendAdmin(ReadOnlyAdmin):
    """Pages of events and of deliveries."""

    merchant_path = "merchant"
    actions_detail = ["resend"]
    has_resend_permission = right_to("resend")
    merchant_link = link_column("merchant", _("merchant"))

    @action(description=RESEND, icon="replay", permissions=["resend"])
    def resend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A delivery goes where it went before; for an event an endpoint is chosen."""
        row: Event | Delivery = self.get_record(request, object_id)
        if isinstance(row, Event):
            return self._resend_event(request, row)

        def perform(form: Cleaned) -> HttpResponse:
            again = services.resend(
                event=row.event, of=row, actor=actor(request), now=clock.now(), **form
            )
            return self.to_delivery(request, again)

        return self.confirm_first(request, row, resend_confirmation(), perform)

    def _resend_event(self, request: HttpRequest, event: Event) -> HttpResponse:
        offered = resendable(event.merchant)

        def perform(form: Cleaned) -> HttpResponse:
            to = chosen(offered, request.POST.get("destination"))
            again = services.resend_to(
                event=event,
                endpoint=to.endpoint,
                actor=actor(request),
                now=clock.now(),
                reason=form["reason"],
            )
            return self.to_delivery(request, again)

        got = event.deliveries.filter(status=Status.DELIVERED)
        arrived = set(got.values_list("endpoint", flat=True))
        asked = resend_confirmation()
        form_class = with_destination(asked.form_class, offered, arrived)
        lacking = [each for each in offered if endpoint_of(each) not in arrived]
        initial: dict[str, object] = {"destination": key_of(lacking[0])} if lacking else {}
        asked = replace(asked, form_class=form_class, initial=initial)
        return self.confirm_first(request, event, asked, perform)

    def to_delivery(self, request: HttpRequest, delivery: Delivery) -> HttpResponse:
        """Redirects to the new delivery, whose page shows its attempts."""
        self.message_user(request, gettext("On its way. Its attempts appear below."))
        return redirect(admin_url(delivery) or "admin:index")


class SendingPages(ResendAdmin):
    def get_custom_urls(self) -> tuple[tuple[str, str, Callable[..., HttpResponse]], ...]:
        return (
            ("resend/", "webhooks_resend", self.resend_many),
            ("test/<str:merchant_id>/", "webhooks_send_test", self.send_test),
            ("range/<str:merchant_id>/", "webhooks_resend_range", self.resend_range),
        )

    def resend_many(self, request: HttpRequest, **_view: object) -> HttpResponse:
        if not self.has_right(request, "resend"):
            raise PermissionDenied
        ids = request.POST.get("ids", "").split(",")[:RESEND_MAX]
        return self._ask_resend(request, list(self.get_queryset(request).filter(pk__in=ids)))

    def _ask_resend(self, request: HttpRequest, chosen: list[Delivery]) -> HttpResponse:
        def perform(form: Cleaned) -> HttpResponse:
            services.resend_all(
                deliveries=chosen, actor=actor(request), now=clock.now(), reason=form["reason"]
            )
            done = ngettext("%d event is sent again.", "%d events are sent again.", len(chosen))
            self.message_user(request, done % len(chosen))
            return redirect("admin:webhooks_delivery_changelist")

        return self.confirm_first(
            request,
            None,
            resend_confirmation(len(chosen)),
            perform,
            rows=[f"{when(d.created_at)} · {d.event} · {d.merchant}" for d in chosen],
            hidden=[("ids", ",".join(d.pk for d in chosen))],
            form_url=reverse("admin:webhooks_resend"),
        )

    def send_test(self, request: HttpRequest, merchant_id: str, **_view: object) -> HttpResponse:
        merchant = self._merchant(request, merchant_id, "test")
        if not merchant.webhook_url:
            return self._no_url(request, merchant)

        def perform(form: Cleaned) -> HttpResponse:
            fresh = services.send_test_event(
                merchant=merchant, actor=actor(request), now=clock.now()
            )
            return self.to_delivery(request, fresh)

        confirmed = ConfirmedAction(
            verb="test",
            title=TEST,
            explanation=gettext("A signed webhook.test event goes to %s. It is about no payment.")
            % merchant.webhook_url,
            submit=_("Send"),
            form_class=NoFieldsForm,
        )
        return self.confirm_first(request, merchant, confirmed, perform)

    def _no_url(self, request: HttpRequest, merchant: Merchant) -> HttpResponse:
        """A test would only wait, so the page says what is missing."""
        may_set = request.user.has_perm("merchants.webhook_merchant")
        address = reverse("admin:merchants_merchant_set_webhook", args=[quote(merchant.pk)])
        return self.page(
            request,
            "admin/webhooks/no_url.html",
            status=400 if request.method == "POST" else 200,
            title=TEST,
            subject=merchant,
            set_url=address if may_set else "",
            back_url=self.back_url(merchant),
            crumbs=crumbs(request, self, merchant),
        )

    def resend_range(self, request: HttpRequest, merchant_id: str, **_view: object) -> HttpResponse:
        """The page shows the newest failed deliveries."""
        merchant = self._merchant(request, merchant_id, "resend")
        offered = resendable(merchant)

        def perform(form: Cleaned) -> HttpResponse:
            wanted = services.EventRange(
                merchant=merchant,
                first=form["first"],
                last=form["last"],
                only_missing=form["only_missing"],
                endpoint=chosen(offered, request.POST.get("destination")).endpoint,
            )
            count = services.resend_range(
                chosen=wanted, actor=actor(request), reason=form["reason"], now=clock.now()
            )
            done = ngettext("%d event is sent again.", "%d events are sent again.", count)
            self.message_user(request, done % count)
            return redirect(admin_url(merchant) or "admin:index")

        failed = self.get_queryset(request).filter(merchant=merchant, status=Status.FAILED)
        rows = [
            f"{when(row.created_at)} · {row.event} · {row.attempts}"
            for row in failed.order_by("-created_at", "-id")[:FAILED_SHOWN]
        ]
        confirmed = ConfirmedAction(
            verb="resend",
            title=RANGE,
            explanation=gettext(
                "Every event of the range gets a new delivery with the same body and event id, "
                "at most %d at a time. Below are the newest deliveries that failed."
            )
            % RESEND_MAX,
            submit=RESEND,
            form_class=with_destination(RangeForm, offered),
            initial={"destination": request.GET.get("endpoint", "")},
        )
        return self.confirm_first(request, merchant, confirmed, perform, rows=rows)

    def _merchant(self, request: HttpRequest, merchant_id: str, verb: str) -> Merchant:
        """The merchant of the URL. Raises PermissionDenied, Http404."""
        if not self.has_right(request, verb):
            raise PermissionDenied
        own = tenancy.limit(request, Merchant.objects.defer("webhook_secret"), "pk")
        merchant: Merchant | None = own.filter(pk=unquote(merchant_id)).first()
        if merchant is None:
            raise Http404
        return merchant


def resend_confirmation(count: int = 1) -> ConfirmedAction:
    title = RESEND if count == 1 else f"{RESEND} ({count})"
    return ConfirmedAction(
        verb="resend",
        title=title,
        explanation=RESEND_EXPLANATION,
        submit=RESEND,
        form_class=OptionalReasonForm,
    )
