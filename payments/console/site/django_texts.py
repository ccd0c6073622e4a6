"""Texts of Django whose Spanish speaks to people formally: ours say tú.

They are here so that the catalogue has them; its texts come before Django's.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

TEXTS = (
    _(
        "Please enter your old password, for security’s sake, and then enter your new password "
        "twice so we can verify you typed it in correctly."
    ),
    _("Enter the same password as before, for verification."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
)
