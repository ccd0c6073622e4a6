from django.conf import settings


def callback_url(product: str, account: str) -> str:
    """Where the rail or account reports: it goes with each request, or operators enter it there."""
    return f"{settings.PUBLIC_URL}/callbacks/{product}/{account}"
