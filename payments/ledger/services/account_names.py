"""Names of accounts for people: `clearing with Wompi main (wompi)`.

An app's config declares `ledger_names`: by kind of account, the path of a function that gets owners
and returns {owner: label}. An owner without a label keeps its code.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from django.apps import apps
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from payments.ledger.models import Account, Cost

Kind = Account.Kind
Labels = Callable[[Collection[str]], Mapping[str, str]]
# Of accounts with an owner that is no merchant.
_PHRASES = {
    Kind.CLEARING: _("clearing with %s"),
    Kind.TRANSIT: _("on its way from %s"),
    Kind.BANK: _("bank account %s"),
    Kind.COSTS: _("costs: %s"),
    Kind.SUSPENSE: _("suspense: %s"),
}
_OWNERS = {
    Kind.COSTS: dict(Cost.choices),
    Kind.SUSPENSE: {"bank": _("bank movements without a purpose yet")},
}
# Rails without a provider account.
_WITHOUT_ROWS = {"simulator": _("the simulator")}


def name_accounts(accounts: Iterable[Account]) -> dict[int, str]:
    """{account id: name}. One query for each kind that an app names."""
    found = list(accounts)
    owners: dict[str, set[str]] = defaultdict(set)
    for account in found:
        owners[account.kind].add(account.owner)
    labels = {kind: _labels(kind, names) for kind, names in owners.items()}
    return {account.pk: _name(account, labels[account.kind]) for account in found}


def _labels(kind: str, owners: Collection[str]) -> Mapping[str, object]:
    path = _declared().get(kind)
    if path is None:
        return _OWNERS.get(Kind(kind), {})
    labels: Labels = import_string(path)
    return labels(owners)


def _name(account: Account, labels: Mapping[str, object]) -> str:
    phrase = _PHRASES.get(Kind(account.kind))
    if phrase is None or not account.owner:
        return account.get_kind_display()
    return str(phrase) % labels.get(account.owner, _WITHOUT_ROWS.get(account.owner, account.owner))


@cache
def _declared() -> dict[str, str]:
    declared = (getattr(config, "ledger_names", {}) for config in apps.get_app_configs())
    return {kind: path for paths in declared for kind, path in paths.items()}
