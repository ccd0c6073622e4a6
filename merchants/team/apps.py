from datetime import datetime

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry


def _waiting(now: datetime) -> Q:
    return Q(status="WAITING", expires_at__gt=now)


class TeamConfig(AppConfig):
    name = "merchants.team"
    label = "team"
    verbose_name = _("Team")
    console = registry.AppConsole(
        sections=(
            registry.section(
                80,
                _("Merchants"),
                registry.Entry(
                    _("Team"), "group", "merchants.membership", order=2, group=registry.BUSINESS
                ),
                registry.Entry(
                    _("Invitations"), "mail", "team.invitation", order=3, group=registry.BUSINESS
                ),
                registry.Entry(
                    _("Requests for access"),
                    "rule",
                    "team.accessrequest",
                    order=4,
                    group=registry.BUSINESS,
                ),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=15,
                label=_("Requests for access"),
                model="team.accessrequest",
                where=_waiting,
                query="status__exact=WAITING",
                decided_by="team.approve_accessrequest",
                asked_by="requested_by",
                tasks="merchants.team.waiting.requests",
            ),
        ),
        rights={
            frozenset({registry.ADMINISTRATOR, registry.MERCHANT_ADMINISTRATOR}): (
                "view_invitation revoke_invitation view_accessrequest"
            ),
            registry.ADMINISTRATOR: "invite_invitation",
            registry.MERCHANT_ADMINISTRATOR: "collect_accessrequest",
            frozenset({registry.APPROVER, registry.MERCHANT_APPROVER}): (
                "view_accessrequest approve_accessrequest"
            ),
        },
        right_names={
            "revoke_invitation": gettext_noop("Can revoke and renew invitations"),
            "invite_invitation": gettext_noop("Can invite operators"),
            "approve_accessrequest": gettext_noop("Can decide requests for access"),
            "collect_accessrequest": gettext_noop("Can collect approved keys"),
        },
    )
