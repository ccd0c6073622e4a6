"""Pages of records as users of merchants see them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin
from unfold.contrib.filters.admin.mixins import AutocompleteMixin

from payments.console import tenancy

OF_MERCHANT = "merchant_link"


class OwnMerchantsFilter(admin.RelatedFieldListFilter):
    """Offers the user's own merchants."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        merchants = sorted(tenancy.scope(request) or ())
        return field.get_choices(include_blank=False, limit_choices_to={"pk__in": merchants})


class TenantScopedAdmin(ModelAdmin):
    """A page of records. Closed to users of merchants unless it sets `merchant_path`."""

    # From a row to the id of its merchant, as a lookup: "merchant", "order__merchant", "pk".
    merchant_path: ClassVar[str | None] = None
    # Views of this page that users of merchants may open, beside `merchant_actions`.
    merchant_pages: ClassVar[frozenset[str]] = frozenset(
        {"changelist_view", "change_view", "reveal", "export"}
    )
    # Names of actions that users of merchants may do, if they hold the action's right.
    merchant_actions: ClassVar[frozenset[str]] = frozenset()
    # Columns, fields and filters that are about us, our rails, or operators.
    not_for_merchants: ClassVar[frozenset[str]] = frozenset()

    def merchant_views(self) -> frozenset[str]:
        return self.merchant_pages | self.merchant_actions

    def is_closed(self, request: HttpRequest) -> bool:
        """Whether the page returns 404 to this user, whatever rights they hold."""
        return tenancy.is_merchant_user(request) and self.merchant_path is None

    def hidden_fields(self, request: HttpRequest) -> frozenset[str]:
        """The merchant's own name in each row would be useless."""
        merchants = tenancy.scope(request)
        if merchants is None:
            return frozenset()
        own = {OF_MERCHANT} if len(merchants) == 1 else set()
        return self.not_for_merchants | own

    def visible_fields(self, request: HttpRequest, fields: Any) -> Any:
        hidden = self.hidden_fields(request)
        return tenancy.remove_fields(fields, hidden) if hidden else fields

    # Rights.

    def has_module_permission(self, request: HttpRequest) -> bool:
        return not self.is_closed(request) and bool(super().has_module_permission(request))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return not self.is_closed(request) and bool(super().has_view_permission(request, obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Users of merchants use actions, no forms of ours."""
        return not tenancy.is_merchant_user(request) and bool(super().has_add_permission(request))

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return not tenancy.is_merchant_user(request) and bool(
            super().has_change_permission(request, obj)
        )

    # Rows.

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return tenancy.limit(request, super().get_queryset(request), self.merchant_path)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Users of merchants filter by what the page offers, so that hidden columns stay secret."""
        if tenancy.is_merchant_user(request):
            offered = {_name(entry).partition("__")[0] for entry in self.get_list_filter(request)}
            if lookup.partition("__")[0] not in {*offered, "merchant"} - self.hidden_fields(
                request
            ):
                return False
        return bool(super().lookup_allowed(lookup, value, request))

    # Columns, fields and filters.

    def get_list_display(self, request: HttpRequest) -> Any:
        return self.visible_fields(request, super().get_list_display(request))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.visible_fields(request, super().get_fieldsets(request, obj))

    def get_list_filter(self, request: HttpRequest) -> Any:
        """No filter reveals other merchants."""
        filters = super().get_list_filter(request)
        return self.own_filters(request, filters) if tenancy.is_merchant_user(request) else filters

    def own_filters(self, request: HttpRequest, filters: Any) -> list[Any]:
        """Without hidden ones, and those that list rows of others."""
        hidden, several = self.hidden_fields(request), len(tenancy.scope(request) or ()) > 1
        own = []
        for entry in filters:
            if _name(entry) in hidden:
                continue
            remote = _remote(self.model, _name(entry))
            page = admin.site._registry.get(remote) if remote else None
            path = getattr(page, "merchant_path", None)
            if path == "pk":
                own += [(_name(entry), OwnMerchantsFilter)] if several else []
            elif path is None and not _asks_for_rows(entry):
                own.append(entry)
        return own

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The history of a record is our audit log: users of merchants get no button to it."""
        own = {"show_history": False} if tenancy.is_merchant_user(request) else {}
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, {**(extra_context or {}), **own}
        )
        return response

    # Actions.

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        if not tenancy.is_merchant_user(request):
            return actions
        return {name: actions[name] for name in actions if name in self.merchant_actions}

    def _filter_unfold_actions_by_permissions(
        self, request: HttpRequest, actions: Any, object_id: Any = None
    ) -> Any:
        if tenancy.is_merchant_user(request):
            prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
            actions = [
                item
                for item in actions
                if item.action_name.removeprefix(prefix) in self.merchant_actions
            ]
        return super()._filter_unfold_actions_by_permissions(request, actions, object_id)


def _name(entry: Any) -> str:
    """Of a list filter: the field, or the parameter of the address."""
    if isinstance(entry, tuple | list):
        return str(entry[0])
    return entry if isinstance(entry, str) else str(getattr(entry, "parameter_name", ""))


def _remote(model: type[Model], name: str) -> type[Model] | None:
    try:
        field = model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    found = field.related_model if isinstance(field, Field) else None
    return found if isinstance(found, type) else None


def _asks_for_rows(entry: Any) -> bool:
    """Whether the filter's choices come from the autocomplete view."""
    return isinstance(entry, tuple | list) and issubclass(entry[1], AutocompleteMixin)
