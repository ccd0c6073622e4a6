"""The tenant scope: a user of another merchant opens every address of the console.

Addresses come from the resolver, and pages from the registry: whatever is added is walked, too,
and a new page of records fails here until it is decided whose its rows are.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import transaction
from django.test import override_settings
from django.urls import reverse
from django.utils.html import escape

from merchants.models import ApiKey, Merchant
from payments.console import tenancy
from payments.core.models import AuditEntry
from tests.admin.conftest import Build, Console
from tests.admin.decided_pages import ACTS, CLOSED, OF_ONESELF, OPEN
from tests.support.factories import MerchantFactory
from tests.support.merchant_staff import browser_of
from tests.support.two_tenants import OTHER, OWN, World, furnish, load_catalogues, today
from webhooks.models import Delivery

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FORM = {"form_token": "t", "reason": "A stranger was here", "format": "CSV", "post": "yes"}
LOOKUPS = ("merchant__id__exact", "merchant", "order__merchant__id__exact", "id__exact")
ROWS_WALKED = 4
ABSENT_NUMBER = 999_999_999


@pytest.fixture(scope="module")
def worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[World, World]]:
    """Café Andino and Otra Tienda, furnished once; each test begins with them as they were."""
    quick = {
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "DOORBELL": False,
    }
    with django_db_blocker.unblock(), override_settings(**quick), transaction.atomic():
        load_catalogues()
        own = furnish(MerchantFactory(), OWN)
        other = MerchantFactory(name="Otra Tienda", email="hola@otratienda.co")
        yield own, furnish(other, OTHER)
        transaction.set_rollback(True)


@pytest.fixture
def own(worlds: tuple[World, World], settings: Any, db: None) -> World:
    """Café Andino, whose administrator walks."""
    settings.DOORBELL = False
    return worlds[0]


@pytest.fixture
def other(worlds: tuple[World, World], db: None) -> World:
    """Otra Tienda, of which nothing may be seen."""
    return worlds[1]


@pytest.fixture
def walker(own: World) -> Console:
    """The browser of Café Andino's administrator."""
    return browser_of(own.user)


def patterns(found: Any = None, prefix: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """(name, address with its parameters in angle brackets, parameters) of the whole console."""
    for each in admin.site.get_urls() if found is None else found:
        route = prefix + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from patterns(each.url_patterns, route)
        else:
            route = re.sub(r"<(?:\w+:)?(\w+)>", r"<\1>", route)
            yield each.name or "", route, re.findall(r"<(\w+)>", route)


def model_of(route: str) -> Any:
    """The model whose page the address belongs to, None for those of the site."""
    parts = route.split("/")
    try:
        return apps.get_model(parts[0], parts[1])
    except (LookupError, IndexError, ValueError):
        return None


def fill(route: str, value: Any) -> str:
    """The address with every parameter replaced."""
    return "/admin/" + re.sub(r"<\w+>", str(value).replace("_", "_5F"), route)


def absent(pk: Any) -> Any:
    """An id like this one that no row has."""
    return f"{pk[:-8]}00000000" if isinstance(pk, str) else ABSENT_NUMBER


def seen(answer: Any, *ids: Any) -> tuple[Any, ...]:
    """All that a person gets, with each of the ids as <id>."""

    def plain(text: str) -> str:
        for pk in ids:
            text = text.replace(str(pk).replace("_", "_5F"), str(pk))
            text = re.sub(rf"(?<![\w-]){pk}(?![\w-])", "<id>", text)  # not the 8 of utf-8
        return re.sub(r'(nonce|value)="[^"]{16,}"', "", text)

    told = [plain(str(said)) for said in answer.wsgi_request._messages._queued_messages]
    body = b"" if answer.streaming else answer.content
    where = plain(answer.headers.get("Location", ""))
    return answer.status_code, where, plain(body.decode()), told


def test_every_page_of_records_is_decided() -> None:
    """A new page stands in one of the two lists above, or this fails."""
    found = {
        model._meta.label_lower: getattr(page, "merchant_path", None)
        for model, page in admin.site._registry.items()
    }
    assert found == {**OPEN, **dict.fromkeys(CLOSED)}


def test_every_address_of_a_record_of_others_is_as_if_it_were_absent(
    walker: Console, own: World, other: World
) -> None:
    theirs = other.ids()
    assert all(theirs.values()), {label for label, ids in theirs.items() if not ids}
    before = AuditEntry.objects.count()
    walked, missing = 0, walker.get("/admin/no/such/page/")
    assert missing.status_code == 404
    for name, route, parameters in patterns():
        if not parameters or name in OF_ONESELF:
            continue
        model = model_of(route)
        if parameters == ["merchant_id"]:
            model = Merchant
        elif model is None:
            assert name in ("view_on_site", "app_list", ""), f"undecided address: {route}"
            continue
        label = model._meta.label_lower
        pk = theirs[label][0] if label in OPEN else _any_id(model)
        for method in ("get", "post"):
            walker.cookies.pop("messages", None)  # what the addresses before it said
            there = getattr(walker, method)(fill(route, pk), FORM)
            walked += 1
            if label in CLOSED and label != "console.export":
                assert seen(there, pk) == seen(missing, pk), (method, route)
                continue
            walker.cookies.pop("messages", None)
            nowhere = getattr(walker, method)(fill(route, absent(pk)), FORM)
            assert there.status_code in (301, 302, 403, 404, 405), (method, route)
            ids = (pk, absent(pk))
            assert seen(there, *ids) == seen(nowhere, *ids), (method, route)
    assert walked > 300
    assert AuditEntry.objects.count() == before
    _nothing_happened(other)


def _any_id(model: Any) -> Any:
    row = model._default_manager.order_by("-pk").first()  # the stranger came last
    return ABSENT_NUMBER - 1 if row is None else row.pk


def _nothing_happened(other: World) -> None:
    assert not ApiKey.objects.filter(merchant=other.merchant, revoked_at__isnull=False).exists()
    assert not Delivery.objects.filter(merchant=other.merchant).exclude(cause="event").exists()
    stored = Merchant.objects.get(pk=other.merchant.pk)
    assert (stored.webhook_secret, stored.webhook_url) == (
        other.merchant.webhook_secret,
        other.merchant.webhook_url,
    )
    assert other.order.refunds.count() == 1


def _name(label: str, pk: object) -> str:
    """The heading of a record whose page has no id."""
    return escape(str(apps.get_model(label)._default_manager.get(pk=pk)))


def test_no_list_and_no_page_holds_anything_of_others(
    walker: Console, own: World, other: World
) -> None:
    telltales = other.telltales()
    for label, ids in own.ids().items():
        page = label.replace(".", "_")
        answers = {"list": walker.page(f"{page}_changelist")}
        # The URL of the account is an endpoint without a row.
        listed = len(ids) + (label == "webhooks.endpoint")
        assert answers["list"].context["cl"].result_count == listed, label
        for query in ("_popup=1&_to_field=id", "_facets=True&all="):
            answers[query] = walker.get(f"{reverse(f'admin:{page}_changelist')}?{query}")
        for pk in ids[:ROWS_WALKED]:
            answers[str(pk)] = walker.page(f"{page}_change", pk)
            assert answers[str(pk)].status_code == 200, pk
            shown = answers[str(pk)].content.decode()
            assert str(pk) in shown or _name(label, pk) in shown
        for what, answer in answers.items():
            _clean(answer, telltales, (label, what))


def test_the_pages_of_the_site_hold_nothing_of_others(walker: Console, other: World) -> None:
    telltales = other.telltales()
    for name in ("index", "access"):
        _clean(walker.page(name), telltales, name)
    for app in {label.partition(".")[0] for label in (*OPEN, *CLOSED)}:
        _clean(walker.get(reverse("admin:app_list", args=[app])), telltales, app)
    one_of_each = {label: str(ids[0]) for label, ids in other.ids().items()}
    for term in {*OTHER.texts(), other.merchant.name, *one_of_each.values()}:
        for query in ({"q": term}, {"s": term, "extended": "1"}):
            answer = walker.page("search", **query)
            assert answer.status_code == 200, term
            _clean(answer, telltales - {term} - _within(term, telltales), term)
            link = rf'href="[^"]*(?<!\w){re.escape(str(term))}(?!\w)'
            assert not re.search(link, answer.content.decode())


def test_search_and_filters_find_nothing_of_others(walker: Console, other: World) -> None:
    telltales = other.telltales()
    theirs = other.ids()
    for label in OPEN:
        page = f"{label.replace('.', '_')}_changelist"
        terms = (theirs[label][0], OTHER.reference, OTHER.document, OTHER.trace, OTHER.payer)
        for term in (*terms, other.merchant.name):
            answer = walker.page(page, q=term)
            assert answer.status_code == 200, (label, term)
            if answer.context["cl"].search_fields:  # a short list of one's own has no search
                assert answer.context["cl"].result_count == 0, (label, term)
        for lookup in (
            "merchant__id__exact",
            "merchant",
            "order__merchant__id__exact",
            "id__exact",
        ):
            value = theirs[label][0] if lookup == "id__exact" else other.merchant.pk
            answer = walker.page(page, **{lookup: value})
            assert answer.status_code in (200, 302, 400)
            if answer.status_code == 200 and answer.context:
                assert answer.context["cl"].result_count == 0, (label, lookup)
            _clean(answer, telltales - {value}, (label, lookup))


def test_files_hold_nothing_of_others(walker: Console, own: World, other: World) -> None:
    telltales = other.telltales()
    files = 0
    for name, route, _parameters in patterns():
        if not name.endswith("_export") or model_of(route)._meta.label_lower not in OPEN:
            continue
        answer = walker.post(f"/admin/{route}?q=", {"format": "CSV", "whole": "1"})
        assert answer.status_code == 200, route
        body = b"".join(answer.streaming_content).decode() if answer.streaming else ""
        assert any(str(pk) in body for pk in own.ids()[model_of(route)._meta.label_lower]), route
        assert not [text for text in telltales if str(text) in body], route
        files += 1
    assert files >= 6


def test_the_choices_of_forms_are_no_list_of_others(walker: Console, other: World) -> None:
    """Each relation of each table, as the autocomplete view would be asked for it."""
    asked, telltales = 0, other.telltales()
    for model in apps.get_models():
        for field in model._meta.fields:
            if not field.is_relation:
                continue
            for term in ("", other.merchant.name):
                answer = walker.page(
                    "autocomplete",
                    term=term,
                    app_label=model._meta.app_label,
                    model_name=model._meta.model_name,
                    field_name=field.name,
                )
                assert answer.status_code in (200, 403, 404), (model, field)
                _clean(answer, telltales, (model, field))
                asked += 1
    assert asked > 80


def test_acts_on_chosen_rows_do_not_reach_others(walker: Console, own: World, other: World) -> None:
    theirs = list(Delivery.objects.filter(merchant=other.merchant).values_list("pk", flat=True))
    chosen = {"action": "resend_selected", "_selected_action": theirs}
    answer = walker.post("/admin/webhooks/delivery/", chosen)
    _clean(answer, other.telltales(), "chosen")
    shown = walker.page("webhooks_resend")
    token = shown.context["form_token"]
    form = {"ids": ",".join(theirs), "form_token": token, "reason": "Again"}
    walker.post("/admin/webhooks/delivery/resend/", form)
    _nothing_happened(other)
    # The same on one's own rows does something: the test would see it.
    mine = Delivery.objects.filter(merchant=own.merchant).first()
    token = walker.page("webhooks_resend").context["form_token"]
    walker.post("/admin/webhooks/delivery/resend/", {**form, "ids": mine.pk, "form_token": token})
    assert Delivery.objects.filter(merchant=own.merchant, cause="resend").count() == 1


def test_statements_are_one_s_own(walker: Console, own: World, other: World) -> None:
    period = {"currency": "COPM", "first": "2026-03-01", "last": today()}
    for form in ("page", "csv", "lines", "lines-csv", "lines-xlsx"):
        address = reverse("admin:settlement_settlement_statement")
        mine = walker.get(address, {**period, "merchant": own.merchant.pk, "form": form})
        assert mine.status_code == 200
        asked = {
            pk: walker.get(address, {**period, "merchant": pk, "form": form})
            for pk in (other.merchant.pk, absent(other.merchant.pk))
        }
        there, nowhere = (seen(answer, pk) for pk, answer in asked.items())
        assert there == nowhere
        assert there[0] == 302
    forms = [
        walker.submit("settlement_settlement_period", **period, merchant=pk, form="csv")
        for pk in (other.merchant.pk, absent(other.merchant.pk))
    ]
    assert [answer.status_code for answer in forms] == [400, 400]
    pages = {seen(a, a.wsgi_request.POST["merchant"])[2] for a in forms}
    assert len({re.sub(r"form_token.*?>", "", page) for page in pages}) == 1


def test_what_people_of_merchants_may_do_is_this_and_nothing_else(own: World) -> None:
    """An act that is added is closed until it is named above."""
    opened = set()
    for model, page in admin.site._registry.items():
        prefix = f"{model._meta.app_label}_{model._meta.model_name}_"
        opened |= {prefix + act for act in getattr(page, "merchant_actions", ())}
    ways = {act for act in opened if act.startswith("merchants_merchant_")} - ACTS
    looks = {act for act in opened if act.startswith("settlement_settlement_")}
    renamed = {
        "webhooks_delivery_resend_selected": "webhooks_resend",
        "webhooks_delivery_resend_many": "webhooks_resend",
        "webhooks_delivery_send_test": "webhooks_send_test",
        "webhooks_delivery_resend_range": "webhooks_resend_range",
    }
    assert {renamed.get(act, act) for act in opened - ways - looks} == ACTS
    # The ways lead to other pages, and the looks show statements.
    assert {act.removeprefix("merchants_merchant_") for act in ways} == {
        *("deliveries", "failed_deliveries", "orders", "payouts", "topups", "bills"),
        *("balances", "send_test", "resend_range", "links", "webhook_endpoints", "rotate_secret"),
    }
    assert len(looks) == 4


def test_a_page_without_a_decision_is_closed_to_people_of_merchants(
    walker: Console, monkeypatch: pytest.MonkeyPatch, own: World, build_merchant_site: Build
) -> None:
    """What would happen to a page whose author forgot the wall."""
    page = next(page for model, page in admin.site._registry.items() if model is ApiKey)
    assert walker.page("merchants_apikey_changelist").status_code == 200
    monkeypatch.setattr(type(page), "merchant_path", None)
    build_merchant_site()
    assert walker.page("merchants_apikey_changelist").status_code == 404
    key = ApiKey.objects.filter(merchant=own.merchant).first()
    assert walker.page("merchants_apikey_change", key.pk).status_code == 404
    assert walker.submit("merchants_apikey_revoke", key.pk).status_code == 404


def test_a_request_that_came_around_the_console_sees_no_row(rf: Any, own: World) -> None:
    request = rf.get("/")
    request.user = own.user
    for page in admin.site.of_merchants._registry.values():
        if page.opts.label_lower in OPEN:
            with pytest.raises(tenancy.NoScope):
                page.get_queryset(request)


def _within(term: str, telltales: set[str]) -> set[str]:
    """Telltales that the term itself holds, since a page repeats what was searched."""
    return {text for text in telltales if str(text) in str(term)}


def _clean(answer: Any, telltales: set[str], what: Any) -> None:
    html = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text = html.decode(errors="replace")
    assert not [mark for mark in telltales if str(mark) in text], what
