from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry


class SettlementConfig(AppConfig):
    name = "payments.settlement"
    label = "settlement"
    verbose_name = _("Settlements")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"stl": "settlement_settlement"}
    console = registry.AppConsole(
        sections=(
            registry.section(
                60,
                _("Settlements"),
                registry.Entry(
                    _("Settlements"),
                    "event_available",
                    "settlement.settlement",
                    group=registry.MONEY,
                ),
                registry.Entry(_("Tax rules"), "percent", "settlement.taxrule"),
            ),
        ),
        search=(registry.searched("settlement.settlement", "stl"),),
        overview="payments.settlement.admin.overview.parts",
        rights={
            registry.EVERYONE: "view_settlement",
            registry.OF_OPERATORS: "view_taxrule",
            registry.FINANCE: "add_taxrule end_taxrule",
        },
        right_names={"end_taxrule": gettext_noop("Can end tax rules")},
    )
