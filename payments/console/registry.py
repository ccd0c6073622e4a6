"""The types of an app's console parts, declared as `console` on its AppConfig.

Configs exist before models, so models are named (`app.model`), and look-ups are data or callables.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import CharField, F, Func, Q, Value
from django.db.models.functions import Lower
from django.db.models.lookups import Contains, Regex
from django.db.models.lookups import Lookup as Condition
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from payments.core.text import (
    ACCENTED,
    PLAIN,
    colombian_phone,
    normalised_document,
    plain_letters,
)

Text = str | Promise
VIEWER, SUPPORT, FINANCE, APPROVER = "Viewer", "Support", "Finance", "Approver"
ADMINISTRATOR = "Administrator"
MERCHANT_STAFF, MERCHANT_ADMINISTRATOR = "Merchant staff", "Merchant administrator"
# Of outgoing payments that people of a merchant make: who prepares them, and who approves what
# another person prepared.
MERCHANT_PREPARER, MERCHANT_APPROVER = "Merchant payments", "Merchant approver"
OF_OPERATORS = frozenset({VIEWER, SUPPORT, FINANCE, APPROVER, ADMINISTRATOR})
OF_MERCHANTS = frozenset(
    {MERCHANT_STAFF, MERCHANT_PREPARER, MERCHANT_APPROVER, MERCHANT_ADMINISTRATOR}
)
EVERYONE = OF_OPERATORS | OF_MERCHANTS
# A shorter part of an id, name or document matches too many rows.
TERM_MIN = 4
# Of a word of a name, where there are few rows.
WORD_MIN = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the side bar. `order` matters if several apps share a section.

    merchant_link   names the link from a merchant's page to its rows in this list.
    url_name        of another page than the list, for those who may see the list.
    children        {model without an entry of its own: name of its list}. Their pages stand below
                    this one, which is marked.
    group           where people of merchants find it, if not in its section (MERCHANT_GROUPS).
    merchant_label  what people of merchants read instead, where the page has more for them.
    """

    label: Text
    icon: str
    model: str
    order: int = 0
    merchant_link: str = ""
    url_name: str = ""
    group: str = ""
    children: Mapping[str, Text] = field(default_factory=dict)
    merchant_label: Text = ""

    def label_for(self, *, is_merchant: bool) -> Text:
        return (is_merchant and self.merchant_label) or self.label


# People of merchants have fewer pages, in groups that a shop's owner knows. By the place of each
# group between the sections.
PAYMENTS_OUT, MONEY, BUSINESS, DEVELOPERS = "payments_out", "money", "business", "developers"
MERCHANT_GROUPS: dict[str, tuple[int, Text]] = {
    PAYMENTS_OUT: (20, _("Payouts")),
    MONEY: (45, _("Money")),
    BUSINESS: (46, _("Your business")),
    DEVELOPERS: (95, _("For developers")),
}


@dataclass(frozen=True, slots=True)
class Section:
    """Entries under a heading of the side bar. Sections with the same `order` are merged."""

    order: int
    heading: Text
    entries: tuple[Entry, ...]


def section(order: int, heading: Text, *entries: Entry) -> Section:
    return Section(order, heading, entries)


ALL_ROWS = Q()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A row of a queue on the first page of a merchant's people: what it is, who asked for it, and
    where it is done.
    """

    what: object
    detail: object = ""
    figure: object = ""
    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkQueue:
    """Rows that wait for a person, or that a worker handles.

    `query` selects the same rows in the list of the model.

    where             an index serves it.
    merchant_filter   which of the rows users of merchants see in the list.
    decided_by        rights; each of them lets a person decide about the rows. Empty: every
                      operator may. Users of merchants see the queue only if they hold one.
    tasks             dotted path of a function that gets the oldest rows as a QuerySet, and returns
                      their tasks for people of merchants. Empty: they see a count.
    asked_by          the column with who asked for a row: a person does not decide about their own.
    is_routine        a worker handles the rows, and a person only looks at them.
    is_alarm          money is lost if no operator looks.
    """

    order: int
    label: Text
    model: str
    where: Callable[[datetime], Q]
    query: str
    for_operators_only: bool = False
    for_merchants_only: bool = False
    merchant_filter: Q = ALL_ROWS
    decided_by: str = ""
    tasks: str = ""
    asked_by: str = ""
    is_routine: bool = False
    is_alarm: bool = False


def flag_queue(order: int, label: Text, model: str, *, approval: bool = False) -> WorkQueue:
    """Rows that wait for approval. Operators also see the rows in doubt."""
    flag, query = ("needs_approval", "approval") if approval else ("needs_operator", "operator")
    return WorkQueue(
        order=order,
        label=label,
        model=model,
        where=lambda now: Q(**{flag: True}),
        query=f"exceptions={query}",
        for_operators_only=not approval,
        decided_by=model.replace(".", ".approve_" if approval else ".resolve_"),
        asked_by="requested_by" if approval else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """A button on the first page of people of merchants: what they come for most often.

    right   who has the button.
    switch  a field of the merchant that must be on.
    """

    order: int
    label: Text
    icon: str
    url_name: str
    right: str
    switch: str = "is_active"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """What a new merchant's people do once, on their first page until all of it is done."""

    order: int
    label: Text
    why: Text
    link: str
    is_done: bool


# The condition on rows for a search term; None if the term has another form.
TermCondition = Callable[[str], Q | Condition | None]


@dataclass(frozen=True, slots=True)
class SearchedModel:
    """`prefix` is that of its ids. Each condition uses one index.

    A single row found by `vague` may not be the one that the user meant. People of merchants find
    their own rows also by a part of `names` and by the beginning of `codes` (own_search), of a
    table that `is_kept` however old they are.
    """

    model: str
    prefix: str
    conditions: tuple[TermCondition, ...]
    vague: TermCondition | None
    names: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    is_kept: bool = False


def searched(
    model: str,
    prefix: str,
    *conditions: TermCondition,
    vague: TermCondition | None = None,
    names: tuple[str, ...] = (),
    codes: tuple[str, ...] = (),
    is_kept: bool = False,
) -> SearchedModel:
    return SearchedModel(model, prefix, conditions, vague, names, codes, is_kept)


def equals(name: str) -> TermCondition:
    return lambda term: Q(**{name: term})


def begins(name: str) -> TermCondition:
    """A range, because a prepared statement cannot use the index for LIKE."""

    def condition(term: str) -> Q | None:
        if len(term) < TERM_MIN:
            return None
        last = f"{term}\U0010ffff"
        return Q(**{f"{name}__gte": term, f"{name}__lt": last, f"{name}__startswith": term})

    return condition


def filled_equals(name: str) -> TermCondition:
    """Adds the condition of the index, which excludes empty values."""
    return lambda term: ~Q(**{name: ""}) & Q(**{name: term})


def document_equals(name: str) -> TermCondition:
    def condition(term: str) -> Q | None:
        document = normalised_document(term)
        return Q(**{name: document}) if len(document) >= TERM_MIN and "@" not in term else None

    return condition


def phone_equals(name: str) -> TermCondition:
    def condition(term: str) -> Q | None:
        phone = colombian_phone(term)
        return Q(**{name: phone}) if phone else None

    return condition


def transfer_key_equals(name: str) -> TermCondition:
    """A key may be a phone, so the term is searched with and without the prefix of the country."""

    def condition(term: str) -> Q:
        phone = colombian_phone(term)
        keys = {term, *([phone, f"+57{phone}", f"57{phone}"] if phone else ())}
        return ~Q(**{name: ""}) & Q(**{f"{name}__in": sorted(keys)})

    return condition


def email_matches(condition: Callable[[str], Q | Condition]) -> TermCondition:
    return lambda term: condition(term.lower()) if "@" in term else None


def folded_column(name: str) -> Lower:
    """Without case and accents, as `plain_letters` makes a term."""
    letters = Func(F(name), Value(ACCENTED), Value(PLAIN), function="translate")
    return Lower(letters, output_field=CharField())


def name_contains(name: str) -> TermCondition:
    """Without case and accents. A short term is the beginning of a word."""

    def condition(term: str) -> Condition | None:
        if "@" in term or len(term) < WORD_MIN:
            return None
        folded, sought = folded_column(name), plain_letters(term)
        if len(term) < TERM_MIN:
            return Regex(folded, rf"\m{re.escape(sought)}")
        return Contains(folded, sought)

    return condition


@dataclass(frozen=True, slots=True, kw_only=True)
class AppConsole:
    """
    rights        {role or roles: rights that they hold}: `verb_model`, or `app.verb_model`.
    right_names   of rights beside Django's own.
    overview      dotted path of a function that gets a payments.console.overview.Overview, and
                  returns parts of the first page.
    cockpit       dotted path of a function that gets a payments.console.cockpit.Subject, and
                  returns panels of a merchant's page.
    first_steps   dotted path of a function that gets a payments.console.cockpit.Subject, and
                  returns first steps that this person may take.
    settings      dotted path of a function that gets a payments.console.cockpit.Subject, and
                  returns settings of the account, for the merchant's own people.
    """

    sections: tuple[Section, ...] = ()
    queues: tuple[WorkQueue, ...] = ()
    search: tuple[SearchedModel, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    rights: Mapping[str | frozenset[str], str] = field(default_factory=dict)
    right_names: Mapping[str, str] = field(default_factory=dict)
    overview: str = ""
    cockpit: str = ""
    first_steps: str = ""
    settings: str = ""


def declared() -> dict[str, AppConsole]:
    """By the label of the app, in the order of INSTALLED_APPS."""
    from django.apps import apps

    consoles = (
        (config.label, getattr(config, "console", None)) for config in apps.get_app_configs()
    )
    return {label: console for label, console in consoles if isinstance(console, AppConsole)}


def entries() -> Iterator[Entry]:
    """Of the side bar."""
    for console in declared().values():
        for each in console.sections:
            yield from each.entries


def menu_word(model: str, *, is_merchant: bool) -> Text:
    """What the side bar calls the list of a model. Empty if it has no entry for it."""
    found = (each for each in entries() if each.model == model and not each.url_name)
    return next((each.label_for(is_merchant=is_merchant) for each in found), "")
