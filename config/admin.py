"""Names of the console for the settings, and its users' merchants."""

from typing import Any

from merchants import members
from merchants.models import Merchant
from merchants.team.views import InvitationViews
from payments.console.site.admin_site import MerchantSite, OperatorSite
from payments.console.site.dashboard import dashboard
from payments.console.site.navigation import environment, favicon, navigation, styles, subheader
from payments.console.tenancy import Scope

__all__ = [
    "PasarelaAdminSite",
    "dashboard",
    "environment",
    "favicon",
    "navigation",
    "styles",
    "subheader",
]


class PasarelaMerchantSite(InvitationViews, MerchantSite):
    def colleagues_of(self, merchants: frozenset[str]) -> dict[str, str]:
        return members.names_of(merchants)

    def merchant_names(self, merchants: list[str]) -> list[str]:
        named = Merchant.objects.filter(pk__in=merchants).order_by("name")
        return list(named.values_list("name", flat=True)[:3])


class PasarelaAdminSite(InvitationViews, OperatorSite):
    of_merchants = PasarelaMerchantSite()

    def scope_of(self, user: Any) -> Scope:
        return members.scope_of(user)
