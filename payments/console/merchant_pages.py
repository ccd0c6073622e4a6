"""Pages of records on the site of users of merchants.

Each page is derived from the operators' page, which declares the parts for users of merchants
(ConsoleAdmin). Their site has no other pages.
"""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern
from unfold.contrib.filters.admin.mixins import AutocompleteMixin

from payments.console import tenancy
from payments.console.fieldsets import without
from payments.console.model_admins import ConsoleAdmin
from payments.console.registry import Text

OF_MERCHANT = "merchant_link"
_ACTIONS = ("actions", "actions_list", "actions_row", "actions_detail", "actions_submit_line")


class OwnMerchantsFilter(admin.RelatedFieldListFilter):
    def field_choices(self, field: Any, request: HttpRequest, model_admin: object) -> Any:
        own = {"pk__in": tenancy.merchants(request)}
        return field.get_choices(include_blank=False, limit_choices_to=own)


class MerchantPage(ConsoleAdmin):
    """A page to read, with the declared actions. Forms and the audit log are for operators."""

    @property
    def shown_if_empty(self) -> Text:  # type: ignore[override]
        return self.empty_text

    def get_urls(self) -> list[URLPattern]:
        declared = self.merchant_pages | self.merchant_actions
        prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
        return [
            url
            for url in super().get_urls()
            if str(url.name).removeprefix(prefix) in declared or _method_name(url) in declared
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        if self.merchant_path is not None:
            return rows.filter(**{f"{self.merchant_path}__in": tenancy.merchants(request)})
        return rows.filter(**{self.user_path: request.user.pk}) if self.user_path else rows.none()

    def hidden_fields(self, request: HttpRequest) -> frozenset[str]:
        """Hides the merchant's name, because it is the same in each row."""
        own = {OF_MERCHANT} if len(tenancy.merchants(request)) == 1 else set()
        return self.not_for_merchants | own

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        changes: ChangeList = super().get_changelist_instance(request)
        if self.search_help_for_merchants:
            changes.search_help_text = str(self.search_help_for_merchants)
        return changes

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        columns = self.list_for_merchants or super().get_list_display(request)
        return without(columns, self.hidden_fields(request))

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> Any:
        declared = super().get_list_display_links(request, list_display)
        shown = [name for name in declared or () if name in list_display]
        return shown or (list_display[:1] if declared else declared)

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return without(super().get_fieldsets(request, obj), self.hidden_fields(request))

    def get_inlines(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        inlines = super().get_inlines(request, obj)
        return [each for each in inlines if getattr(each, "for_merchants", False)]

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """The list filters without hidden fields, and without filters that list rows of others."""
        hidden, several = self.hidden_fields(request), len(tenancy.merchants(request)) > 1
        own: list[Any] = []
        for entry in super().get_list_filter(request):
            if _name(entry) in hidden:
                continue
            remote = _remote(self.model, _name(entry))
            page = self.admin_site._registry.get(remote) if remote else None
            path = getattr(page, "merchant_path", None)
            if path == "pk":
                own += [(_name(entry), OwnMerchantsFilter)] if several else []
            elif path is None and not _asks_for_rows(entry):
                own.append(entry)
        return own

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        """Allows only the filters of the page, so that hidden columns stay secret."""
        offered = {_name(entry).partition("__")[0] for entry in self.get_list_filter(request)}
        if lookup.partition("__")[0] not in {*offered, "merchant"} - self.hidden_fields(request):
            return False
        return super().lookup_allowed(lookup, value, request)


def is_declared(page: type[admin.ModelAdmin] | None) -> bool:
    """Whether the operators' page declares anything for users of merchants."""
    return bool(getattr(page, "merchant_path", None) or getattr(page, "user_path", None))


def derived(page: type[ConsoleAdmin]) -> type[MerchantPage]:
    """Derives the page for users of merchants from the operators' page."""
    kept: dict[str, Any] = {
        name: _declared(getattr(page, name), page.merchant_actions) for name in _ACTIONS
    }
    columns = [column for column in page.export_columns if not column.is_internal]
    if page.is_short_for_merchants:
        kept |= {"tab_field": "", "search_fields": [], "list_filter": []}
    return type(
        f"MerchantPageOf{page.__name__}", (MerchantPage, page), {**kept, "export_columns": columns}
    )


def _declared(actions: Any, declared: frozenset[str]) -> list[Any]:
    """The declared actions and menus of actions, without all others."""
    kept: list[Any] = []
    for item in actions or ():
        if not isinstance(item, dict):
            kept += [item] if item in declared else []
        elif items := _declared(item["items"], declared):
            kept.append({**item, "items": items})
    return kept


def _method_name(url: URLPattern) -> str:
    """The name of the method. `admin_view` keeps it."""
    return str(getattr(url.callback, "__name__", ""))


def _name(entry: Any) -> str:
    """The name of a list filter: its field, or its URL parameter."""
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
