"""What `make run` promises besides serving: its keys, its lock, its messages, its clean end."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from cryptography.fernet import Fernet

from config.devstack import defaults
from config.devstack.banner import banner
from config.devstack.control import single_instance
from config.devstack.demo.receiver import problem_of
from config.devstack.logs import Follower
from config.devstack.options import PROJECT, read_options, refuse_taken_port
from config.devstack.process import StackError
from config.devstack.throwaway import make_throwaway
from config.devstack.valkey import free_port
from webhooks.signing import contract_signature


def test_keys_are_made_once_even_by_many_processes_at_a_time(tmp_path: Path) -> None:
    code = (
        "import sys, json, pathlib; from config.devstack.defaults import development_keys;"
        "print(json.dumps(development_keys(pathlib.Path(sys.argv[1]))))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "data")]

    def keys(_: int) -> str:
        return subprocess.run(
            command, cwd=PROJECT, capture_output=True, text=True, check=True
        ).stdout

    with ThreadPoolExecutor(6) as pool:
        answers = set(pool.map(keys, range(6)))

    assert len(answers) == 1
    Fernet(json.loads(answers.pop())["ENCRYPTION_KEYS"])
    assert stat.S_IMODE((tmp_path / "data" / "keys.json").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["keys.json"]


def test_addresses_are_known_before_the_first_start(tmp_path: Path) -> None:
    url = defaults.database_url(tmp_path / "a ñ")

    assert psycopg.conninfo.conninfo_to_dict(url)["host"] == str(tmp_path / "a ñ" / "run")
    assert defaults.redis_url(tmp_path).endswith(f"127.0.0.1:{defaults.usual_port(tmp_path)}/0")
    assert list(tmp_path.iterdir()) == []


def test_addresses_follow_the_last_start(tmp_path: Path) -> None:
    defaults.write_state(tmp_path, sockets="/srv/run", redis_port=2000, redis_password="a/b")
    defaults.write_state(tmp_path, redis_port=2001)

    assert defaults.database_url(tmp_path) == "postgresql://postgres@/pasarela?host=/srv/run"
    assert defaults.redis_url(tmp_path) == "redis://:a%2Fb@127.0.0.1:2001/0"


def test_a_second_start_on_the_same_data_says_who_runs(tmp_path: Path) -> None:
    message = f"Already running on .*{os.getpid()}"
    with (
        single_instance(tmp_path),
        pytest.raises(StackError, match=message),
        single_instance(tmp_path),
    ):
        pytest.fail("two supervisors on one DATA_DIR")
    with single_instance(tmp_path):
        pass


def test_a_taken_port_is_named_with_the_way_out() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        with pytest.raises(StackError, match=f":{port}: Address already in use.*PORT="):
            refuse_taken_port(read_options({"PORT": str(port)}))


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "80.5"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(StackError, match="PORT="):
        read_options({"PORT": port})


@pytest.mark.parametrize(
    ("url", "allowed", "message"),
    [
        ("nonsense", "1", "must look like https://"),
        ("https://ana:secret@shop.example/", "1", "must look like https://"),
        ("http://localhost:22/", "1", "must look like https://"),
        ("http://169.254.169.254/", "1", "not sent to this address"),
        ("http://localhost:9000/", "0", "WEBHOOK_ALLOW_PRIVATE"),
    ],
)
def test_a_webhook_url_that_cannot_be_used_starts_nothing(
    tmp_path: Path, url: str, allowed: str, message: str
) -> None:
    """As it is typed: by a process that has no settings of Django."""
    data_dir = tmp_path / "data"
    given = {"DATA_DIR": str(data_dir), "WEBHOOK_URL": url, "WEBHOOK_ALLOW_PRIVATE": allowed}
    started = subprocess.run(
        [sys.executable, "-m", "config.devstack"],
        cwd=PROJECT,
        env={**bare_environment(), **given},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert started.returncode == 1
    assert f"WEBHOOK_URL={url} cannot be used" in started.stdout
    assert message in started.stdout
    assert not data_dir.exists()


@pytest.mark.parametrize("url", ["http://localhost:9000/", "https://shop.example/hooks", ""])
def test_a_webhook_url_that_can_be_used_is_taken(url: str) -> None:
    assert read_options({"WEBHOOK_URL": url}).environment["WEBHOOK_URL"] == url


def test_the_banner_warns_that_no_webhook_is_sent(tmp_path: Path) -> None:
    demo = {
        "merchantId": "mer_1",
        "apiKey": "pk_1",
        "apiSecret": "sk_1",
        "webhookSecret": "whsec_1",
        "operator": {"username": "operator", "password": "x"},
    }
    options = read_options({"DATA_DIR": str(tmp_path), "PORT": "8123"})
    (tmp_path / "demo.json").write_text(json.dumps(demo))
    text = banner(options, 1.0)
    assert "!!! NO WEBHOOK URL" in text
    assert "WEBHOOK_SECRET=whsec_1 PORT=9000 python3 examples/receivers/receiver.py" in text
    assert f"DATA_DIR={tmp_path} .venv/bin/python manage.py set_webhook_url mer_1 http" in text
    assert "make run WEBHOOK_URL=http://localhost:9000/" in text
    assert "http://localhost:8123/admin/merchants/merchant/mer_1/change/" in text

    (tmp_path / "demo.json").write_text(json.dumps({**demo, "webhookUrl": "https://a.example/"}))
    text = banner(options, 1.0)
    assert "!!!" not in text
    assert "webhook URL       https://a.example/" in text


def test_production_is_not_started_this_way() -> None:
    with pytest.raises(StackError, match="ENV=production"):
        read_options({"ENV": "production"})


def test_given_addresses_replace_the_embedded_servers() -> None:
    options = read_options({"DATABASE_URL": "postgresql://db/app", "REDIS_URL_FILE": "/run/redis"})

    assert not options.embeds_postgres
    assert not options.embeds_valkey


def test_nothing_outlives_a_killed_supervisor(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time; from config.devstack.process import Program, spawn;"
        "child = Program(command=['sleep', '60'], log=pathlib.Path(sys.argv[1]));"
        "print(spawn(child).pid, flush=True);"
        "time.sleep(60)"
    )
    supervisor = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "log")],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert supervisor.stdout is not None
    child = int(supervisor.stdout.readline())

    supervisor.kill()
    supervisor.wait()

    deadline = time.monotonic() + 60
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(child)


def is_running(pid: int) -> bool:
    """A zombie has ended: the process that adopted it has not looked yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_traceback_is_shown_whole_and_the_rest_stays_in_the_file(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("ERROR of an earlier start\n")
    follower = Follower("web", log)
    with log.open("a") as file:
        file.write("all is well\nTraceback (most recent call last):\n  File x\nKeyError: 'y'\n")
        file.write('{"event": "Service Unavailable: /readyz", "level": "error"}\nunfinished err')

    assert [line.strip() for line in follower.new_lines()] == [
        "web | Traceback (most recent call last):",
        "web |   File x",
        "web | KeyError: 'y'",
    ]
    assert follower.new_lines() == []


def test_the_demo_checks_signatures_as_the_contract_says() -> None:
    now = str(int(time.time() * 1000))
    good = contract_signature("whsec_x", now, b'{"a":1}')
    old = str(int(now) - 300_001)

    assert problem_of("whsec_x", good, now, b'{"a":1}') == ""
    assert "signature" in problem_of("whsec_x", good, now, b'{"a": 1}')
    assert "signature" in problem_of("whsec_y", good, now, b'{"a":1}')
    stale = contract_signature("whsec_x", old, b"{}")
    assert "five minutes" in problem_of("whsec_x", stale, old, b"{}")


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """Not `tmp_path`: as root, PostgreSQL's user could not enter it."""
    root = make_throwaway("stop")
    yield root
    shutil.rmtree(root)


def test_the_whole_stack_stops_on_a_signal_during_its_start(data_dir: Path) -> None:
    """An impatient operator: Ctrl-C before anything is ready leaves no process and no lock."""
    starting = subprocess.Popen(
        [sys.executable, "-m", "config.devstack"],
        cwd=PROJECT,
        env={**bare_environment(), "DATA_DIR": str(data_dir), "PORT": str(free_port())},
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_for(data_dir / "logs" / "postgres.log")

    starting.send_signal(signal.SIGINT)
    output, _ = starting.communicate(timeout=60)

    assert starting.returncode == 0, output
    assert "Stopped." in output
    assert not (data_dir / "postgres" / "postmaster.pid").exists()


def bare_environment() -> dict[str, str]:
    """Without the addresses of this test run."""
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def wait_for(path: Path) -> None:
    """Until the file exists."""
    deadline = time.monotonic() + 90
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never appeared"
        time.sleep(0.02)
