"""What can happen to a charge at the simulator, and the callbacks that follow."""

from decimal import Decimal

import pytest

from payments.providers.ports import ChargeStatus, Known, Rail, Reason
from payments.simulator import control, store
from tests.simulator.conftest import TIMEOUT, charge

ENDS = [ChargeStatus.SUCCEEDED, ChargeStatus.FAILED, ChargeStatus.ABANDONED]
DEPOSITS = [Rail.BANK_TRANSFER, Rail.CRYPTO]


def begin(port, *args, **kwargs):
    request = charge(*args, **kwargs)
    port.start(request, TIMEOUT)
    return request.reference


def totals(arrived):
    return [(update.status.value, update.received, update.unconfirmed) for update in arrived]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("rail", Rail)
def test_charge_ends_as_it_is_resolved(port, arrived, rail, end):
    reference = begin(port, rail)
    assert control.resolve(reference, end) == 200
    assert [update.status for update in arrived] == [end]
    assert port.query(Known(reference=reference)) == arrived[0]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("other", ENDS)
def test_a_bank_decides_once(port, arrived, end, other):
    reference = begin(port)
    control.resolve(reference, end)
    with pytest.raises(control.NotPossible):
        control.resolve(reference, other)
    assert [update.status for update in arrived] == [end]


def test_the_reason_says_who_ended_it(port, arrived):
    control.resolve(begin(port), ChargeStatus.FAILED)
    control.resolve(begin(port), ChargeStatus.ABANDONED)
    control.resolve(begin(port), ChargeStatus.SUCCEEDED)
    reasons = [update.reason for update in arrived]
    assert reasons == [Reason.REFUSED_BY_BANK, Reason.CANCELLED_BY_PAYER, ""]


@pytest.mark.parametrize("rail", DEPOSITS)
def test_payer_pays_a_charge_with_several_deposits(port, arrived, rail):
    reference = begin(port, rail, amount=Decimal(5))
    control.deposit(reference, Decimal(2))
    control.deposit(reference, Decimal(2))
    control.deposit(reference, Decimal(1))
    assert totals(arrived) == [("RECEIVED", 2, 0), ("RECEIVED", 4, 0), ("SUCCEEDED", 5, 0)]
    assert len({update.trace_code for update in arrived}) == 3


def test_money_may_arrive_after_every_end(port, arrived):
    reference = begin(port, Rail.BANK_TRANSFER, amount=Decimal(5))
    control.resolve(reference, ChargeStatus.ABANDONED)
    control.deposit(reference, Decimal(5))
    control.deposit(reference, Decimal(3))
    assert totals(arrived) == [("ABANDONED", 0, 0), ("SUCCEEDED", 5, 0), ("SUCCEEDED", 8, 0)]
    assert arrived[1].reason == ""


def test_a_coin_that_was_only_seen_is_not_received(port, arrived):
    reference = begin(port, Rail.CRYPTO, amount=Decimal(5))
    control.deposit(reference, Decimal(5), confirmed=False)
    control.confirm(reference)
    assert totals(arrived) == [("RECEIVED", 0, 5), ("SUCCEEDED", 5, 0)]
    assert arrived[0].trace_code == arrived[1].trace_code
    assert control.confirm(reference) == control.NOT_SENT


@pytest.mark.parametrize("rail", DEPOSITS)
def test_the_sandbox_gives_the_total(port, arrived, rail):
    reference = begin(port, rail, amount=Decimal(5))
    control.resolve(reference, ChargeStatus.SUCCEEDED, received=Decimal(2))
    control.resolve(reference, ChargeStatus.SUCCEEDED, received=Decimal(4))
    with pytest.raises(control.NotPossible):
        control.resolve(reference, ChargeStatus.SUCCEEDED, received=Decimal(3))
    with pytest.raises(control.NotPossible):
        control.resolve(reference, ChargeStatus.ABANDONED)
    control.resolve(reference, ChargeStatus.SUCCEEDED)
    control.resolve(reference, ChargeStatus.SUCCEEDED, received=Decimal(7))
    assert [update.received for update in arrived] == [2, 4, 5, 7]


@pytest.mark.parametrize("status", [ChargeStatus.PENDING, ChargeStatus.UNKNOWN])
def test_some_statuses_cannot_happen(port, arrived, status):
    with pytest.raises(control.NotPossible):
        control.resolve(begin(port), status)
    assert arrived == []


def test_a_bank_debit_takes_no_deposits(port):
    reference = begin(port)
    for act in (
        lambda: control.deposit(reference, Decimal(1)),
        lambda: control.confirm(reference),
        lambda: control.resolve(reference, ChargeStatus.RECEIVED),
    ):
        with pytest.raises(control.NotPossible):
            act()
    assert port.query(Known(reference=reference)).status is ChargeStatus.PENDING


@pytest.mark.parametrize("amount", ["0", "-1"])
def test_a_deposit_is_more_than_nothing(port, amount):
    with pytest.raises(control.NotPossible):
        control.deposit(begin(port, Rail.CRYPTO), Decimal(amount))


def test_an_unknown_charge_cannot_end(arrived):
    for act in (
        lambda: control.resolve("chg_unknown", ChargeStatus.SUCCEEDED),
        lambda: control.deposit("chg_unknown", Decimal(1)),
        lambda: control.visit("sim_unknown"),
    ):
        with pytest.raises(control.UnknownReference):
            act()
    assert arrived == []


def test_store_is_written_before_the_callback_is_sent(port, arrived, monkeypatch):
    reference = begin(port)
    seen = []
    monkeypatch.setattr(
        "payments.simulator.callbacks.send",
        lambda update, *_to: seen.append(store.charges.by_reference(reference).status) or 200,
    )
    control.resolve(reference, ChargeStatus.SUCCEEDED)
    assert seen == [ChargeStatus.SUCCEEDED]


def test_service_that_misses_a_callback_gets_no_second_one(port, settings):
    reference = begin(port, callback_url="http://testserver/nowhere")
    assert control.resolve(reference, ChargeStatus.SUCCEEDED) == 404
    assert port.query(Known(reference=reference)).status is ChargeStatus.SUCCEEDED
