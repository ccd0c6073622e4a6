from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import PayerNeeds, Rail
from payments.simulator import CODE
from payments.simulator.bills import SimulatorBills
from payments.simulator.callbacks import check_headers
from payments.simulator.disputes import SimulatorDisputes
from payments.simulator.instructions import COINS, payment_uri
from payments.simulator.outgoing import SimulatorPayout, SimulatorRefund, SimulatorTopup
from payments.simulator.payin import SimulatorPayin

RAIL = RailDeclaration(
    code=CODE,
    payin=SimulatorPayin(),
    dispute=SimulatorDisputes(),
    refund=SimulatorRefund(),
    outgoing={"payout": SimulatorPayout(), "topup": SimulatorTopup(), "bill": SimulatorBills()},
    payer_needs={
        Rail.PSE: PayerNeeds(fields=("bankCode",)),
        Rail.BANK_TRANSFER: PayerNeeds(),
        Rail.CRYPTO: PayerNeeds(),
    },
    coins=tuple(network.coin for network in COINS.values()),
    payment_uri=payment_uri,
    refunds=Refunds.NATIVE,
    check_callback_headers=check_headers,
    is_simulated=True,
)
