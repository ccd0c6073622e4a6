"""The console: one AdminSite with its content security policy.

Pages of the records are in each app's admin.py; what they share is in payments.console.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from config.console.desk import DeskPages
from config.console.people import PeoplePages, relaxed
from merchants import members
from payments.console import reauthentication, tenancy
from payments.console.formatting import actor
from payments.core import audit

View = Callable[..., HttpResponse]


class PasarelaAdminSite(DeskPages, PeoplePages, UnfoldAdminSite):
    """Every console view passes `admin_view`, except the login, which anyone may open, and the
    pages of the doorway (people.py), which ask who somebody is.
    """

    enable_nav_sidebar = True
    index_title = _("Overview")

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # Nothing is deleted, least of all in bulk.
        self.disable_action("delete_selected")

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Django's checks (staff, CSRF, no caching), the wall between merchants, and the console's
        policy on the answer.
        """

        @wraps(view)
        def behind_the_wall(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not tenancy.opens(request, view):
                raise Http404
            return view(request, *args, **kwargs)

        inner = super().admin_view(behind_the_wall, cacheable)

        @wraps(inner)
        def scoped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            tenancy.enter(request, self.scope_of(request.user))
            if (page := self.stop(request)) is not None:
                return page
            return self.locked_out(request, inner(request, *args, **kwargs))

        wrapped: View = relaxed(scoped)
        return wrapped

    def scope_of(self, user: Any) -> tenancy.Scope:
        """What a person may see, also outside of requests: exports are made by a worker."""
        return members.scope_of(user)

    def colleagues_of(self, merchants: frozenset[str]) -> frozenset[str]:
        """User names of those who work for any of the merchants."""
        return members.names_of(merchants)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The login page under the console's policy. Attempts are limited per address.

        What is sent begins a session of its own: Django would keep the one that it came with.
        """
        if request.method == "POST":
            if (refusal := self.too_many(request)) is not None:
                return refusal
            logout(request)
        tenancy.enter(request, self.scope_of(request.user))
        if request.method == "GET" and (page := self.stop(request)) is not None:
            return page
        view: View = relaxed(super().login)
        return self.locked_out(request, view(request, extra_context))

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """An operator's own password; the change leaves an audit row."""
        if request.method == "POST" and (refusal := self.too_many(request)) is not None:
            return refusal
        if (page := reauthentication.require_reauthentication(request, carries=False)) is not None:
            return page
        response: HttpResponse = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == 302:
            operator = User.objects.get(username=actor(request))
            audit.record(actor=actor(request), action="operator.password_changed", subject=operator)
        return response
