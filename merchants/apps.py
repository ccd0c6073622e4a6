"""Application config of the merchants."""

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console.registry import (
    ADMINISTRATOR,
    EVERYONE,
    MERCHANT_ADMINISTRATOR,
    AppConsole,
    Entry,
    SearchedModel,
    Section,
    email_matches,
    equals,
    name_contains,
)


class MerchantsConfig(AppConfig):
    """Tables: Merchant, ApiKey, Membership."""

    name = "merchants"
    verbose_name = _("Merchants")
    console = AppConsole(
        sections=(
            Section(
                80,
                _("Merchants"),
                (
                    Entry(_("Merchants"), "storefront", "merchants.merchant"),
                    Entry(_("API keys"), "key", "merchants.apikey"),
                ),
            ),
        ),
        search=(
            SearchedModel(
                model="merchants.merchant",
                prefix="mer",
                # Merchants are few: the whole table is read.
                conditions=(email_matches(lambda email: Q(email__iexact=email)),),
                vague=(name_contains("name"),),
            ),
            SearchedModel(
                model="merchants.apikey", prefix="key", conditions=(equals("public_key"),)
            ),
        ),
        rights={
            EVERYONE: "view_merchant view_apikey",
            ADMINISTRATOR: (
                "view_membership add_merchant change_merchant delete_membership issue_merchant "
                "activate_merchant regenerate_merchant webhook_merchant brand_merchant "
                "people_merchant revoke_apikey"
            ),
            MERCHANT_ADMINISTRATOR: (
                "regenerate_merchant webhook_merchant brand_merchant revoke_apikey"
            ),
        },
        right_names={
            "issue_merchant": gettext_noop("Can issue API keys"),
            # In no role: whoever holds it alone could empty an account (docs/decisions/0007).
            "outgoing_merchant": gettext_noop("Can let money out of merchants"),
            "activate_merchant": gettext_noop("Can activate and deactivate merchants"),
            "regenerate_merchant": gettext_noop("Can regenerate webhook secrets"),
            "webhook_merchant": gettext_noop("Can set the webhook URL"),
            "brand_merchant": gettext_noop("Can set colour and logo"),
            "people_merchant": gettext_noop("Can add people of merchants"),
            "revoke_apikey": gettext_noop("Can revoke API keys"),
        },
    )
