"""An approval needs a second person, not only a second account.

Two people are behind a request: the one who made it or issued its API key, and the one who set the
rule. A person who created another account, or reset its password or device, is behind the requests
of that account, too, as the audit log shows. An account with a password that another person knows
approves nothing until its owner has chosen a new one. After that it may also approve requests of
that person, because in a small company one person creates all accounts. Then the page of what
was approved shows a warning (`warnings`).
"""

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timesince import timesince
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from payments.console import first_password, tenancy
from payments.console.models import FirstPassword
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry

# Audit rows after which the actor could log in as the user.
_TAKEN_OVER = Q(
    action__in=("user.created", "operator.second_factor_reset", first_password.GIVEN)
) | Q(action="user.changed", details__changes__contains=[{"changed": {"fields": ["password"]}}])
# The search goes back two steps: to the person behind an account, and to the person behind that
# person.
_STEPS = 2


def check(*, actor: str, asked_by: str, rule_set_by: str = "") -> None:
    """Raises NotAllowed where the actor is behind the request.

    asked_by is the name of a person of the console, or the id of an API key.
    """
    if FirstPassword.objects.filter(user__username=actor).exists():
        raise NotAllowed(_("Choose your own password first: another person knows this one."))
    if actor == asked_by:
        raise NotAllowed(_("The person who asked for this cannot approve it."))
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


def refusal(*, actor: str, asked_by: str, rule_set_by: str = "") -> str:
    """Why the actor may not decide, in the reader's language. Empty if they may."""
    try:
        check(actor=actor, asked_by=asked_by, rule_set_by=rule_set_by)
    except NotAllowed as error:
        return error.shown()
    return ""


def is_behind(actor: str, names: set[str]) -> bool:
    """Whether the actor had access to the account of one of these people."""
    return actor in _behind(names)


def warnings(
    *, subject_id: str, approval: str, asked_by: str, rule_set_by: str = ""
) -> list[object]:
    """Whether a person behind the request had access to the approver's account before.

    approval is the action of the audit row that approved it.
    """
    done = AuditEntry.objects.filter(subject_id=subject_id, action=approval).last()
    if done is None:
        return []
    return warnings_of(done, {asked_by, rule_set_by} | _issuers(asked_by))


def warnings_of(done: AuditEntry, behind: set[str]) -> list[object]:
    """Of one approval, by its audit row. `behind`: names of the people behind the request."""
    if tenancy.current_user_is_merchant():
        return []  # names of operators are not for merchants
    account = User.objects.filter(username=done.actor).first()
    if account is None:
        return []
    of_account = AuditEntry.objects.filter(
        subject_type="user", subject_id=str(account.pk), at__lte=done.at
    )
    taken = of_account.filter(_TAKEN_OVER, actor__in=behind | _behind(behind)).last()
    if taken is None or taken.actor == done.actor:
        return []
    text = gettext(
        "%(maker)s, who stands behind this request, made the account of %(approver)s, or gave it a "
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
