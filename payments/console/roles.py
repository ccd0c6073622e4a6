"""Who may do what in the console: roles as groups, and the rights that each holds.

Apps declare them (payments.console.registry). `migrate` writes them, and removes the others.
"""

from collections.abc import Iterable

from django.apps import AppConfig
from django.apps import apps as installed_apps
from django.apps.registry import Apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Case, QuerySet, When
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from payments.console.registry import (
    ADMINISTRATOR,
    APPROVER,
    FINANCE,
    MERCHANT_ADMINISTRATOR,
    MERCHANT_APPROVER,
    MERCHANT_PREPARER,
    MERCHANT_STAFF,
    OF_MERCHANTS,
    OF_OPERATORS,
    SUPPORT,
    VIEWER,
    declared,
)
from payments.core.errors import ServiceError

__all__ = [
    "ADMINISTRATOR",
    "APPROVER",
    "FINANCE",
    "MERCHANT_ADMINISTRATOR",
    "MERCHANT_APPROVER",
    "MERCHANT_PREPARER",
    "MERCHANT_STAFF",
    "OF_MERCHANTS",
    "OF_OPERATORS",
    "SUPPORT",
    "VIEWER",
]
# Readable names of the roles. The names in the database never change.
LABELS = {
    VIEWER: _("Viewer"),
    SUPPORT: _("Support"),
    FINANCE: _("Finance"),
    APPROVER: _("Approver"),
    ADMINISTRATOR: _("Administrator"),
    MERCHANT_STAFF: _("Merchant staff"),
    MERCHANT_PREPARER: _("Merchant payments"),
    MERCHANT_APPROVER: _("Merchant approver"),
    MERCHANT_ADMINISTRATOR: _("Merchant administrator"),
}
SUMMARIES = {
    VIEWER: _("Sees everything, with personal data masked"),
    SUPPORT: _("Helps payers and merchants; moves no money"),
    FINANCE: _("Moves money and asks for it; another person approves"),
    APPROVER: _("Decides what others asked for"),
    ADMINISTRATOR: _("Accounts of merchants and people, and their keys"),
    MERCHANT_STAFF: _("Sees the merchant, makes links, asks for refunds"),
    MERCHANT_PREPARER: _("Prepares the merchant's payouts and files"),
    MERCHANT_APPROVER: _("Approves what a colleague prepared"),
    MERCHANT_ADMINISTRATOR: _("The merchant's team, keys, webhook, brand and legal data"),
}
# What each role adds, beside its name in forms.
ADDS = {
    VIEWER: _("sees all records, personal data masked"),
    SUPPORT: _("helps payers and merchants, moves no money"),
    FINANCE: _("requests refunds, decides disputes and money in doubt"),
    APPROVER: _("approves payouts and refunds, starts nothing"),
    ADMINISTRATOR: _("manages operators, merchants and their people"),
    MERCHANT_STAFF: _("sees everything of the merchant, requests refunds"),
    MERCHANT_PREPARER: _("also prepares payouts"),
    MERCHANT_APPROVER: _("also approves what another person prepared"),
    MERCHANT_ADMINISTRATOR: _("also prepares payouts; manages people, keys and webhooks"),
}
# The roles that an administrator may give. Only superusers give roles that move money or reveal
# masked data. Otherwise an administrator could give such a role to a second account of their own
# and act as two persons.
GIVEN_BY_ADMINISTRATORS = frozenset({VIEWER, ADMINISTRATOR}) | OF_MERCHANTS - {MERCHANT_APPROVER}

# Not allowed in one account: creating accounts and keys, and deciding about money.
MONEY = frozenset({FINANCE, APPROVER})

REVEAL, EXPORT = "core.reveal_personal_data", "core.export_rows"
# Readable names of Django's own rights. Their names in the database are English.
DJANGOS = {
    "view": _("Can see: %(list)s"),
    "add": _("Can add: %(list)s"),
    "change": _("Can change: %(list)s"),
    "delete": _("Can delete: %(list)s"),
}


def _full(app: str, right: str) -> str:
    return right if "." in right else f"{app}.{right}"


def _held_by(role: str) -> frozenset[str]:
    return frozenset(
        _full(app, right)
        for app, console in declared().items()
        for roles, rights in console.rights.items()
        if role == roles or (isinstance(roles, frozenset) and role in roles)
        for right in rights.split()
    )


# Rights beside Django's own, with their names.
OWN = {
    _full(app, right): name
    for app, console in declared().items()
    for right, name in console.right_names.items()
}
# Viewers see all business data, with documents, accounts and phones masked. Support cannot move
# money. Approvers are the second person: they decide, and request nothing.
ROLES = {role: _held_by(role) for role in LABELS}


class RolesApart(ServiceError):
    """One person with both roles could act as two: create an account that requests, and approve."""

    code = "ROLES_APART"
    message = gettext_noop("Administrator and Approver or Finance are never of one person.")


def check_apart(names: Iterable[str]) -> None:
    held = frozenset(names)
    if ADMINISTRATOR in held and held & MONEY:
        raise RolesApart


def before_given(
    *,
    instance: User | Group,
    action: str,
    reverse: bool,
    pk_set: set[int] | None,
    **_kwargs: object,
) -> None:
    """A handler of Django's signal before accounts get roles, from either side."""
    if action != "pre_add" or not pk_set:
        return
    people, groups = (pk_set, {instance.pk}) if reverse else ({instance.pk}, pk_set)
    given = set(Group.objects.filter(pk__in=groups).values_list("name", flat=True))
    if not given & {ADMINISTRATOR, *MONEY}:
        return
    # Locked, so that two people cannot each give one of the two roles.
    for user in User.objects.select_for_update().filter(pk__in=people).order_by("pk"):
        check_apart(given.union(user.groups.values_list("name", flat=True)))


def by_power(groups: QuerySet[Group]) -> QuerySet[Group]:
    """The role that can do least first."""
    return groups.order_by(power(), "name")


def power() -> Case:
    """Of operators first, then of merchants; in each the role that can do least."""
    places = [When(name=name, then=place) for place, name in enumerate(LABELS)]
    return Case(*places, default=len(places))


def label(group: Group) -> str:
    return str(LABELS.get(group.name, group.name))


def described(name: str) -> str:
    """`Support: helps payers and merchants, moves no money`."""
    shown, adds = LABELS.get(name, name), ADDS.get(name)
    return f"{shown}: {adds}" if adds else str(shown)


def right_label(right: Permission) -> str:
    verb, _underscore, _model = right.codename.partition("_")
    model = right.content_type.model_class()
    if verb in DJANGOS and right.name.startswith(f"Can {verb} ") and model is not None:
        return str(DJANGOS[verb] % {"list": model._meta.verbose_name_plural})
    return gettext(right.name)


def write(app: str) -> None:
    """Gives the roles exactly their declared rights on one app."""
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
    links = Group.permissions.through
    rows = links.objects.filter(group__in=groups.values(), permission__content_type__app_label=app)
    held = {(row.group_id, row.permission_id): row.pk for row in rows}
    links.objects.filter(pk__in=[held[pair] for pair in held.keys() - wanted]).delete()
    links.objects.bulk_create(
        [links(group_id=group, permission_id=right) for group, right in wanted - held.keys()],
        ignore_conflicts=True,
    )


def write_all() -> None:
    """Runs for all apps after tests have emptied the tables."""
    for config in installed_apps.get_app_configs():
        write(config.label)


def after_migrate(sender: AppConfig, apps: Apps, **_kwargs: object) -> None:
    """A handler of Django's signal for each app, after the app's own permissions exist."""
    try:
        apps.get_model("auth", "Group")
    except LookupError:  # only some migrations have run
        return
    write(sender.label)


def _known(right: str, app: str, ids: dict[str, int]) -> bool:
    of, _point, codename = right.partition(".")
    return of == app and codename in ids


def _create_own(app: str) -> None:
    for right, name in OWN.items():
        of, _point, codename = right.partition(".")
        if of != app:
            continue
        home = ContentType.objects.get_by_natural_key(app, codename.rpartition("_")[2])
        Permission.objects.update_or_create(
            content_type=home, codename=codename, defaults={"name": name}
        )
