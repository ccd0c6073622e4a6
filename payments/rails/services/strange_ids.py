"""Ids of a rail under which we have recorded no payment."""

from django.core.cache import cache

from payments.core.failopen import FailOpen
from payments.providers import ports
from payments.rails.services import wire_references

# So long a rail is not asked again about an id that was none of ours.
STRANGE_SECONDS = 3600
fail_open = FailOpen("strange_ids.no_cache", (Exception,))


def find_reference(adapter: ports.FindsReference, account: str, provider_id: str) -> str:
    """Our reference of what the rail calls `provider_id`. Empty if it is none of ours.

    Calls the rail. Raises ProviderError.
    """
    key = f"not-ours:{account}:{provider_id}"
    if fail_open.call(lambda: cache.get(key)):
        return ""
    reference = adapter.find_reference(provider_id)
    if not reference:
        fail_open.call(lambda: cache.set(key, 1, STRANGE_SECONDS))
    return wire_references.find_ours(account, reference) or reference
