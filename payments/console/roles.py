"""Who may do what in the console: roles as groups, and the rights that each holds.

The only place where it is decided. Rights are text (`payout.approve_payout`), so that the kernel
knows none of the apps; migrate writes them (write), and what a deployment no longer names goes.
"""

from collections.abc import Iterable
from typing import Any

from django.apps import apps as installed_apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from payments.core.errors import ServiceError

VIEWER, SUPPORT, FINANCE, APPROVER = "Viewer", "Support", "Finance", "Approver"
ADMINISTRATOR = "Administrator"
MERCHANT_STAFF, MERCHANT_ADMINISTRATOR = "Merchant staff", "Merchant administrator"
# As people read them; the names in the database never change.
LABELS = {
    VIEWER: _("Viewer"),
    SUPPORT: _("Support"),
    FINANCE: _("Finance"),
    APPROVER: _("Approver"),
    ADMINISTRATOR: _("Administrator"),
    MERCHANT_STAFF: _("Merchant staff"),
    MERCHANT_ADMINISTRATOR: _("Merchant administrator"),
}
OF_OPERATORS = frozenset({VIEWER, SUPPORT, FINANCE, APPROVER, ADMINISTRATOR})
OF_MERCHANTS = frozenset({MERCHANT_STAFF, MERCHANT_ADMINISTRATOR})
# What an administrator gives to others. Roles that move money, or reveal what is masked to him, are
# given by superusers only: with a second account that he made himself, he would be two persons.
GIVEN_BY_ADMINISTRATORS = frozenset({VIEWER, ADMINISTRATOR}) | OF_MERCHANTS

# Never in one account: who makes accounts and keys, and who decides about money.
MONEY = frozenset({FINANCE, APPROVER})

REVEAL, EXPORT = "core.reveal_personal_data", "core.export_rows"
# Rights beside Django's own view, add, change, as `app.verb_model`, with the names they get.
OWN = {
    "collect.cancel_order": gettext_noop("Can cancel orders"),
    "collect.ask_order": gettext_noop("Can ask the rail about orders"),
    "collect.refund_order": gettext_noop("Can ask for refunds"),
    "collect.dispute_order": gettext_noop("Can open disputes"),
    "collect.approve_refund": gettext_noop("Can approve and reject refunds"),
    "collect.ask_refund": gettext_noop("Can ask the rail about refunds"),
    "collect.resolve_refund": gettext_noop("Can resolve refunds by hand"),
    "collect.acknowledge_refund": gettext_noop("Can acknowledge contradictions of refunds"),
    "collect.decide_dispute": gettext_noop("Can record how disputes were decided"),
    "collect.note_dispute": gettext_noop("Can add evidence to disputes"),
    "collect.acknowledge_dispute": gettext_noop("Can acknowledge contradictions of disputes"),
    "collect.decide_unmatchedfunds": gettext_noop("Can decide about unmatched funds"),
    "payout.approve_payout": gettext_noop("Can approve and reject payouts"),
    "payout.ask_payout": gettext_noop("Can ask the rail about payouts"),
    "payout.resolve_payout": gettext_noop("Can resolve payouts by hand"),
    "payout.acknowledge_payout": gettext_noop("Can acknowledge contradictions of payouts"),
    "topup.ask_topup": gettext_noop("Can ask the rail about top-ups"),
    "topup.resolve_topup": gettext_noop("Can resolve top-ups by hand"),
    "topup.acknowledge_topup": gettext_noop("Can acknowledge contradictions of top-ups"),
    "bills.ask_billpayment": gettext_noop("Can ask the rail about bill payments"),
    "bills.resolve_billpayment": gettext_noop("Can resolve bill payments by hand"),
    "bills.acknowledge_billpayment": gettext_noop(
        "Can acknowledge contradictions of bill payments"
    ),
    "settlement.end_taxrule": gettext_noop("Can end tax rules"),
    "webhooks.resend_event": gettext_noop("Can send events again"),
    "webhooks.resend_delivery": gettext_noop("Can send deliveries again"),
    "webhooks.test_delivery": gettext_noop("Can send test events"),
    "merchants.issue_merchant": gettext_noop("Can issue API keys"),
    # In no role: whoever holds it alone could empty an account (docs/decisions/0007).
    "merchants.outgoing_merchant": gettext_noop("Can let money out of merchants"),
    "merchants.activate_merchant": gettext_noop("Can activate and deactivate merchants"),
    "merchants.regenerate_merchant": gettext_noop("Can regenerate webhook secrets"),
    "merchants.webhook_merchant": gettext_noop("Can set the webhook URL"),
    "merchants.brand_merchant": gettext_noop("Can set colour and logo"),
    "merchants.people_merchant": gettext_noop("Can add people of merchants"),
    "merchants.revoke_apikey": gettext_noop("Can revoke API keys"),
    "auth.unlock_user": gettext_noop("Can unlock operators"),
    "auth.reset_user": gettext_noop("Can reset second factors"),
}

# As people read Django's own; their names in the database are English.
DJANGOS = {
    "view": _("Can see: %(list)s"),
    "add": _("Can add: %(list)s"),
    "change": _("Can change: %(list)s"),
    "delete": _("Can delete: %(list)s"),
}


def _rights(app: str, **verbs: str) -> frozenset[str]:
    """`_rights("payout", view="payout bank")` is payout.view_payout and payout.view_bank."""
    return frozenset(f"{app}.{verb}_{model}" for verb in verbs for model in verbs[verb].split())


_MOVEMENTS = frozenset().union(
    _rights("collect", view="order charge refund dispute"),
    *(_rights("payout", view="payout"), _rights("topup", view="topup")),
    *(_rights("bills", view="billpayment"), _rights("settlement", view="settlement")),
    *(_rights("webhooks", view="event delivery attempt"), _rights("ledger", view="account")),
    *(_rights("merchants", view="merchant apikey"), _rights("api", view="apicall")),
)
_LOOK = _MOVEMENTS.union(
    _rights("collect", view="unmatchedfunds"),
    _rights("payout", view="payoutmethod bank payoutswitch"),
    *(_rights("topup", view="operator topupterms"), _rights("bills", view="agreement billterms")),
    *(_rights("settlement", view="taxrule"), _rights("ledger", view="entry posting")),
    *(_rights("rates", view="exchangerate quote"), _rights("core", view="auditentry transition")),
    _rights("api", view="apicall"),
)
_WEBHOOKS = frozenset(
    {"webhooks.resend_event", "webhooks.resend_delivery", "webhooks.test_delivery"}
)
_OUTGOING = frozenset().union(
    *(
        _rights(app, ask=model, resolve=model, acknowledge=model)
        for app, model in (
            *(("collect", "refund"), ("payout", "payout")),
            *(("topup", "topup"), ("bills", "billpayment")),
        )
    )
)
_CATALOGUE = frozenset().union(
    _rights("payout", add="bank", change="payoutmethod bank payoutswitch"),
    _rights("topup", add="operator", change="operator topupterms"),
    _rights("bills", change="agreement billterms"),
)
_MERCHANTS = frozenset().union(
    _rights("merchants", add="merchant", change="merchant", issue="merchant", activate="merchant"),
    _rights(
        "merchants", regenerate="merchant", webhook="merchant", brand="merchant", revoke="apikey"
    ),
    _rights("merchants", people="merchant", view="membership", delete="membership"),
)
_PEOPLE = _rights("auth", view="user group", add="user", change="user", unlock="user", reset="user")
_OF_MERCHANT_STAFF = (
    _MOVEMENTS | _WEBHOOKS | {"collect.refund_order", "api.view_apicall", REVEAL, EXPORT}
)

ROLES: dict[str, frozenset[str]] = {
    # Looks at everything of the business; documents, accounts and phones stay masked.
    VIEWER: _LOOK | {EXPORT},
    # Helps payers and merchants; no act of his moves money.
    SUPPORT: _LOOK
    | _WEBHOOKS
    | {REVEAL, "collect.ask_order", "collect.cancel_order", "collect.note_dispute"},
    FINANCE: _LOOK
    | _OUTGOING
    | _WEBHOOKS
    | _rights("collect", ask="order", cancel="order", refund="order", dispute="order")
    | _rights("collect", decide="dispute unmatchedfunds", note="dispute", acknowledge="dispute")
    | {"rates.add_exchangerate", "settlement.add_taxrule", "settlement.end_taxrule"}
    | {REVEAL, EXPORT},
    # The second pair of eyes: decides, and begins nothing.
    APPROVER: _LOOK | {"payout.approve_payout", "collect.approve_refund", REVEAL},
    ADMINISTRATOR: _LOOK | _CATALOGUE | _MERCHANTS | _PEOPLE | _WEBHOOKS | {EXPORT},
    MERCHANT_STAFF: _OF_MERCHANT_STAFF,
    MERCHANT_ADMINISTRATOR: _OF_MERCHANT_STAFF
    | _rights(
        "merchants", regenerate="merchant", webhook="merchant", brand="merchant", revoke="apikey"
    ),
}


class RolesApart(ServiceError):
    """With both, one person would be two: an account asks, its maker approves."""

    code = "ROLES_APART"
    message = gettext_noop("Administrator and Approver or Finance are never of one person.")


def check_apart(names: Iterable[str]) -> None:
    """Raises RolesApart for roles that one account must not have together."""
    held = frozenset(names)
    if ADMINISTRATOR in held and held & MONEY:
        raise RolesApart


def before_given(
    *, instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_kwargs: Any
) -> None:
    """Django sends it before accounts get roles, whoever gives them and from which side."""
    if action != "pre_add" or not pk_set:
        return
    people, groups = (pk_set, {instance.pk}) if reverse else ({instance.pk}, pk_set)
    given = set(Group.objects.filter(pk__in=groups).values_list("name", flat=True))
    if not given & {ADMINISTRATOR, *MONEY}:
        return
    # Locked, so that two people do not give one role each.
    for user in User.objects.select_for_update().filter(pk__in=people).order_by("pk"):
        check_apart(given.union(user.groups.values_list("name", flat=True)))


def label(group: Group) -> str:
    """The name of a role in the reader's language; that of other groups as it is."""
    return str(LABELS.get(group.name, group.name))


def right_label(right: Permission) -> str:
    """What the right lets people do, in the reader's language."""
    verb, _underscore, _model = right.codename.partition("_")
    model = right.content_type.model_class()
    if verb in DJANGOS and right.name.startswith(f"Can {verb} ") and model is not None:
        return str(DJANGOS[verb] % {"list": model._meta.verbose_name_plural})
    return gettext(right.name)


def write(app: str) -> None:
    """Brings the rights of the roles on one app to what stands above, no more and no less."""
    if not any(right.startswith(f"{app}.") for rights in ROLES.values() for right in rights):
        return
    _create_own(app)
    codenames = {right.partition(".")[2] for rights in ROLES.values() for right in rights}
    ids = dict(
        Permission.objects.filter(content_type__app_label=app, codename__in=codenames).values_list(
            "codename", "pk"
        )
    )
    Group.objects.bulk_create([Group(name=name) for name in ROLES], ignore_conflicts=True)
    groups = dict(Group.objects.filter(name__in=ROLES).values_list("name", "pk"))
    wanted = {
        (groups[name], ids[right.partition(".")[2]])
        for name, rights in ROLES.items()
        for right in rights
        if _known(right, app, ids)
    }
    links: Any = Group.permissions.through
    rows = links.objects.filter(group__in=groups.values(), permission__content_type__app_label=app)
    held = {(row.group_id, row.permission_id): row.pk for row in rows}
    links.objects.filter(pk__in=[held[pair] for pair in held.keys() - wanted]).delete()
    links.objects.bulk_create(
        [links(group_id=group, permission_id=right) for group, right in wanted - held.keys()],
        ignore_conflicts=True,
    )


def write_all() -> None:
    """All apps, for whoever emptied the tables."""
    for config in installed_apps.get_app_configs():
        write(config.label)


def after_migrate(sender: Any, **kwargs: Any) -> None:
    """Django sends it for each app, when the app's own permissions exist."""
    try:
        kwargs["apps"].get_model("auth", "Group")
    except LookupError:  # only some migrations have run
        return
    write(sender.label)


def _known(right: str, app: str, ids: dict[str, int]) -> bool:
    of, _point, codename = right.partition(".")
    return of == app and codename in ids


def _create_own(app: str) -> None:
    """The rights of OWN on the models of one app."""
    for right, name in OWN.items():
        of, _point, codename = right.partition(".")
        if of != app:
            continue
        home = ContentType.objects.get_by_natural_key(app, codename.rpartition("_")[2])
        Permission.objects.update_or_create(
            content_type=home, codename=codename, defaults={"name": name}
        )
