"""The forms of operators: a name, an e-mail address, and roles that fit together."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import first_password, roles
from payments.core.errors import ServiceError


class RolesField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Model) -> str:
        if isinstance(obj, Permission):
            return roles.right_label(obj)
        return roles.label(obj) if isinstance(obj, Group) else str(obj)


class OperatorForm(forms.ModelForm):
    """Without a password: an operator sets none for another."""

    class Meta:
        model = User
        fields = ["email", "first_name", "last_name", "is_active", "groups"]
        help_texts: ClassVar[dict[str, Any]] = {
            "username": _("To log in with. It never changes."),
            "is_active": _("Who is not active cannot log in; all sessions end at once."),
            "is_superuser": _("May do everything, and give every role."),
        }

    def clean_groups(self) -> Any:
        """See roles.check_apart, which is asked again when they are given."""
        try:
            roles.check_apart(group.name for group in self.cleaned_data["groups"])
        except ServiceError as error:
            raise forms.ValidationError(error.shown()) from error
        return self.cleaned_data["groups"]

    def clean(self) -> dict[str, Any] | None:
        """No more rights for an account whose first password this operator gave and still knows."""
        cleaned: dict[str, Any] | None = super().clean()
        if _holds_more(self.cleaned_data) and (who := _who_knows_the_password(self.instance)):
            text = gettext(
                "%(who)s gave this account a single-use password that is not changed yet, and may "
                "not hold so much: give another one first."
            )
            self.add_error("groups", text % {"who": who})
        return cleaned


class NewOperatorForm(OperatorForm):
    """A role is required: without one the account could open nothing."""

    class Meta(OperatorForm.Meta):
        fields = ["username", *OperatorForm.Meta.fields]

    def clean_username(self) -> str:
        """Names that differ only by case are refused."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(gettext("This user name is taken."))
        return name

    def clean(self) -> dict[str, Any] | None:
        """Superusers need no role."""
        cleaned: dict[str, Any] | None = super().clean()
        given = self.cleaned_data
        if "groups" in given and not given["groups"] and not given.get("is_superuser"):
            self.add_error(
                "groups", gettext("Choose a role: without one the account opens nothing.")
            )
        return cleaned


def _holds_more(given: dict[str, Any]) -> bool:
    """Whether the form gives what administrators cannot give."""
    names = {group.name for group in given.get("groups") or ()}
    beyond = given.get("is_superuser") or given.get("user_permissions")
    return bool(beyond or names - roles.GIVEN_BY_ADMINISTRATORS)


def _who_knows_the_password(user: User) -> str:
    """Who gave the password that is not replaced yet; empty for superusers."""
    first = first_password.pending(user) if user.pk else None
    if first is None:
        return ""
    is_chief = User.objects.filter(username=first.given_by, is_superuser=True).exists()
    return "" if is_chief else first.given_by
