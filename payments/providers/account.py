"""The data of a provider account for its adapter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext


class Mode(StrEnum):
    """SANDBOX moves play money at the rail; LIVE moves money."""

    SANDBOX = "SANDBOX"
    LIVE = "LIVE"


class InvalidCredentials(ValueError):
    """`field` names the credential; the message never holds its value."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class RailAccount:
    """One contract with a provider.

    slug         short, stable, lower case: stored with each payment and part of the callbacks'
                 URLs.
    credentials  by the names of the rail's declaration. Never logged.
    previous     the credentials before a rotation, while callbacks may still be signed with them.
    base_url     of the rail; empty: the provider's own for the mode.
    """

    slug: str
    mode: Mode
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)
    previous: Mapping[str, str] = field(default_factory=dict, repr=False)
    base_url: str = ""

    def secrets(self, name: str) -> list[str]:
        """The values of the credential that callbacks may be signed with, the newest first."""
        found = (self.credentials.get(name, ""), self.previous.get(name, ""))
        return [value for value in found if value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """One field of the form.

    is_public    it may be shown again.
    is_identity  it names the contract, which knows the references of our payments. A rotation
                 keeps it: another contract would pay an unanswered payment again.
    is_optional  it may be left empty.
    default      what the form shows at first, and what a declared account has without it.
    choices      the only values, with their labels.
    is_flag      on or off: the value is FLAG_ON, or empty.
    """

    name: str
    label: str | Promise
    help: str | Promise = ""
    is_public: bool = False
    is_identity: bool = False
    is_optional: bool = False
    default: str = ""
    choices: tuple[tuple[str, str | Promise], ...] = ()
    is_flag: bool = False

    def is_possible(self, value: str) -> bool:
        """By the choices alone; an empty value is the provider's own matter."""
        if self.is_flag:
            return value in ("", FLAG_ON)
        return not (value and self.choices) or value in dict(self.choices)


FLAG_ON = "on"


class Finding(StrEnum):
    """UNCHECKED: the rail has no way to check this."""

    OK = "OK"
    FAILED = "FAILED"
    UNCHECKED = "UNCHECKED"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """One line of `manage.py rail_check`. `text` is for operators and holds no secret."""

    subject: str
    finding: Finding
    text: str


# The rail says its time in whole seconds, and the answer takes a while.
SKEW_MAX_SECONDS = 30


def clock_line(skew_seconds: float | None) -> CheckLine:
    """Whether the rail's clock agrees with ours (payments.providers.http.RailAnswer)."""
    if skew_seconds is None:
        text = gettext("the rail did not say its time")
        return CheckLine(subject="clock", finding=Finding.UNCHECKED, text=text)
    finding = Finding.OK if abs(skew_seconds) <= SKEW_MAX_SECONDS else Finding.FAILED
    is_ahead = skew_seconds > 0
    text = gettext("%d s ahead of ours") if is_ahead else gettext("%d s behind ours")
    return CheckLine(subject="clock", finding=finding, text=text % round(abs(skew_seconds)))
