"""What people of a merchant see and do in the console: their own, and nothing of how we work."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.html import strip_tags
from django.utils.timezone import localtime

from merchants.models import ApiKey, Merchant
from payments.collect.models import Order, Refund
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.ledger.models import Posting
from payments.payout.models import Payout
from tests.admin.conftest import REASON, Console, credit, person, url
from tests.admin.test_webhooks import fail, publish
from tests.support.console_forms import as_shown
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of, said
from tests.support.refunds import asked, paid
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


@pytest.fixture
def lucia(merchant: Merchant) -> Console:
    """Of Café Andino's staff."""
    return browser_of(person_of(merchant, "lucia"))


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    """Café Andino's administrator."""
    return browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))


@pytest.fixture
def bought(api: ApiClient, merchant: Merchant) -> Order:
    credit(merchant)
    return paid(api)


def text(answer: Any) -> str:
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def key_of(merchant: Merchant) -> ApiKey:
    return ApiKey.objects.filter(merchant=merchant, revoked_at=None).first()


def test_the_side_bar_leads_to_their_pages_and_to_no_other(
    lucia: Console, merchant: Merchant
) -> None:
    page = text(lucia.get("/admin/"))
    for name in (
        *("collect_order", "collect_charge", "collect_refund", "collect_dispute"),
        *("payout_payout", "topup_topup", "bills_billpayment", "settlement_settlement"),
        *("webhooks_delivery", "webhooks_event", "merchants_apikey"),
    ):
        assert f'"{url(f"{name}_changelist")}"' in page, name
    assert url("ledger_balance") in page
    assert f'"{url("merchants_merchant_change", merchant.pk)}"' in page
    for closed in ("audit", "transition", "unmatched", "auth/", "taxrule", "payout/bank", "mail/"):
        assert f"/{closed}" not in page, closed


def test_a_refund_is_asked_for_and_an_operator_decides(
    lucia: Console, bought: Order, merchant: Merchant
) -> None:
    page = text(lucia.page("collect_order_change", bought.pk))
    assert "refund_order" in page
    for act in ("cancel_order", "dispute_order", "ask_rail"):
        assert act not in page
    form = {"amount": "20000", "checked": "1"}
    assert lucia.submit("collect_order_refund_order", bought.pk, **form).status_code == 302
    refund = Refund.objects.get()
    assert (refund.requested_by, refund.needs_approval, refund.reason) == ("lucia", True, REASON)
    assert ledger.balances(merchant.pk)["COPM"]["held"] == 20_000
    # The merchant's own people do not approve it; they see that their colleague asked.
    assert lucia.submit("collect_refund_approve", refund.pk).status_code == 404
    assert "lucia" in text(lucia.page("collect_refund_change", refund.pk))
    approver = person("luz", roles.APPROVER)  # ana created lucia
    assert approver.submit("collect_refund_approve", refund.pk).status_code == 302


def test_money_of_a_refund_is_shown_before_it_is_asked_for(lucia: Console, bought: Order) -> None:
    name = "collect_order_refund_order"
    form = lucia.page(name, bought.pk)
    for shown in ("50.025 COP", "50.000 COP", "10.050.000 COP", bought.customer_name):
        assert shown in text(form), shown
    assert form.context["form"].initial["amount"] == "50.025"
    checked = lucia.submit(name, bought.pk, amount="20.000")
    for shown in ("20.000 COP", "10.050.000 COP", "10.030.000 COP"):
        assert shown in text(checked), shown
    assert not Refund.objects.exists()
    sent = {name: value[0] for name, value in as_shown(checked).items()}
    edited = lucia.post(url(name, bought.pk), {**sent, "edit": "1"})
    assert edited.context["form"]["amount"].value() == "20.000"
    assert lucia.post(url(name, bought.pk), sent).status_code == 302
    assert Refund.objects.get().amount == 20_000


def test_refund_above_what_is_left_stays_on_the_form(lucia: Console, bought: Order) -> None:
    refused = lucia.submit("collect_order_refund_order", bought.pk, amount="60.000")
    assert refused.status_code == 400
    assert refused.context["form"].errors
    assert not Refund.objects.exists()


def test_nothing_tells_which_operator_or_rail_it_was(
    lucia: Console, console: Console, api: ApiClient, bought: Order
) -> None:
    refund = asked(api, bought, amount=1000)
    console.submit("collect_order_refund_order", bought.pk, amount="500", reason="Nota 4413")
    by_ana = Refund.objects.get(requested_by="ana")
    form = {"kind": "DISPUTE", "amount": "1000", "reason": "Nota interna 4411"}
    assert console.submit("collect_order_dispute_order", bought.pk, **form).status_code == 302
    console.submit("collect_refund_reject", refund.pk, reason="Nota interna 4412")
    charge = bought.charges.get()
    pages = {
        "order": lucia.page("collect_order_change", bought.pk),
        "charge": lucia.page("collect_charge_change", charge.pk),
        "refund": lucia.page("collect_refund_change", refund.pk),
        "ana's": lucia.page("collect_refund_change", by_ana.pk),
        "orders": lucia.page("collect_order_changelist"),
        "charges": lucia.page("collect_charge_changelist"),
        "refunds": lucia.page("collect_refund_changelist"),
    }
    refund.refresh_from_db()
    for what, answer in pages.items():
        page = text(answer)
        for inner in ("ana", "Nota interna 4412", charge.provider, charge.provider_id):
            assert not re.search(rf"\b{inner}\b", page), (what, inner)
        assert "Nota interna 4412" not in page, what
        assert not refund.provider_reference or refund.provider_reference not in page, what
        for book in ("clearing:", "fees:", "suspense:", "compensación con ", "tarifas +"):
            assert book not in page, (what, book)
    assert "ana" in text(console.page("collect_refund_change", by_ana.pk))
    # An operator sees them: the test would notice their absence.
    whole = text(console.page("collect_charge_change", charge.pk))
    assert "red: Simulador" in whole
    order_page = text(console.page("collect_order_change", bought.pk))
    assert "compensación con el simulador" in order_page
    assert "tarifas +" in order_page
    assert "Nota interna 4412" in text(console.page("collect_refund_change", refund.pk))


def test_the_payout_s_page_shows_what_the_api_would(
    lucia: Console, console: Console, completed: Payout
) -> None:
    page = text(lucia.page("payout_payout_change", completed.pk))
    assert completed.pk in page
    assert completed.provider_id in page
    assert completed.provider_reference not in page
    assert completed.provider_reference in text(console.page("payout_payout_change", completed.pk))
    for act in ("ask_rail", "resolve", "acknowledge", "approve"):
        assert lucia.submit(f"payout_payout_{act}", completed.pk).status_code == 404


def test_keys_are_revoked_by_the_administrator_only(
    lucia: Console, boss: Console, api: ApiClient, merchant: Merchant
) -> None:
    key = key_of(merchant)
    assert lucia.submit("merchants_apikey_revoke", key.pk).status_code == 403
    assert api.get("/collect").status_code == 200
    assert boss.submit("merchants_apikey_revoke", key.pk).status_code == 302
    assert api.get("/collect").status_code == 401
    act = AuditEntry.objects.get(action="api_key.revoked")
    assert (act.actor, act.reason) == ("gabriel", REASON)


def test_keys_are_issued_by_operators_only(boss: Console, merchant: Merchant) -> None:
    assert boss.submit("merchants_merchant_issue_key", merchant.pk).status_code == 404
    assert not merchant.api_keys.exists()


def test_the_administrator_sets_webhook_url_secret_and_brand(
    boss: Console, lucia: Console, merchant: Merchant
) -> None:
    before = Merchant.objects.get(pk=merchant.pk)
    form = {"webhook_url": "http://127.0.0.1:9911/hooks"}
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6360606060000000050001a5f64540"
        "0000000049454e44ae426082"
    )
    brand = {"brand_color": "#0A7A66", "logo_file": SimpleUploadedFile("l.png", png, "image/png")}
    for act in ("set_webhook", "regenerate_secret", "set_brand"):
        assert lucia.submit(f"merchants_merchant_{act}", merchant.pk, **form).status_code == 403
    assert boss.submit("merchants_merchant_set_webhook", merchant.pk, **form).status_code == 302
    shown = boss.submit("merchants_merchant_regenerate_secret", merchant.pk)
    assert boss.submit("merchants_merchant_set_brand", merchant.pk, **brand).status_code == 302
    now = Merchant.objects.get(pk=merchant.pk)
    assert now.webhook_url == form["webhook_url"]
    assert now.webhook_secret != before.webhook_secret
    assert now.webhook_secret in text(shown)
    assert (now.brand_color, now.logo is not None) == ("#0a7a66", True)
    names = set(AuditEntry.objects.filter(actor="gabriel").values_list("action", flat=True))
    names -= {"operator.password_chosen"}  # at his first login
    assert names == {"merchant.changed", "webhook_secret.regenerated"}


@pytest.mark.parametrize("address", ["ftp://x.example/", "http://10.0.0.7:1/", "nonsense"])
def test_a_webhook_url_that_would_not_be_called_is_refused(
    boss: Console, merchant: Merchant, settings: Any, address: str
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    answer = boss.submit("merchants_merchant_set_webhook", merchant.pk, webhook_url=address)
    assert answer.status_code == 400
    assert Merchant.objects.get(pk=merchant.pk).webhook_url == merchant.webhook_url


def test_the_account_itself_is_not_theirs_to_change(boss: Console, merchant: Merchant) -> None:
    page = text(boss.page("merchants_merchant_change", merchant.pk))
    assert 'name="name"' not in page
    form = {"name": "Otro nombre", "payout_enabled": "on", "reason": REASON}
    assert boss.post(url("merchants_merchant_change", merchant.pk), form).status_code == 403
    for act in ("activate", "deactivate", "add_person", "create_person"):
        assert boss.submit(f"merchants_merchant_{act}", merchant.pk).status_code == 404
    assert boss.get(url("merchants_merchant_add")).status_code == 404
    assert Merchant.objects.get(pk=merchant.pk).name == merchant.name


def test_webhooks_are_looked_at_tested_and_sent_again(lucia: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    fail(delivery, excerpt="no such page")
    assert "no such page" in text(lucia.page("webhooks_delivery_change", delivery.pk))
    assert lucia.submit("webhooks_delivery_resend", delivery.pk).status_code == 302
    assert lucia.submit("webhooks_event_resend", delivery.event_id).status_code == 302
    assert lucia.submit("webhooks_send_test", merchant.pk).status_code == 302
    causes = Delivery.objects.order_by("id").values_list("cause", flat=True)
    assert list(causes) == ["event", "resend", "resend", "test"]
    assert set(AuditEntry.objects.filter(actor="lucia").values_list("action", flat=True)) == {
        "operator.password_chosen",  # at her first login
        "webhook.resent",
        "webhook.tested",
    }


def test_the_balance_with_its_movements_ties_with_the_books(
    lucia: Console, bought: Order, merchant: Merchant
) -> None:
    asked_for = {"amount": "20000", "checked": "1"}
    lucia.submit("collect_order_refund_order", bought.pk, **asked_for)
    page = text(lucia.page("ledger_balance"))
    parts = ledger.balances(merchant.pk)["COPM"]
    assert (parts["available"], parts["held"]) == (10_030_000, 20_000)
    for figure in ("10.030.000 COP", "20.000 COP", "10.050.000 COP"):
        assert figure in page, figure
    assert "+50.000 COP" in page
    assert "-20.000 COP" in page
    assert url("collect_order_change", bought.pk) in page
    assert f">{bought.reference} · {bought.customer_name}</a>" in page
    assert "Pesos (COP)" in page
    only = text(lucia.page("ledger_balance", account="held"))
    assert "-20.000 COP" not in only
    assert "+20.000 COP" in only
    assert said("Together") not in page
    month = f"{clock.now():%Y-%m}"
    assert month in page  # the statement's address
    statement = lucia.page("ledger_balance").context["figures"][0]["statements"][1][1]
    assert bought.pk in b"".join(lucia.get(statement).streaming_content).decode()


def shown_movements(page: Any) -> list[list[str]]:
    """The cells of each movement, as text."""
    rows = page.context["tables"][0]["table"]["rows"]
    return [[strip_tags(str(cell)) for cell in row] for row in rows]


def test_each_movement_is_one_row_with_the_available_balance_after_it(
    lucia: Console, bought: Order, merchant: Merchant
) -> None:
    lucia.submit("collect_order_refund_order", bought.pk, amount="20000", checked="1")
    rows = shown_movements(lucia.page("ledger_balance"))
    assert [row[-2:] for row in rows] == [
        ["-20.000 COP", "10.030.000 COP"],
        ["+50.000 COP", "10.050.000 COP"],
        ["+10.000.000 COP", "10.000.000 COP"],
    ]
    assert rows[-1][2] == said("Play money")
    assert all(row[1][0].isupper() for row in rows)
    held = shown_movements(lucia.page("ledger_balance", account="held"))
    assert [row[-2:] for row in held] == [["+20.000 COP", "20.000 COP"]]
    moved = Posting.objects.filter(account__merchant=merchant, account__kind="available")
    assert sum(posting.amount for posting in moved) == 10_030_000


def test_movements_of_a_period_have_both_days(
    lucia: Console, bought: Order, merchant: Merchant
) -> None:
    today = localtime(clock.now()).date()
    whole = lucia.page("ledger_balance")
    assert len(shown_movements(whole)) == 2
    chips = {chip["label"]: chip for chip in whole.context["chips"]}
    assert [chip["is_current"] for chip in chips.values()] == [True, False, False, False]
    for chip in chips.values():
        assert len(shown_movements(lucia.get(chip["url"]))) == 2
    same = {"from": today.isoformat(), "to": today.isoformat()}
    assert len(shown_movements(lucia.page("ledger_balance", **same))) == 2
    page = text(whole)
    assert page.count("data-day-open") == 2
    # The column is cut: its title has the whole text.
    assert f'title="{bought.reference} · {bought.customer_name}"' in page
    typed = {"from": f"{today:%d/%m/%Y}", "to": f"{today:%d/%m/%Y}"}
    assert len(shown_movements(lucia.page("ledger_balance", **typed))) == 2
    before = {"to": (today - timedelta(days=1)).isoformat()}
    assert lucia.page("ledger_balance", **before).context["count"] == 0
    after = {"from": (today + timedelta(days=1)).isoformat()}
    assert lucia.page("ledger_balance", **after).context["count"] == 0


def test_operators_read_both_sides_of_a_movement(
    console: Console, lucia: Console, bought: Order, merchant: Merchant
) -> None:
    lucia.submit("collect_order_refund_order", bought.pk, amount="20000", checked="1")
    rows = shown_movements(console.page("ledger_balance", merchant=merchant.pk))
    assert [row[-2] for row in rows if "20.000 COP" in row[-2]] == ["+20.000 COP", "-20.000 COP"]


def test_operators_read_the_balance_of_any_merchant(console: Console, merchant: Merchant) -> None:
    credit(merchant)
    way = console.page("merchants_merchant_balances", merchant.pk)
    assert way.status_code == 302
    assert "10.000.000 COP" in text(console.get(way.url))
    assert console.page("ledger_balance").status_code == 302
    assert console.page("ledger_balance", merchant="mer_unknown").status_code == 404


@pytest.mark.parametrize(
    "query", ["p=0", "p=x", "p=99999", "kind=nonsense", "currency=%00", "from=x", "to=9999-12-31"]
)
def test_addresses_that_mean_nothing_break_nothing(
    lucia: Console, merchant: Merchant, query: str
) -> None:
    credit(merchant)
    assert lucia.get(f"{url('ledger_balance')}?{query}").status_code == 200


def test_person_of_two_merchants_sees_both_and_knows_which_is_which(
    merchant: Merchant, stranger: Merchant, api: ApiClient, stranger_api: ApiClient, lucia: Console
) -> None:
    from merchants import members

    paid(api, reference="UNO-1")
    theirs = paid(stranger_api, reference="DOS-1")
    alone = lucia.page("collect_order_changelist")
    assert "merchant_link" not in alone.context["cl"].list_display
    role = roles.MERCHANT_STAFF
    members.add_member(merchant=stranger, username="lucia", role=role, actor="ana", reason="both")
    both = text(lucia.page("collect_order_changelist"))
    assert all(name in both for name in ("UNO-1", "DOS-1", merchant.name, stranger.name))
    one = lucia.page("collect_order_changelist", merchant__id__exact=stranger.pk)
    assert [row.pk for row in one.context["cl"].result_list] == [theirs.pk]
    page = text(lucia.page("ledger_balance", merchant=stranger.pk))
    assert "+50.000 COP" in page


def test_the_first_page_is_about_their_merchant(lucia: Console, bought: Order) -> None:
    page = text(lucia.get("/admin/"))
    assert said("Workers") not in page
    assert "50.025" in page or "50.000" in page
