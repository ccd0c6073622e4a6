"""What an operation is about, in the words of a merchant: its reference, and the other party.

Apps declare `subject_facts` on their configs: {prefix of an id: dotted path of a function that gets
ids and returns {id: SubjectFacts}}. Each function reads its rows with one query.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from django.apps import apps
from django.contrib.admin.utils import quote
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString

from payments.console.formatting import anchor


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectFacts:
    """
    reference   the merchant's own.
    party       name of the payer or the beneficiary.
    detail      how it was paid: method, bank.
    operation   what people call it, where the kind of its entry says something else.
    """

    reference: str = ""
    party: str = ""
    detail: str = ""
    operation: str = ""


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


def about(subject_id: str, facts: SubjectFacts) -> str | SafeString:
    """The reference and the other party, or else the id. A link if the subject has a page."""
    names = [name for name in (facts.reference, facts.party) if name]
    shown = " · ".join(names) or subject_id
    page = _pages().get(subject_id.partition("_")[0])
    try:
        url = reverse(f"admin:{page}_change", args=[quote(subject_id)]) if page else ""
    except NoReverseMatch:
        url = ""
    if not url:
        return format_html('<span title="{}">{}</span>', subject_id, shown)
    return anchor(url, shown, title=subject_id)


@cache
def _pages() -> dict[str, str]:
    """{prefix of an id: page of the console}, as the apps' configs declare them."""
    declared = (getattr(config, "subject_pages", {}) for config in apps.get_app_configs())
    return {prefix: page for pages in declared for prefix, page in pages.items()}


@cache
def _sources() -> dict[str, str]:
    declared = (getattr(config, "subject_facts", {}) for config in apps.get_app_configs())
    return {prefix: path for paths in declared for prefix, path in paths.items()}
