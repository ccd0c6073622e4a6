from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import Rail
from payments.simulator import CODE
from payments.simulator.bills import SimulatorBills
from payments.simulator.callbacks import check_headers
from payments.simulator.disputes import SimulatorDisputes
from payments.simulator.outgoing import SimulatorPayout, SimulatorRefund, SimulatorTopup
from payments.simulator.payin import SimulatorPayin

RAIL = RailDeclaration(
    code=CODE,
    payin=SimulatorPayin(),
    dispute=SimulatorDisputes(),
    payout=SimulatorPayout(),
    topup=SimulatorTopup(),
    bill=SimulatorBills(),
    refund=SimulatorRefund(),
    payer_fields={Rail.PSE: ["bankCode"], Rail.BANK_TRANSFER: [], Rail.CRYPTO: []},
    refunds=Refunds.NATIVE,
    check_callback_headers=check_headers,
    is_simulated=True,
)
