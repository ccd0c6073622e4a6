"""An outage of the whole simulator: nothing gets through, and the caller knows that (docs)."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from payments.providers.ports import Known, ProviderUnreachable
from payments.simulator import failures, store
from payments.simulator.bills import SimulatorBills
from payments.simulator.outgoing import SimulatorPayout, SimulatorTopup
from payments.simulator.payin import SimulatorPayin
from tests.simulator.conftest import TIMEOUT


@pytest.fixture
def away(settings: Any) -> Iterator[Path]:
    file = Path(f"{settings.SIMULATOR_STATE}{failures.AWAY_SUFFIX}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    yield file
    file.unlink(missing_ok=True)


TOPUP = SimpleNamespace(
    reference="ref-outage", phone="3001234567", operator_code="claro", amount=Decimal(1000),
    payment_id="top_1", callback_url="",
)  # fmt: skip
CALLS: dict[str, Callable[[], Any]] = {
    "start": lambda: SimulatorPayin().start(SimpleNamespace(reference="ref-outage"), TIMEOUT),
    "query a charge": lambda: SimulatorPayin().query(Known(reference="ref-outage")),
    "query a payout": lambda: SimulatorPayout().query(Known(reference="ref-outage")),
    "send": lambda: SimulatorTopup().send(TOPUP, 1.0),
    "check a bill": lambda: SimulatorBills().check("SIM-1001", "123", 1.0),
}


@pytest.mark.parametrize("call", CALLS)
def test_no_call_reaches_a_simulator_that_is_away(away: Path, call: str) -> None:
    with pytest.raises(ProviderUnreachable, match="outage"):
        CALLS[call]()

    assert store.calls("ref-outage", "send") == store.calls("ref-outage", "query") == 0
    away.unlink()
    assert SimulatorPayout().query(Known(reference="ref-outage")).state == "UNKNOWN"
