"""Related records inside the page of a record."""

from typing import ClassVar

from django.db.models import Model
from django.forms import Media
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline

from payments.console.registry import Text


class ReadOnlyInline(TabularInline):
    """Read-only rows of another table on a record's page."""

    # Whether users of merchants see these rows on the page of their record.
    for_merchants: ClassVar[bool] = False
    extra = 0
    hide_title = True
    can_delete = False
    show_change_link = False
    template_before = "admin/inline_empty.html"
    # A table of a header alone says nothing.
    shown_if_empty: ClassVar[Text] = _("There are none yet.")
    # The label of its first action, and the name of that action of the record.
    add_if_empty: ClassVar[tuple[Text, str] | None] = None

    @property
    def media(self) -> Media:
        """Nothing is added to these rows in the browser."""
        return Media()

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
