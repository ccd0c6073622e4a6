"""Deliveries to one endpoint."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.core.ids import is_id
from webhooks.admin.endpoint_columns import shown_merchants
from webhooks.admin.endpoint_forms import ACCOUNT
from webhooks.endpoint_models import Endpoint
from webhooks.models import Delivery


class EndpointFilter(admin.SimpleListFilter):
    """Offers those of the chosen merchant. Hidden where there is but the URL of the account."""

    title = _("endpoint")
    parameter_name = "to"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        chosen = request.GET.get(self.parameter_name, "")
        known = Q(pk=chosen) if is_id(chosen, "whe") else Q(pk__in=[])
        own = tenancy.limit(request, Endpoint.objects.only("url", "description"), "merchant")
        of_merchants = Q(merchant__in=shown_merchants(request), deleted_at=None)
        rows = [(row.pk, str(row)) for row in own.filter(of_merchants | known).order_by("pk")]
        has_account = bool(rows) or chosen == ACCOUNT
        return [(ACCOUNT, gettext("Main URL of the account")), *rows] if has_account else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> QuerySet[Delivery]:
        chosen = self.value()
        if not chosen:
            return queryset
        if chosen == ACCOUNT:
            return queryset.filter(endpoint=None)
        return queryset.filter(endpoint_id=chosen) if is_id(chosen, "whe") else queryset.none()
