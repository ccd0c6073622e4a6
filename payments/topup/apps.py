from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, OutgoingTable, age


class TopUpConfig(AppConfig):
    name = "payments.topup"
    label = "topup"
    verbose_name = _("Top-ups")
    # The default rows that manage.py load_catalogues adds.
    catalogue = ("topups", "payments.topup.services.catalogue.load_catalogue")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"top": "topup_topup"}
    subject_facts: ClassVar[dict[str, str]] = {"top": "payments.topup.subject_facts.of_topups"}
    metrics = AppMetrics(
        outgoing={"topup": OutgoingTable(table="topup_topup")},
        ages=(age("topup-act", "topup_topup", "next_action_at"),),
    )
    console = registry.AppConsole(
        sections=(
            registry.section(
                30,
                _("Top-ups"),
                registry.Entry(
                    _("Top-ups"),
                    "send_to_mobile",
                    "topup.topup",
                    merchant_link="topups",
                    group=registry.PAYMENTS_OUT,
                ),
                registry.Entry(_("Mobile operators"), "cell_tower", "topup.operator"),
                registry.Entry(_("Top-up pricing"), "tune", "topup.topupterms"),
            ),
        ),
        queues=(
            registry.flag_queue(90, _("Top-ups in doubt that wait for an operator"), "topup.topup"),
        ),
        search=(
            registry.searched(
                "topup.topup",
                "top",
                registry.filled_equals("provider_id"),
                registry.phone_equals("phone"),
            ),
        ),
        rights={
            registry.EVERYONE: "view_topup",
            registry.OF_OPERATORS: "view_operator view_topupterms",
            registry.FINANCE: "ask_topup resolve_topup acknowledge_topup",
            registry.ADMINISTRATOR: "add_operator change_operator change_topupterms",
        },
        right_names={
            "ask_topup": gettext_noop("Can ask the rail about top-ups"),
            "resolve_topup": gettext_noop("Can resolve top-ups by hand"),
            "acknowledge_topup": gettext_noop("Can acknowledge contradictions of top-ups"),
        },
    )
