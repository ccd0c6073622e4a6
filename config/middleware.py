"""Separates pages from the API, which needs no session or cookie."""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from config import pages

log = structlog.get_logger(__name__)
Handler = Callable[[HttpRequest], HttpResponse]


class WebPagesMiddleware:
    """Runs settings.WEB_PAGES_MIDDLEWARE (session, CSRF, language, CSP) for pages only.

    In Django's list they would slow down API requests and add a useless `Vary: Cookie`.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        self.handle_page = get_response
        self.view_hooks: list[Callable[..., HttpResponse | None]] = []
        for path in reversed(settings.WEB_PAGES_MIDDLEWARE):
            layer = import_string(path)(self.handle_page)
            self.handle_page = layer
            if hasattr(layer, "process_view"):
                self.view_hooks.insert(0, layer.process_view)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(settings.API_PREFIXES):
            return self.get_response(request)
        try:
            return self.handle_page(request)
        except (OperationalError, InterfaceError, SessionInterrupted) as error:
            # From a middleware that saves the session after the view.
            cause = _database_error(error)
            if cause is None or (page := self.process_exception(request, cause)) is None:
                raise
            return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Without a database a page is a 503 and not a 500."""
        if request.path_info.startswith(settings.API_PREFIXES):
            return None
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        log.error("database.unavailable", error=str(exception).partition("\n")[0])
        page = pages.failed(request, status=503)
        page.headers["Retry-After"] = "5"
        return page

    def process_view(self, request: HttpRequest, *view: object) -> HttpResponse | None:
        """Calls the hook of the inner middleware, such as CSRF checks.

        A NUL in a path of the console is a 404, because PostgreSQL would refuse it. Other routes
        check the form of their ids.
        """
        if request.path_info.startswith(settings.API_PREFIXES):
            return None
        if "\0" in request.path_info and request.path_info.startswith("/admin/"):
            raise Http404
        for hook in self.view_hooks:
            if (response := hook(request, *view)) is not None:
                return response
        return None


def _database_error(error: BaseException | None) -> OperationalError | InterfaceError | None:
    """The error or its cause. Django calls a session that it cannot save deleted."""
    while error is not None and not isinstance(error, OperationalError | InterfaceError):
        error = error.__context__
    return error
