"""The rows of a new installation: the terms, and some agreements if the rail is simulated."""

from datetime import datetime
from pathlib import Path

from payments.bills.models import Agreement, BillTerms
from payments.bills.services import agreement_import
from payments.bills.services.engine import PROVIDERS
from payments.providers import registry

# docs/gaps.md, Bill payments.
FEE, CAP = 800, 10_000_000
# Invented billers with codes of the simulator.
DEMO = Path(__file__).parent.parent / "demo_agreements.csv"


def load_catalogue(*, now: datetime) -> int:
    """Adds missing terms and agreements; returns how many rows."""
    defaults = {"fee_flat": FEE, "max_amount": CAP}
    made = int(BillTerms.objects.get_or_create(id=1, defaults=defaults)[1])
    if registry.is_simulated(PROVIDERS.configured_code) and not Agreement.objects.exists():
        with DEMO.open("rb") as file:
            made += agreement_import.load_agreements(
                agreement_import.read_file(file), actor="load_catalogues"
            ).created
    return made
