"""The holder of an instant key, beside the name that the payment has."""

from django.utils.translation import gettext

from payments.console.formatting import when
from payments.rails.holder_names import may_be
from payments.rails.models import KeyCheck

Result = KeyCheck.Result


def shown(check: KeyCheck | None) -> str:
    if check is None:
        return gettext("Not asked for yet")
    if check.result != Result.FOUND:
        return f"{check.get_result_display()} · {when(check.checked_at)}"
    parts = (check.holder_name or "-", check.bank_name, when(check.checked_at))
    return " · ".join(filter(None, parts))


def warnings(check: KeyCheck | None, name: str) -> list[object]:
    """`name` is the receiver's, as it was given to us."""
    if check is None:
        return []
    if check.result in (Result.NOT_FOUND, Result.CLOSED):
        result = check.get_result_display()
        return [gettext("%s: if nothing changes, the payment ends unsent.") % result]
    if may_be(name, check.holder_name):
        return []
    return [gettext("The key is in another name: compare the holder with the receiver.")]


def summary(check: KeyCheck | None, name: str) -> list[str]:
    """For the page of an approval."""
    holder = gettext("Holder of the key: %s") % shown(check)
    return [holder, *map(str, warnings(check, name))]
