"""The references of a payment in the shapes of its rails, for operators."""

from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.rails.models import AtRail
from payments.rails.services import wire_references


class WireReferences:
    """A field of a page of charges or outgoing payments. Not for users of merchants."""

    @display(description=_("references at the rail"))
    def wire_references_shown(self, row: AtRail) -> str:
        """A page reads it more than once."""
        kept: dict[str, str] = row.__dict__
        if "_wire_references" not in kept:
            found = wire_references.history(row.own_reference)
            kept["_wire_references"] = " · ".join(f"{account}: {text}" for account, text in found)
        return kept["_wire_references"] or "-"


WIRE_REFERENCES = frozenset({"wire_references_shown"})
