"""Exports in the background: turns, workers that die, clicks that come twice, rights that go."""
# ruff: noqa: F401, F811  (the fixtures of test_export)

from datetime import timedelta
from typing import Any

import psycopg.errors
import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.db import OperationalError

from merchants.models import Membership, Merchant
from payments.console import tasks
from payments.console.exports import builder, changelist, requests
from payments.console.models import Export, ExportPart
from payments.core import clock
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from tests.admin.conftest import Console, send, url
from tests.admin.test_export import ask, bea, content, exporter, rows
from tests.support.factories import key_payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds")]
ROWS = 5


@pytest.fixture(autouse=True)
def _in_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """No list is short, and pieces are small."""
    monkeypatch.setattr(changelist, "AT_ONCE", -1)
    monkeypatch.setattr(builder, "CHUNK_ROWS", 2)


@pytest.fixture
def payouts(api: ApiClient) -> list[str]:
    """Newest first."""
    return [send(api, key_payout_body(amount=1000)).pk for _ in range(ROWS)][::-1]


@pytest.fixture
def export(console: Console, payouts: list[str]) -> Export:
    ask(console)
    return Export.objects.get()


def one_turn() -> bool:
    """One piece."""
    return builder.run_turn(seconds=0)


def downloaded(console: Console, export: Export) -> list[str]:
    return [row["payoutId"] for row in rows(console.page("console_export_download", export.pk))]


def test_page_of_an_export_shows_its_progress_until_it_is_ready(
    console: Console, export: Export, payouts: list[str]
) -> None:
    page = console.page("console_export_change", export.pk).content.decode()
    assert url("console_export_state", export.pk) in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "admin/export.js" in page
    state = console.page("console_export_state", export.pk).json()
    assert state == {"status": "WAITING", "rowsDone": 0, "rowsTotal": None, "percent": 0}
    assert one_turn()
    state = console.page("console_export_state", export.pk).json()
    assert state == {"status": "RUNNING", "rowsDone": 2, "rowsTotal": 5, "percent": 40}
    tasks.run_exports()
    assert console.page("console_export_state", export.pk).json()["status"] == "READY"
    page = console.page("console_export_change", export.pk).content.decode()
    assert url("console_export_download", export.pk) in page
    assert "http-equiv" not in page
    assert downloaded(console, export) == payouts
    listed = console.page("console_export_changelist").content.decode()
    assert url("console_export_change", export.pk) in listed


def test_rows_created_during_the_export_are_left_out(
    console: Console, api: ApiClient, export: Export, payouts: list[str]
) -> None:
    one_turn()
    send(api, key_payout_body(amount=1000))
    tasks.run_exports()
    assert downloaded(console, export) == payouts


def test_a_killed_worker_loses_nothing_but_its_piece(
    console: Console, export: Export, payouts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """As SIGKILL: it cannot be caught, and nothing is written after it."""

    def kill(*_args: Any, **_values: Any) -> None:
        raise Killed

    one_turn()
    with monkeypatch.context() as patch:
        patch.setattr(builder.ExportPart.objects, "create", kill)
        with pytest.raises(Killed):
            tasks.run_exports()
    assert not one_turn()  # its lease still holds
    export.refresh_from_db()
    assert (export.status, export.rows_done) == ("RUNNING", 2)
    with time_machine.travel(clock.now() + builder.LEASE + timedelta(seconds=1)):
        tasks.run_exports()
        export.refresh_from_db()
        assert (export.status, export.lost) == ("READY", 0)
    assert downloaded(console, export) == payouts


def test_one_that_kills_every_worker_ends(export: Export) -> None:
    now = clock.now()
    for number in range(builder.LOST_MAX + 1):
        assert builder.claim(now=now + number * 2 * builder.LEASE) is not None
    last = builder.claim(now=now + 10 * builder.LEASE)
    assert last is not None
    builder.make(last)
    export.refresh_from_db()
    assert (export.status, export.failure) == ("FAILED", "LOST")


def test_one_turn_at_a_time_and_everybody_in_turn(
    console: Console,
    exporter: Console,
    export: Export,
) -> None:
    ask(exporter)
    mine = builder.claim(now=clock.now())
    assert mine is not None
    assert builder.claim(now=clock.now()) is None
    builder.make(mine, deadline=0)
    turns = []
    while one_turn():
        by_age = Export.objects.order_by("created_at")
        turns.append(list(by_age.values_list("rows_done", flat=True)))
    assert turns[0] == [2, 2]  # the second person does not wait for the first one's end
    assert set(Export.objects.values_list("status", flat=True)) == {"READY"}


def test_a_second_click_starts_nothing(console: Console, export: Export) -> None:
    again = ask(console, query="p=2&o=1")
    assert again.headers["Location"] == url("console_export_change", export.pk)
    assert Export.objects.count() == 1
    ask(console, kind="XLSX")
    ask(console, query="status__exact=FAILED")
    assert Export.objects.count() == 3
    refused = ask(console, query="status__exact=PENDING")
    assert refused.status_code == 409
    assert Export.objects.count() == 3
    assert ask(console).headers["Location"] == url("console_export_change", export.pk)


def test_cancelled_in_the_middle(console: Console, export: Export) -> None:
    mine = builder.claim(now=clock.now())
    assert mine is not None
    builder.make(mine, deadline=0)
    mine = builder.claim(now=clock.now())
    assert mine is not None
    assert console.page("console_export_cancel", export.pk).status_code == 405
    assert console.post(url("console_export_cancel", export.pk)).status_code == 302
    builder.make(mine)  # the worker finds its lease gone
    export.refresh_from_db()
    assert (export.status, export.due_at) == ("CANCELLED", None)
    assert not ExportPart.objects.exists()
    assert console.page("console_export_download", export.pk).status_code == 302


@pytest.mark.parametrize("name", ["EXPORT_MAX_ROWS", "EXPORT_MAX_BYTES"])
def test_too_large_is_said(console: Console, export: Export, settings: Any, name: str) -> None:
    setattr(settings, name, 4)
    tasks.run_exports()
    export.refresh_from_db()
    assert (export.status, export.failure) == ("FAILED", "TOO_LARGE")
    assert not ExportPart.objects.exists()
    page = console.page("console_export_change", export.pk).content.decode()
    assert export.get_failure_display() in page


def test_too_slow_is_said_and_a_database_that_is_away_is_waited_for(
    export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(cause: Exception) -> Any:
        def asked(*_args: Any) -> Any:
            raise OperationalError("...") from cause

        return asked

    monkeypatch.setattr(builder.permissions, "rows_of", fail(psycopg.OperationalError()))
    with pytest.raises(OperationalError):
        tasks.run_exports()
    export.refresh_from_db()
    assert export.status == "RUNNING"
    monkeypatch.setattr(builder.permissions, "rows_of", fail(psycopg.errors.QueryCanceled()))
    with time_machine.travel(clock.now() + 2 * builder.LEASE):
        tasks.run_exports()
    export.refresh_from_db()
    assert (export.status, export.failure) == ("FAILED", "TOO_SLOW")


def test_a_bug_ends_it(export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "kind_of", lambda *_: 1 / 0)
    tasks.run_exports()
    export.refresh_from_db()
    assert (export.status, export.failure) == ("FAILED", "BROKEN")


LOSSES = {
    "right to export": lambda user: user.user_permissions.set(
        Permission.objects.filter(codename="view_payout")
    ),
    "right to look": lambda user: user.user_permissions.set(
        Permission.objects.filter(codename="export_rows")
    ),
    "staff": lambda user: User.objects.filter(pk=user.pk).update(is_staff=False),
    "active": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
}


@pytest.mark.parametrize("what", LOSSES)
def test_who_lost_a_right_gets_no_file(
    exporter: Console,
    bea: User,
    payouts: list[str],
    what: str,
) -> None:
    ask(exporter)
    one_turn()
    LOSSES[what](bea)
    tasks.run_exports()
    export = Export.objects.get()
    assert (export.status, export.failure) == ("FAILED", "NOT_ALLOWED")
    assert not ExportPart.objects.exists()


@pytest.mark.parametrize("what", ["right to look", "staff"])
def test_who_lost_a_right_downloads_nothing(
    exporter: Console,
    bea: User,
    payouts: list[str],
    what: str,
) -> None:
    ask(exporter)
    tasks.run_exports()
    export = Export.objects.get()
    assert downloaded(exporter, export) == payouts
    LOSSES[what](bea)
    assert exporter.page("console_export_download", export.pk).status_code in (302, 403)
    assert AuditEntry.objects.filter(action="export.downloaded").count() == 1


def test_whole_personal_data_needs_its_right_to_the_end(
    exporter: Console,
    bea: User,
    payouts: list[str],
) -> None:
    reveal = Permission.objects.get(codename="reveal_personal_data")
    bea.user_permissions.add(reveal)
    ask(exporter, whole="1")
    bea.user_permissions.remove(reveal)
    tasks.run_exports()
    assert Export.objects.get().failure == "NOT_ALLOWED"


def test_people_of_merchants_get_their_rows_without_our_rails(
    payouts: list[str], merchant: Merchant, other_merchant: Merchant
) -> None:
    lucia, stranger = person_of(merchant, "lucia"), person_of(other_merchant, "zoraida")
    for user in (lucia, stranger):
        ask(browser_of(user))
    tasks.run_exports()
    mine, theirs = Export.objects.order_by("id")
    found = rows(browser_of(lucia).page("console_export_download", mine.pk))
    assert [row["payoutId"] for row in found] == payouts
    assert "authorization" in found[0]
    assert not {"provider", "providerReference", "failureReason"} & set(found[0])
    assert downloaded(browser_of(stranger), theirs) == []
    assert browser_of(stranger).page("console_export_download", mine.pk).status_code == 404


@pytest.mark.parametrize("is_made", [True, False])
def test_who_works_for_other_merchants_now_gets_no_file(
    payouts: list[str], merchant: Merchant, other_merchant: Merchant, is_made: bool
) -> None:
    lucia = person_of(merchant, "lucia")
    Membership.objects.create(user=lucia, merchant=other_merchant)
    ask(browser_of(lucia))
    if is_made:
        tasks.run_exports()
    Membership.objects.filter(merchant=merchant).delete()
    tasks.run_exports()
    export = Export.objects.get()
    if is_made:
        assert browser_of(lucia).page("console_export_download", export.pk).status_code == 403
    else:
        assert (export.status, export.failure) == ("FAILED", "NOT_ALLOWED")


def test_no_person_sees_the_export_of_another(
    console: Console, exporter: Console, export: Export
) -> None:
    tasks.run_exports()
    for page in ("change", "state", "download"):
        assert exporter.page(f"console_export_{page}", export.pk).status_code == 404
    assert exporter.post(url("console_export_cancel", export.pk)).status_code == 404
    assert export.pk not in exporter.page("console_export_changelist").content.decode()
    assert console.page("console_export_download", export.pk).status_code == 200


def test_files_are_forgotten_after_a_week(console: Console, export: Export) -> None:
    Export.objects.update(query="q=1023456789")
    tasks.run_exports()
    with time_machine.travel(clock.now() + timedelta(days=6, hours=23)):
        tasks.forget_exports()
        export.refresh_from_db()
        assert export.status == "READY"
    with time_machine.travel(clock.now() + timedelta(days=7, minutes=1)):
        tasks.forget_exports()
    export.refresh_from_db()
    assert (export.status, export.query) == ("FORGOTTEN", "")
    assert not ExportPart.objects.exists()
    assert console.page("console_export_download", export.pk).status_code == 302
    assert console.page("console_export_change", export.pk).status_code == 200


def test_deleted_rows_and_empty_lists_are_no_trouble(console: Console, api: ApiClient) -> None:
    ask(console)
    tasks.run_exports()
    export = Export.objects.get()
    assert (export.status, export.rows_done) == ("READY", 0)
    file = content(console.page("console_export_download", export.pk))
    assert file.count(b"\n") == 1
    assert not Payout.objects.exists()
    assert requests.forget_old(clock.now()) == 0
