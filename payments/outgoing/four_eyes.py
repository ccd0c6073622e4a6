"""Two persons, not two accounts: who cannot approve what another account asked for.

Behind a request stands whoever asked, or issued the key that asked, and whoever set the rule. An
account that somebody created, or whose password or device somebody reset, is in that person's
hands, too: what it asks for, they asked for. The audit log tells, so it cannot be undone.
"""

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from payments.core.models import AuditEntry
from payments.outgoing.errors import NotAllowed

# The rows of the audit log that say: the actor could log in as this person.
_TAKEN_OVER = Q(action__in=("user.created", "operator.second_factor_reset")) | Q(
    action="user.changed", details__changes__contains=[{"changed": {"fields": ["password"]}}]
)
# Whose account it was, and who was behind that one.
_STEPS = 2


def check(*, actor: str, asked_by: str, rule_set_by: str = "") -> None:
    """Raises NotAllowed where the actor is behind the request.

    asked_by is the name of a person of the console, or the id of an API key.
    """
    if actor == asked_by:
        raise NotAllowed(_("Whoever asked for the refund cannot approve it."))
    if actor == rule_set_by:
        raise NotAllowed(_("Whoever set the rule cannot approve under it."))
    issued = AuditEntry.objects.filter(subject_id=asked_by, action="api_key.issued")
    issuers = set(issued.values_list("actor", flat=True))
    if actor in issuers:
        raise NotAllowed(_("Whoever issued the API key that asked cannot approve."))
    if actor in _behind({asked_by, rule_set_by} | issuers):
        raise NotAllowed(
            _(
                "Whoever created an account behind this request, or reset its password or device, "
                "cannot approve."
            )
        )


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
