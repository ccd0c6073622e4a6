"""The events that an account may choose, in words."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from merchants.models import optional_event_summaries


def event_choices() -> list[tuple[str, SafeString]]:
    """What happened, as in the guide of webhooks, and beside it the code."""
    return [
        (
            kind,
            format_html(
                '{} <code class="desk-small" lang="en" translate="no">{}</code>',
                gettext(summary),
                kind,
            ),
        )
        for kind, summary in optional_event_summaries()
    ]
