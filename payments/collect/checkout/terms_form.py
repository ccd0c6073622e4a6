"""The documents of the rail, which the payer accepts in one box."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from payments.providers.ports import Term

FIELD = "terms"


class TermsMixin(forms.Form):
    """`accept_terms` adds the box. Without documents there is none."""

    documents: Sequence[Term] = ()

    def accept_terms(self, documents: Sequence[Term]) -> None:
        self.documents = documents
        if documents:
            message = _("To pay this way you have to accept the documents.")
            self.fields[FIELD] = forms.BooleanField(
                label=_("Documents of the payment network"),
                widget=_VersionBox(_version(documents)),
                error_messages={"required": message},
            )


class _VersionBox(forms.CheckboxInput):
    """Its value names the documents: a tick for others than those of now is none."""

    def __init__(self, version: str) -> None:
        super().__init__(attrs={"value": version})
        self.version = version

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> bool:
        return bool(data.get(name) == self.version)


def _version(documents: Sequence[Term]) -> str:
    joined = "\n".join(document.url for document in documents)
    return hashlib.sha256(joined.encode()).hexdigest()[:32]
