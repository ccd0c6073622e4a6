"""The rails of payouts that an experiment may run over: the simulator, and a fake of Wompi's."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from payments.core import clock
from tests.faults.crash_points import OF_WORKERS, OF_WORKERS_OVER_WOMPI
from tests.faults.wompi_rails import payouts
from tests.faults.wompi_rails.fake_process import FakeProcess
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient

# What may follow a crash: an answer, none after or before the money left, a failure, a wait.
MIX = ("clean", "answer-lost-after", "clean", "answer-lost-before", "refused", "slow")


class PayoutRail(Protocol):
    """
    points   where a worker may die.
    ask      for three payouts, one of which the rail does not simply pay; the answers' data.
    settle   lets all end with a moved clock; after how many seconds.
    verdict  by the rail's own records: doubled, and ended otherwise than they should have.
    """

    points: Mapping[str, Any]

    def ask(self, api: ApiClient, chance: random.Random) -> list[dict[str, Any]]: ...

    def settle(self) -> int: ...

    def verdict(self) -> tuple[int, int]: ...


class OverSimulator:
    points = OF_WORKERS

    def __init__(self) -> None:
        self._magic: dict[str, str] = {}

    def ask(self, api: ApiClient, chance: random.Random) -> list[dict[str, Any]]:
        names = ("clean", "clean", chance.choice(MIX))
        answers = [outgoing_requests.ask(api, name) for name in names]
        self._magic |= {data["payoutId"]: name for data, name in zip(answers, names, strict=True)}
        return answers

    def settle(self) -> int:
        return outgoing_requests.scan_until_settled(start=clock.now(), workers=2)

    def verdict(self) -> tuple[int, int]:
        return outgoing_requests.verdict(self._magic)


class OverWompi:
    points = OF_WORKERS_OVER_WOMPI

    def __init__(self, fake: FakeProcess) -> None:
        self._fake = fake

    def ask(self, api: ApiClient, chance: random.Random) -> list[dict[str, Any]]:
        payouts.break_calls(self._fake, 1, chance)
        return payouts.ask(api, 3, chance)

    def settle(self) -> int:
        self._fake.control.call("DELETE", "faults")
        return payouts.scan_until_settled(self._fake, 600)

    def verdict(self) -> tuple[int, int]:
        found = payouts.verdict(self._fake)
        print(f"{found}: {found.doubled} {found.wrong}")
        return len(found.doubled), len(found.wrong)


@contextmanager
def _over_simulator(_directory: Path) -> Iterator[PayoutRail]:
    yield OverSimulator()


@contextmanager
def _over_wompi(directory: Path) -> Iterator[PayoutRail]:
    with payouts.fake_of_payouts(directory / "rail.sqlite3") as fake:
        yield OverWompi(fake)


PAYOUT_RAILS: dict[str, Callable[[Path], AbstractContextManager[PayoutRail]]] = {
    "simulator": _over_simulator,
    "wompi": _over_wompi,
}
