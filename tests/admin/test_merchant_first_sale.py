"""A merchant made in the console sells at once; its page names whatever would stop a sale."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command

from merchants import services
from merchants.legal.models import LegalData
from merchants.models import ApiKey, Currency, Merchant, Method
from merchants.team.models import Invitation
from payments.api.models import ApiCall
from payments.console import roles
from payments.core import clock
from tests.admin.conftest import REASON, Console, url
from tests.links.conftest import new_link
from tests.support.console_forms import as_shown
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.invitations import invite
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid
from webhooks.models import Delivery, Status

pytestmark = pytest.mark.django_db
# What differs between any two merchants.
OWN = {"id", "name", "webhook_secret", "created_at", "updated_at"}


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


def made_in_console(console: Console, **changes: Any) -> Merchant:
    """The form as it is shown, with a name and a reason typed in."""
    form = as_shown(console.page("merchants_merchant_add"))
    form |= {"name": ["Panadería Ñandú"], "reason": [REASON], **changes}
    answer = console.post(url("merchants_merchant_add"), form)
    assert "whsec_" in answer.content.decode(), answer.context["adminform"].form.errors
    return Merchant.objects.get(name="Panadería Ñandú")


def client_of(console: Console, merchant: Merchant, *permissions: str) -> ApiClient:
    """With a key that is issued in the console."""
    given = {"permissions": list(permissions)}
    shown = console.submit("merchants_merchant_issue_key", merchant.pk, **given)
    client = ApiClient()
    client.headers = dict(shown.context["values"])
    return client


def steps(browser: Console, merchant: Merchant) -> dict[str, list[str]]:
    """Each line of the next step, with the addresses of its buttons."""
    page = browser.page("merchants_merchant_change", merchant.pk)
    shown = page.context["record_step"]
    if shown is None:
        return {}
    html = page.content.decode()
    for line in shown["lines"]:
        assert str(line["why"]) in html
        for _title, address in line["buttons"]:
            assert f'href="{address}"' in html
    return {str(line["why"]): [way for _title, way in line["buttons"]] for line in shown["lines"]}


def change(console: Console, merchant: Merchant, **changes: Any) -> Any:
    """The merchant's form as it is shown, with these changes. None: as if it was not ticked."""
    address = url("merchants_merchant_change", merchant.pk)
    form = as_shown(console.get(address)) | {"reason": [REASON]} | changes
    return console.post(address, {name: value for name, value in form.items() if value})


# The same merchant by form and by command.


def test_merchant_made_in_the_console_sells_with_the_form_as_it_is_shown(
    console: Console,
) -> None:
    merchant = made_in_console(console)
    api = client_of(console, merchant)
    assert api.post("/collect", order_body()).status_code == 201
    coin = order_body(currency="USDT", amount=1000)
    assert api.post("/collect", coin).status_code == 201


def test_form_and_command_make_the_same_merchant(console: Console) -> None:
    out = StringIO()
    call_command("create_merchant", "Café Andino", stdout=out)
    scripted = Merchant.objects.get(pk=json.loads(out.getvalue())["merchantId"])
    made = made_in_console(console)
    for field in Merchant._meta.concrete_fields:
        if field.name not in OWN:
            values = [getattr(each, field.attname) for each in (made, scripted)]
            assert values[0] == values[1], field.name
    assert (made.currencies, made.methods) == (list(Currency.values), list(Method.values))


def test_form_shows_what_a_changed_merchant_has(console: Console, merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(currencies=["COP"], methods=["PSE"])
    form = as_shown(console.page("merchants_merchant_change", merchant.pk))
    assert (form["currencies"], form["methods"]) == (["COP"], ["PSE"])


# An active account that can do nothing is refused.


@pytest.mark.parametrize("missing", ["currencies", "methods"])
def test_active_merchant_without_currency_or_method_is_refused(
    console: Console, merchant: Merchant, missing: str
) -> None:
    before = list(Merchant.objects.values())
    refused = change(console, merchant, **{missing: None})
    assert refused.status_code == 200
    assert list(refused.context["adminform"].form.errors) == [missing]
    assert list(Merchant.objects.values()) == before
    form = as_shown(console.page("merchants_merchant_add"))
    form |= {"name": ["Panadería Ñandú"], "reason": [REASON]}
    del form[missing]
    refused = console.post(url("merchants_merchant_add"), form)
    assert list(refused.context["adminform"].form.errors) == [missing]
    assert Merchant.objects.count() == 1


def test_merchant_that_only_pays_needs_neither_but_one_without_products_needs_both(
    console: Console, merchant: Merchant
) -> None:
    nothing = {"currencies": None, "methods": None}
    assert change(console, merchant, **nothing).status_code == 302
    merchant.refresh_from_db()
    assert (merchant.currencies, merchant.methods) == ([], [])
    assert "The account collects nothing" in " ".join(steps(console, merchant))
    products = dict.fromkeys(services.OUTGOING, False)
    Merchant.objects.filter(pk=merchant.pk).update(**products)
    refused = change(console, merchant, direct_api_enabled=None)
    assert set(refused.context["adminform"].form.errors) == {"currencies", "methods"}


def test_inactive_merchant_may_lack_both(console: Console, merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(is_active=False)
    assert change(console, merchant, methods=None).status_code == 302


# The next step names each thing that is missing.


def test_next_step_of_a_new_merchant_leads_to_its_key_and_webhook(console: Console) -> None:
    merchant = made_in_console(console)
    key = url("merchants_merchant_issue_key", merchant.pk)
    hook = url("merchants_merchant_set_webhook", merchant.pk)
    legal = url("merchants_merchant_set_legal_data", merchant.pk)
    people = url("merchants_merchant_invite_person", merchant.pk)
    later = [[legal], [people], [url("links_paymentlink_changelist")]]
    assert list(steps(console, merchant).values()) == [[key], [hook], *later]
    client_of(console, merchant)
    assert list(steps(console, merchant).values()) == [[hook], *later]
    form = {"webhook_url": "https://example.com/hooks"}
    assert console.submit("merchants_merchant_set_webhook", merchant.pk, **form).status_code == 302
    assert list(steps(console, merchant).values()) == later


def test_new_account_may_give_its_legal_data(console: Console) -> None:
    data = {"legal_name": ["Panadería Ñandú S.A.S."], "nit": ["900.123.456-8"]}
    merchant = made_in_console(console, **data)
    found = LegalData.objects.get(merchant=merchant)
    assert (found.legal_name, found.nit) == ("Panadería Ñandú S.A.S.", "900123456")


def test_legal_name_without_a_nit_is_refused(console: Console) -> None:
    form = as_shown(console.page("merchants_merchant_add"))
    form |= {"name": ["Ñandú"], "reason": [REASON], "legal_name": ["Ñandú S.A.S."]}
    answer = console.post(url("merchants_merchant_add"), form)
    assert set(answer.context["adminform"].form.errors) == {"nit"}


def test_nothing_is_to_do_only_when_nothing_is_missing(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    LegalData.objects.create(merchant=merchant)
    person_of(merchant, "gabriel")
    paid(api)
    page = console.page("merchants_merchant_change", merchant.pk)
    assert "Nothing to do" in page.content.decode()
    Delivery.objects.update(status=Status.FAILED, next_attempt_at=None)
    cache.clear()
    page = console.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "Nothing to do" not in page
    assert "See and send again" in page
    merchant.api_keys.update(revoked_at=clock.now())
    assert any("last key was revoked" in why for why in steps(console, merchant))


@pytest.mark.parametrize(
    ("state", "expected", "way"),
    [
        ({"is_active": False}, "401", "activate"),
        ({"currencies": []}, "no currency", "#id_currencies"),
        ({"methods": []}, "no payment method", "#id_methods"),
        ({"methods": ["PSE"]}, "Crypto", "#id_methods"),
        ({"currencies": ["BTC"], "methods": ["CRYPTO"]}, "Direct API", "#id_currencies"),
        ({"currencies": ["COP"], "methods": ["CRYPTO"]}, "Direct API", "#id_methods"),
        ({"webhook_url": ""}, "webhook URL", "set_webhook"),
    ],
)
def test_next_step_names_what_stops_a_sale_or_leaves_the_merchant_deaf(
    console: Console, api: ApiClient, state: dict[str, Any], expected: str, way: str
) -> None:
    merchant = api.merchant
    Merchant.objects.filter(pk=merchant.pk).update(**state)
    ways = way if way.startswith("#") else url(f"merchants_merchant_{way}", merchant.pk)
    (line,) = [why for why in steps(console, merchant) if expected in why]
    assert steps(console, merchant)[line] == [ways]
    if way.startswith("#"):
        page = console.page("merchants_merchant_change", merchant.pk).content.decode()
        assert f'id="{way[1:]}"' in page


def test_each_missing_thing_is_a_line_of_its_own(console: Console, merchant: Merchant) -> None:
    nothing = {"currencies": [], "methods": [], "webhook_url": "", "is_active": False}
    Merchant.objects.filter(pk=merchant.pk).update(**nothing)
    merchant.api_keys.update(revoked_at=clock.now())
    assert len(steps(console, merchant)) == 7
    Merchant.objects.filter(pk=merchant.pk).update(currencies=["COP"], methods=[])
    assert len(steps(console, merchant)) == 7


def test_next_step_names_payouts_that_no_key_may_create(
    console: Console, merchant: Merchant
) -> None:
    client_of(console, merchant)
    (why,) = [why for why in steps(console, merchant) if "payout" in why.lower()]
    assert steps(console, merchant)[why] == [url("merchants_merchant_issue_key", merchant.pk)]
    client_of(console, merchant, "payout:create")
    assert not [why for why in steps(console, merchant) if "payout" in why.lower()]


def test_who_may_not_change_the_account_gets_no_link_to_a_form(
    clerk: Console, api: ApiClient
) -> None:
    Merchant.objects.filter(pk=api.merchant.pk).update(currencies=[])
    assert next(iter(steps(clerk, api.merchant).values())) == []


def test_next_step_of_the_own_people_is_the_first_one_of_their_first_page(api: ApiClient) -> None:
    """What an operator has to mend is not theirs, and a key is nothing to begin with."""
    merchant = api.merchant
    merchant.api_keys.update(revoked_at=clock.now())
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    Merchant.objects.filter(pk=merchant.pk).update(currencies=[], webhook_url="")
    open_steps = [step.link for step in boss.page("index").context["first_steps"]]
    assert list(steps(boss, merchant).values()) == [open_steps[:1]]
    page = boss.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "has no currency" not in page
    assert "New API key" not in page


def test_own_people_who_began_with_the_api_are_led_to_what_it_lacks(api: ApiClient) -> None:
    """An approver has no first steps of their own once there is a link."""
    merchant = api.merchant
    new_link(merchant)
    Merchant.objects.filter(pk=merchant.pk).update(webhook_url="")
    andres = browser_of(person_of(merchant, "andres", roles.MERCHANT_APPROVER))
    assert steps(andres, merchant) == {}  # they may not set it
    page = andres.page("merchants_merchant_change", merchant.pk)
    assert "Nothing to do" not in page.content.decode()


def test_people_who_pay_by_hand_are_not_sent_for_a_key_that_pays(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    merchant = api.merchant
    monkeypatch.setattr("merchants.admin.own_page.first_steps", lambda merchant: [])
    new_link(merchant)
    merchant.api_keys.update(permissions=["collect:create"])
    Merchant.objects.filter(pk=merchant.pk).update(webhook_url="https://shop.example/hook")
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    page = boss.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "Your keys cannot make payouts" not in page
    assert "(403)" not in page
    key = merchant.api_keys.get().public_key
    ApiCall.objects.create(
        merchant=merchant,
        key=key,
        at=clock.now(),
        method="GET",
        path="/",
        status=200,
        duration_ms=1,
    )
    page = boss.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "Your keys cannot make payouts" in page


def test_colleague_is_invited_only_while_an_invitation_is_open(merchant: Merchant) -> None:
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))

    def is_done() -> bool:
        made = {str(one.link): one.is_done for one in boss.page("index").context["first_steps"]}
        return made[url("merchants_membership_invite")]

    assert not is_done()
    invite(boss, merchant, roles.MERCHANT_STAFF)
    assert is_done()
    Invitation.objects.update(accepted_at=clock.now())
    assert not is_done()


def test_account_page_of_the_own_people_stands_alone(api: ApiClient) -> None:
    """No list above it, no key on it, and each fact once."""
    merchant = api.merchant
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    page = boss.page("merchants_merchant_change", merchant.pk).content.decode()
    header = page[page.index('class="shell-name"') : page.index("</h1>")]
    assert "Your business" in header
    assert "shell-crumb" not in header
    assert "Back to the list" not in page
    assert "arrow_back" not in page
    assert "New API key" not in page
    assert merchant.api_keys.get().public_key not in page
    assert f'href="{url("merchants_apikey_changelist")}"' in page
    main = page[page.index('id="content-main"') :]
    assert main.count(merchant.email) == 1
    assert main.index("Legal data</h2>") < main.index("Webhooks</h2>")


def test_list_of_keys_says_what_a_key_is_and_when_it_was_used(
    api: ApiClient, settings: Any
) -> None:
    boss = browser_of(person_of(api.merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    key = api.merchant.api_keys.get()
    # Without the log of calls, a key that was used just now is not said to be unused.
    shown = boss.page("merchants_apikey_changelist").content.decode()
    assert "Not known: calls are not kept" in shown
    settings.API_LOG = True
    shown = boss.page("merchants_apikey_changelist").content.decode()
    for part in ("your developer calls the API", "/docs/guides/requests", "Never", key.public_key):
        assert part in shown
    assert "X-Api-Key" not in shown
    # Calls are kept for some days only.
    ApiKey.objects.update(created_at=clock.now() - timedelta(days=settings.API_LOG_DAYS + 1))
    shown = boss.page("merchants_apikey_changelist").content.decode()
    assert f"Not in {settings.API_LOG_DAYS} days" in shown


def test_a_shop_without_a_server_has_no_figures_of_webhooks(api: ApiClient) -> None:
    merchant = api.merchant
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    assert "Webhooks, 24 hours" not in boss.page("index").content.decode()
    paid(api, reference="MESA-1")
    cache.clear()
    assert "Webhooks, 24 hours" in boss.page("index").content.decode()
    Merchant.objects.filter(pk=merchant.pk).update(webhook_url="")
    assert "Webhooks, 24 hours" in boss.page("index").content.decode()
    merchant.api_keys.update(revoked_at=clock.now())
    shown = boss.page("index").content.decode()
    assert "Webhooks, 24 hours" not in shown
    assert "Webhooks that failed" not in shown


def test_the_list_of_keys_says_in_words_what_a_key_may_do(
    console: Console, merchant: Merchant
) -> None:
    client_of(console, merchant, "payout:create")
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    shown = boss.page("merchants_apikey_changelist").content.decode()
    assert "Pays out" in shown
    assert "payout:create" not in shown
