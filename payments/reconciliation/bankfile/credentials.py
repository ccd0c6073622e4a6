"""What an operator enters to collect by transfers to an account of their own."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.core.text import normalised_document
from payments.outgoing import beneficiary_validation
from payments.providers.account import Credential, InvalidCredentials, RailAccount
from payments.providers.breb_qr.own_qr import check_own_qr
from payments.providers.breb_qr.refusals import QRRefused
from payments.providers.colombian_banks import NAMES

SAVINGS, CHECKING = "SAVINGS", "CHECKING"
# The scheme's limit for one payment to a key, in pesos (1,000 UVB of 2025).
KEY_MAX = 11_552_000

CREDENTIALS = (
    Credential(
        name="bank_code",
        label=_("Bank"),
        is_public=True,
        is_identity=True,
        choices=tuple((code, f"{name} ({code})") for code, name in NAMES.items()),
    ),
    Credential(
        name="account_number",
        label=_("Account number"),
        help=_("Digits only, as the statements of the bank have it."),
        is_public=True,
        is_identity=True,
    ),
    Credential(
        name="account_type",
        label=_("Account type"),
        is_public=True,
        choices=((SAVINGS, _("Savings")), (CHECKING, _("Checking"))),
        default=SAVINGS,
    ),
    Credential(
        name="holder",
        label=_("Account holder"),
        help=_("Payers see the name, and their banks may ask for it."),
        is_public=True,
    ),
    Credential(
        name="document",
        label=_("Holder's document"),
        help=_("Payers' banks ask for it, such as the NIT without its check digit."),
        is_public=True,
    ),
    Credential(
        name="key_type",
        label=_("Type of the Bre-B key"),
        help=_("Leave it empty if the account has no key."),
        is_public=True,
        is_optional=True,
        choices=(
            ("PHONE", _("Mobile phone")),
            ("EMAIL", _("Email")),
            ("ALPHANUMERIC", _("Alphanumeric key")),
            ("ID", _("Document")),
            ("BCODE", _("Merchant code")),
        ),
    ),
    Credential(
        name="key_value",
        label=_("Bre-B key"),
        help=_("A key that leads to this account. Payers may pay to it instead."),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="qr_text",
        label=_("Text of the bank's QR code"),
        help=_("Of the static code that your bank made for this key. It begins with 0002."),
        is_public=True,
        is_optional=True,
    ),
    Credential(
        name="amount_in_qr",
        label=_("Write the amount into the QR code"),
        help=_("Try it with your bank first: some apps refuse a code that they did not make."),
        is_public=True,
        is_optional=True,
        is_flag=True,
    ),
)


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials."""
    given = account.credentials
    if given.get("bank_code") not in NAMES:
        raise InvalidCredentials("bank_code", gettext("Choose the bank."))
    number = given.get("account_number", "")
    if beneficiary_validation.account_number(number, bank_name(account)) != number:
        raise InvalidCredentials("account_number", gettext("It has 6 to 20 digits, no more."))
    if given.get("account_type") not in (SAVINGS, CHECKING):
        raise InvalidCredentials("account_type", gettext("Choose the type of the account."))
    if not given.get("holder", "").strip():
        raise InvalidCredentials("holder", gettext("Payers' banks ask for it."))
    document = normalised_document(given.get("document", ""))
    if not document.isalnum():
        raise InvalidCredentials("document", gettext("Payers' banks ask for it."))
    _check_key(account)


def bank_name(account: RailAccount) -> str:
    return NAMES.get(account.credentials.get("bank_code", ""), "")


def key_of(account: RailAccount) -> str:
    """As rails take it; empty if the account has none."""
    kind, value = (account.credentials.get(name, "") for name in ("key_type", "key_value"))
    return (beneficiary_validation.key_value(value, kind) or "") if kind and value else ""


def qr_of(account: RailAccount) -> tuple[str, bool]:
    """The bank's text of the code, and whether the amount goes into it. Empty without a code."""
    text = account.credentials.get("qr_text", "")
    return text, bool(text and account.credentials.get("amount_in_qr"))


def _check_key(account: RailAccount) -> None:
    kind, value = (account.credentials.get(name, "") for name in ("key_type", "key_value"))
    if bool(kind) != bool(value):
        missing = "key_value" if kind else "key_type"
        raise InvalidCredentials(missing, gettext("Enter the type and the key, or neither."))
    if value and not key_of(account):
        raise InvalidCredentials("key_value", gettext("It is no key of this type."))
    _check_qr(account)


def _check_qr(account: RailAccount) -> None:
    text = account.credentials.get("qr_text", "")
    if not text:
        if account.credentials.get("amount_in_qr"):
            raise InvalidCredentials("qr_text", gettext("There is no code to write it into."))
        return
    try:
        check_own_qr(text, key_of(account))
    except QRRefused as error:
        raise InvalidCredentials("qr_text", str(error)) from error
