"""Actions on keys, secrets and money need a recent password.

The page that asks for the password keeps the form that was sent. So the person does not type it
twice.
"""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget

from payments.console import second_factor, tenancy
from payments.core import clock

_GIVEN = "console_fresh"
# Proves the code of the old device when it is replaced, and nothing else.
REPLACING = "console_replacing"
_PASSWORD, _CODE, _RETURN = "confirm_password", "confirm_code", "confirm_return"
_OWN = {_PASSWORD, _CODE, _RETURN, "csrfmiddlewaretoken"}


class ConfirmForm(forms.Form):
    confirm_password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=UnfoldAdminPasswordWidget(
            attrs={"autocomplete": "current-password", "autofocus": True}
        ),
    )
    confirm_code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget(
            attrs={"autocomplete": "one-time-code", "inputmode": "text", "spellcheck": "false"}
        ),
        help_text=_("Six digits from your app, or one of your backup codes."),
    )

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.request = request
        if not second_factor.has_device(request.user):
            del self.fields[_CODE]

    def clean(self) -> dict[str, Any]:
        """One message for both errors, so that it does not reveal which value was wrong."""
        given = super().clean() or {}
        if self.errors:
            return given
        name = self.request.user.get_username()
        person = authenticate(self.request, username=name, password=given[_PASSWORD])
        right = person is not None and person.pk == self.request.user.pk
        if right and _CODE in self.fields:
            right = second_factor.check(self.request.user, given[_CODE]) is not None
        if not right:
            raise forms.ValidationError(
                gettext("That was not right. A code is good once; wait for the next one.")
                if _CODE in self.fields
                else gettext("That is not your password.")
            )
        return given


def mark(request: HttpRequest) -> None:
    request.session[_GIVEN] = clock.now().isoformat()


def forget(request: HttpRequest) -> None:
    for name in (_GIVEN, REPLACING):
        request.session.pop(name, None)


def is_reauthenticated(request: HttpRequest, proof: str = _GIVEN) -> bool:
    """Whether the password was given within CONSOLE_FRESH_SECONDS."""
    try:
        given = datetime.fromisoformat(str(request.session.get(proof)))
    except (TypeError, ValueError):
        return False
    return clock.now() - given < timedelta(seconds=settings.CONSOLE_FRESH_SECONDS)


def require_reauthentication(
    request: HttpRequest, *, carries: bool = True, proof: str = _GIVEN, action: object = ""
) -> HttpResponse | None:
    """Returns None if the action may continue, or else the page that asks for the password.

    The page sends the form again together with the password. Without `carries` (the form holds
    a new password) the person returns to the empty form. With a `proof`, a password for other
    actions or for the login does not count. `action` is what the person is about to do.
    """
    if is_reauthenticated(request, proof):
        return None
    asked = _PASSWORD in request.POST
    form = ConfirmForm(request, request.POST if asked else None)
    if asked and form.is_valid():
        mark(request)
        if proof != _GIVEN:
            request.session[proof] = request.session[_GIVEN]
        if _RETURN not in request.POST:
            return None
        return HttpResponseRedirect(request.get_full_path())
    # A page cannot send a chosen file a second time.
    returns = request.method != "POST" or not carries or bool(request.FILES)
    returns = returns or _RETURN in request.POST
    carried = [] if returns else _sent(request)
    context = {
        **tenancy.site_of(request).each_context(request),
        "title": _("Is it still you?"),
        "action": action,
        "form": form,
        "carried": [*carried, (_RETURN, "1")] if returns else carried,
        "returns": returns,
    }
    status = 400 if asked else 200
    response = TemplateResponse(request, "admin/confirm.html", context, status=status)
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """The form as it was sent, without our own fields."""
    return [
        (name, str(value))
        for name, values in request.POST.lists()
        if name not in _OWN
        for value in values
    ]
