"""Beat when the clock of its machine is put back: no task waits for the time that it had seen."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import time_machine
from celery.beat import PersistentScheduler

from config import beat
from payments.core import clock


def sent(scheduler: PersistentScheduler, monkeypatch: Any, ticks: int = 40) -> set[str]:
    """What is sent in so many looks, a second after the other."""
    names: set[str] = set()
    monkeypatch.setattr(scheduler, "apply_async", lambda entry, **_: names.add(entry.name))
    with time_machine.travel(clock.now(), tick=False) as moved:
        for _ in range(ticks):
            while scheduler.tick() == 0:
                pass
            moved.shift(timedelta(seconds=1))
    return names


def test_beat_goes_on_at_once_when_its_clock_is_put_back(tmp_path: Path, monkeypatch: Any) -> None:
    now: datetime = clock.now()
    often = {name for name, entry in beat.app.conf.beat_schedule.items() if entry["schedule"] <= 5}
    scheduler = beat.Scheduler(beat.app, schedule_filename=str(tmp_path / "schedule"))
    with time_machine.travel(now + timedelta(hours=2)):
        assert sent(scheduler, monkeypatch) >= often
    with time_machine.travel(now):
        assert sent(scheduler, monkeypatch) >= often
    scheduler.close()


def test_beat_goes_on_at_once_with_the_file_of_a_clock_that_was_ahead(
    tmp_path: Path, monkeypatch: Any
) -> None:
    now, file = clock.now(), str(tmp_path / "schedule")
    with time_machine.travel(now + timedelta(hours=2)):
        before = beat.Scheduler(beat.app, schedule_filename=file)
        sent(before, monkeypatch)
        before.close()
    after = beat.Scheduler(beat.app, schedule_filename=file)
    assert "collect-expire" in sent(after, monkeypatch)
    after.close()
