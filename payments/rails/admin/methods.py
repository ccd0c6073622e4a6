"""Methods, currencies and networks as people name them, for forms and tables."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from payments.console.timeline import add_methods
from payments.core import money
from payments.core.products import products
from payments.providers import networks, ports, registry
from payments.providers.declaration import RailDeclaration
from payments.rails.models import ProviderAccount, product_choices
from payments.rails.services.overview import methods_of

Choice = tuple[str, str | Promise]
Group = tuple[str, list[Choice]]
_NAMES: dict[str, str | Promise] = {
    "PSE": "PSE",
    "BANK_TRANSFER": _("Bank transfer or Bre-B"),
    "CRYPTO": _("Cryptocurrency"),
    "BANK": _("Bank account"),
    "BREB": _("Bre-B key"),
}
add_methods(_NAMES)


class OpenChoice(forms.ChoiceField):
    """A list to choose from. The form itself checks what is sent, because an earlier row may have
    a value that no account carries today.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=UnfoldAdminSelectWidget(), **{"required": False, **kwargs})

    def valid_value(self, value: object) -> bool:
        return True


def name_of(method: str, rails: Iterable[RailDeclaration] = ()) -> str:
    """`Bank transfer or Bre-B` for BANK_TRANSFER; the code itself if it has no name."""
    if method in _NAMES:
        return str(_NAMES[method])
    return _direct_names(rails).get(method, method)


def account_names() -> dict[str, str]:
    """{slug: label}. A rail without an account has its code alone."""
    return dict(ProviderAccount.objects.values_list("slug", "label"))


def known_rails() -> list[RailDeclaration]:
    slugs = [*ProviderAccount.objects.values_list("slug", flat=True), *registry.rails()]
    return [rail for slug in slugs if (rail := registry.find_rail(slug)) is not None]


def method_choices() -> list[Choice | Group]:
    """Each method that an account carries, under its product."""
    rails, titles = known_rails(), dict(product_choices())
    seen: set[str] = set()
    groups: list[Group] = []
    for product in (registry.PAYIN.name, *(one.name for one in products())):
        carried = dict.fromkeys(each for rail in rails for each in methods_of(rail, product))
        found = [each for each in carried if each != product and each not in seen]
        seen.update(found)
        if found:
            named: list[Choice] = [(each, name_of(each, rails)) for each in found]
            groups.append((titles.get(product, product), named))
    return [("", gettext("Any")), *groups]


def currency_choices() -> list[Choice]:
    shown = [code for code in settings.CURRENCIES if code != money.BALANCE_OF_FIAT]
    return [("", gettext("Any")), *((code, code) for code in shown)]


def coin_choices() -> list[Choice]:
    return [choice for choice in currency_choices() if choice[0] != money.FIAT]


def network_choices() -> list[Choice]:
    return [("", gettext("Any")), *((key, one.label) for key, one in networks.NETWORKS.items())]


def _direct_names(rails: Iterable[RailDeclaration]) -> dict[str, str]:
    found: dict[str, str] = {}
    for rail in rails:
        try:
            direct = rail.payin.direct_methods() if rail.payin else ()
        except ports.ProviderError:
            continue
        found.update({one.key: gettext("%s, direct") % one.label for one in direct})
    return found
