"""Two persons, not two accounts: who cannot approve the request of another account.

Behind a request are the person who made it or issued its API key, and the person who set the rule.
A person who created another account, or reset its password or device, is behind its requests, too.
The audit log proves it, so it cannot be undone.

The other way round, an account with a password given by another person approves nothing until its
owner has chosen a new one. After that it may, also requests of that person: in a small company one
person makes all accounts. The page of the payment shows a warning (`warnings`).
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

# Rows of the audit log after which the actor could log in as this user.
_TAKEN_OVER = Q(
    action__in=("user.created", "operator.second_factor_reset", first_password.GIVEN)
) | Q(action="user.changed", details__changes__contains=[{"changed": {"fields": ["password"]}}])
# The person behind an account, and the person behind that one.
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
    """Whether a person behind the request had access to the approver's account before.

    approval is the action of the audit row that approved the payment.
    """
    if tenancy.current_user_is_merchant():
        return []  # names of operators are not for merchants
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
    texts = [text % {**names, "before": timesince(taken.at, done.at)}]
    if (chosen := of_account.filter(action=first_password.CHOSEN).last()) is not None:
        text = gettext("Its own password was chosen %(before)s before, from %(address)s.")
        address = chosen.details.get("address") or "-"
        texts.append(text % {"before": timesince(chosen.at, done.at), "address": address})
    return [" ".join(texts)]


def _issuers(asked_by: str) -> set[str]:
    issued = AuditEntry.objects.filter(subject_id=asked_by, action="api_key.issued")
    return set(issued.values_list("actor", flat=True))


def _behind(names: set[str]) -> set[str]:
    """Who had access to the accounts of these people."""
    found: set[str] = set()
    for _step in range(_STEPS):
        accounts = User.objects.filter(username__in=names).values_list("pk", flat=True)
        rows = AuditEntry.objects.filter(
            _TAKEN_OVER, subject_type="user", subject_id__in=[str(pk) for pk in accounts]
        )
        names = set(rows.values_list("actor", flat=True))
        found |= names
    return found
