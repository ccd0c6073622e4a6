"""The console's pages of orders and of the books: everything to look at, nothing to touch."""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.core import clock
from payments.core.models import AuditEntry, Transition
from payments.ledger.models import Account, Entry, Posting
from payments.rates.models import ExchangeRate
from tests.admin.conftest import ACCESS_QUERIES, REASON, Console, move_shown, url
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db


@pytest.fixture
def paid(api: ApiClient, order: Order) -> Order:
    """An order that was paid over PSE."""
    answer = api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED", "method": "PSE"})
    assert answer.status_code == 200, answer.content
    order.refresh_from_db()
    assert order.status == "COMPLETED"
    return order


@pytest.fixture
def unmatched(paid: Order) -> UnmatchedFunds:
    """Money that came after the order was paid."""
    return UnmatchedFunds.objects.create(
        order=paid,
        charge=paid.charges.get(),
        currency="COP",
        amount=Decimal(7000),
        reason=UnmatchedFunds.Reason.EXCESS,
        created_at=clock.now(),
    )


def test_list_of_orders_shows_reference_and_amount(console: Console, order: Order) -> None:
    listed = console.page("collect_order_changelist").content.decode()
    assert "MESA-7" in listed
    assert "50.025 COP" in listed
    assert console.page("collect_order_change", order.pk).status_code == 200


def test_an_order_tells_its_whole_story_on_one_page(
    console: Console, paid: Order, unmatched: UnmatchedFunds
) -> None:
    page = console.page("collect_order_change", paid.pk).content.decode()
    charge = paid.charges.get()
    assert url("collect_charge_change", charge.pk) in page
    assert charge.trace_code in page
    for move in Transition.objects.filter(subject_id__in=[paid.pk, charge.pk]):
        assert move_shown(move.subject_type, move.from_state, move.to_state) in page
    assert (
        "compensación con el simulador -50.025 COP · comercio, disponible +50.000 COP "
        "· tarifas +25 COP"
    ) in page
    assert "payment.completed" in page
    assert url("webhooks_delivery_change", Delivery.objects.get().pk) in page
    assert url("collect_unmatchedfunds_change", unmatched.pk) in page
    assert "50.000 COP" in page
    assert "25 COP" in page
    assert "4050" in page
    assert "1.020.304.050" not in page


def test_a_document_is_masked_in_the_list(console: Console, order: Order) -> None:
    page = console.page("collect_order_changelist").content.decode()
    assert "4050" in page
    assert "1020304050" not in page
    assert "1.020.304.050" not in page


def test_what_the_payer_or_merchant_sent_is_text(console: Console, api: ApiClient) -> None:
    evil = "<script>alert(1)</script>"
    body = order_body(reference=evil, description=evil, customerName=evil, metadata={"note": evil})
    order = Order.objects.get(pk=api.post("/collect", body).body["data"]["id"])
    for page in (
        console.page("collect_order_changelist"),
        console.page("collect_order_change", order.pk),
    ):
        assert page.status_code == 200
        assert evil not in page.content.decode()
        assert "&lt;script&gt;alert(1)" in page.content.decode()


@pytest.mark.parametrize(
    "term",
    [
        "MESA-7",
        "1020304050",
        "1.020.304.050",
        " MESA-7 ",
        "<id>",
        "<half id>",
        "<charge>",
        "<trace>",
    ],
)
def test_search_of_the_list_finds_orders(
    console: Console, api: ApiClient, paid: Order, term: str
) -> None:
    other = api.post("/collect", order_body(reference="MESA-70", customerDocNumber="99999999"))
    charge = paid.charges.get()
    asked = {
        "<id>": paid.pk,
        "<half id>": paid.pk[:-4],
        "<charge>": charge.pk,
        "<trace>": charge.trace_code,
    }.get(term, term)
    page = console.page("collect_order_changelist", q=asked).content.decode()
    assert url("collect_order_change", paid.pk) in page
    if term != "<half id>":
        other_id = other.body["data"]["id"]
        assert url("collect_order_change", other_id) not in page


def test_beginning_of_references_finds_them_all(
    console: Console, api: ApiClient, order: Order
) -> None:
    other = api.post("/collect", order_body(reference="MESA-70")).body["data"]["id"]
    page = console.page("collect_order_changelist", q="MESA").content.decode()
    for found in (order.pk, other):
        assert url("collect_order_change", found) in page


@pytest.mark.parametrize(
    "term", ["MES", "ESA-7", "col_zzz", "20304050", "", "%", "chg_0", "\x00", "💰"]
)
def test_nothing_else_is_found(console: Console, order: Order, term: str) -> None:
    response = console.page("collect_order_changelist", q=term)
    assert response.status_code == 200
    shown = url("collect_order_change", order.pk) in response.content.decode()
    assert shown is (term in ("", "\x00"))


def test_filters_of_the_list_narrow_orders(
    console: Console, api: ApiClient, paid: Order, other_merchant: Merchant
) -> None:
    theirs = ApiClient(other_merchant).post("/collect", order_body()).body["data"]["id"]
    today = clock.now().astimezone().strftime("%Y-%m-%d")
    for query, both in (
        ({"status__exact": "COMPLETED"}, False),
        ({"selected_method__exact": "PSE"}, False),
        ({"merchant__id__exact": paid.merchant_id}, False),
        ({"created_at_from": "2020-01-01", "created_at_to": "2099-01-01"}, True),
        ({"created_at_from": "0001-01-01", "created_at_to": "9999-12-31"}, True),
        ({"created_at_from": "not a day"}, True),
    ):
        page = console.page("collect_order_changelist", **query).content.decode()
        assert url("collect_order_change", paid.pk) in page, query
        assert (url("collect_order_change", theirs) in page) is both, query
    for query in (
        {"created_at_to": "2020-01-01"},
        {"created_at_to": "0001-01-01"},
        {"created_at_from": "9999-12-31"},
    ):
        gone = console.page("collect_order_changelist", **query).content.decode()
        assert url("collect_order_change", paid.pk) not in gone
    assert today


def test_both_ends_of_a_span_of_days_are_included(console: Console, order: Order) -> None:
    from django.utils.timezone import localtime

    day = localtime(order.created_at).strftime("%Y-%m-%d")
    page = console.page("collect_order_changelist", created_at_from=day, created_at_to=day)
    assert url("collect_order_change", order.pk) in page.content.decode()


MONEY = [Order, Charge, UnmatchedFunds, Account, Entry, Posting]


@pytest.mark.slow
@pytest.mark.parametrize("model", MONEY, ids=lambda model: model.__name__)
def test_money_is_looked_at_and_never_touched(
    console: Console, unmatched: UnmatchedFunds, model: Any
) -> None:
    row = model.objects.first()
    name = f"{model._meta.app_label}_{model._meta.model_name}"
    before = list(model.objects.order_by("pk").values())
    assert console.get(url(f"{name}_change", row.pk)).status_code == 200
    for address in (
        url(f"{name}_add"),
        url(f"{name}_change", row.pk),
        url(f"{name}_delete", row.pk),
    ):
        assert console.post(address).status_code == 403
        console.put(address)
        console.delete(address)
    for action in ("delete_selected", "", "resend_selected"):
        console.post(url(f"{name}_changelist"), {"action": action, "_selected_action": row.pk})
    listed = console.get(url(f"{name}_changelist")).content.decode()
    assert 'name="action"' not in listed
    assert 'name="_save"' not in listed
    assert list(model.objects.order_by("pk").values()) == before


def test_an_entry_shows_lines_that_balance(console: Console, paid: Order) -> None:
    entry = Entry.objects.get(subject_id=paid.pk)
    page = console.page("ledger_entry_change", entry.pk).content.decode()
    assert "-50.025 COP" in page
    assert "+50.000 COP" in page
    assert "+25 COP" in page
    assert bytes(entry.digest).hex() in page


def test_accounts_show_balances_ours_by_adding_up(console: Console, paid: Order) -> None:
    merchants = Account.objects.get(kind="available")
    assert "50.000 COP" in console.page("ledger_account_changelist").content.decode()
    assert "50.000 COP" in console.page("ledger_account_change", merchants.pk).content.decode()
    fees = Account.objects.get(kind="fees")
    assert "25 COP" in console.page("ledger_account_change", fees.pk).content.decode()


def test_the_books_are_found_by_order(console: Console, paid: Order) -> None:
    for name in ("ledger_entry_changelist", "ledger_posting_changelist"):
        entry = Entry.objects.get(subject_id=paid.pk)
        page = console.page(name, q=paid.pk).content.decode()
        assert url("ledger_entry_change", entry.pk) in page
        assert "COPM" in console.page("ledger_posting_changelist", q=paid.pk).content.decode()
        assert entry.pk not in console.page(name, q="col_other").content.decode()


def test_a_rate_is_set_with_a_reason_and_old_ones_stay(console: Console) -> None:
    before = list(ExchangeRate.objects.order_by("pk").values())
    for wrong in ({"price_cop": "0"}, {"price_cop": "-1"}, {"currency": "EUR"}, {"reason": ""}):
        form = {"currency": "BTC", "price_cop": "401000000.5", **wrong}
        assert console.submit("rates_exchangerate_add", **form).status_code == 400
    assert (
        console.submit(
            "rates_exchangerate_add", currency="BTC", price_cop="401000000.5"
        ).status_code
        == 302
    )
    rate = ExchangeRate.objects.latest("pk")
    assert (rate.currency, rate.price_cop, rate.source) == ("BTC", Decimal("401000000.5"), "ana")
    assert list(ExchangeRate.objects.order_by("pk").values())[:-1] == before
    row = AuditEntry.objects.get(action="exchange_rate.set", actor="ana")
    assert row.reason == REASON


def test_a_clerk_sets_no_rate(clerk: Console) -> None:
    assert clerk.page("rates_exchangerate_add").status_code == 403
    assert clerk.page("rates_exchangerate_changelist").status_code == 200


def test_the_first_page_says_what_waits(console: Console, unmatched: UnmatchedFunds) -> None:
    page = console.page("index")
    cards = {str(card["link"]): card["value"] for card in page.context["cards"]}
    (waiting,) = [value for link, value in cards.items() if "unmatchedfunds" in link]
    assert waiting == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("collect_order_changelist", 7),
        ("collect_charge_changelist", 7),
        ("collect_unmatchedfunds_changelist", 7),
        ("ledger_entry_changelist", 8),
        ("ledger_posting_changelist", 9),
        ("ledger_account_changelist", 9),
        ("core_transition_changelist", 7),
        ("core_auditentry_changelist", 9),
    ],
)
def test_a_long_list_costs_no_more_queries(
    console: Console,
    api: ApiClient,
    unmatched: UnmatchedFunds,
    django_assert_max_num_queries: Any,
    name: str,
    most: int,
) -> None:
    for _ in range(8):
        order = api.post("/collect", order_body()).body["data"]["id"]
        api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED", "method": "PSE"})
    with django_assert_max_num_queries(most + ACCESS_QUERIES):
        console.page(name)


def test_the_story_of_an_order_costs_a_fixed_number_of_queries(
    console: Console, unmatched: UnmatchedFunds, paid: Order, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(22 + ACCESS_QUERIES):
        console.page("collect_order_change", paid.pk)
