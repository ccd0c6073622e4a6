"""The forms of operators: a name, an e-mail address, and roles that fit together."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from payments.console import first_password, roles
from payments.console.actions import Cleaned
from payments.console.registry import Text
from payments.core.errors import ServiceError


class RolesField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Model) -> str:
        if isinstance(obj, Permission):
            return roles.right_label(obj)
        return roles.described(obj.name) if isinstance(obj, Group) else str(obj)


class OperatorForm(forms.ModelForm):
    """Has no password field, because operators do not set passwords for others."""

    name = forms.CharField(
        label=_("Name"), max_length=150, required=False, widget=UnfoldAdminTextInputWidget()
    )
    reason = forms.CharField(
        label=_("Reason for the change"),
        max_length=500,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("Who reads the audit log sees it beside the change."),
    )

    class Meta:
        model = User
        fields = ["email", "is_active", "groups"]
        labels: ClassVar[dict[str, Text]] = {
            "is_superuser": _("Superuser"),
            "email": _("E-mail"),
        }
        help_texts: ClassVar[dict[str, Text]] = {
            "username": _("To log in with. It never changes."),
            "is_active": _("Who is not active cannot log in; all sessions end at once."),
            "is_superuser": _("May do everything, and give every role."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["name"] = self.instance.get_full_name()

    def clean_name(self) -> str:
        return " ".join(str(self.cleaned_data["name"]).split())

    def save(self, commit: bool = True) -> User:
        """One field has the whole name, as an invitation gives it."""
        if "name" in self.changed_data:
            self.instance.first_name, self.instance.last_name = self.cleaned_data["name"], ""
        saved: User = super().save(commit)
        return saved

    def clean_groups(self) -> QuerySet[Group]:
        """Checks the roles by roles.check_apart. The check runs again when the roles are saved."""
        try:
            roles.check_apart(group.name for group in self.cleaned_data["groups"])
        except ServiceError as error:
            raise forms.ValidationError(error.shown()) from error
        chosen: QuerySet[Group] = self.cleaned_data["groups"]
        return chosen

    def clean(self) -> Cleaned | None:
        """Refuses more rights while this operator still knows the first password of the account."""
        cleaned: Cleaned | None = super().clean()
        if _holds_more(self.cleaned_data) and (who := _who_knows_the_password(self.instance)):
            text = gettext(
                "%(who)s gave this account a single-use password that is not changed yet, and may "
                "not hold so much: give another one first."
            )
            # The page of a superuser has no boxes for roles.
            self.add_error("groups" if "groups" in self.fields else None, text % {"who": who})
        return cleaned


class NewOperatorForm(OperatorForm):
    """A role is required, because an account without a role could open no page."""

    class Meta(OperatorForm.Meta):
        fields = ["username", *OperatorForm.Meta.fields]

    def clean_username(self) -> str:
        """Names that differ only by case are refused."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(gettext("This user name is taken."))
        return name

    def clean(self) -> Cleaned | None:
        """Superusers need no role."""
        cleaned: Cleaned | None = super().clean()
        given = self.cleaned_data
        if "groups" in given and not given["groups"] and not given.get("is_superuser"):
            self.add_error(
                "groups", gettext("Choose a role: without one the account opens nothing.")
            )
        return cleaned


def _holds_more(given: Cleaned) -> bool:
    """Whether the form gives a right that administrators cannot give."""
    names = {group.name for group in given.get("groups") or ()}
    beyond = given.get("is_superuser") or given.get("user_permissions")
    return bool(beyond or names - roles.GIVEN_BY_ADMINISTRATORS)


def _who_knows_the_password(user: User) -> str:
    """The user who gave the password, until it is replaced. Empty for superusers."""
    first = first_password.pending(user) if user.pk else None
    if first is None:
        return ""
    is_chief = User.objects.filter(username=first.given_by, is_superuser=True).exists()
    return "" if is_chief else first.given_by
