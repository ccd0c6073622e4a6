"""The browser and the system that a request says it comes from, as people know them."""

from typing import NamedTuple

from django.utils.translation import gettext

# The first that fits counts: the later ones are part of what the earlier ones send, too.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


class Browser(NamedTuple):
    """Empty where the request does not say."""

    name: str
    system: str

    def __str__(self) -> str:
        if self.name and self.system:
            names = {"browser": self.name, "system": self.system}
            return gettext("%(browser)s on %(system)s") % names
        return self.name or self.system or gettext("Unknown browser")


def browser_of(user_agent: str) -> Browser:
    def first(known: dict[str, str]) -> str:
        return next((name for part, name in known.items() if part in user_agent), "")

    return Browser(first(_BROWSERS), first(_SYSTEMS))
