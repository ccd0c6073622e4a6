from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry


class MerchantsConfig(AppConfig):
    name = "merchants"
    verbose_name = _("Merchants")
    console = registry.AppConsole(
        sections=(
            registry.section(
                80,
                _("Merchants"),
                registry.Entry(
                    _("Merchants"), "storefront", "merchants.merchant", group=registry.BUSINESS
                ),
                registry.Entry(_("API keys"), "key", "merchants.apikey", group=registry.DEVELOPERS),
            ),
        ),
        search=(
            registry.searched(
                "merchants.merchant",
                "mer",
                # Without an index, because there are few merchants.
                registry.email_matches(lambda email: Q(email__iexact=email)),
                vague=registry.name_contains("name"),
            ),
            registry.searched("merchants.apikey", "key", registry.equals("public_key")),
        ),
        overview="merchants.admin.overview.parts",
        first_steps="merchants.admin.first_steps.steps",
        rights={
            registry.EVERYONE: "view_merchant view_apikey",
            registry.ADMINISTRATOR: (
                "view_membership add_merchant change_merchant delete_membership issue_merchant "
                "activate_merchant regenerate_merchant webhook_merchant brand_merchant "
                "people_merchant legal_merchant roles_membership revoke_apikey rename_apikey"
            ),
            registry.MERCHANT_ADMINISTRATOR: (
                "regenerate_merchant webhook_merchant brand_merchant legal_merchant "
                "people_merchant keys_merchant view_membership roles_membership "
                "delete_membership revoke_apikey rename_apikey"
            ),
        },
        right_names={
            "issue_merchant": gettext_noop("Can issue API keys"),
            # No role has this right, because its holder alone could empty an account
            # (docs/decisions/0007).
            "outgoing_merchant": gettext_noop("Can let money out of merchants"),
            "activate_merchant": gettext_noop("Can activate and deactivate merchants"),
            "regenerate_merchant": gettext_noop("Can regenerate webhook secrets"),
            "webhook_merchant": gettext_noop("Can set the webhook URL"),
            "brand_merchant": gettext_noop("Can set colour and logo"),
            "legal_merchant": gettext_noop("Can set legal data"),
            "people_merchant": gettext_noop("Can add people of merchants"),
            "keys_merchant": gettext_noop("Can issue keys of the own merchant"),
            "roles_membership": gettext_noop("Can change roles of people of merchants"),
            "rename_apikey": gettext_noop("Can rename API keys"),
            "revoke_apikey": gettext_noop("Can revoke API keys"),
        },
    )
