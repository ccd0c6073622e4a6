"""A payer's page of the operator's own account, and the console's page of a movement that waits."""

from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from payments.core import clock
from payments.core.days import day_of
from payments.reconciliation.services.matching import due_lines
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.providers.breb_qr.samples import static
from tests.rails.accounts import enter, route
from tests.reconciliation.lines import CREDENTIALS, add_line, own_account
from tests.support.charges import start
from tests.support.page_checks import overflow, violations

KEY = {"key_type": "ALPHANUMERIC", "key_value": "@EJEMPLO1234"}


def test_payer_sees_account_key_and_code_on_a_phone(open_browser, create):
    enter("own", "bankfile", "", {**CREDENTIALS, **KEY, "qr_text": static()})
    route("payin", "own")
    order = create()
    start(order, "BANK_TRANSFER")
    page = open_browser(viewport=PHONE).new_page()
    page.goto(f"{order.collect_url}?lang=es")
    assert overflow(page) == 0
    assert violations(page) == []
    picture(page, "phone-own-account")


def test_operator_sees_candidates_side_by_side(open_browser, server, create):
    session = Client()
    ana = User.objects.create_superuser("ana", "ana@pasarela.example", "Volcan-Galeras-4276")
    session.force_login(ana)
    account = own_account()
    enter("own", "bankfile", "", CREDENTIALS)
    route("payin", "own")
    today = day_of(clock.now())
    for name in ("Pedro Gómez Ruiz", "Ana María Prueba López", "Lucía Ñáñez"):
        start(create(customerName=name), "BANK_TRANSFER")
    line = add_line(
        account,
        Decimal(50_025),
        today,
        description="TRANSFERENCIA CTA SUC VIRTUAL",
        counterparty="ANA LOPEZ",
        operation_id="998877",
    )
    due_lines.match_due(now=clock.now() + timedelta(seconds=1))
    context = open_browser(is_payers=False, viewport=DESKTOP)
    cookie = {"name": "sessionid", "value": session.cookies["sessionid"].value, "url": server}
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto(server + reverse("admin:reconciliation_statementline_change", args=[line.pk]))
    expect(page.get_by_text("ANA LOPEZ").first).to_be_visible()
    assert overflow(page) == 0
    picture(page, "desktop-bank-movement")
    with page.expect_navigation():
        page.get_by_role("link", name="Aceptar", exact=True).first.click()
    picture(page, "desktop-bank-movement-accept")
