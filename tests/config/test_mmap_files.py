"""A disk that is full when figures are counted: they are lost, the process lives."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.devstack.options import PROJECT
from tests.support.measurements import record
from tests.support.services import child_environment

pytestmark = pytest.mark.slow

# Counts a little, then so many kinds that the file must grow, and says what a scrape would show.
COUNT = """
import sys
from config.metrics import mmap_files
mmap_files.PAUSE_SECONDS = 0
mmap_files.install()
from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
counter = Counter("served", "Requests", ["route"], registry=registry)
def seen():
    scrape = CollectorRegistry()
    MultiProcessCollector(scrape)
    text = generate_latest(scrape).decode()
    lines = [line for line in text.splitlines() if line.startswith("served_total")]
    return sum(float(line.split()[-1]) for line in lines)
"""
FULL = """
for number in range(3000):
    counter.labels(str(number)).inc()
print("alive", flush=True)
"""
AGAIN = """
import os
os.remove(os.environ["PROMETHEUS_MULTIPROC_DIR"] + "/filling")
for number in range(3000):
    counter.labels(str(number)).inc()
print("counted", seen(), flush=True)
"""


def run(code: str, folder: Path, *before: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*before, sys.executable, "-c", COUNT + code],
        cwd=PROJECT,
        env=child_environment(PROMETHEUS_MULTIPROC_DIR=str(folder)),
        capture_output=True,
        text=True,
        timeout=60,
    )


def in_full_disk(code: str, folder: Path, kilobytes: int) -> "subprocess.CompletedProcess[str]":
    """Runs it where `folder` is a disk of its own without room for more than `kilobytes`."""
    shell = (
        f"mount -t tmpfs -o size=1m none {folder} || exit 77;"
        f" head -c {1024 * (1024 - kilobytes)} /dev/zero > {folder}/filling;"
        ' exec "$@"'
    )
    return run(code, folder, "unshare", "-rm", "sh", "-c", shell, "sh")


@pytest.mark.faults("F22")
@pytest.mark.parametrize("kilobytes", [0, 4, 64, 128])
def test_a_process_lives_when_the_disk_of_its_figures_is_full(
    tmp_path: Path, kilobytes: int
) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("No unshare: a full disk cannot be made here.")
    done = in_full_disk(FULL + AGAIN, tmp_path, kilobytes)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"A full disk cannot be made here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.strip().splitlines()[-2:]
    assert first == "alive"
    # What was counted without room is written with the next count of its kind.
    assert second == "counted 6000.0"
    record(
        f"{kilobytes} KB left: alive, {second}",
        processes_that_lived=1,
        counts_of_24000=int(float(second.split()[1])),
    )


def test_a_process_lives_when_its_files_may_not_grow(tmp_path: Path) -> None:
    """Where no disk can be mounted: the kernel refuses the room for another reason."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\n"
    done = run(limit + FULL + "print(seen() > 0)", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-2:] == ["alive", "True"]
    (file,) = tmp_path.iterdir()
    assert os.stat(file).st_size == 65536
