"""The accounts whose chain is read, on or off: money to old addresses still arrives."""

from payments.providers import registry
from payments.providers.ports.chain import ChainPort
from payments.rails.models import ProviderAccount


def find_chain(account: str) -> ChainPort | None:
    rail = registry.find_rail(account)
    return rail.chain if rail else None


def list_accounts() -> list[str]:
    slugs = ProviderAccount.objects.order_by("slug").values_list("slug", flat=True)
    return [slug for slug in slugs if find_chain(slug) is not None]
