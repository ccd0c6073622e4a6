from payments.collect.models import Charge
from payments.providers.colombian_banks import NAMES
from payments.rails.services import rail_lists


def name_of(charge: Charge) -> str:
    """Empty if the payer chose no bank, or if we do not know its code. Asks no rail."""
    code = charge.fields.get("bankCode", "")
    if not code:
        return ""
    kept = (bank.name for bank in rail_lists.kept_banks(charge.provider) if bank.code == code)
    return next(kept, NAMES.get(code, ""))
