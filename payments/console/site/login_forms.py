"""Forms of the console's login, first password and second factor."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget

from payments.console import first_password


class LoginForm(AuthenticationForm):
    """Limits the length of the name, because the table of wrong passwords has this limit.

    The sentence is the same for a wrong name, a wrong password and an account without the console.
    """

    error_messages: ClassVar[dict[str, Any]] = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("The user or the password is not right."),
    }

    def __init__(self, request: HttpRequest | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest))
        if self.is_bound and self.data.get("username"):
            # After a refusal the name is still there, and the password has to be typed again.
            self.fields["username"].widget.attrs["autofocus"] = False
            self.fields["password"].widget.attrs["autofocus"] = True

    def confirm_login_allowed(self, user: User) -> None:
        """Django calls it after a correct password, so the error reveals nothing to others."""
        super().confirm_login_allowed(user)
        first = first_password.pending(user)
        if first is not None and first_password.has_expired(first):
            raise forms.ValidationError(first_password.Expired().shown(), code="expired")


class OwnPasswordForm(SetPasswordForm):
    """Django's validators run when the password is set."""

    def __init__(
        self, user: AbstractBaseUser | AnonymousUser, data: QueryDict | None = None
    ) -> None:
        super().__init__(user, data)
        for name in ("new_password1", "new_password2"):
            self.fields[name].widget = UnfoldAdminPasswordWidget(
                attrs={"autocomplete": "new-password", "autofocus": name == "new_password1"}
            )
        self.fields["new_password1"].label = _("New password")
        # Replaces Django's sentences about each rule.
        self.fields["new_password1"].help_text = _(
            "At least 8 characters, not only digits, no common word, and nothing like your name."
        )
        self.fields["new_password2"].label = _("New password, once more")
        self.fields["new_password2"].help_text = ""

    def validate_password_for_user(self, user: Any, password_field_name: str = "") -> None:
        """What is wrong with a password stands below the first field, where it was chosen."""
        password = self.cleaned_data.get("new_password1")
        try:
            if password:
                validate_password(password, user)
        except ValidationError as error:
            self.add_error("new_password1", _refusal(error))


def _refusal(error: ValidationError) -> ValidationError:
    """One sentence with what to do, where Django has a sentence for each rule."""
    codes = {each.code for each in error.error_list}
    if "password_too_similar" in codes:
        text = _("It is too much like your name or e-mail: choose one that has nothing of them.")
    elif not codes - {"password_too_short"}:
        text = _("It is too short: use at least 8 characters.")
    else:
        text = _("It is easy to guess: use three or four words that do not belong together.")
    return ValidationError(text, code="password_refused")


class CodeForm(forms.Form):
    """A code of the app, or a backup code."""

    def refuse(self, text: str) -> None:
        """The field is empty again, because the same code is never right later."""
        self.add_error("code", text)
        self.data = {}

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
