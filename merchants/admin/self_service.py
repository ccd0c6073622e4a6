"""What administrators of a merchant change: the webhook URL, its events and the branding.

Operators with the same rights change them here, too. The rest is for operators only.
"""

from dataclasses import replace
from typing import ClassVar

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.widgets import (
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from merchants import services, url_safety
from merchants.admin import branding
from merchants.admin.event_choices import EventGroupsWidget, event_choices, fixed_choices
from payments.console.actions import (
    Cleaned,
    ConfirmedAction,
    OptionalReasonForm,
    right_to,
)
from payments.console.formatting import actor
from payments.console.model_admins import ConsoleAdmin


class WebhookUrlForm(forms.Form):
    """Refuses a URL that the sender would refuse, but keeps the stored URL."""

    def clean_webhook_url(self) -> str:
        url: str = self.cleaned_data["webhook_url"].strip()
        if url and url != self.initial.get("webhook_url"):
            url_safety.check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
        return url


class WebhookForm(WebhookUrlForm, OptionalReasonForm):
    webhook_url = forms.CharField(
        label=_("Webhook URL"),
        max_length=2000,
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "url", "spellcheck": "false"}),
        help_text=_("Empty: events wait until there is a URL again."),
    )
    field_order = ["webhook_url", "reason"]


class EventsForm(OptionalReasonForm):
    event_kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=event_choices,
        required=False,
        widget=EventGroupsWidget(fixed=fixed_choices),
    )
    field_order = ["event_kinds", "reason"]


class BrandingActionForm(branding.BrandingForm, OptionalReasonForm):
    field_order = ["brand_color", "brand_picker", "logo_file", "remove_logo", "reason"]


class RetryForm(OptionalReasonForm):
    retry_enabled = forms.BooleanField(
        label=_("Payers may try again after a refusal"),
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
    )
    field_order = ["retry_enabled", "reason"]


class ReceiptMailForm(OptionalReasonForm):
    receipts_by_mail = forms.BooleanField(
        label=_("Payers get their receipt by mail"),
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
    )
    field_order = ["receipts_by_mail", "reason"]


class DocumentForm(OptionalReasonForm):
    document_by_payer = forms.BooleanField(
        label=_("Orders may come without the customer's document"),
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
    )
    field_order = ["document_by_payer", "reason"]


class StrictForm(OptionalReasonForm):
    refuses_unknown_fields = forms.BooleanField(
        label=_("Refuse requests with unknown fields"),
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
    )
    field_order = ["refuses_unknown_fields", "reason"]


WEBHOOK = ConfirmedAction(
    verb="webhook",
    needs_reauthentication=True,
    title=_("Set the webhook URL"),
    explanation=_(
        "From the next attempt on, events go there, also those that wait for a repetition. Events "
        "that waited for a URL go out at once. Send a test event afterwards."
    ),
    submit=_("Save"),
    form_class=WebhookForm,
    menu="webhooks.endpoint",
)
EVENTS = ConfirmedAction(
    verb="webhook",
    title=_("Choose events"),
    explanation=_(
        "From now on the main URL of the account gets the events that you choose. Events of the "
        "past are not sent later."
    ),
    submit=_("Save"),
    menu="webhooks.endpoint",
    form_class=EventsForm,
)
BRAND = ConfirmedAction(
    verb="brand",
    title=_("Set colour and logo"),
    explanation=_("What payers see on the payment page, from now on."),
    submit=_("Save"),
    form_class=BrandingActionForm,
)
RETRY = ConfirmedAction(
    verb="brand",
    title=_("Try again after a refusal"),
    explanation=_(
        "A refused order stays FAILED, and you get payment.failed. If its payer tries again, a new "
        "order with the same data is made: its reference ends in -2, -3 and so on, and its events "
        "carry retryOf, the id of the refused order. Orders of payment links always allow it."
    ),
    submit=_("Save"),
    form_class=RetryForm,
)


RECEIPT_MAIL = ConfirmedAction(
    verb="brand",
    title=_("Receipts by mail"),
    explanation=_(
        "When an order is paid, its customer gets the receipt by mail, once. Without it payers "
        "may still have it sent from the receipt's page."
    ),
    submit=_("Save"),
    form_class=ReceiptMailForm,
)
DOCUMENT = ConfirmedAction(
    verb="brand",
    title=_("Document on the payment page"),
    explanation=_(
        "POST /collect may leave out customerDocType and customerDocNumber. The payment page then "
        "asks the payer for them where the way to pay needs them, and the order has what the payer "
        "gave. Without it both fields are required. Orders that exist do not change."
    ),
    submit=_("Save"),
    form_class=DocumentForm,
)
STRICT = ConfirmedAction(
    verb="webhook",
    title=_("Unknown fields in requests"),
    explanation=_(
        "A request of the API with a field that we do not know gets the error 400, with the "
        "nearest name that we know. Without it such fields are ignored, and the answer names them "
        "in the header X-Unknown-Fields."
    ),
    submit=_("Save"),
    form_class=StrictForm,
)


class SelfService(ConsoleAdmin):
    self_service_actions: ClassVar[frozenset[str]] = frozenset(
        {
            "set_webhook",
            "choose_events",
            "set_strict",
            "set_document",
            "set_brand",
            "set_retry",
            "set_receipt_mail",
        }
    )
    has_webhook_permission = right_to("webhook")
    has_brand_permission = right_to("brand")

    @action(description=WEBHOOK.title, icon="link", permissions=["webhook"])
    def set_webhook(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set(request, object_id, WEBHOOK, "webhook_url")

    @action(description=EVENTS.title, icon="checklist", permissions=["webhook"])
    def choose_events(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set(request, object_id, EVENTS, "event_kinds")

    @action(description=STRICT.title, icon="rule", permissions=["webhook"])
    def set_strict(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set(request, object_id, STRICT, "refuses_unknown_fields")

    @action(description=DOCUMENT.title, icon="badge", permissions=["brand"])
    def set_document(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set(request, object_id, DOCUMENT, "document_by_payer")

    @action(description=BRAND.title, icon="palette", permissions=["brand"])
    def set_brand(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            values = {"brand_color": form["brand_color"], **branding.logo_change(form)}
            why = {"actor": actor(request), "reason": form["reason"]}
            services.update_merchant(merchant=merchant, **why, **values)
            return self.done(request, merchant, BRAND)

        initial = {"brand_color": merchant.brand_color, "has_logo": merchant.logo_id is not None}
        confirmed = replace(BRAND, initial=initial)
        return self.confirm_first(request, merchant, confirmed, perform)

    @action(description=RETRY.title, icon="replay", permissions=["brand"])
    def set_retry(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set(request, object_id, RETRY, "retry_enabled")

    @action(description=RECEIPT_MAIL.title, icon="mail", permissions=["brand"])
    def set_receipt_mail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set(request, object_id, RECEIPT_MAIL, "receipts_by_mail")

    def _set(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, field: str
    ) -> HttpResponse:
        """The form has this field of the merchant, and the reason."""
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            services.update_merchant(merchant=merchant, actor=actor(request), **form)
            return self.done(request, merchant, confirmed)

        shown = replace(confirmed, initial={field: getattr(merchant, field)})
        return self.confirm_first(request, merchant, shown, perform)
