"""The AdminSite of the console."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from payments.console import reauthentication, tenancy
from payments.console.formatting import actor
from payments.console.site.login_views import LoginViews, console_csp
from payments.console.site.search_views import SearchViews
from payments.core import audit

View = Callable[..., HttpResponse]


class ConsoleSite(SearchViews, LoginViews, UnfoldAdminSite):
    """Every view goes through `admin_view`, except the login and the pages before it is complete
    (LoginViews.pre_authentication).
    """

    enable_nav_sidebar = True
    index_title = _("Overview")

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # No record is ever deleted.
        self.disable_action("delete_selected")

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Django's checks (staff, CSRF, no caching), the tenant scope, and the console's policy."""

        @wraps(view)
        def check_scope(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not tenancy.may_open_view(request, view):
                raise Http404
            return view(request, *args, **kwargs)

        inner = super().admin_view(check_scope, cacheable)

        @wraps(inner)
        def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            tenancy.set_scope(request, self.scope_of(request.user))
            if (page := self.next_login_step(request)) is not None:
                return page
            return self.end_if_locked_out(request, inner(request, *args, **kwargs))

        wrapped: View = console_csp(enter)
        return wrapped

    def scope_of(self, user: Any) -> tenancy.Scope:
        """Also for exports, which a worker makes without a request."""
        raise NotImplementedError

    def colleagues_of(self, merchants: frozenset[str]) -> frozenset[str]:
        """User names of the members of any of these merchants."""
        raise NotImplementedError

    def merchant_names(self, merchants: frozenset[str]) -> list[str]:
        raise NotImplementedError

    def login(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Attempts are limited per address. A POST begins a new session; Django keeps the old."""
        if request.method == "POST":
            if (refusal := self.refuse_too_many(request)) is not None:
                return refusal
            logout(request)
        tenancy.set_scope(request, self.scope_of(request.user))
        if request.method == "GET" and (page := self.next_login_step(request)) is not None:
            return page
        view: View = console_csp(super().login)
        return self.end_if_locked_out(request, view(request, extra_context))

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The change leaves an audit row."""
        if request.method == "POST" and (refusal := self.refuse_too_many(request)) is not None:
            return refusal
        if (page := reauthentication.require_reauthentication(request, carries=False)) is not None:
            return page
        response: HttpResponse = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == 302:
            operator = User.objects.get(username=actor(request))
            audit.record(actor=actor(request), action="operator.password_changed", subject=operator)
        return response
