"""The console's pieces under the names that the settings and Django know; see config.console."""

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
