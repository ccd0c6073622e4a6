"""The steps of the login: first password, second factor, session limits, lock-out.

Also a user's own page for these settings. The rules are in payments.console.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

import segno
from csp.decorators import csp
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.formats import time_format
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_static.models import StaticDevice
from unfold.sites import UnfoldAdminSite

from payments.api import limits
from payments.console import (
    first_password,
    lockout,
    reauthentication,
    second_factor,
    sessions,
    tenancy,
)
from payments.console.formatting import actor
from payments.console.registry import Text
from payments.console.second_factor import State
from payments.console.site.login_forms import CodeForm, LoginForm, OwnPasswordForm
from payments.core import audit, clock
from payments.core.errors import ServiceError

View = Callable[..., HttpResponse]
# Unfold needs inline script, so only responses of the console have the relaxed policy.
console_csp: Any = csp(settings.ADMIN_CONTENT_SECURITY_POLICY)


class LoginViews(UnfoldAdminSite):
    login_form = LoginForm

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """These URLs come before Django's, whose last pattern matches every path."""
        own = [
            path("logout/", self.pre_authentication(self.logout), name="logout"),
            path("code/", self.pre_authentication(self.code, is_for_staff=False), name="code"),
            path(
                "first-password/",
                self.pre_authentication(self.first_password),
                name="first_password",
            ),
            path("device/", self.pre_authentication(self.device), name="device"),
            path("access/", self.admin_view(self.access), name="access"),
            path("access/codes/", self.admin_view(self.backup_codes), name="backup_codes"),
            path("access/sessions/", self.admin_view(self.end_sessions), name="end_sessions"),
        ]
        return [*own, *super().get_urls()]

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether a staff user has replaced the first password and passed the second factor."""
        return bool(super().has_permission(request)) and _pending_step(request) is None

    def next_login_step(self, request: HttpRequest) -> HttpResponse | None:
        """The page that a logged-in user must visit first; None lets the view run."""
        if not super().has_permission(request):
            return None  # Django's own check leads to the login
        if sessions.has_ended(request):
            logout(request)
            messages.info(request, gettext("The session has ended. Log in again."))
            return _redirect_to("admin:login", request)
        page = _pending_step(request)
        return None if page is None else _redirect_to(page, request)

    def ask_for_code(self, request: HttpRequest) -> HttpResponse | None:
        """The page of the code, also for a person whose account may not open the console now."""
        needs_code = second_factor.state(request) is State.NEEDS_CODE
        return _redirect_to("admin:code", request) if needs_code else None

    def pre_authentication(self, view: View, *, is_for_staff: bool = True) -> View:
        """For the pages of the login itself: a password is enough to open them."""

        @wraps(view)
        def entered(request: HttpRequest) -> HttpResponse:
            may = request.user.is_active and (request.user.is_staff or not is_for_staff)
            if not may or sessions.has_ended(request):
                return redirect("admin:login")
            return self.end_if_locked_out(request, view(request))

        guarded: View = console_csp(never_cache(entered))
        return guarded

    def end_if_locked_out(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Returns the response.

        After a lock-out it ends the session and returns the lock-out page.
        """
        if not lockout.is_locked_out(request):
            return response
        name = request.POST.get("username", "") or request.user.get_username()
        if request.user.is_authenticated:
            logout(request)
            tenancy.set_scope(request, frozenset())
        seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
        context = {
            **self.each_context(request),
            "title": _("Too many wrong passwords"),
            "name": name,
            "minutes": -(-seconds // 60),
            "at": time_format(localtime(clock.now() + settings.AXES_COOLOFF_TIME), "H:i"),
        }
        page = TemplateResponse(request, "admin/locked.html", context, status=429)
        page.headers["Retry-After"] = str(seconds)
        refusal: HttpResponse = console_csp(lambda _request: page)(request)
        return refusal

    def refuse_too_many(self, request: HttpRequest) -> HttpResponse | None:
        """Counts an attempt of this address before it is checked.

        Above the limit it returns a response.
        """
        try:
            key = f"console:{limits.counted_address(request)}"
            limits.count(request, scope="failed_credentials", key=key)
        except limits.RateLimitExceeded as error:
            return HttpResponse(
                _("Too many attempts. Wait a minute."),
                status=error.status,
                headers=error.headers,
                content_type="text/plain; charset=utf-8",
            )
        return None

    def first_password(self, request: HttpRequest) -> HttpResponse:
        """A user with a password from an operator must replace it first."""
        if (page := _pending_step(request)) != "admin:first_password":
            if page is None and first_password.was_replaced(request.user):
                return redirect("admin:login")
            return redirect(page or _next_url(request))
        form = OwnPasswordForm(request.user, request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.refuse_too_many(request)) is not None:
            return refusal
        try:
            if form.is_bound and form.is_valid() and self._set_own_password(request, form):
                return redirect(_next_url(request))
        except ServiceError as error:
            logout(request)
            messages.error(request, error.shown())
            return redirect("admin:login")
        title = _("Choose your own password")
        first = first_password.pending(request.user)
        given_by = first.given_by if first is not None else ""
        return self._render(
            request, "admin/first_password.html", title, form=form, given_by=given_by
        )

    def _set_own_password(self, request: HttpRequest, form: OwnPasswordForm) -> bool:
        """Returns whether the password was accepted. If so, all other sessions of the user end."""
        try:
            user = first_password.choose(
                user=request.user,
                password=form.cleaned_data["new_password1"],
                address=first_password.address_of(request),
            )
        except ValidationError as error:
            form.add_error("new_password1", error)
            return False
        update_session_auth_hash(request, user)
        first_password.note_chosen(request)
        request.session.save()
        sessions.end_all(user, but=request.session.session_key)
        messages.success(request, gettext("From now on you log in with the password you chose."))
        return True

    def code(self, request: HttpRequest) -> HttpResponse:
        if second_factor.state(request) is not State.NEEDS_CODE:
            return redirect(_next_url(request))
        form = CodeForm(request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.refuse_too_many(request)) is not None:
            return refusal
        if form.is_bound and form.is_valid():
            device = second_factor.check(request.user, form.cleaned_data["code"])
            if device is not None:
                second_factor.remember(request, device)
                reauthentication.mark(request)
                if isinstance(device, StaticDevice):
                    _warn_codes_left(request)
                return redirect(_next_url(request))
            form.refuse(_wrong_code())
        return self._render(request, "admin/code.html", _("Second factor"), form=form)

    def device(self, request: HttpRequest) -> HttpResponse:
        """Sets up the first device, or replaces it after a code of the old one."""
        state = second_factor.state(request)
        if (pending := _pending_step(request)) not in (None, "admin:device"):
            return redirect(pending)
        if state is State.PASSED and (page := self._reauthenticate_for_device(request)) is not None:
            return page
        form = CodeForm(request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.refuse_too_many(request)) is not None:
            return refusal
        device = second_factor.new_device(request)
        if form.is_bound and form.is_valid():
            codes = second_factor.confirm(device, form.cleaned_data["code"])
            if codes is not None:
                second_factor.remember(request, device)
                reauthentication.forget(request)
                reauthentication.mark(request)
                _end_other_sessions(request, "operator.second_factor_set")
                return self._render_codes(request, codes)
            form.refuse(_wrong_code())
        image = segno.make(device.config_url, error="m")
        return self._render(
            request,
            "admin/device.html",
            _("Set up the second factor"),
            form=form,
            picture=image.svg_data_uri(scale=5, border=2, dark="#000", light="#fff"),
            secret=second_factor.readable_secret(device),
            address=device.config_url,
        )

    def _reauthenticate_for_device(self, request: HttpRequest) -> HttpResponse | None:
        if second_factor.has_device(request.user):
            return reauthentication.require_reauthentication(
                request, proof=reauthentication.REPLACING, action=gettext("Use another device")
            )
        action = gettext("Set up the second factor")
        return reauthentication.require_reauthentication(request, action=action)

    def access(self, request: HttpRequest) -> HttpResponse:
        context = {
            **self.each_context(request),
            "title": _("Second factor and sessions"),
            "opts": None,
            "has_device": second_factor.has_device(request.user),
            "codes_left": second_factor.backup_codes_left(request.user),
            "device": second_factor.device_of(request.user),
            "sessions": sessions.list_of(request),
        }
        return TemplateResponse(request, "admin/access.html", context)

    def backup_codes(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not second_factor.has_device(request.user):
            return redirect("admin:access")
        action = gettext("New backup codes")
        if (page := reauthentication.require_reauthentication(request, action=action)) is not None:
            return page
        user = User.objects.get(username=actor(request))
        codes = second_factor.new_backup_codes(user.pk)
        audit.record(actor=actor(request), action="operator.backup_codes_made", subject=user)
        return self._render_codes(request, codes)

    def end_sessions(self, request: HttpRequest) -> HttpResponse:
        """Ends one session of the user by its name, all others, or all, this one included."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        user = User.objects.get(username=actor(request))
        which = request.POST.get("which", "")
        if which == "others":
            ended = sessions.end_all(user, but=request.session.session_key)
        else:
            ended = sessions.end_one(user, which) if which else sessions.end_all(user)
        if ended:
            audit.record(
                actor=actor(request), action="operator.sessions_ended", subject=user, sessions=ended
            )
        if which:
            text = ngettext("%d session ended.", "%d sessions ended.", ended) % ended
            messages.info(request, text)
            return redirect("admin:access")
        logout(request)
        messages.info(request, gettext("You are logged out everywhere."))
        return redirect("admin:login")

    def _render_codes(self, request: HttpRequest, codes: list[str]) -> HttpResponse:
        """The only page that shows the codes: the response to the POST, never stored."""
        shown = [f"{code[:4]} {code[4:]}" for code in codes]
        return self._render(request, "admin/backup_codes.html", _("Backup codes"), codes=shown)

    def _render(
        self,
        request: HttpRequest,
        template: str,
        title: Text,
        form: forms.Form | None = None,
        **context: object,
    ) -> HttpResponse:
        shared = {**self.each_context(request), "title": title, "next": _next_url(request)}
        shared |= {"form": form, **context}
        status = 400 if form is not None and form.is_bound else 200
        page = TemplateResponse(request, template, shared, status=status)
        page.headers["Cache-Control"] = "no-store, private"
        return page


def _pending_step(request: HttpRequest) -> str | None:
    """The next page of the login. None: the login is complete.

    The code comes first, so that a password from an operator changes nothing without the
    device. A first device comes last, so that such a password cannot set up another person's
    phone.
    """
    state = second_factor.state(request)
    if state is State.NEEDS_CODE:
        return "admin:code"
    if first_password.is_pending(request):
        return "admin:first_password"
    return "admin:device" if state is State.NEEDS_DEVICE else None


def _wrong_code() -> str:
    return gettext("That was not right. A code is good once; wait for the next one.")


def _warn_codes_left(request: HttpRequest) -> None:
    text = gettext("You used a backup code. Codes left: %(count)d.")
    messages.warning(request, text % {"count": second_factor.backup_codes_left(request.user)})


def _end_other_sessions(request: HttpRequest, action: str) -> None:
    user = User.objects.get(username=actor(request))
    request.session.save()
    ended = sessions.end_all(user, but=request.session.session_key)
    audit.record(actor=actor(request), action=action, subject=user, sessions=ended)


def _redirect_to(page: str, request: HttpRequest) -> HttpResponse:
    wanted = {"next": request.get_full_path()} if request.method == "GET" else {}
    return redirect(f"{reverse(page)}?{urlencode(wanted)}" if wanted else reverse(page))


def _next_url(request: HttpRequest) -> str:
    """The page that the user wanted to open, if it is on this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure()):
        return str(wanted)
    return reverse("admin:index")
