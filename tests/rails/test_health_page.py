"""The console's page of accounts: a verdict, what was called, and the rest folded."""

# ruff: noqa: F811

import pytest
from django.core.cache import cache

from payments.core import clock
from payments.providers import ports
from payments.rails.models import AccountBalance
from tests.admin.conftest import Console, ana, console, url  # noqa: F401
from tests.rails.test_health import call, nowhere, open_circuit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings):
    settings.LANGUAGE_CODE = "en"
    cache.clear()
    nowhere("one", 1)


def page(browser: Console) -> str:
    answer = browser.get(url("rails_route_health"))
    assert answer.status_code == 200
    return answer.content.decode()


def test_nothing_was_called_and_the_list_of_it_is_open(console):
    shown = page(console)
    assert "No account was called in the last hour" in shown
    assert '<details class="desk-quiet mt-8" open>' in shown
    assert "without a call in the last hour" in shown
    assert "once it is switched on and has told us its balance" in shown


def test_calls_stand_before_what_is_quiet(console):
    call("one", 6)
    shown = page(console)
    assert "Everything answers" in shown
    assert "6 calls in the last hour." in shown
    assert '<details class="desk-quiet mt-8">' in shown
    assert '<td class="shell-right" data-label="Answered">' in shown


def test_not_everything_answers_below_95_of_100_calls(console):
    call("one", 9)
    call("one", 1, ports.ProviderTimeout("late"))
    shown = page(console)
    assert "Everything answers" not in shown
    assert "1 account leaves more than 5 of 100 calls without an answer" in shown
    assert "desk-verdict-open" in shown
    assert "95 of 100 answer within" in shown


def test_account_that_fails_is_named_first(console):
    call("one", 20, ports.ProviderTimeout("late"))
    open_circuit("one")
    shown = page(console)
    assert "1 account fails" in shown
    assert "desk-verdict-red" in shown
    assert "paused" in shown
    assert "No route has another account for them" in shown
    assert (
        '<a class="shell-action" href="/admin/rails/provideraccount/one/check_account/">' in shown
    )


def test_other_account_of_the_routes_and_one_without_money_are_named(console):
    nowhere("two", 2)
    AccountBalance.objects.create(
        account_id="two", amount=5, needed=9, is_low=True, created_at=clock.now()
    )
    open_circuit("one")
    shown = page(console)
    assert "1 account fails, 1 account has too little money" in shown
    assert "They go to Two if its routes fit." in shown
    assert "It has 5 COP and needs 9 COP." in shown
    assert f'href="{url("rails_provideraccount_change", "two")}"' in shown
