"""Console pages of API keys, without their secrets."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar

from django import forms
from django.apps import apps
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from merchants import services
from merchants.models import ApiKey, Merchant, Permission
from merchants.team import access_requests
from merchants.team.pages import count_made, person_of, to_own_merchant
from payments.console import state_filter, tenancy
from payments.console.actions import (
    Cleaned,
    ConfirmedAction,
    OptionalReasonForm,
    own_right_to,
    right_to,
)
from payments.console.cells import fingerprint, short_id
from payments.console.formatting import (
    actor,
    admin_url,
    badge,
    link,
    list_url,
    time_element,
    timestamp_column,
    when,
)
from payments.console.inlines import ReadOnlyInline
from payments.console.model_admins import ConsoleAdmin, ReadOnlyAdmin
from payments.console.state_filter import State, StateFilter
from payments.console.status_tabs import Tab
from payments.core import clock

REVOKE = _("Revoke API key")
# Beside what every key does: collect and read.
SHORT_RIGHTS = {
    Permission.PAYOUT_CREATE.value: _("Pays out"),
    Permission.WEBHOOK_MANAGE.value: _("Webhooks"),
}


class NewKeyForm(OptionalReasonForm):
    label = forms.CharField(
        label=_("Alias"),
        max_length=100,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("What the key is for, e.g. “online shop”."),
    )
    pays = forms.BooleanField(
        label=_("Creates payouts"),
        required=False,
        widget=UnfoldBooleanWidget(),
        help_text=_("A second person has to agree before the key is shown to you."),
    )
    manages_webhooks = forms.BooleanField(
        label=_("Manages webhook endpoints"),
        required=False,
        widget=UnfoldBooleanWidget(),
        help_text=_(
            "Only for a system that adds and changes endpoints over the API. Without it the key "
            "still reads them, and in this console no key is needed."
        ),
    )
    field_order = ["label", "manages_webhooks", "pays", "reason"]

    def clean(self) -> dict[str, object]:
        super().clean()
        if self.cleaned_data.get("pays") and self.cleaned_data.get("manages_webhooks"):
            self.add_error("pays", gettext("A key does one of the two: issue one for each."))
        if self.cleaned_data.get("pays") and not self.cleaned_data.get("reason"):
            self.add_error("reason", gettext("The second person decides by the reason."))
        return self.cleaned_data


class CollectingKeyForm(NewKeyForm):
    """For a person who may not change where webhooks go."""

    manages_webhooks = None  # type: ignore[assignment]


class RenameForm(OptionalReasonForm):
    label = forms.CharField(label=_("Alias"), max_length=100, widget=UnfoldAdminTextInputWidget())
    field_order = ["label", "reason"]


NEW_KEY = ConfirmedAction(
    verb="keys",
    needs_reauthentication=True,
    title=_("New API key"),
    explanation=_(
        "With a key your systems collect and read over the API; the boxes below let it do more. "
        "The secret is shown once, on the next page, and cannot be read again later."
    ),
    submit=_("Issue key"),
    form_class=NewKeyForm,
    menu="merchants.apikey",
)
RENAME = ConfirmedAction(
    verb="rename",
    title=_("Change the alias"),
    explanation=_("Only the name in this console changes. The key works as before."),
    submit=_("Save"),
    form_class=RenameForm,
)


class KeyPages(ConsoleAdmin):
    """Keys that administrators of a merchant issue. Operators have their own action."""

    key_actions: ClassVar[frozenset[str]] = frozenset({"new_key"})

    has_keys_permission = own_right_to(NEW_KEY.verb)

    @action(description=NEW_KEY.title, icon="key", permissions=["keys"])
    def new_key(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            count_made(request)
            label, reason = form["label"], form["reason"]
            if form["pays"]:
                asked = access_requests.request_payout_key(
                    merchant=merchant,
                    label=label,
                    actor=person_of(request),
                    reason=reason,
                    now=clock.now(),
                )
                messages.info(request, gettext("A second person decides now about your key."))
                return redirect(admin_url(asked) or "admin:index")
            manages = [Permission.WEBHOOK_MANAGE] if form.get("manages_webhooks") else []
            key, secret = services.issue_api_key(
                merchant=merchant,
                actor=actor(request),
                label=label,
                reason=reason,
                permissions=manages,
            )
            return self.show_once(
                request,
                title=_("API key issued"),
                values={"X-Api-Key": key.public_key, "X-Api-Secret": secret},
                back_url=self.back_url(key),
                subject=merchant,
            )

        may_manage = request.user.has_perm("merchants.webhook_merchant")
        form_class = NewKeyForm if may_manage else CollectingKeyForm
        confirmed = replace(NEW_KEY, form_class=form_class)
        return self.confirm_first(request, merchant, confirmed, perform)


class KeyState(StateFilter):
    @classmethod
    def states(cls) -> dict[str, State]:
        return {
            "active": State(pgettext_lazy("API key", "Active"), Q(revoked_at=None)),
            "revoked": State(_("Revoked"), Q(revoked_at__isnull=False)),
        }


class KeyColumns:
    created = timestamp_column("created_at", pgettext_lazy("API key", "created at"))

    @display(description=_("permissions"))
    def rights(self, key: ApiKey) -> str:
        """A permission of an earlier release has no name: it shows as it is."""
        names = dict(Permission.choices)
        return ", ".join(str(names.get(code, code)) for code in key.permissions) or "-"

    @display(description=_("permissions"))
    def short_rights(self, key: ApiKey) -> str:
        return ", ".join(str(SHORT_RIGHTS.get(code, code)) for code in key.permissions) or "-"

    @display(description=_("state"))
    def state(self, key: ApiKey) -> SafeString:
        if key.revoked_at is None:
            return badge(pgettext("API key", "Active"), "success")
        return badge(gettext("Revoked %s") % when(key.revoked_at), "danger")

    @display(description=_("key"), ordering="public_key")
    def key_shown(self, key: ApiKey) -> str:
        return key.public_key

    @display(description=_("alias"), ordering="label")
    def alias(self, key: ApiKey) -> str:
        return key.label or gettext("Without an alias")

    @display(description=_("last used"))
    def used(self, key: ApiKey) -> str | SafeString:
        """Calls are kept for some days, where they are kept: an older key may have been used
        before.
        """
        if at := getattr(key, "last_call_at", None):
            return time_element(at)
        if not settings.API_LOG:
            return gettext("Not known: calls are not kept")
        kept = settings.API_LOG_DAYS
        if key.created_at >= clock.now() - timedelta(days=kept):
            return gettext("Never")
        return gettext("Not in %(days)s days") % {"days": kept}

    @display(description=_("revoke"))
    def revocation(self, key: ApiKey) -> str | SafeString:
        """A link to the page that revokes it."""
        if key.revoked_at is not None:
            return "-"
        url = reverse("admin:merchants_apikey_revoke", args=[quote(key.pk)])
        return format_html(
            '<a class="text-red-600 dark:text-red-400" href="{}">{}</a>', url, gettext("Revoke")
        )


def last_call() -> Subquery:
    """The time of the last call with the key whose secret was right. Calls are kept for a while."""
    calls = apps.get_model("api.apicall")._default_manager
    found = calls.filter(key=OuterRef("public_key"), merchant__isnull=False).order_by("-at")
    return Subquery(found.values("at")[:1])


class ApiKeyInline(KeyColumns, ReadOnlyInline):
    model = ApiKey
    fields = ["key_shown", "alias", "state", "rights", "created", "revocation"]
    readonly_fields = fields
    verbose_name_plural = _("API keys")


@admin.register(ApiKey)
class ApiKeyAdmin(KeyColumns, ReadOnlyAdmin):
    """All keys. They are issued on the merchant's page and revoked here."""

    empty_text = _(
        "With a key your shop's system or your developer calls the API. Payment links need none."
    )
    list_about = _(
        "The keys with which merchants call the API. A merchant's administrators issue them in "
        "their console, and you on the merchant's page; the secret is shown once. A key that you "
        "revoke here stops at once."
    )
    merchant_path = "merchant"
    merchant_actions = frozenset({"revoke", "rename", "new_key"})
    list_display = [
        *("key_shown", "merchant_link", "alias", "state", "short_rights", "used", "created"),
        "revocation",
    ]
    list_before_template = "admin/merchants/apikey_top.html"
    list_filter = [KeyState, "created_at"]
    list_select_related = ["merchant"]
    search_fields = ["public_key__startswith", "merchant__name__icontains", "merchant__id__exact"]
    search_help_text = _("Key, or name or id of the merchant")
    search_help_for_merchants = _("Beginning of the key")
    ordering = ["-id"]
    fields = ["key_shown", "alias", "state", "rights", "used", "merchant_link", "created"]
    readonly_fields = fields
    actions_list = ["new_key"]
    actions_detail = ["rename", "revoke"]
    has_revoke_permission = right_to("revoke")
    has_rename_permission = right_to("rename")

    def has_keys_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Operators issue keys on the page of the merchant."""
        is_own = tenancy.is_merchant_user(request)
        return is_own and bool(request.user.has_perm("merchants.keys_merchant"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        keys: QuerySet[ApiKey] = super().get_queryset(request)
        keys = keys.annotate(last_call_at=last_call())
        return keys.select_related("merchant").defer("secret_hash", "merchant__webhook_secret")

    def own_tabs(self, request: HttpRequest, changes: Any) -> list[Tab]:
        return state_filter.tabs(request, changes, KeyState)

    def title_of(self, row: ApiKey) -> object:
        return row.label or short_id(row.public_key)

    @display(description=_("merchant"), ordering="merchant__name")
    def merchant_link(self, key: ApiKey) -> str | SafeString:
        return link(key.merchant)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> Any:
        if not ApiKey.objects.filter(pk=unquote(object_id), revoked_at=None).exists():
            return []
        return super().get_actions_detail(request, object_id)

    @action(
        description=NEW_KEY.title,
        icon="key",
        permissions=["keys"],
        variant=ActionVariant.PRIMARY,
    )
    def new_key(self, request: HttpRequest) -> HttpResponse:
        return to_own_merchant(request, "merchants_merchant_new_key")

    @action(description=RENAME.title, icon="edit", permissions=["rename"])
    def rename(self, request: HttpRequest, object_id: str) -> HttpResponse:
        key: ApiKey = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            services.rename_api_key(key=key, actor=actor(request), **form)
            return self.done(request, key, RENAME)

        confirmed = replace(RENAME, initial={"label": key.label})
        return self.confirm_first(request, key, confirmed, perform)

    @action(
        description=REVOKE, icon="key_off", variant=ActionVariant.DANGER, permissions=["revoke"]
    )
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        key = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            services.revoke_api_key(
                key=key, now=clock.now(), actor=actor(request), reason=form["reason"]
            )
            said = gettext("API key %s is revoked.") % self.title_of(key)
            self.message_user(request, said, messages.SUCCESS)
            if tenancy.is_merchant_user(request):
                return redirect(list_url(ApiKey))
            return redirect(self.back_url(key.merchant))

        stops = gettext(
            "The key “%(key)s” of %(merchant)s stops working at once: requests with it are refused "
            "(401). This cannot be undone."
        )
        confirmed = ConfirmedAction(
            verb="revoke",
            needs_reauthentication=True,
            title=REVOKE,
            explanation=stops % {"key": self.title_of(key), "merchant": key.merchant.name},
            submit=_("Revoke for good"),
            danger=True,
        )
        facts = [
            (_("key"), fingerprint(key.public_key)),
            (_("alias"), self.alias(key)),
            (_("merchant"), key.merchant.name),
            (_("permissions"), self.rights(key)),
            (_("last used"), self.used(key)),
            (pgettext("API key", "created at"), time_element(key.created_at)),
        ]
        alerts = [_last_of(key.merchant)] if _is_last(key) else []
        return self.confirm_first(request, key, confirmed, perform, facts=facts, alerts=alerts)


def _is_last(key: ApiKey) -> bool:
    others = ApiKey.objects.filter(merchant=key.merchant_id, revoked_at=None).exclude(pk=key.pk)
    return key.revoked_at is None and not others.exists()


def _last_of(merchant: Merchant) -> str:
    text = gettext(
        "It is the only active key of %(merchant)s: its systems cannot call the API until it has "
        "another."
    )
    return text % {"merchant": merchant.name}
