from merchants.models import Method
from payments.collect.models import Charge
from payments.providers import ports, registry


def name_of(charge: Charge) -> str:
    """The name of the method for the payer, in the active language."""
    labels = {method.key: method.label for method in _known(charge.provider)}
    return labels.get(charge.direct_method) or str(Method(charge.method).label)


def _known(provider: str) -> tuple[ports.DirectMethod, ...]:
    """Used for display only: a page must not fail because a label is missing."""
    try:
        return registry.PAYIN.get(provider).direct_methods()
    except (ports.ProviderError, registry.UnknownProvider):
        return ()
