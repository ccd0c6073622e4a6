"""Console pages of merchants: onboarding, enablement, webhook URL and secret, issuing keys.

Orders, payments, balances and deliveries are pages of other apps: see related_links.py.
"""

from dataclasses import replace
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants import services
from merchants.admin import branding, own_page, timelines
from merchants.admin.account_actions import ACTIVATE, DEACTIVATE, ISSUE, REGENERATE
from merchants.admin.account_forms import (
    FIELDSETS_OF_NEW,
    MerchantForm,
    NewMerchantForm,
    keep_legal_data,
)
from merchants.admin.keys import ApiKeyInline, KeyPages
from merchants.admin.legal_data import LegalPages
from merchants.admin.members import MemberPages, MembershipInline
from merchants.admin.outgoing_settings import OutgoingPages
from merchants.admin.related_links import LINKED_LISTS, RelatedLinks
from merchants.admin.self_service import SelfService
from merchants.models import SWITCHES, Merchant
from payments.console import cockpit, tenancy
from payments.console.actions import (
    ALREADY_SENT,
    Cleaned,
    ConfirmedAction,
    claim_form,
    new_form_token,
    right_to,
)
from payments.console.cells import copyable
from payments.console.detail_page import NextStep
from payments.console.formatting import actor, badge, time_element, timestamp_column
from payments.console.timeline import TimelineLine


@admin.register(Merchant)
class MerchantAdmin(
    branding.BrandingPage,
    OutgoingPages,
    KeyPages,
    SelfService,
    LegalPages,
    MemberPages,
    RelatedLinks,
):
    """Accounts. They are deactivated, never deleted."""

    merchant_path = "pk"
    merchant_actions = (
        SelfService.self_service_actions
        | LegalPages.legal_actions
        | RelatedLinks.link_actions
        | MemberPages.member_actions
        | KeyPages.key_actions
        | {"regenerate_secret"}
    )
    not_for_merchants = frozenset({"rule_set_by", *SWITCHES, "is_active"})

    has_timeline = True
    change_form_outer_before_template = "admin/merchants/merchant/top.html"
    change_form_outer_after_template = "admin/tables.html"
    form = MerchantForm
    actions = None
    created = timestamp_column("created_at", _("created at"))
    updated = timestamp_column("updated_at", _("updated at"))
    shown_if_empty = _(
        "Each merchant has an account with its own keys, team, fees and balance. Add the first one."
    )
    list_display = ["name", "id", "email", "active", "enabled", "last_order", "created"]
    list_filter = ["is_active", *SWITCHES]
    search_fields = ["id__startswith", "name__icontains", "email__icontains"]
    search_help_text = _("Id, name or e-mail")
    ordering = ["-id"]
    readonly_fields = ["id", "active", "created", "updated", "rule_set_by", "logo_shown"]
    readonly_fields += ["legal_shown"]
    inlines = [ApiKeyInline, MembershipInline]
    forms_need_reauthentication = True
    has_issue_permission = right_to("issue")
    has_regenerate_permission = right_to("regenerate")
    has_activate_permission = right_to("activate")
    actions_detail = [
        "issue_key",
        "new_key",
        {
            "title": gettext_lazy("Payments"),
            "icon": "receipt_long",
            "items": [*LINKED_LISTS, "balances"],
        },
        {
            "title": gettext_lazy("Webhooks"),
            "icon": "outbox",
            "items": [
                "webhook_endpoints",
                "deliveries",
                "failed_deliveries",
                "send_test",
                "resend_range",
                "set_webhook",
                "choose_events",
                "set_strict",
                "rotate_secret",
                "regenerate_secret",
            ],
        },
        {
            "title": gettext_lazy("Account"),
            "icon": "storefront",
            "items": [
                "set_legal_data",
                "set_brand",
                "set_retry",
                "invite_person",
                "set_receipt_mail",
                "set_document",
                "add_person",
                "create_person",
                "deactivate",
                "activate",
            ],
        },
    ]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return FIELDSETS_OF_NEW
        if own_page.is_own(request):
            return []  # templates/admin/merchants/merchant/settings.html
        # Two switches in a line, because four overlap on a laptop.
        pairs = [tuple(SWITCHES[each : each + 2]) for each in range(0, len(SWITCHES), 2)]
        rights = [*pairs, "currencies", "methods"]
        may_change = self.has_change_permission(request, obj)
        page = branding.FIELDS if may_change else branding.READ_ONLY_FIELDS
        sections: list[Any] = [
            (_("Enabled for the account"), {"fields": rights}),
            (_("Payouts"), {"fields": ["payout_approval_above", "rule_set_by"]}),
            (_("Webhooks"), {"fields": ["webhook_url", "event_kinds"]}),
            (_("Payer's page"), {"fields": page}),
        ]
        account = {"fields": [("name", "email"), "updated"]}
        # The reason is asked for when something was changed (static/console/shell.js).
        reason = {"fields": ["reason"], "classes": ["collapse"]}
        why: list[Any] = [(_("Reason for the change"), reason)] if may_change else []
        legal = {"fields": ["legal_shown"]}
        tabs = [(_("Account"), account), (_("Legal data"), legal), *sections]
        return [*((title, {**parts, "classes": ["tab"]}) for title, parts in tabs), *why]

    def head(self, row: Merchant) -> dict[str, Any]:
        """Whose page it is."""
        facts: list[tuple[str, object]] = [
            (gettext("Id"), copyable(row.pk)),
            (gettext("E-mail"), row.email or "-"),
            (gettext("created at"), time_element(row.created_at)),
        ]
        return {"amount": row.name, "state": self.active(row), "facts": facts}

    def timeline_lines(self, row: Merchant) -> list[TimelineLine]:
        return timelines.timeline_lines(row)

    def next_step(self, row: Merchant) -> NextStep:
        return timelines.of_merchant(row, own_page.first_steps(row))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """A new account is asked for its legal data, too."""
        own = {} if obj is not None else {"form": NewMerchantForm}
        return super().get_form(request, obj, change, **{**own, **kwargs})

    def get_inlines(self, request: HttpRequest, obj: object) -> Any:
        return self.inlines if obj else []

    def get_queryset(self, request: HttpRequest) -> QuerySet[Merchant]:
        merchants: QuerySet[Merchant] = super().get_queryset(request)
        merchants = merchants.defer("webhook_secret")
        orders = apps.get_model("collect.order")._default_manager.filter(merchant=OuterRef("pk"))
        newest = orders.order_by("-created_at", "-id").values("created_at")[:1]
        return merchants.annotate(last_order_at=Subquery(newest))

    @display(description=_("last order"))
    def last_order(self, merchant: Any) -> str | SafeString:
        return time_element(getattr(merchant, "last_order_at", None))

    @display(description=_("state"), ordering="is_active")
    def active(self, merchant: Merchant) -> SafeString:
        if merchant.is_active:
            return badge(_("Active"), "success")
        return badge(_("Inactive"), "danger")

    @display(description=_("enabled"))
    def enabled(self, merchant: Merchant) -> str:
        fields = [field for field in Merchant._meta.fields if field.name in SWITCHES]
        on = [str(field.verbose_name) for field in fields if getattr(merchant, field.name)]
        return capfirst(", ".join(on)) or "-"

    @display(description=_("rule set by"))
    def rule_set_by(self, merchant: Merchant) -> str:
        """The person who set the approval rule.

        This person cannot approve payouts under the rule.
        """
        return merchant.payout_approval_set_by or "-"

    # Saving: services write and leave the audit row.

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """A reload of the page with the secret must not create a second account."""
        if (page := self.reauthentication_page(request)) is not None:
            return page
        if request.method == "POST" and not claim_form(request):
            return self.page(request, "admin/refused.html", status=409, title=ALREADY_SENT)
        context = {
            "form_token": new_form_token(),
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
            "show_close": True,
        }
        response: HttpResponse = super().add_view(
            request, form_url, {**(extra_context or {}), **context}
        )
        return response

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Above the settings: what stops a sale and, for operators, the panels of all apps.

        The form has one save button, because each save needs its own reason.
        """
        buttons = {"show_save_and_add_another": False, "show_save_and_continue": False}
        response: HttpResponse = super().change_view(
            request, object_id, form_url, {**(extra_context or {}), **buttons}
        )
        context = getattr(response, "context_data", None)
        if context is not None and (merchant := context.get("original")) is not None:
            panels = cockpit.of_merchant(request, merchant.pk)
            context["record_alarms"] = cockpit.alarms(panels["cockpit_figures"])
            timelines.add_steps(context, panels["cockpit_lists"])
            # People of merchants have the panels on their home, and come here for the settings.
            if not tenancy.is_merchant_user(request):
                context.update(panels)
            elif own_page.is_own(request):
                own_page.arrange(self, request, context, merchant)
        return response

    def save_model(
        self, request: HttpRequest, obj: Merchant, form: MerchantForm, change: bool
    ) -> None:
        values = {name: form.cleaned_data[name] for name in MerchantForm.Meta.fields}
        values |= branding.logo_change(form.cleaned_data)
        why = {"actor": actor(request), "reason": form.cleaned_data["reason"]}
        if change:
            may = self.may_unlock_outgoing(request)
            services.update_merchant(merchant=obj, may_unlock_outgoing=may, **why, **values)
            return
        merchant, secret = services.create_merchant(**why, **values)
        obj.pk = merchant.pk
        keep_legal_data(merchant, form.cleaned_data, actor(request))
        # Kept for this request, because response_add shows the secret.
        request.webhook_secret_to_show = secret  # type: ignore[attr-defined]

    def response_add(
        self, request: HttpRequest, obj: Merchant, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self.show_once(
            request,
            title=_("Merchant created: %s") % obj.name,
            values={
                _("Merchant id"): obj.pk,
                _("Webhook secret"): request.webhook_secret_to_show,  # type: ignore[attr-defined]
            },
            back_url=self.back_url(obj),
        )

    # Actions.

    @action(description=_("Issue API key"), icon="key", permissions=["issue"])
    def issue_key(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            key, secret = services.issue_api_key(merchant=merchant, actor=actor(request), **form)
            return self.show_once(
                request,
                title=_("API key issued"),
                values={"X-Api-Key": key.public_key, "X-Api-Secret": secret},
                back_url=self.back_url(merchant),
            )

        confirmed = replace(ISSUE, form_class=self.key_form(request))
        return self.confirm_first(request, merchant, confirmed, perform)

    @action(
        description=_("Regenerate webhook secret"),
        icon="autorenew",
        variant=ActionVariant.DANGER,
        permissions=["regenerate"],
    )
    def regenerate_secret(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            secret = services.regenerate_webhook_secret(
                merchant=merchant, actor=actor(request), reason=form["reason"]
            )
            return self.show_once(
                request,
                title=REGENERATE.title,
                values={_("Webhook secret"): secret},
                back_url=self.back_url(merchant),
            )

        return self.confirm_first(request, merchant, REGENERATE, perform)

    @action(
        description=_("Deactivate"),
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["activate"],
    )
    def deactivate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set_active(request, object_id, DEACTIVATE, active=False)

    @action(description=_("Activate"), icon="check_circle", permissions=["activate"])
    def activate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._set_active(request, object_id, ACTIVATE, active=True)

    def _set_active(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, *, active: bool
    ) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            services.update_merchant(
                merchant=merchant, is_active=active, actor=actor(request), **form
            )
            return self.done(request, merchant, confirmed)

        return self.confirm_first(request, merchant, confirmed, perform)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> Any:
        """Offers either activate or deactivate, whichever changes the account."""
        active = Merchant.objects.filter(pk=unquote(object_id), is_active=True).exists()
        without_effect = "activate" if active else "deactivate"
        is_own = own_page.is_own(request)
        return [
            item
            for item in super().get_actions_detail(request, object_id)
            if not item.action_name.endswith(f"_{without_effect}")
            and (not is_own or own_page.is_needed(item.action_name))
        ]
