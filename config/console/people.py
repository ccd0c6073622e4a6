"""What stands between a password and the console, and a person's own page of access.

Part of the AdminSite: the first password, the second factor, limits of sessions, the page of the
lock-out. It shows no records. What it stands on is in payments.console.
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
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_static.models import StaticDevice
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget

from merchants import members
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
from payments.console.second_factor import State
from payments.core import audit
from payments.core.errors import ServiceError

View = Callable[..., HttpResponse]
# Unfold runs inline script: only the console's own answers carry the relaxed policy.
relaxed: Any = csp(settings.ADMIN_CONTENT_SECURITY_POLICY)


class LoginForm(AuthenticationForm):
    """With the length that names have: the table of wrong passwords has a limit, too."""

    def __init__(self, request: HttpRequest | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest))

    def confirm_login_allowed(self, user: Any) -> None:
        """Called with the right password only: nobody else learns of it."""
        super().confirm_login_allowed(user)
        first = first_password.pending(user)
        if first is not None and first_password.has_expired(first):
            raise forms.ValidationError(first_password.Expired().shown(), code="expired")


class OwnPasswordForm(SetPasswordForm):
    """The password that only its person knows; what makes it good is asked when it is set."""

    def __init__(self, user: Any, data: Any = None) -> None:
        super().__init__(user, data)
        for name in ("new_password1", "new_password2"):
            self.fields[name].widget = UnfoldAdminPasswordWidget(
                attrs={"autocomplete": "new-password", "autofocus": name == "new_password1"}
            )
        self.fields["new_password1"].label = _("New password")
        # Django's own sentences name each of its rules.
        self.fields["new_password1"].help_text = _(
            "At least 8 characters, not only digits, no common word, and nothing like your name."
        )
        self.fields["new_password2"].label = _("New password, once more")
        self.fields["new_password2"].help_text = ""


class CodeForm(forms.Form):
    """A code of the app, or a backup code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget(
            attrs={
                "autocomplete": "one-time-code",
                "autofocus": True,
                "spellcheck": "false",
                "autocapitalize": "none",
            }
        ),
    )


class PeoplePages(UnfoldAdminSite):
    """The doorway of the console, and each person's own page of access."""

    login_form = LoginForm

    def get_urls(self) -> list[Any]:
        """Before Django's, whose last one catches all."""
        own = [
            path("logout/", self.doorway(self.logout), name="logout"),
            path("code/", self.doorway(self.code), name="code"),
            path("first-password/", self.doorway(self.first_password), name="first_password"),
            path("device/", self.doorway(self.device), name="device"),
            path("access/", self.admin_view(self.access), name="access"),
            path("access/codes/", self.admin_view(self.backup_codes), name="backup_codes"),
            path("access/sessions/", self.admin_view(self.end_sessions), name="end_sessions"),
        ]
        return [*own, *super().get_urls()]

    def has_permission(self, request: HttpRequest) -> bool:
        """Of the staff, with a password of their own, and through with the second factor."""
        return bool(super().has_permission(request)) and _unfinished(request) is None

    # The gate.

    def stop(self, request: HttpRequest) -> HttpResponse | None:
        """Where a person goes who is logged in, but not far enough; None lets the view run."""
        if not super().has_permission(request):
            return None  # Django's own check leads to the login
        if sessions.has_ended(request):
            logout(request)
            messages.info(request, gettext("The session has ended. Log in again."))
            return _to("admin:login", request)
        page = _unfinished(request)
        return None if page is None else _to(page, request)

    def doorway(self, view: View) -> View:
        """For pages that people see before the gate opens: logged in, and nothing more."""

        @wraps(view)
        def entered(request: HttpRequest) -> HttpResponse:
            if not super(PeoplePages, self).has_permission(request) or sessions.has_ended(request):
                return redirect("admin:login")
            tenancy.enter(request, members.scope_of(request.user))
            return self.locked_out(request, view(request))

        guarded: View = relaxed(never_cache(entered))
        return guarded

    def locked_out(self, request: HttpRequest, answer: HttpResponse) -> HttpResponse:
        """The answer, unless its password was refused unseen: then the session ends."""
        if not lockout.is_locked_out(request):
            return answer
        if request.user.is_authenticated:
            logout(request)
            tenancy.enter(request, frozenset())
        seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
        context = {
            **self.each_context(request),
            "title": _("Too many wrong passwords"),
            "minutes": -(-seconds // 60),
        }
        page = TemplateResponse(request, "admin/locked.html", context, status=429)
        page.headers["Retry-After"] = str(seconds)
        shown: HttpResponse = relaxed(lambda _request: page)(request)
        return shown

    def too_many(self, request: HttpRequest) -> HttpResponse | None:
        """Counts a guess from this address, before it is looked at; the answer past the limit."""
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

    # The first password.

    def first_password(self, request: HttpRequest) -> HttpResponse:
        """Whoever was given a password chooses their own: before that nothing else opens."""
        if (page := _unfinished(request)) != "admin:first_password":
            return redirect(page or _next(request))
        form = OwnPasswordForm(request.user, request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.too_many(request)) is not None:
            return refusal
        try:
            if form.is_bound and form.is_valid() and self._chose_password(request, form):
                return redirect(_next(request))
        except ServiceError as error:
            logout(request)
            messages.error(request, error.shown())
            return redirect("admin:login")
        title = _("Choose your own password")
        first = first_password.pending(request.user)
        given_by = first.given_by if first is not None else ""
        return self._own_page(
            request, "admin/first_password.html", title, form=form, given_by=given_by
        )

    def _chose_password(self, request: HttpRequest, form: OwnPasswordForm) -> bool:
        """This session goes on; every other one of the person has ended."""
        try:
            person = first_password.choose(
                user=request.user,
                password=form.cleaned_data["new_password1"],
                address=first_password.address_of(request),
            )
        except ValidationError as error:
            form.add_error("new_password1", error)
            return False
        update_session_auth_hash(request, person)
        first_password.note_chosen(request)
        request.session.save()
        sessions.end_all(person, but=request.session.session_key)
        messages.success(request, gettext("From now on you log in with the password you chose."))
        return True

    # The second factor.

    def code(self, request: HttpRequest) -> HttpResponse:
        """Asks for a code of the person's device."""
        if second_factor.state(request) is not State.NEEDS_CODE:
            return redirect(_next(request))
        form = CodeForm(request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.too_many(request)) is not None:
            return refusal
        if form.is_bound and form.is_valid():
            device = second_factor.check(request.user, form.cleaned_data["code"])
            if device is not None:
                second_factor.remember(request, device)
                reauthentication.mark(request)
                if isinstance(device, StaticDevice):
                    _tell_codes_left(request)
                return redirect(_next(request))
            form.add_error("code", _wrong_code())
        return self._own_page(request, "admin/code.html", _("Second factor"), form=form)

    def device(self, request: HttpRequest) -> HttpResponse:
        """Sets up a device: the first one, or another in its place, for a code of the old one."""
        state = second_factor.state(request)
        if (unfinished := _unfinished(request)) not in (None, "admin:device"):
            return redirect(unfinished)
        if state is State.PASSED and (page := self._ask_for_device(request)) is not None:
            return page
        form = CodeForm(request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.too_many(request)) is not None:
            return refusal
        device = second_factor.new_device(request)
        if form.is_bound and form.is_valid():
            codes = second_factor.confirm(device, form.cleaned_data["code"])
            if codes is not None:
                second_factor.remember(request, device)
                reauthentication.forget(request)
                reauthentication.mark(request)
                _ended_elsewhere(request, "operator.second_factor_set")
                return self._codes_page(request, codes)
            form.add_error("code", _wrong_code())
        image = segno.make(device.config_url, error="m")
        return self._own_page(
            request,
            "admin/device.html",
            _("Set up the second factor"),
            form=form,
            picture=image.svg_data_uri(scale=5, border=2, dark="#000", light="#fff"),
            secret=second_factor.readable_secret(device),
        )

    def _ask_for_device(self, request: HttpRequest) -> HttpResponse | None:
        if second_factor.has_device(request.user):
            return reauthentication.require_reauthentication(
                request, proof=reauthentication.REPLACING
            )
        return reauthentication.require_reauthentication(request)

    # A person's own page.

    @tenancy.merchant_visible
    def access(self, request: HttpRequest) -> HttpResponse:
        """What protects this account, and how to change it."""
        context = {
            **self.each_context(request),
            "title": _("Second factor and sessions"),
            "opts": None,
            "has_device": second_factor.has_device(request.user),
            "codes_left": second_factor.backup_codes_left(request.user),
        }
        return TemplateResponse(request, "admin/access.html", context)

    @tenancy.merchant_visible
    def backup_codes(self, request: HttpRequest) -> HttpResponse:
        """New ones, in place of all earlier ones."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not second_factor.has_device(request.user):
            return redirect("admin:access")
        if (page := reauthentication.require_reauthentication(request)) is not None:
            return page
        person = User.objects.get(username=actor(request))
        codes = second_factor.new_backup_codes(person.pk)
        audit.record(actor=actor(request), action="operator.backup_codes_made", subject=person)
        return self._codes_page(request, codes)

    @tenancy.merchant_visible
    def end_sessions(self, request: HttpRequest) -> HttpResponse:
        """Logs out everywhere, here too."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        person = User.objects.get(username=actor(request))
        ended = sessions.end_all(person)
        audit.record(
            actor=actor(request), action="operator.sessions_ended", subject=person, sessions=ended
        )
        logout(request)
        messages.info(request, gettext("You are logged out everywhere."))
        return redirect("admin:login")

    def _codes_page(self, request: HttpRequest, codes: list[str]) -> HttpResponse:
        """The only page that shows them: the answer to the POST, never stored."""
        return self._own_page(request, "admin/backup_codes.html", _("Backup codes"), codes=codes)

    def _own_page(
        self, request: HttpRequest, template: str, title: Any, **context: Any
    ) -> HttpResponse:
        form = context.get("form")
        shared = {**self.each_context(request), "title": title, "next": _next(request)}
        status = 400 if form is not None and form.is_bound else 200
        page = TemplateResponse(request, template, {**shared, **context}, status=status)
        page.headers["Cache-Control"] = "no-store, private"
        return page


def _unfinished(request: HttpRequest) -> str | None:
    """The page that comes before the console, for whoever is logged in; None: it is open.

    The code is first, so that a password that somebody gave changes nothing without the device;
    a first device is last, so that nobody else's phone is set up with such a password.
    """
    state = second_factor.state(request)
    if state is State.NEEDS_CODE:
        return "admin:code"
    if first_password.is_pending(request):
        return "admin:first_password"
    return "admin:device" if state is State.NEEDS_DEVICE else None


def _wrong_code() -> str:
    return gettext("That was not right. A code is good once; wait for the next one.")


def _tell_codes_left(request: HttpRequest) -> None:
    shown = gettext("You used a backup code. Codes left: %(count)d.")
    messages.warning(request, shown % {"count": second_factor.backup_codes_left(request.user)})


def _ended_elsewhere(request: HttpRequest, action: str) -> None:
    """What was logged in before the change is not trusted any more."""
    person = User.objects.get(username=actor(request))
    request.session.save()
    ended = sessions.end_all(person, but=request.session.session_key)
    audit.record(actor=actor(request), action=action, subject=person, sessions=ended)


def _to(page: str, request: HttpRequest) -> HttpResponse:
    wanted = {"next": request.get_full_path()} if request.method == "GET" else {}
    return redirect(f"{reverse(page)}?{urlencode(wanted)}" if wanted else reverse(page))


def _next(request: HttpRequest) -> str:
    """Where the person wanted to go, unless it is elsewhere."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure()):
        return str(wanted)
    return reverse("admin:index")
