"""Short names of config.console for the settings and Django."""

from config.console.dashboard import dashboard
from config.console.navigation import SECTIONS, environment, favicon, navigation, styles, subheader
from config.console.site import PasarelaAdminSite

__all__ = [
    "SECTIONS",
    "PasarelaAdminSite",
    "dashboard",
    "environment",
    "favicon",
    "navigation",
    "styles",
    "subheader",
]
