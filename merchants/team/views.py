"""The page behind the link of an invitation, on both sites of the console.

A GET changes nothing, because programs that check mails open links, too.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget

from merchants import members
from merchants.team import acceptance
from merchants.team.models import Invitation
from payments.api import limits
from payments.console import first_password, roles, second_factor, tenancy
from payments.console.formatting import actor
from payments.console.registry import Text
from payments.console.site.admin_site import ConsoleSite
from payments.console.site.login_forms import OwnPasswordForm
from payments.console.site.login_views import console_csp
from payments.core import clock
from payments.core.errors import ServiceError

View = Callable[..., HttpResponse]
BACKEND = "django.contrib.auth.backends.ModelBackend"
# What the page of a link that opens nothing says: what is wrong, and what to do.
NOT_VALID: dict[Invitation.State | None, tuple[Text, Text]] = {
    None: (
        _("This link does not work"),
        _(
            "It is not complete or not known. Copy it again from the message, or ask an "
            "administrator of your team for a new invitation."
        ),
    ),
    Invitation.State.ACCEPTED: (
        _("This invitation was already used"),
        _("Log in with the password that you chose then."),
    ),
    Invitation.State.REVOKED: (
        _("This invitation was revoked"),
        _("Ask an administrator of your team for a new one."),
    ),
    Invitation.State.EXPIRED: (
        _("This invitation has expired"),
        _("Ask an administrator of your team for a new one."),
    ),
}


class ExistingAccountForm(forms.Form):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "username"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "current-password"}),
    )


class InvitationViews(ConsoleSite):
    def get_urls(self) -> list[URLPattern | URLResolver]:
        view = console_csp(never_cache(csrf_protect(self.invitation)))
        return [path("invitation/<str:token>/", view, name="invitation"), *super().get_urls()]

    def invitation(self, request: HttpRequest, token: str) -> HttpResponse:
        if (refusal := _too_many(request)) is not None:
            return refusal
        try:
            invitation = acceptance.open_invitation(token, clock.now())
            if request.user.is_authenticated:
                return self._accept_logged_in(request, invitation, token)
            if acceptance.accounts_of(invitation):
                return self._log_in_and_accept(request, invitation, token)
            return self._accept_as_new(request, invitation, token)
        except acceptance.NotValid as error:
            title, what_to_do = NOT_VALID[error.state]
            context = {
                "title": title,
                "what_to_do": what_to_do,
                "is_used": error.state is Invitation.State.ACCEPTED,
            }
            return self._page(request, None, status=404 if error.state is None else 410, **context)

    def _accept_as_new(
        self, request: HttpRequest, invitation: Invitation, token: str
    ) -> HttpResponse:
        """The person's own password. No other person ever knows it."""
        newcomer = User(
            username=invitation.email, email=invitation.email, first_name=invitation.name
        )
        form = OwnPasswordForm(newcomer, request.POST if request.method == "POST" else None)
        if form.is_bound and form.is_valid():
            try:
                user = acceptance.accept_as_new(
                    token=token,
                    password=form.cleaned_data["new_password1"],
                    address=first_password.address_of(request),
                    now=clock.now(),
                )
                return self._enter(request, user)
            except ValidationError as error:
                form.add_error("new_password1", ValidationError(error.messages))
            except acceptance.AccountExists:
                return redirect(request.path)
        return self._page(request, invitation, form=form, step="new")

    def _log_in_and_accept(
        self, request: HttpRequest, invitation: Invitation, token: str
    ) -> HttpResponse:
        """The owner of the account proves it with the password, and with the code if it has one.

        A session with the password alone accepts nothing.
        """
        form: Any = ExistingAccountForm(request.POST if request.method == "POST" else None)
        if form.is_bound and (refusal := self.refuse_too_many(request)) is not None:
            return refusal
        if form.is_bound and form.is_valid():
            user = authenticate(request, **form.cleaned_data)
            if isinstance(user, User):
                if second_factor.has_device(user):
                    return self._enter(request, user, request.path)
                return self._accept_with(request, invitation, token, user, form)
            form.add_error(None, gettext("The user name or the password is wrong."))
        page = self._page(request, invitation, form=form, step="existing")
        return self.end_if_locked_out(request, page)

    def _accept_logged_in(
        self, request: HttpRequest, invitation: Invitation, token: str
    ) -> HttpResponse:
        user = User.objects.get(username=actor(request))
        form = forms.Form(request.POST if request.method == "POST" else None)
        step = self.next_login_step(request) or self.ask_for_code(request)
        if step is not None:
            return step
        if form.is_bound and form.is_valid():
            return self._accept_with(request, invitation, token, user, form)
        return self._page(request, invitation, form=form, step="logged_in")

    def _accept_with(
        self,
        request: HttpRequest,
        invitation: Invitation,
        token: str,
        user: User,
        form: forms.Form,
    ) -> HttpResponse:
        address = first_password.address_of(request)
        step = "logged_in" if request.user.is_authenticated else "existing"
        try:
            acceptance.accept_as_existing(token=token, user=user, address=address, now=clock.now())
        except acceptance.NotValid:
            raise
        except ServiceError as error:
            form.add_error(None, error.shown())
            return self._page(request, invitation, form=form, step=step)
        return redirect("admin:index") if step == "logged_in" else self._enter(request, user)

    def _enter(self, request: HttpRequest, user: User, page: str = "admin:index") -> HttpResponse:
        """As a login does: a new session, whose next page is the second factor if required."""
        logout(request)
        login(request, user, backend=BACKEND)
        tenancy.set_scope(request, members.scope_of(user))
        return redirect(page)

    def _page(
        self,
        request: HttpRequest,
        invitation: Invitation | None,
        *,
        status: int = 200,
        **context: object,
    ) -> HttpResponse:
        form = context.get("form")
        if isinstance(form, forms.Form) and form.is_bound:
            status = 400
        shared = {
            **self.each_context(request),
            "title": _title(invitation) if invitation else "",
            "invitation": invitation,
            "offered": _offered(invitation) if invitation else [],
            "inviter": _inviter(invitation) if invitation else "",
            "login_url": reverse("admin:login"),
            **context,
        }
        page = TemplateResponse(request, "admin/invitation.html", shared, status=status)
        page.headers["Cache-Control"] = "no-store, private"
        return page


def _title(invitation: Invitation) -> str:
    where = invitation.merchant.name if invitation.merchant is not None else "Pasarela"
    return gettext("Join %s") % where


def _offered(invitation: Invitation) -> list[tuple[Text, Text, bool]]:
    """(role, what it may do, whether a second person has to agree), in the order of forms."""
    waiting = acceptance.waiting_roles(invitation)
    return [
        (label, capfirst(str(roles.ADDS[name])), name in waiting)
        for name, label in roles.LABELS.items()
        if name in invitation.roles
    ]


def _inviter(invitation: Invitation) -> str:
    """A colleague by name. Names of operators are not for people of merchants."""
    colleagues = User.objects.filter(
        username=invitation.invited_by, membership__merchant=invitation.merchant
    )
    found = colleagues.first() if invitation.merchant is not None else None
    return found.get_full_name() or found.get_username() if found is not None else "Pasarela"


def _too_many(request: HttpRequest) -> HttpResponse | None:
    try:
        limits.count(request, scope="invitation", key=limits.counted_address(request))
    except limits.RateLimitExceeded as error:
        return HttpResponse(
            gettext("Too many attempts. Wait a minute."),
            status=error.status,
            headers=error.headers,
            content_type="text/plain; charset=utf-8",
        )
    return None
