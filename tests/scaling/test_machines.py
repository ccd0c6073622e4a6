"""Two machines, one PostgreSQL and one Redis: both machines are one service."""

import http.client
import itertools
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from config.devstack.demo.receiver import Receiver
from config.devstack.options import Options
from tests.scaling import full_size_only
from tests.scaling.fleet import Fleet
from tests.scaling.operator import Operator
from tests.support.concurrency import run_concurrently
from tests.support.factories import order_body
from tests.support.live_service import LiveService, running, wrong_in
from tests.support.scenario import Inbox, Scenario, finish
from tests.support.traffic import ANSWER_SECONDS, Client, Traffic

pytestmark = full_size_only
MACHINES = 2
CLIENTS, WRITES, SAME = 6, 300, 200
LIMIT = 50
WINDOW_SECONDS = 20  # what is left of one before it is used, so that no client sees two
LONG_LIST = 2100
FILL = """
INSERT INTO core_auditentry (actor, action, subject_type, subject_id, reason, details, at)
SELECT 'tests', 'tests.filled', 'merchant', number::text, '', '{}', now()
FROM generate_series(1, %s) AS number
"""
REPEATED = "SELECT count(*) FROM webhooks_delivery WHERE attempts > 1"
NEW_DEVICE = """
import django; django.setup()
from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice
user = User.objects.get(username="admin_name")
print(TOTPDevice.objects.create(user=user, name="app", confirmed=True).bin_key.hex())
"""


class Hopping(Client):
    """A program behind a load balancer: each of its requests meets the next machine."""

    def __init__(self, traffic: Traffic, machines: Sequence[Options]) -> None:
        super().__init__(traffic)
        self.doors = [
            http.client.HTTPConnection(*machine.local_address, timeout=ANSWER_SECONDS)
            for machine in machines
        ]
        self._turns = itertools.cycle(self.doors)

    def close(self) -> None:
        for door in self.doors:
            door.close()

    def _send(self, *request: Any) -> http.client.HTTPResponse:
        self._connection = next(self._turns)
        return super()._send(*request)


class MultiMachineScenario(Scenario):
    """A merchant whose programs do not know how many machines there are."""

    machines: Sequence[Options] = ()

    def open_client(self) -> Client:
        return Hopping(self, self.machines)


def test_two_machines_are_one_service() -> None:
    """Traffic, limits, keys, sessions, second factor and exports across both; two beats."""
    receiver = Receiver()
    inbox = Inbox(receiver)
    fleet = partial(Fleet, machines=MACHINES)
    limit = {"RATE_LIMIT_COLLECT_READ": f"{LIMIT}/m", "CONSOLE_SECOND_FACTOR": "1"}
    with inbox.open(), running(fleet, **limit) as live_service:
        machines = live_service.stack.machines
        merchant = live_service.create_merchant(
            f"--webhook-url={receiver.url}", "--event=payment.expired"
        )
        receiver.secret = merchant["webhookSecret"]
        with live_service.connection() as tables:
            tables.execute(FILL, [LONG_LIST])
            scenario = MultiMachineScenario(live_service, merchant, tables)
            scenario.machines = machines
            with scenario.running(CLIENTS):
                scenario.wait_for_writes(WRITES)
                rows = console(live_service, machines)
            same = one_key(scenario)
            passed, refused = one_limit(scenario)
            finished = finish(tables)
            (repeated,) = tables.execute(REPEATED).fetchone()
        assert not live_service.ended()
        found = live_service.compare(merchant["merchantId"], scenario.log())
    kinds = scenario.kinds()
    twice = inbox.events.total() - len(inbox.events)
    print(
        f"{MACHINES} machines with web, money worker, pump and beat each: {kinds.total():,}"
        f" requests, each by the next machine: {dict(kinds)}; {len(scenario.orders):,} orders,"
        f" {len(scenario.payouts):,} payouts, lost {len(found['lost'])}, doubled"
        f" {found['doubled']}, ended wrong {len(found['wrongEnds'])};"
        f" webhooks {len(scenario.events)}, lost {len(scenario.events - set(inbox.events))},"
        f" sent again {repeated}, received twice {twice};"
        f" {SAME} payouts with one key on both: {len(same)} id; limit of {LIMIT}:"
        f" {passed} passed, {refused} refused; export asked of machine 1 and downloaded from"
        f" machine 2: {rows:,} rows; finished {finished:.1f} s after the load"
    )
    assert not scenario.problems
    assert set(kinds) == {"2xx"}
    assert len(same) == 1
    assert passed == LIMIT
    assert rows > LONG_LIST
    assert not inbox.forged
    assert set(inbox.events) == scenario.events
    assert (repeated, twice) == (0, 0)
    assert wrong_in(found) == {}


def console(live_service: LiveService, machines: Sequence[Options]) -> int:
    """Password at the first machine, code at the second; a file asked of one, taken from the
    other. Returns how many rows it has.
    """
    first, second = machines
    person = Operator(live_service.postgres.data_dir)
    key = live_service.run(["-c", NEW_DEVICE.replace("admin_name", person.login["username"])])
    person.log_in(first, code_of=bytes.fromhex(key.strip()), code_at=second)
    assert person.sees(first, "core/auditentry/")
    export = person.ask_for_file(first, "core/auditentry")
    person.wait_for_file(second, export)
    return person.rows(second, export)


def one_key(scenario: MultiMachineScenario) -> set[str]:
    """The ids in the answers to one payout, asked of both machines at the same instant."""
    clients = [scenario.open_client() for _ in range(SAME)]
    for client in clients[::2]:
        next(client._turns)  # every second one begins with the other machine
    return scenario.ask_with_one_key(clients)


def one_limit(scenario: MultiMachineScenario) -> tuple[int, int]:
    """How many of the reads of one window passed, and how many were refused."""
    client = scenario.open_client()
    order = client.write("/collect", order_body(), "watched")
    scenario.orders["watched"] = order
    path = f"/collect/{order['id']}"
    client.close()
    clients = [scenario.open_client() for _ in range(4)]
    for each in clients[::2]:
        next(each._turns)
    spent = wait_for_a_window(clients[0], path)
    statuses = run_concurrently([partial(read, each, path, LIMIT // 2) for each in clients])
    counted = Counter(itertools.chain.from_iterable(statuses))
    for each in clients:
        each.close()
    assert set(counted) == {200, 429}, counted
    return counted[200] + spent, counted[429]


def wait_for_a_window(client: Client, path: str) -> int:
    """Windows are fixed: waits until one is long enough. How many reads of it that took."""
    _status, headers = client.status(path)
    left = int(headers["X-RateLimit-Reset"]) - time.time()
    if left >= WINDOW_SECONDS:
        return 1
    time.sleep(max(0, left) + 1)
    return 0


def read(client: Client, path: str, times: int) -> list[int]:
    return [client.status(path)[0] for _ in range(times)]
