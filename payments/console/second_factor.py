"""The second factor of the console: a device that shows codes, and backup codes.

django-otp has the tables and the arithmetic. A session remembers the device that verified it. If
that device is removed, the session is no longer verified.
"""

from base64 import b32encode
from enum import Enum

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db import transaction
from django.http import HttpRequest
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from payments.console import sessions
from payments.core import audit

BACKUP_CODES = 10
_SETTING_UP = "console_setting_up"
_STATE = "_console_second_factor"


class State(Enum):
    """The step that a session still needs before the console opens."""

    PASSED = "passed"
    NEEDS_CODE = "needs code"
    NEEDS_DEVICE = "needs device"


def state(request: HttpRequest) -> State:
    """Read once for each request: one query."""
    found: State | None = getattr(request, _STATE, None)
    if found is None:
        found = _state(request)
        setattr(request, _STATE, found)
    return found


def _state(request: HttpRequest) -> State:
    if remembered := request.session.get(DEVICE_ID_SESSION_KEY):
        device = Device.from_persistent_id(remembered)
        if device is not None and device.user_id == request.user.pk and device.confirmed:
            return State.PASSED
    if has_device(request.user):
        return State.NEEDS_CODE
    return State.NEEDS_DEVICE if settings.CONSOLE_SECOND_FACTOR else State.PASSED


def has_device(user: AbstractBaseUser | AnonymousUser) -> bool:
    return bool(TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).exists())


def check(user: AbstractBaseUser | AnonymousUser, code: str) -> Device | None:
    """Returns the device that the code belongs to. A code can be used only once.

    After wrong codes a device accepts none for 1, 2, 4 ... seconds (django-otp).
    """
    code = "".join(code.split()).lower()
    if not (code.isascii() and code.isalnum()):
        return None
    # Each kind of device gets only its own codes, because otherwise the other kind would count a
    # failure.
    kind = TOTPDevice if code.isdigit() and len(code) == 6 else StaticDevice
    with transaction.atomic():
        for device in kind.objects.select_for_update().filter(user_id=user.pk, confirmed=True):
            if device.verify_token(code):
                found: Device = device
                return found
    return None


def remember(request: HttpRequest, device: Device) -> None:
    """Marks the session as verified by this device. The session key changes, as after a login."""
    request.session.cycle_key()
    request.session[DEVICE_ID_SESSION_KEY] = device.persistent_id
    setattr(request, _STATE, State.PASSED)


def forget(request: HttpRequest) -> None:
    """Removes the verification and an open set-up from the session."""
    for name in (DEVICE_ID_SESSION_KEY, _SETTING_UP):
        request.session.pop(name, None)
    if hasattr(request, _STATE):
        delattr(request, _STATE)


def new_device(request: HttpRequest) -> TOTPDevice:
    """The new device counts only after its confirmation."""
    mine = TOTPDevice.objects.filter(
        pk=request.session.get(_SETTING_UP), user_id=request.user.pk, confirmed=False
    ).first()
    if mine is None:
        # A set-up that another session began and left is deleted with its secret.
        TOTPDevice.objects.filter(user_id=request.user.pk, confirmed=False).delete()
        mine = TOTPDevice.objects.create(user_id=request.user.pk, name="app", confirmed=False)
        request.session[_SETTING_UP] = mine.pk
    return mine


@transaction.atomic
def confirm(device: TOTPDevice, code: str) -> list[str] | None:
    """Replaces the earlier device; returns new backup codes, None for a wrong code."""
    # None if another session of the user has started the set-up again.
    mine = TOTPDevice.objects.select_for_update().filter(pk=device.pk, confirmed=False).first()
    if mine is None or not _is_code(code) or not mine.verify_token("".join(code.split())):
        return None
    TOTPDevice.objects.filter(user_id=device.user_id).exclude(pk=device.pk).delete()
    TOTPDevice.objects.filter(pk=device.pk).update(confirmed=True)
    return new_backup_codes(device.user_id)


def _is_code(code: str) -> bool:
    digits = "".join(code.split())
    return len(digits) == 6 and digits.isascii() and digits.isdigit()


@transaction.atomic
def new_backup_codes(user_id: int) -> list[str]:
    """Ten codes, each for one use. Earlier ones are invalid."""
    # The row stays, so that sessions which one of its codes has opened continue.
    sheet = StaticDevice.objects.filter(user_id=user_id).first()
    sheet = sheet or StaticDevice.objects.create(user_id=user_id, name="backup")
    StaticToken.objects.filter(device__user_id=user_id).delete()
    codes = [StaticToken.random_token() for _ in range(BACKUP_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=sheet, token=code) for code in codes)
    return codes


def device_of(user: AbstractBaseUser | AnonymousUser) -> TOTPDevice | None:
    return TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).first()


def backup_codes_left(user: AbstractBaseUser | AnonymousUser) -> int:
    return int(StaticToken.objects.filter(device__user_id=user.pk).count())


@transaction.atomic
def reset(*, user: User, actor: str, reason: str) -> None:
    """Removes the device and backup codes of a person, and ends their sessions."""
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.filter(user=user).delete()
    audit.record(
        actor=actor,
        action="operator.second_factor_reset",
        subject=user,
        reason=reason,
        sessions=sessions.end_all(user),
    )


def has_wrong_codes(user: User) -> bool:
    """Whether the device would refuse the next code without a check, after wrong codes."""
    return any(
        kind.objects.filter(user=user, throttling_failure_count__gt=2).exists()
        for kind in (TOTPDevice, StaticDevice)
    )


def end_waits(user: User) -> None:
    """Lets the next code be checked without a wait."""
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.filter(user=user).update(
            throttling_failure_count=0, throttling_failure_timestamp=None
        )


def readable_secret(device: TOTPDevice) -> str:
    """Base32 in groups of four, for typing."""
    text = b32encode(device.bin_key).decode().rstrip("=")
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))
