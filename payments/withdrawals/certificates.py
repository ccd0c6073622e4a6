"""The bank's certificate of an account, as the pages of the console show it."""

from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from merchants.legal import tax_ids
from payments.console import tenancy
from payments.console.detail_page import NextStep
from payments.console.kept_files import file_link
from payments.core import masking
from payments.withdrawals.models import AccountCertificate, BankAccount


def of_account(account: BankAccount) -> AccountCertificate | None:
    """Of an account that was read with its certificate."""
    return getattr(account, "certificate", None)


def may_read(user: Any) -> bool:
    """It has the whole number. The people of the merchant, and the operators who compare it."""
    return tenancy.current_user_is_merchant() or bool(
        user is not None and user.has_perm("withdrawals.verify_bankaccount")
    )


def shown(account: BankAccount) -> str | SafeString:
    """A link for those who may read it, and the name of the file for others."""
    file = of_account(account)
    if file is None:
        return gettext("No file")
    if not may_read(tenancy.current_user()):
        return file.name
    address = reverse("admin:withdrawals_bankaccount_certificate", args=[account.pk])
    return file_link(file, address)


def nit(account: BankAccount, *, is_whole: bool) -> str:
    """With its check digit, which certificates of banks have."""
    if is_whole:
        return tax_ids.shown(account.nit)
    return f"{masking.tail(account.nit)}-{tax_ids.check_digit(account.nit)}"


def compared(account: BankAccount, *, is_whole: bool) -> list[tuple[object, object]]:
    """What is compared with the certificate. A masked number cannot be."""
    number = account.account_number if is_whole else masking.tail(account.account_number)
    return [
        (gettext("bank's certificate"), shown(account)),
        (gettext("bank"), account.bank),
        (gettext("account type"), account.get_account_type_display()),
        (gettext("account number"), number),
        (gettext("holder"), account.holder_name),
        ("NIT", nit(account, is_whole=is_whole)),
        (gettext("merchant"), account.merchant),
    ]


def verifying(account: BankAccount) -> NextStep:
    """The box of an account that waits."""
    if of_account(account) is None:
        why: str | SafeString = gettext(
            "It came without a file of the bank's certificate: ask the merchant for it, and "
            "compare the account with it and with the NIT."
        )
        waiting: str | SafeString = gettext(
            "Pasarela compares the account with your bank's certificate, and has no file of it. If "
            "you have not sent it, register the account again with the file. After the comparison "
            "you can withdraw to it."
        )
    else:
        link = shown(account)
        why = format_html(
            gettext("Compare the account with its certificate, {}, and with the NIT."), link
        )
        waiting = format_html(
            gettext(
                "Pasarela compares the account with your bank's certificate, {}. After that you "
                "can withdraw to it."
            ),
            link,
        )
    return NextStep(why=why, actions=("verify", "reject"), waiting=waiting)
