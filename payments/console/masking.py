"""Masks personal data in the console.

One page shows the data in full, and each use of that page is logged. Names are not masked, because
operators find people by them. Of documents, accounts, keys, phones and e-mail addresses only the
end is shown. A search needs the complete value, because it uses indexes.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import structlog
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from payments.console import crumbs
from payments.console.buttons import button
from payments.console.formatting import actor, admin_url
from payments.console.registry import Text
from payments.core import audit, masking

log = structlog.get_logger(__name__)
REVEAL = "core.reveal_personal_data"
_OUR_ID = re.compile("[a-z]{2,4}_[0-9a-z]{1,26}")
# A label, and the function that gives the complete value.
Private = tuple[Text, Callable[[Any], str]]


def search(term: str) -> str:
    """A search term for the audit log.

    Ids of ours stay, other text may be a document and is masked.
    """
    return term if _OUR_ID.fullmatch(term.strip()) else masking.contact(term)


class RevealingAdmin(ModelAdmin):
    """A page names its personal data in `private` and `private_fields`."""

    # The values on the page that reveals personal data, in this order.
    private: ClassVar[Sequence[Private]] = ()
    # The columns with these values. A URL cannot filter by them, or users could guess them letter
    # by letter.
    private_fields: ClassVar[frozenset[str]] = frozenset()

    def has_reveal_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.has_view_permission(request) and bool(request.user.has_perm(REVEAL))

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        """Filters on private fields would let users guess them."""
        if lookup.partition("__")[0] in self.private_fields:
            return False
        return bool(super().lookup_allowed(lookup, value, request))

    def get_urls(self) -> list[URLPattern]:
        urls: list[URLPattern] = super().get_urls()
        if not self.private:
            return urls
        view = self.admin_site.admin_view(self.reveal)
        return [path("<path:object_id>/reveal/", view, name=self._reveal_name), *urls]

    @property
    def _reveal_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_reveal"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and self.private and self.has_reveal_permission(request):
            address = reverse(f"admin:{self._reveal_name}", args=[object_id])
            reveal = button(_("Reveal personal data"), "visibility", address)
            context["actions_detail"] = [*(context.get("actions_detail") or ()), reveal]
        return response

    def reveal(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Each use is in the audit log. The page is not cached."""
        if not self.has_reveal_permission(request):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        if (row := self.get_object(request, unquote(object_id))) is None:
            raise Http404
        audit.record(actor=actor(request), action="personal_data.revealed", subject=row)
        log.info("console.revealed", actor=actor(request), record=str(row.pk))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Personal data"),
            "crumbs": crumbs.crumbs(request, self, row),
            "who": getattr(row, "customer_name", "") or getattr(row, "recipient_name", ""),
            "name": self.title_of(row),
            "back_url": admin_url(row),
            "values": [
                (label, text) for label, read in self.private if (text := read(row).strip())
            ],
        }
        response = TemplateResponse(request, "admin/reveal.html", context)
        response.headers["Cache-Control"] = "no-store, private"
        response.headers["Pragma"] = "no-cache"
        return response
