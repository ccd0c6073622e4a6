"""The tables of the guides that come from the service's own data: `<!-- table: errors -->`."""

from collections.abc import Callable, Iterable, Iterator

from django.utils import translation
from django.utils.translation import gettext as _

from payments.api.reference import error_codes, magic_values
from payments.api.reference.catalogue import EXAMPLES
from payments.api.reference.document import document
from payments.api.reference.event_fields import event_fields
from payments.api.reference.fields import Row, localized, shown
from payments.api.reference.requests import operations
from payments.api.reference.texts import is_prose

OPTIONAL = "if enabled"


def table(name: str, language: str) -> str:
    """Markdown. Raises KeyError for a name without a table."""
    with translation.override(language):
        return "\n".join(TABLES[name]())


def _magic_values() -> Iterator[str]:
    if not magic_values.tables():
        yield _("This installation has no sandbox: every payment is real.")
    for each in magic_values.tables():
        yield f"### {shown(each.part.tag)}: {shown(each.part.magic_key)}\n"
        yield from _rows(map(_cell, each.head), (map(_cell, row) for row in each.rows))
        yield ""


def _errors() -> Iterator[str]:
    """A heading for each code, so that there is an anchor."""
    served = operations(document())
    # Apart: texts inside an f-string are not collected for translation.
    labels = (_("Likely cause"), _("What to do"), _("Your program"))
    for each in error_codes.table():
        statuses = ", ".join(str(status) for status in each.statuses)
        yield f"### {each.code}\n"
        yield f"{_('Status')} {statuses}. {shown(each.meaning)}\n"
        told = (each.remedy.cause, each.advice, each.remedy.then)
        for label, text in zip(labels, told, strict=True):
            yield f"**{label}:** {shown(text)}\n"
        names = [name for name in served if each.code in EXAMPLES[name].errors]
        if names:
            listed = ", ".join(f"[{name}](/docs#{name})" for name in names)
            yield f"{_('Operations')}: {listed}.\n"


def _events() -> Iterator[str]:
    def rows() -> Iterator[Iterable[str]]:
        for name, about in document()["webhooks"].items():
            post = about["post"]
            is_optional = OPTIONAL in post.get("description", "")
            sent = _("if enabled") if is_optional else _("always")
            yield f"`{name}`", shown(post["summary"]), sent

    yield from _rows((_("Event"), _("What happened"), _("Sent")), rows())


def _event_fields() -> Iterator[str]:
    for each in event_fields():
        yield f"### {', '.join(each.kinds)}\n"
        if each.rows:
            yield from _rows((_("Field"), _("Type"), _("Meaning")), map(_field, each.rows))
        else:
            yield _("No fields: `data` is empty.")
        yield ""


def _field(row: Row) -> Iterable[str]:
    choices = ", ".join(f"`{choice}`" for choice in row.choices)
    return f"`{row.name}`", row.kind, f"{shown(row.text)} {choices}".strip()


def _cell(cell: str) -> str:
    """As the page of the reference has it: names of outcomes are code, too."""
    if is_prose(cell):
        return shown(cell)
    return f"`{cell}`" if cell[:1].isalpha() else localized(cell)


def _rows(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield _row(names)
    yield "|" + "---|" * len(names)
    yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "magic-values": _magic_values,
    "errors": _errors,
    "events": _events,
    "event-fields": _event_fields,
}
