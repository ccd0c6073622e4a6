"""Two persons, not two accounts: who cannot approve what another account asked for.

Behind a request stands whoever asked, or issued the key that asked, and whoever set the rule. An
account that somebody created, or whose password or device somebody reset, is in that person's
hands, too: what it asks for, they asked for. The audit log tells, so it cannot be undone.

The other way round, an account whose password somebody else gave decides about nothing until its
person has chosen another. After that it may, also about what that somebody asked for: in a small
company one person makes all accounts. Whoever reads the payment later is warned (`warnings`).
"""

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timesince import timesince
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from payments.console import first_password, tenancy
from payments.console.models import FirstPassword
from payments.core.models import AuditEntry
from payments.outgoing.errors import NotAllowed

# The rows of the audit log that say: the actor could log in as this person.
_TAKEN_OVER = Q(
    action__in=("user.created", "operator.second_factor_reset", first_password.GIVEN)
) | Q(action="user.changed", details__changes__contains=[{"changed": {"fields": ["password"]}}])
# Whose account it was, and who was behind that one.
_STEPS = 2


def check(*, actor: str, asked_by: str, rule_set_by: str = "") -> None:
    """Raises NotAllowed where the actor is behind the request.

    asked_by is the name of a person of the console, or the id of an API key.
    """
    if FirstPassword.objects.filter(user__username=actor).exists():
        raise NotAllowed(_("Choose your own password first: another person knows this one."))
    if actor == asked_by:
        raise NotAllowed(_("The person who asked for the refund cannot approve it."))
    if actor == rule_set_by:
        raise NotAllowed(_("The person who set the rule cannot approve under it."))
    issuers = _issuers(asked_by)
    if actor in issuers:
        raise NotAllowed(_("The person who issued the API key that asked cannot approve."))
    if actor in _behind({asked_by, rule_set_by} | issuers):
        raise NotAllowed(
            _(
                "The person who created an account behind this request, or reset its password or "
                "device, cannot approve."
            )
        )


def warnings(
    *, subject_id: str, approval: str, asked_by: str, rule_set_by: str = ""
) -> list[object]:
    """Whether somebody behind the request had the approver's account in their hands before.

    approval is the action of the audit row that let the payment go.
    """
    if tenancy.current_user_is_merchant():
        return []  # which operator it was is not for people of merchants
    done = AuditEntry.objects.filter(subject_id=subject_id, action=approval).last()
    account = done and User.objects.filter(username=done.actor).first()
    if done is None or account is None:
        return []
    behind = {asked_by, rule_set_by} | _issuers(asked_by)
    of_account = AuditEntry.objects.filter(
        subject_type="user", subject_id=str(account.pk), at__lte=done.at
    )
    taken = of_account.filter(_TAKEN_OVER, actor__in=behind | _behind(behind)).last()
    if taken is None or taken.actor == done.actor:
        return []
    text = gettext(
        "%(maker)s, who stands behind this payment, made the account of %(approver)s, or gave it a "
        "password or reset its device, %(before)s before it approved."
    )
    names = {"maker": taken.actor, "approver": done.actor}
    shown = [text % {**names, "before": timesince(taken.at, done.at)}]
    if (chosen := of_account.filter(action=first_password.CHOSEN).last()) is not None:
        text = gettext("Its own password was chosen %(before)s before, from %(address)s.")
        address = chosen.details.get("address") or "-"
        shown.append(text % {"before": timesince(chosen.at, done.at), "address": address})
    return [" ".join(shown)]


def _issuers(asked_by: str) -> set[str]:
    issued = AuditEntry.objects.filter(subject_id=asked_by, action="api_key.issued")
    return set(issued.values_list("actor", flat=True))


def _behind(names: set[str]) -> set[str]:
    """Who had the accounts of these people in their hands."""
    found: set[str] = set()
    for _step in range(_STEPS):
        accounts = User.objects.filter(username__in=names).values_list("pk", flat=True)
        rows = AuditEntry.objects.filter(
            _TAKEN_OVER, subject_type="user", subject_id__in=[str(pk) for pk in accounts]
        )
        names = set(rows.values_list("actor", flat=True))
        found |= names
    return found
