"""The console: one AdminSite with its content security policy.

Pages of the records are in each app's admin.py; what they share is in payments.core.console.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.decorators import csp
from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from merchants import members
from payments.api import limits
from payments.core import audit
from payments.core.console import actor, walls

View = Callable[..., HttpResponse]
# Unfold runs inline script: only the console's own answers carry the relaxed policy.
relaxed: Any = csp(settings.ADMIN_CONTENT_SECURITY_POLICY)


class PasarelaAdminSite(UnfoldAdminSite):
    """Every console view passes `admin_view`, except the login, which anyone may open."""

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
            if not walls.opens(request, view):
                raise Http404
            return view(request, *args, **kwargs)

        inner = super().admin_view(behind_the_wall, cacheable)

        @wraps(inner)
        def scoped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            walls.enter(request, self.scope_of(request.user))
            answer: HttpResponse = inner(request, *args, **kwargs)
            return answer

        wrapped: View = relaxed(scoped)
        return wrapped

    def scope_of(self, user: Any) -> walls.Scope:
        """What a person may see, also outside of requests: exports are made by a worker."""
        return members.scope_of(user)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The login page under the console's policy. Attempts are limited per address."""
        walls.enter(request, self.scope_of(request.user))
        if request.method == "POST":
            try:
                # Before the password is looked at: a guess past the limit must not count.
                key = f"console:{limits.client_address(request)}"
                limits.count(request, scope="failed_credentials", key=key)
            except limits.RateLimitExceeded as error:
                return HttpResponse(
                    _("Too many attempts. Wait a minute."),
                    status=error.status,
                    headers=error.headers,
                    content_type="text/plain; charset=utf-8",
                )
        view: View = relaxed(super().login)
        return view(request, extra_context)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """An operator's own password; the change leaves an audit row."""
        response: HttpResponse = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == 302:
            operator = User.objects.get(pk=request.user.pk)
            audit.record(actor=actor(request), action="operator.password_changed", subject=operator)
        return response
