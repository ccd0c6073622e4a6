"""The AdminSites of the console: one for operators, and one for users of merchants.

Both have the same URLs, login and theme. The middleware chooses the site by the user.
"""

from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any, ClassVar

from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from payments.console import merchant_pages, reauthentication, tenancy
from payments.console.formatting import actor
from payments.console.site.login_views import LoginViews, console_csp
from payments.console.site.search_views import SearchViews
from payments.core import audit

View = Callable[..., HttpResponse]
Models = type[Model] | Iterable[type[Model]]


class ConsoleSite(SearchViews, LoginViews, UnfoldAdminSite):
    """Every view goes through `admin_view`, except the login and the pages before it is complete
    (LoginViews.pre_authentication).
    """

    enable_nav_sidebar = True
    index_title = _("Overview")
    for_merchants: ClassVar[bool]

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # No record is ever deleted.
        self.disable_action("delete_selected")

    def has_permission(self, request: HttpRequest) -> bool:
        """Each site checks its own users again, whatever the middleware chose."""
        is_own = tenancy.is_merchant_user(request) is self.for_merchants
        return is_own and super().has_permission(request)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Django's checks (staff, CSRF, no caching), the steps of the login, our policy."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if (page := self.next_login_step(request)) is not None:
                return page
            try:
                response = inner(request, *args, **kwargs)
            except Http404:
                response = self._no_such_page(request)
            except PermissionDenied:
                response = self._not_allowed(request)
            return self.end_if_locked_out(request, response)

        wrapped: View = console_csp(enter)
        return wrapped

    def _no_such_page(self, request: HttpRequest) -> HttpResponse:
        """In the frame of the console: the page of the service is for people who pay."""
        context = {**self.each_context(request), "title": gettext("This page does not exist")}
        return TemplateResponse(request, "admin/no_such_page.html", context, status=404)

    def _not_allowed(self, request: HttpRequest) -> HttpResponse:
        """What the role does not allow, with who can give it."""
        if self.for_merchants:
            why = gettext("An administrator of your team can give you a role that has it.")
        else:
            why = gettext("An administrator of Pasarela can give you a role that has it.")
        title = gettext("Your role does not allow this")
        context = {**self.each_context(request), "title": title, "why": why}
        return TemplateResponse(request, "admin/refused.html", context, status=403)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Made when it is looked at. It is in the context of each page, and almost none shows it;
        its permissions and addresses of all models took an eighth of a page's time.
        """
        found: Any = SimpleLazyObject(partial(super().get_app_list, request, app_label))
        return found  # type: ignore[no-any-return]

    def login(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Attempts are limited per address.

        A POST begins a new session, while Django would keep the old one.
        """
        if request.method == "POST":
            if (refusal := self.refuse_too_many(request)) is not None:
                return refusal
            logout(request)
            tenancy.set_scope(request, frozenset())
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
        page = reauthentication.require_reauthentication(
            request, carries=False, action=gettext("Change password")
        )
        if page is not None:
            return page
        response: HttpResponse = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == 302:
            operator = User.objects.get(username=actor(request))
            audit.record(actor=actor(request), action="operator.password_changed", subject=operator)
        return response


class MerchantSite(ConsoleSite):
    """The pages for users of merchants, each with its declared parts only."""

    for_merchants = True

    def register(self, models: Models, admin_class: Any = None, **options: Any) -> None:
        if merchant_pages.is_declared(admin_class):
            super().register(models, merchant_pages.derived(admin_class), **options)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Removes the URL that would show whether any record of any table exists."""
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Replaces Django's history by our audit log."""
        return {**super().each_context(request), "show_history": False}

    def colleagues_of(self, merchants: frozenset[str]) -> dict[str, str]:
        """{user name: name} of the members of any of these merchants."""
        raise NotImplementedError

    def merchant_names(self, merchants: list[str]) -> list[str]:
        raise NotImplementedError


class OperatorSite(ConsoleSite):
    for_merchants = False
    of_merchants: ClassVar[MerchantSite]

    def register(self, models: Models, admin_class: Any = None, **options: Any) -> None:
        """Registers the page here, and its declared parts on the merchants' site."""
        super().register(models, admin_class, **options)
        self.of_merchants.register(models, admin_class, **options)

    def scope_of(self, user: Any) -> tenancy.Scope:
        """Also used for exports, which a worker makes without a request."""
        raise NotImplementedError
