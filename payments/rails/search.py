"""The console's search by a reference in the shape of a rail. For operators only."""

from django.apps import apps
from django.db.models import Q

from payments.console.registry import TermCondition
from payments.core.ids import has_id_shape


def wire_reference_of(name: str) -> TermCondition:
    """`name` is the field with our reference: the id of a charge, `provider_reference`."""

    def condition(term: str) -> Q | None:
        from payments.console import tenancy  # it needs all apps

        if has_id_shape(term) or tenancy.current_user_is_merchant():
            return None
        rows = apps.get_model("rails.WireReference")._default_manager
        return Q(**{f"{name}__in": rows.filter(wire_reference=term).values("reference")})

    return condition
