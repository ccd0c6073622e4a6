"""F6: the database dies under load, again and again; nobody loses what was acknowledged."""

import pytest

from tests.faults import SCALE, scaled
from tests.faults.rig import Rig, running, wait_until
from tests.faults.traffic import Traffic, others

pytestmark = pytest.mark.faults
RESTARTS = scaled(5)
CLIENTS = 8 if SCALE >= 1 else 3
# Acknowledged before each crash, and after the last one.
WRITES = 300 if SCALE >= 1 else 20
# The promise; a tenth runs beside other tests, which take the processor away.
BACK_SECONDS = 5 if SCALE >= 1 else 20
SETTLED_SECONDS = 60
OPEN = "SELECT count(*) FROM payout_payout WHERE status IN ('PENDING', 'PROCESSING')"


def crash(rig: Rig, traffic: Traffic) -> float:
    """Seconds from the database's return to the first 2xx."""
    gone_at, back_at = rig.crash_database()

    def first() -> float | None:
        later = (a.ended_at for a in list(traffic.answers) if a.began_at > gone_at and a.is_good)
        return min(later, default=None)

    wait_until(lambda: first() is not None, seconds=BACK_SECONDS, what="a 2xx after the crash")
    return max(0.0, first() - back_at)


def settle(rig: Rig) -> float:
    """Seconds until every payout has come to its end."""
    with rig.connection() as connection:
        return wait_until(
            lambda: connection.execute(OPEN).fetchone() == (0,),
            seconds=SETTLED_SECONDS,
            what="every payout at its end",
        )


def test_the_database_crashes_under_load() -> None:
    """No acknowledged write is lost or doubled, and clients see nothing worse than a 503."""
    waits = []
    with running() as rig:
        merchant = rig.create_merchant()
        traffic = Traffic(rig, merchant)
        with traffic.running(CLIENTS):
            for _ in range(RESTARTS):
                traffic.wait_for_writes(WRITES)
                waits.append(crash(rig, traffic))
            traffic.wait_for_writes(WRITES)
        assert not rig.ended()
        settled = settle(rig)
        found = rig.compare(merchant["merchantId"], traffic.log())

    kinds = traffic.kinds()
    wrong = others(kinds, lambda kind: kind in ("2xx", "503"))
    print(
        f"F6: {RESTARTS} restarts, {kinds.total():,} requests, {kinds['2xx']:,} x 2xx,"
        f" {kinds['503']:,} x 503, others {wrong or 0}; first 2xx after"
        f" {'/'.join(f'{seconds:.2f}' for seconds in waits)} s; acknowledged"
        f" {len(traffic.orders):,} orders and {len(traffic.payouts):,} payouts"
        f" ({traffic.replayed} of them committed behind a 503), lost {len(found['lost'])},"
        f" doubled {found['doubled']}; payouts settled after {settled:.1f} s"
    )
    assert not traffic.problems
    assert not wrong
    assert kinds["503"], "no client noticed: that was no crash under load"
    assert found == {"lost": [], "doubled": 0, "wrongEnds": []}
    assert max(waits) < BACK_SECONDS
