"""What a role may do, by the section of the menu where it is done."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.contrib.auth.models import Group, Permission
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import registry, roles
from payments.console.formatting import lines

# Of no list: they change how every page is shown.
EVERYWHERE = frozenset({roles.REVEAL, roles.EXPORT})
DONE = {"add": _("Add: %(list)s"), "change": _("Change: %(list)s"), "delete": _("Remove: %(list)s")}


@dataclass(slots=True)
class Area:
    name: str
    seen: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)

    @property
    def sees(self) -> SafeString | str:
        return _in_lines(self.seen)

    @property
    def does(self) -> SafeString | str:
        return _in_lines(self.done)


def areas(group: Group) -> list[Area]:
    """In the order of the menu. Lists without an entry of their own are the last."""
    places: dict[str, tuple[int, str]] = {}
    found: dict[tuple[int, str], Area] = {}
    for console in registry.declared().values():
        for section in console.sections:
            for entry in section.entries:
                for model in (entry.model, *entry.children):
                    places.setdefault(model.lower(), (section.order, str(section.heading)))
    for right in group.permissions.select_related("content_type"):
        place = _place(right, places)
        area = found.setdefault(place, Area(place[1]))
        verb, _underscore, _model = right.codename.partition("_")
        if verb == "view":
            area.seen.append(_list_name(right))
        elif verb in DONE and right.name.startswith(f"Can {verb} "):
            area.done.append(str(DONE[verb] % {"list": _list_name(right)}))
        else:
            area.done.append(gettext(right.name))
    return [found[place] for place in sorted(found)]


def _place(right: Permission, places: dict[str, tuple[int, str]]) -> tuple[int, str]:
    kind = right.content_type
    if f"{kind.app_label}.{right.codename}" in EVERYWHERE:
        return (0, gettext("Everywhere"))
    return places.get(f"{kind.app_label}.{kind.model}", (1000, gettext("Other records")))


def _list_name(right: Permission) -> str:
    model = right.content_type.model_class()
    name = model._meta.verbose_name_plural if model is not None else right.content_type.name
    return str(name)


def _in_lines(texts: Iterable[str]) -> SafeString | str:
    found = sorted(dict.fromkeys(capfirst(text) for text in texts))
    return lines(found) if found else ""
