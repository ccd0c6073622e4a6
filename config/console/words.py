"""What the frame of the console says: Unfold has no Spanish of its own.

Nothing reads these names. `make messages` finds the texts here, so that their Spanish stays in
the catalogue.
"""

from django.utils.translation import gettext_noop as _

IN_FRAME = (
    _("Dark"),
    _("General"),
    _("Go back"),
    _("Light"),
    _("More actions"),
    _("No data"),
    _("No recent searches"),
    _("Recent searches"),
    _("Return to site"),
    _("Search apps and models..."),
    _("System"),
    _("Welcome back to"),
)
IN_LISTS = (
    _("Add row"),
    _("Apply Filters"),
    _("Collapse"),
    _("Date from"),
    _("Date to"),
    _("Edit"),
    _("Expand row"),
    _("Loading more results..."),
    _("Next"),
    _("No results found"),
    _("No results matching your query"),
    _("Previous"),
    _("Reset filters"),
    _("Run"),
    _("Select action"),
    _("Select action to run"),
    _("Select all rows"),
    _("Select currency"),
    _("Select record"),
    _("Select value"),
    _("This page yielded into no results. Create a new item or reset your filters."),
    _("To"),
    _("Type to search"),
    _("Value"),
)
IN_FORMS = (
    _("After you've created a user, you’ll be able to edit more user options."),
    _("Choose file to upload"),
    _("Click to cancel"),
    _("Click to download"),
    _("Current file"),
    _("Default"),
    _("Enter an URL"),
    _("False"),
    _("Image preview"),
    _("Line number"),
    _("New"),
    _(
        "Raw passwords are not stored, so there is no way to see this "
        "user’s password, but you can change the password using "
        '<a href="{}" class="text-primary-600 dark:text-primary-500">this form</a>.'
    ),
    _("Record picture"),
    _("Reset to default"),
    _("Submit"),
    _("This item will be deleted."),
    _("Toggle password visibility"),
    _("True"),
)
AT_THE_DOOR = (
    _("Forgotten your password or username?"),
    _("You have been successfully logged out from the administration"),
)
