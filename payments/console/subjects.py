"""What an operation is about, in the words of a merchant: its reference, and the other party.

Apps declare `subject_facts` on their configs: {prefix of an id: dotted path of a function that gets
ids and returns {id: SubjectFacts}}. Each function reads its rows with one query.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from django.apps import apps
from django.utils.module_loading import import_string


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectFacts:
    """
    reference   the merchant's own.
    party       name of the payer or the beneficiary.
    detail      how it was paid: method, bank.
    """

    reference: str = ""
    party: str = ""
    detail: str = ""


NOTHING = SubjectFacts()
FactsOf = Callable[[list[str]], Mapping[str, SubjectFacts]]


def facts_of(ids: Iterable[str]) -> dict[str, SubjectFacts]:
    """Ids of no declared app have no facts."""
    of_prefix: dict[str, list[str]] = {}
    for pk in dict.fromkeys(ids):
        of_prefix.setdefault(pk.partition("_")[0], []).append(pk)
    found: dict[str, SubjectFacts] = {}
    for prefix, pks in of_prefix.items():
        if (path := _sources().get(prefix)) is not None:
            read: FactsOf = import_string(path)
            found.update(read(pks))
    return found


@cache
def _sources() -> dict[str, str]:
    declared = (getattr(config, "subject_facts", {}) for config in apps.get_app_configs())
    return {prefix: path for paths in declared for prefix, path in paths.items()}
