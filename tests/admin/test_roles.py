"""Who may do what: every list, form and act of the console as every role of operators.

The names come from the console itself, so that whatever is added without a decision fails here.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.urls import URLPattern, reverse

from merchants import members
from merchants.models import Merchant
from payments.console import roles
from payments.console.roles import ADMINISTRATOR, APPROVER, FINANCE, SUPPORT, VIEWER
from payments.payout.admin.team_actions import TEAM_ACTIONS
from tests.admin.conftest import Console, person, url
from tests.support.merchant_staff import person_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ALL = {VIEWER, SUPPORT, FINANCE, APPROVER, ADMINISTRATOR}
WRITES = {SUPPORT, FINANCE, ADMINISTRATOR}
FORMS = ("_changelist", "_add", "_history", "_delete", "_change")
# By the ends of their names, wherever they are.
EVERYWHERE = {
    "_export": {VIEWER, FINANCE, ADMINISTRATOR},
    "_reveal": {SUPPORT, FINANCE, APPROVER},
}
OUTGOING = ("payout_payout", "topup_topup", "bills_billpayment", "collect_refund")
WAYS = ("deliveries", "orders", "payouts", "topups", "bills", "balances", "failed_deliveries")
WAYS += ("links", "webhook_endpoints")
OF_LINKS = ("new_link", "edit_link", "pause_link", "resume_link", "end_link")
ACCOUNT = ("issue_key", "set_webhook", "regenerate_secret", "set_brand", "add_person")
ACCOUNT += ("invite_person", "choose_events", "create_person", "deactivate", "activate")
ACCOUNT += ("set_legal_data", "set_retry", "set_receipt_mail", "set_strict")
ACCOUNT += ("set_document",)
STATEMENTS = ("statement", "period", "period_of", "statement_page", "statement_csv")
ACCOUNT_OF_RAIL = ("check_account", "switch_on", "switch_off", "rotate", "confirm_credentials")
ACCOUNT_OF_RAIL += ("set_alarm",)
OF_BENEFICIARIES = ("add_beneficiary", "pay_beneficiary", "edit", "archive", "restore")
OF_BATCHES = ("close", "download", "renew", "answer")
OF_PAYOUT_FILES = ("upload", "mend", "template_csv", "template_xlsx", "errors_csv", "errors_xlsx")
OF_PAYOUT_FILES += ("send", "discard", "pause", "resume", "cancel")
OF_LINES = ("take_out", "declare", "close_findings")
OF_MOVEMENTS = ("accept", "assign", "credit", "book", "mark_returned", "undo")
CHANGES_ENDPOINT = ("add_to", "edit", "switch_on", "switch_off", "rotate_secret", "remove")
OF_MERCHANTS_ONLY = ("merchants_apikey_new_key", "merchants_merchant_new_key")
OF_MERCHANTS_ONLY += ("merchants_membership_invite", "merchants_membership_invitations")
OF_MERCHANTS_ONLY += ("team_accessrequest_collect", "team_invitation_invite_colleague")
DECIDED: dict[str, set[str]] = {
    "mail_mail_send_again": {SUPPORT, ADMINISTRATOR},
    **{f"withdrawals_bankaccount_{act}": {APPROVER} for act in ("verify", "reject")},
    **{f"withdrawals_bankaccount_{act}": set() for act in ("enter", "withdraw")},
    "withdrawals_bankaccount_certificate": {APPROVER},
    **{f"auth_user_{act}": {ADMINISTRATOR} for act in ("unlock", "reset_second_factor")},
    **{f"console_export_{act}": EVERYWHERE["_export"] for act in ("state", "download", "cancel")},
    "merchants_apikey_revoke": {ADMINISTRATOR},
    "merchants_apikey_rename": {ADMINISTRATOR},
    # Of administrators of merchants.
    **{name: set() for name in OF_MERCHANTS_ONLY},
    "merchants_membership_remove": {ADMINISTRATOR},
    "merchants_membership_change_roles": {ADMINISTRATOR},
    "auth_user_invite": {ADMINISTRATOR},
    **{f"team_invitation_{a}": {ADMINISTRATOR} for a in ("invite_operator", "renew", "revoke")},
    **{f"team_accessrequest_{act}": {APPROVER} for act in ("approve", "reject")},
    "team_accessrequest_withdraw": {ADMINISTRATOR, APPROVER},
    **{f"merchants_merchant_{act}": {ADMINISTRATOR} for act in ACCOUNT},
    **{f"merchants_merchant_{way}": ALL for way in WAYS},
    **{f"merchants_merchant_{act}": WRITES for act in ("send_test", "resend_range")},
    **{f"webhooks_{act}": WRITES for act in ("event_resend", "delivery_resend", "resend")},
    **{f"webhooks_{act}": WRITES for act in ("send_test", "resend_range")},
    "webhooks_endpoint_new_endpoint": set(),
    **{f"webhooks_endpoint_{act}": {ADMINISTRATOR} for act in CHANGES_ENDPOINT},
    **{f"webhooks_endpoint_{act}": WRITES for act in ("send_test", "resend_range")},
    "webhooks_endpoint_deliveries": ALL,
    "merchants_merchant_rotate_secret": {ADMINISTRATOR},
    **{f"{kind}_{act}": {APPROVER} for kind in OUTGOING[::3] for act in ("approve", "reject")},
    **{f"{kind}_ask_rail": {FINANCE} for kind in OUTGOING},
    **{f"{kind}_{act}": {FINANCE} for kind in OUTGOING for act in ("resolve", "acknowledge")},
    "collect_refund_enter_transaction": {FINANCE},
    **{f"collect_dispute_{act}": {FINANCE} for act in ("decide", "acknowledge")},
    "collect_dispute_evidence_added": {SUPPORT, FINANCE},
    "collect_dispute_file_added": {SUPPORT, FINANCE},
    "collect_dispute_file": ALL,
    "collect_order_analytics": ALL,
    "webhooks_delivery_live": ALL,
    "webhooks_delivery_set_url": {ADMINISTRATOR},
    "webhooks_delivery_change_endpoint": {ADMINISTRATOR},
    **{f"collect_order_{act}": {SUPPORT, FINANCE} for act in ("ask_rail", "cancel_order")},
    **{f"collect_order_{act}": {FINANCE} for act in ("refund_order", "dispute_order")},
    **{f"collect_unmatchedfunds_{a}": {FINANCE} for a in ("credit", "apply_to", "give_back")},
    **{f"settlement_settlement_{page}": ALL for page in STATEMENTS},
    "payout_payout_read_qr": ALL,
    "payout_payout_receipt": ALL,
    **{f"payout_batches_payoutbatch_{act}": set() for act in OF_PAYOUT_FILES},
    **{f"payout_batches_payoutbatch_{act}": {APPROVER} for act in ("approve", "reject")},
    **{f"payout_batches_payoutbatch_result_{k}": EVERYWHERE["_export"] for k in ("csv", "xlsx")},
    "payout_batches_payoutbatch_restart": {FINANCE},
    # Of people of merchants.
    **{f"payout_payout_{act}": set() for act in ("pay", *TEAM_ACTIONS)},
    **{f"payout_beneficiary_{act}": set() for act in OF_BENEFICIARIES},
    **{f"payout_approvalpolicy_{act}": set() for act in ("propose", "take_back")},
    **{f"payout_approvalpolicy_{act}": {APPROVER} for act in ("confirm_rules", "refuse")},
    **{f"links_paymentlink_{act}": {SUPPORT, FINANCE} for act in OF_LINKS},
    "links_paymentlink_see_orders": ALL,
    **{f"reconciliation_{page}": ALL for page in ("day", "month")},
    "reconciliation_file": EVERYWHERE["_export"],
    "settlement_taxrule_end": {FINANCE},
    **{f"rates_coinfeed_{act}": {FINANCE} for act in ("accept_jump", "refuse_jump", "resume")},
    "chains_deposit_acknowledge": {FINANCE},
    "chains_chaincursor_restart": {ADMINISTRATOR},
    **{f"rails_provideraccount_{act}": {ADMINISTRATOR} for act in ACCOUNT_OF_RAIL},
    **{f"rails_provideraccount_{act}": {APPROVER} for act in ("approve", "approve_credentials")},
    "rails_provideraccount_reject_credentials": {ADMINISTRATOR, APPROVER},
    "rails_routechange_confirm": {ADMINISTRATOR},
    "rails_routechange_approve": {APPROVER},
    "rails_routechange_reject": {ADMINISTRATOR, APPROVER},
    "rails_route_health": ALL,
    "rails_route_try_out": ALL,
    "ledger_balance": ALL,
    **{f"payment_files_paymentbatch_{act}": {FINANCE} for act in OF_BATCHES},
    **{f"payment_files_paymentbatch_{act}": {APPROVER} for act in ("approve", "agree_all")},
    **{f"payment_files_batchline_{act}": {FINANCE} for act in OF_LINES},
    **{f"payment_files_batchline_{act}": {APPROVER} for act in ("agree", "reject")},
    "ledger_feeday_export": {FINANCE, ADMINISTRATOR},
    "ledger_systemaccount_change_puc": {FINANCE, ADMINISTRATOR},
    "reconciliation_statementupload_accept_gap": {FINANCE},
    **{f"reconciliation_statementline_{act}": {FINANCE} for act in OF_MOVEMENTS},
    "webhooks_delivery_resend_selected": WRITES,
}
ADDED: dict[str, set[str]] = {
    **{name: {ADMINISTRATOR} for name in ("auth_user", "merchants_merchant", "payout_bank")},
    "topup_operator": {ADMINISTRATOR},
    **{f"rails_{name}": {ADMINISTRATOR} for name in ("provideraccount", "route")},
    **{name: {FINANCE} for name in ("rates_exchangerate", "settlement_taxrule")},
    **{f"reconciliation_{name}": {FINANCE} for name in ("settlementfile", "providertariff")},
    "reconciliation_bankaccount": {ADMINISTRATOR},
    "reconciliation_statementupload": {FINANCE},
}
CATALOGUE = ("payout_payoutmethod", "payout_bank", "payout_payoutswitch", "topup_operator")
CATALOGUE += ("topup_topupterms", "bills_agreement", "bills_billterms", "rails_route")
CHANGED = {name: {ADMINISTRATOR} for name in ("auth_user", "merchants_merchant", *CATALOGUE)}
SEEN = {name: {ADMINISTRATOR} for name in ("auth_user", "auth_group", "merchants_membership")}
SEEN["team_invitation"] = {ADMINISTRATOR}
SEEN["team_accessrequest"] = {ADMINISTRATOR, APPROVER}
SEEN["ledger_feeday"] = {FINANCE, ADMINISTRATOR}
SEEN["console_export"] = EVERYWHERE["_export"]


def acts() -> Iterator[tuple[str, str]]:
    """Name and address of each page that is no list and no form of Django's."""
    for page in admin.site._registry.values():
        for entry in page.urls:
            assert isinstance(entry, URLPattern)
            if entry.name and not entry.name.endswith(FORMS) and "password" not in entry.name:
                args = ["none"] * len(entry.pattern.converters)
                yield entry.name, reverse(f"admin:{entry.name}", args=args)


def chosen() -> Iterator[tuple[str, str, str]]:
    """What is done to rows chosen in a list: name, list, action."""
    for name, page in pages():
        for action in page.actions or []:
            yield f"{name}_{action}", url(f"{name}_changelist"), action


def pages() -> Iterator[tuple[str, Any]]:
    for model, page in admin.site._registry.items():
        yield f"{model._meta.app_label}_{model._meta.model_name}", page


def decided(name: str) -> set[str] | None:
    ends = [who for end, who in EVERYWHERE.items() if name.endswith(end)]
    return DECIDED.get(name, ends[0] if ends else None)


@pytest.fixture
def people(db: None) -> dict[str, Console]:
    """One person for each role."""
    return {role: person(role.lower(), role) for role in sorted(ALL)}


def test_each_act_of_the_console_is_decided_about() -> None:
    names = {name for name, _address in acts()} | {name for name, _list, _action in chosen()}
    assert {name for name in names if decided(name) is None} == set()
    assert set(DECIDED) - names == set()


@pytest.mark.parametrize("role", sorted(ALL))
def test_each_role_does_what_is_its_own_and_nothing_else(db: None, role: str) -> None:
    browser = person("one", role)
    surprises = []
    for name, address in acts():
        may = role in (decided(name) or set())
        # Rights are asked before the record is looked for: there is none of this name.
        answer = browser.get(address).status_code
        if may != (answer in (200, 302, 404, 405)) or (not may and answer != 403):
            surprises.append((name, answer))
        if not may and browser.post(address, {"form_token": "x"}).status_code != 403:
            surprises.append((name, "POST"))
    assert surprises == []


def test_lists_and_forms_are_open_to_whom_they_concern(people: dict[str, Console]) -> None:
    surprises = []
    for role, browser in people.items():
        request = browser.get(url("index")).wsgi_request
        for name, page in pages():
            sees = role in SEEN.get(name, ALL)
            found = (
                page.has_view_permission(request),
                page.has_add_permission(request),
                page.has_change_permission(request),
            )
            wanted = (sees, role in ADDED.get(name, set()), role in CHANGED.get(name, set()))
            if found != wanted:
                surprises.append((role, name, found))
            if not sees and browser.get(url(f"{name}_changelist")).status_code != 403:
                surprises.append((role, name, "list"))
    assert surprises == []


def test_what_is_done_to_chosen_rows_is_an_act_as_well(people: dict[str, Console]) -> None:
    for name, address, action in chosen():
        for role, browser in people.items():
            listed = browser.get(address)
            offered = listed.status_code == 200 and f'value="{action}"' in listed.content.decode()
            assert offered == (role in DECIDED[name]), (name, role)


def test_no_role_has_a_right_that_does_not_exist() -> None:
    for role, rights in roles.ROLES.items():
        group = Group.objects.get(name=role)
        held = {f"{p.content_type.app_label}.{p.codename}" for p in group.permissions.all()}
        assert held == rights, role


def test_a_right_added_by_hand_goes_with_the_next_migrate(ana: User) -> None:
    viewer = Group.objects.get(name=VIEWER)
    extra = Group.objects.get(name=APPROVER).permissions.get(codename="approve_payout")
    viewer.permissions.add(extra)
    viewer.permissions.remove(viewer.permissions.get(codename="view_payout"))
    roles.write("payout")
    codenames = set(viewer.permissions.values_list("codename", flat=True))
    assert "view_payout" in codenames
    assert "approve_payout" not in codenames


def test_no_role_decides_about_what_it_begins() -> None:
    begins = {"collect.refund_order", "merchants.change_merchant", "merchants.issue_merchant"}
    decides = {"payout.approve_payout", "collect.approve_refund"}
    for role, rights in roles.ROLES.items():
        assert not (rights & begins and rights & decides), role


def test_person_of_a_merchant_may_hold_several_roles_and_is_no_operator(merchant: Merchant) -> None:
    lucia = person_of(merchant, "lucia", roles.MERCHANT_PREPARER, also=(roles.MERCHANT_APPROVER,))
    held = set(lucia.groups.values_list("name", flat=True))
    assert held == {roles.MERCHANT_PREPARER, roles.MERCHANT_APPROVER}
    assert members.scope_of(lucia) == {merchant.pk}
    assert not members.is_operator(lucia)


def test_administrators_of_the_service_do_not_give_who_approves_at_a_merchant(
    merchant: Merchant,
) -> None:
    assert roles.MERCHANT_APPROVER not in roles.GIVEN_BY_ADMINISTRATORS
    chief = person("ines", ADMINISTRATOR)
    page = chief.page("merchants_merchant_create_person", merchant.pk).content.decode()
    assert f'value="{roles.MERCHANT_PREPARER}"' in page
    assert f'value="{roles.MERCHANT_APPROVER}"' not in page
