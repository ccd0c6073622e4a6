"""Console pages of API keys, without their secrets."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote, unquote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants import services
from merchants.models import ApiKey
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.formatting import actor, link, timestamp_column, when
from payments.console.model_admins import ReadOnlyAdmin, ReadOnlyInline
from payments.core import clock

REVOKE = _("Revoke API key")


class KeyColumns:
    created = timestamp_column("created_at", _("created at"))

    @display(description=_("state"))
    def state(self, key: ApiKey) -> str | SafeString:
        """The time when the key was revoked, or a link to the page that revokes it."""
        if key.revoked_at is not None:
            return gettext("Revoked %s") % when(key.revoked_at)
        url = reverse("admin:merchants_apikey_revoke", args=[quote(key.pk)])
        return format_html('<a class="text-red-600" href="{}">{}</a>', url, gettext("Revoke"))


class ApiKeyInline(KeyColumns, ReadOnlyInline):
    model = ApiKey
    for_merchants = True
    fields = ["public_key", "label", "permissions", "created", "state"]
    readonly_fields = fields
    verbose_name_plural = _("API keys")


@admin.register(ApiKey)
class ApiKeyAdmin(KeyColumns, ReadOnlyAdmin):
    """All keys. They are issued on the merchant's page and revoked here."""

    merchant_path = "merchant"
    merchant_actions = frozenset({"revoke"})
    list_display = ["public_key", "merchant_link", "label", "permissions", "created", "state"]
    list_filter = [("revoked_at", admin.EmptyFieldListFilter), "created_at"]
    list_select_related = ["merchant"]
    search_fields = ["public_key__startswith", "merchant__name__icontains", "merchant__id__exact"]
    search_help_text = _("Key, or name or id of the merchant")
    ordering = ["-id"]
    fields = list_display
    readonly_fields = fields
    actions_detail = ["revoke"]
    has_revoke_permission = right_to("revoke")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        keys: QuerySet[ApiKey] = super().get_queryset(request)
        return keys.select_related("merchant").defer("secret_hash", "merchant__webhook_secret")

    @display(description=_("merchant"), ordering="merchant__name")
    def merchant_link(self, key: ApiKey) -> str | SafeString:
        return link(key.merchant)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> Any:
        if not ApiKey.objects.filter(pk=unquote(object_id), revoked_at=None).exists():
            return []
        return super().get_actions_detail(request, object_id)

    @action(
        description=REVOKE, icon="key_off", variant=ActionVariant.DANGER, permissions=["revoke"]
    )
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        key = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            services.revoke_api_key(
                key=key, now=clock.now(), actor=actor(request), reason=form["reason"]
            )
            self.message_user(request, gettext("API key %s is revoked.") % key.public_key)
            return redirect(self.back_url(key.merchant))

        confirmed = ConfirmedAction(
            verb="revoke",
            needs_reauthentication=True,
            title=REVOKE,
            explanation=gettext(
                "Requests with the key %(key)s of %(merchant)s get 401 at once. "
                "This cannot be undone."
            )
            % {"key": key.public_key, "merchant": key.merchant.name},
            submit=_("Revoke for good"),
            danger=True,
        )
        return self.confirm_first(request, key, confirmed, perform)
