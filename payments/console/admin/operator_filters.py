"""Which operators a list has, and by what it is narrowed."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from payments.console import roles
from payments.console.state_filter import State, StateFilter


class RolesFilter(admin.RelatedFieldListFilter):
    def field_choices(self, field: object, request: HttpRequest, model_admin: object) -> Any:
        return [(group.pk, roles.label(group)) for group in Group.objects.order_by("name")]


class ActiveFilter(StateFilter):
    @classmethod
    def states(cls) -> dict[str, State]:
        return {
            "active": State(_("Active"), Q(is_active=True)),
            "off": State(_("Not active"), Q(is_active=False)),
        }


def of_the_house(users: QuerySet[User]) -> QuerySet[User]:
    return users.exclude(groups__name__in=roles.OF_MERCHANTS)
