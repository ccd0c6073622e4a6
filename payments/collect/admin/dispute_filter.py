"""The disputes that wait for the person who looks at the list."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Dispute
from payments.collect.overdue import WAITS_FOR_MERCHANT
from payments.console import tenancy


class DisputeExceptionsFilter(admin.SimpleListFilter):
    """Disputes that are open, or that an operator has to investigate."""

    title = _("exceptions")
    parameter_name = "exceptions"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        # Users of merchants do not see doubtful disputes: operators handle them.
        is_of_merchant = tenancy.is_merchant_user(request)
        label = _("Waiting for your evidence") if is_of_merchant else _("Open or in doubt")
        return [("waiting", label)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Dispute]) -> QuerySet[Dispute]:
        """Ignores a choice that this person is not offered."""
        if self.value() not in dict(self.lookup_choices):
            return queryset
        if tenancy.is_merchant_user(request):
            return queryset.filter(WAITS_FOR_MERCHANT)
        return queryset & Dispute.objects.waiting()
