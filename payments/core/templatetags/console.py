"""What the console's own templates need: moments as everywhere in the console, saved filters."""

from datetime import datetime

from django import template

from payments.core.console import show

register = template.Library()


@register.filter
def when(moment: datetime | None) -> str:
    """Local time with seconds."""
    return show.when(moment)
