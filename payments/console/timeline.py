"""The history of a record, in plain words and in the order of time.

Each app adds words for its states and actions, and sources of lines (`add_source`). A page adds its
own facts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.apps import apps
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.formatting import admin_url
from payments.console.reason_words import reason_word
from payments.console.registry import Text
from payments.console.state_words import colour_of, word_of
from payments.core import reasons
from payments.core.models import AuditEntry, Transition

# Only the newest rows of each source are shown, because a merchant may have very many audit rows.
ROWS_MAX = 200
# A state and the act that changed it are written one after the other.
ONE_ACT = timedelta(seconds=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineLine:
    at: datetime
    what: object
    who: object = ""
    detail: object = ""
    # The kind decides the colour. Only good and trouble have a colour of their own meaning:
    # move, good, person, money, webhook, rail, trouble.
    kind: str = "move"
    href: str | None = None
    # True for an event of the future, which the clock or a worker will cause.
    is_ahead: bool = False


Source = Callable[[Sequence[str]], Iterable[TimelineLine]]
_sources: list[Source] = []
_states: dict[tuple[str, str], Text] = {}
_told_by_acts: set[str] = set()
_action_words: dict[str, Text] = {}
_method_names: dict[str, Text] = {}
_ACHIEVED = frozenset({"COMPLETED", "PAID", "SUCCEEDED", "DELIVERED", "WON", "APPLIED"})
_TROUBLE = frozenset({"FAILED", "REJECTED", "LOST", "REVERSED", "RETURNED"})
_COMMAND = "command:"
# What the code writes as the reason of what follows from an invitation.
_BY_INVITATION = "invitation inv_"
_ACTORS: dict[str, Text] = {
    "bank": _("the bank"),
    "payer": _("the payer"),
    "clock": _("the clock"),
    "engine": _("Pasarela"),
    "sandbox": _("the sandbox"),
    "simulator": _("the simulator"),
    "worker": _("Pasarela"),
    "system": _("Pasarela"),
    "rate_feed": _("the prices of the market"),
    "directory": _("the folder of bank files"),
    "declare_rails": _("the declaration of the deployment"),
    "load_catalogues": _("a command of the server"),
    "import_statement": _("a command of the server"),
    "manage.py": _("a command of the server"),
    "command": _("a command of the server"),
}


def add_source(source: Source) -> Source:
    """A source gets the ids of the records of a timeline, and returns lines."""
    if source not in _sources:
        _sources.append(source)
    return source


def add_states(subject_type: str, words: Mapping[str, Text]) -> None:
    """Registers sentences for the states of a record."""
    _states.update({(subject_type, state): sentence for state, sentence in words.items()})


def told_by_acts(subject_type: str) -> None:
    """The states of these records change by acts of people only, which are lines already."""
    _told_by_acts.add(subject_type)


def add_actions(words: Mapping[str, Text]) -> None:
    """Registers sentences by the action of the audit row."""
    _action_words.update(words)


def add_methods(names: Mapping[str, Text]) -> None:
    """Registers the names of methods, which reasons have as codes."""
    _method_names.update(names)


def method_name(code: str) -> Text | None:
    return _method_names.get(code)


def reason_shown(move: Transition) -> str:
    reason = str(_method_names.get(move.reason) or reason_word(move.reason))
    return reasons.shown(move.reason_code, reason)


def act_reason(reason: str) -> str:
    """The reason of an act: a person's words, or a sentence that the code writes."""
    if reason.startswith(_BY_INVITATION):
        return gettext("By an invitation")
    return reasons.shown("", reason)


def action_words(action: str) -> Text | None:
    return _action_words.get(action)


def timeline(subject_ids: Sequence[str], facts: Iterable[TimelineLine] = ()) -> list[TimelineLine]:
    """All lines about the records, oldest first. Events of the future come last."""
    lines = [*facts, *_moves(subject_ids), *_operator_actions(subject_ids)]
    for source in _sources:
        lines += source(subject_ids)
    # The sort is stable, so at one time a fact comes before its posting and its webhook.
    return sorted(lines, key=lambda line: (line.is_ahead, line.at, line.kind == "webhook"))


def told_once(lines: Sequence[TimelineLine]) -> list[TimelineLine]:
    """Without a change of state by a person whose act of that moment is a line already.

    For pages of which each act of a person says in its name what changed.
    """
    acts = [(line.at, line.who) for line in lines if line.kind == "person"]
    return [
        line
        for line in lines
        if line.kind != "move"
        or all(line.who != person or abs(line.at - at) > ONE_ACT for at, person in acts)
    ]


def who(actor: str) -> object:
    """Users of merchants see their colleagues by name, and operators as Pasarela."""
    if (known := _ACTORS.get(actor)) is not None:
        return known
    if actor.startswith("key_"):
        label = tenancy.read_once(actor, lambda: _label_of_key(actor))
        return gettext("API key %s") % (label or actor)
    if tenancy.current_user_is_merchant() and actor not in tenancy.colleagues():
        return gettext("Pasarela")
    if actor.startswith(_COMMAND):
        return gettext("command line (%s)") % actor.removeprefix(_COMMAND)
    return actor


def know_keys(actors: Iterable[str]) -> None:
    """Before `who` of many rows: one query reads the names of all their keys."""
    if keys := {actor for actor in actors if actor.startswith("key_")}:
        rows = apps.get_model("merchants.apikey")._default_manager.filter(pk__in=keys)
        labels = dict(rows.values_list("pk", "label"))
        for key in keys:
            tenancy.read_once(key, partial(str, labels.get(key, "")))


def _label_of_key(key_id: str) -> str:
    keys = apps.get_model("merchants.apikey")._default_manager.filter(pk=key_id)
    return keys.values_list("label", flat=True).first() or ""


def _state_names(subject_type: str) -> dict[str, str]:
    """{code: `Pendiente`} of the first model of this name that has states."""
    for model in apps.get_models():
        if model._meta.model_name == subject_type and hasattr(model, "status"):
            column: Any = model._meta.get_field("status")
            return {str(code): str(word_of(model, code, name)) for code, name in column.flatchoices}
    return {}


def state_name(subject_type: str, state: str) -> str:
    """`Pendiente` for PENDING. The code itself if the record has no such state."""
    return _state_names(subject_type).get(state, state) or "-"


def state_names() -> dict[str, str]:
    """{code: `Pendiente`} of all kinds of records. Kinds that share a code share the name."""
    found: dict[str, str] = {}
    for model in apps.get_models():
        if hasattr(model, "status"):
            column: Any = model._meta.get_field("status")
            for code, name in column.flatchoices:
                found.setdefault(str(code), str(name))
    return found


def _moves(subject_ids: Sequence[str]) -> Iterable[TimelineLine]:
    found = Transition.objects.filter(subject_id__in=subject_ids).order_by("-id")[:ROWS_MAX]
    # Users of merchants read what happened, without our states, and without the reasons that
    # operators gave. Neither do they see states of which their own acts tell.
    is_ours = not tenancy.current_user_is_merchant()
    for move in reversed(found):
        if move.subject_type in _told_by_acts and (not is_ours or tenancy.may_open(AuditEntry)):
            continue
        names = _state_names(move.subject_type)
        states = " → ".join(names.get(each, each) for each in (move.from_state, move.to_state))
        known = _states.get((move.subject_type, move.to_state))
        parts = [states, reason_shown(move)] if is_ours else []
        yield TimelineLine(
            at=move.at,
            what=known or gettext("The state changed"),
            who=who(move.actor),
            detail=" · ".join(filter(None, parts)),
            kind=_kind_of(move.to_state),
        )


def state_colour(subject_type: str, state: str) -> str:
    """Of its badge, where only its code is known."""
    general = {"good": "success", "trouble": "danger"}.get(_kind_of(state), "default")
    return colour_of(subject_type, state) or general


def _kind_of(state: str) -> str:
    if state in _ACHIEVED:
        return "good"
    return "trouble" if state in _TROUBLE else "move"


def _operator_actions(subject_ids: Sequence[str]) -> Iterable[TimelineLine]:
    """Actions with their reasons and proofs. For operators only."""
    if tenancy.current_user_is_merchant() or not tenancy.may_open(AuditEntry):
        return
    found = AuditEntry.objects.filter(subject_id__in=subject_ids).order_by("-id")[:ROWS_MAX]
    for row in reversed(found):
        proof = row.details.get("proof") if isinstance(row.details, dict) else None
        parts = [act_reason(row.reason), str(proof or "")]
        if isinstance(row.details, dict) and row.details.get("loss"):
            parts.append(gettext("our loss"))
        yield TimelineLine(
            at=row.at,
            what=_action_words.get(row.action, row.action),
            who=who(row.actor),
            detail=" · ".join(part for part in parts if part),
            kind="person",
            href=admin_url(row),
        )
