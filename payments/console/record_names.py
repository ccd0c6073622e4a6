"""The readable names of kinds of records and of actions, from what is stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import AutoField, BigAutoField, Exists, Model, OuterRef
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from payments.console import timeline
from payments.console.formatting import link
from payments.console.registry import OF_MERCHANTS
from payments.core.ids import new_id
from payments.core.models import AuditEntry, Transition

_PERSON = "user"


@cache
def _models() -> dict[str, type[Model]]:
    """{as a subject is stored: model}. The first one has the name."""
    found: dict[str, type[Model]] = {}
    for model in apps.get_models():
        found.setdefault(str(model._meta.model_name), model)
    return found


def kind_name(subject_type: str, subject_id: str = "", person: "Person | None" = None) -> str:
    """Of models that share a name, the id says which one it is. Accounts are of operators and of
    people of merchants.
    """
    if subject_type == _PERSON and person is None:
        return gettext("person")
    if person is not None and person.is_of_merchant:
        return gettext("person of a merchant")
    model = _model_of(subject_type, subject_id) or _models().get(subject_type)
    return subject_type if model is None else str(model._meta.verbose_name)


def record_link(subject_type: str, subject_id: str, name: str = "") -> str | SafeString:
    """A link to the page of the record, if kind and id say which page that is."""
    model, shown = _model_of(subject_type, subject_id), name or subject_id
    return shown if model is None else link(model(pk=subject_id), shown)


def _model_of(subject_type: str, subject_id: str) -> type[Model] | None:
    """None if no model has the name, or if the id fits several."""
    found = _models_of(subject_type)
    if len(found) > 1:
        # A name that a person chose says nothing of its kind: it is whose no other rule fits.
        sure = [model for model in found if _has_id(model, subject_id)]
        found = sure or [model for model in found if _has_id(model, subject_id) is None]
    return found[0] if len(found) == 1 else None


def _has_id(model: type[Model], subject_id: str) -> bool | None:
    """Whether this is an id as the model makes them. None if people choose them."""
    field: Any = model._meta.pk
    while field.remote_field is not None:
        field = field.target_field
    if isinstance(field, AutoField | BigAutoField):
        return subject_id.isdecimal()
    if isinstance(field.default, partial) and field.default.func is new_id:
        return subject_id.startswith(f"{field.default.args[0]}_")
    return None


@cache
def _models_of(subject_type: str) -> list[type[Model]]:
    return [model for model in apps.get_models() if model._meta.model_name == subject_type]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    is_of_merchant: bool


# Ids of other kinds are numbers, too, so the kind is a part of the key.
People = dict[tuple[str, str], Person]


def people_of(rows: Iterable[AuditEntry | Transition]) -> People:
    """{(kind, id) of a person whom a row is about: the person}. One query, or none."""
    ids = {row.subject_id for row in rows if row.subject_type == _PERSON}
    known = [pk for pk in ids if pk.isdecimal()]
    if not known:
        return {}
    of_merchants = Group.objects.filter(user=OuterRef("pk"), name__in=OF_MERCHANTS)
    people = get_user_model()._default_manager.filter(pk__in=known)
    found = people.annotate(is_of_merchant=Exists(of_merchants))
    rows_found = found.values_list("pk", "username", "is_of_merchant")
    return {(_PERSON, str(pk)): Person(name, is_theirs) for pk, name, is_theirs in rows_found}


def action_name(action: str) -> str:
    """The sentence of the timeline; `operador móvil: cambió` for rows of a catalogue."""
    if (known := timeline.action_words(action)) is not None:
        return str(known)
    subject_type, _dot, verb = action.rpartition(".")
    kind = kind_name(subject_type)
    if kind != subject_type and verb in ("added", "changed", "created"):
        return gettext("%s: changed") % kind if verb == "changed" else gettext("%s: added") % kind
    return action
