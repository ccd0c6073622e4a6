"""Application config of the settlements."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console.registry import (
    EVERYONE,
    FINANCE,
    OF_OPERATORS,
    AppConsole,
    Entry,
    SearchedModel,
    Section,
)


class SettlementConfig(AppConfig):
    """Tables: Settlement, SettlementLine, TaxRule."""

    name = "payments.settlement"
    label = "settlement"
    verbose_name = _("Settlements")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"stl": "settlement_settlement"}
    console = AppConsole(
        sections=(
            Section(
                60,
                _("Settlements"),
                (
                    Entry(_("Settlements"), "event_available", "settlement.settlement"),
                    Entry(_("Tax rules"), "percent", "settlement.taxrule"),
                ),
            ),
        ),
        search=(SearchedModel(model="settlement.settlement", prefix="stl"),),
        overview="payments.settlement.admin.overview.parts",
        rights={
            EVERYONE: "view_settlement",
            OF_OPERATORS: "view_taxrule",
            FINANCE: "add_taxrule end_taxrule",
        },
        right_names={
            "end_taxrule": gettext_noop("Can end tax rules"),
        },
    )
