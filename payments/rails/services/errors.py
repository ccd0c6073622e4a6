from django.utils.translation import gettext_noop as _

from payments.core.errors import ServiceError


class UnknownRail(ServiceError):
    message = _("No provider has this name.")


class NameTaken(ServiceError):
    message = _("A rail of the settings has this name.")


class CredentialRefused(ServiceError):
    """`details.field` is its name. The value is never in the message."""

    message = _("%(label)s: %(problem)s")


class PrivateKeyRefused(ServiceError):
    """`details.field` is its name. The value is in no message."""

    message = _(
        "This is the private key, or the words, of a wallet: anyone who has it can take the "
        "money. Nothing was saved. Move the money of that wallet to another one."
    )


class AddressRefused(ServiceError):
    message = _("Address of the rail: %(problem)s")


class OtherContract(ServiceError):
    """`details.field` is the name of the credential."""

    message = _(
        "%(label)s names the contract and cannot be replaced. Another contract is another account: "
        "connect it, and switch this one off."
    )


class RequestChanged(ServiceError):
    message = _("What you saw was replaced since then. Look at the account again.")


class NotSwitchable(ServiceError):
    message = _("The account cannot be switched like this now.")


class ChangeWaits(ServiceError):
    message = _("A change of this route waits for a second person. Approve or reject it first.")


class ChangeDecided(ServiceError):
    message = _("This change was approved or rejected already.")


class ChangeImpossible(ServiceError):
    """What was right when it was requested no longer is."""

    message = _("The route cannot be as this change says. %(problem)s")


class NotConfirmed(ServiceError):
    """A file is no person, so two persons of the console stand behind what it declares."""

    message = _(
        "The deployment's declaration asks for this, and a declaration is no person. Another "
        "person has to confirm it first."
    )
