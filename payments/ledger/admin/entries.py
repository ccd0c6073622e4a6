"""Console pages of the ledger: accounts, entries, postings. Read-only."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.decorators import display

from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.exports.columns import Column
from payments.console.exports.columns import fields as columns
from payments.console.formatting import (
    amount,
    amount_column,
    detail_lines,
    link,
    link_column,
    time_element,
    timestamp_column,
)
from payments.console.inlines import ReadOnlyInline
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.money_admin import FOUND_MAX
from payments.console.prepared_rows import RowsAboutRecords
from payments.console.timeline import add_source
from payments.core import jsontext
from payments.ledger.admin import timelines
from payments.ledger.admin.account_tables import AccountTables
from payments.ledger.admin.balance import BalancePage
from payments.ledger.models import Account, Entry, Posting
from payments.ledger.services.account_names import name_accounts

add_source(timelines.timeline_lines)


def _in_words(account: Account, name: str) -> str:
    """`Café Andino: merchant, available`."""
    return f"{account.merchant.name}: {name}" if account.merchant else name


class PostingColumns:
    # A + is an amount that we owe the owner of the account.
    amount_shown = amount_column("amount", _("amount"), is_signed=True)
    balance_shown = amount_column("balance_after", _("balance after"))


class PostingInline(PostingColumns, ReadOnlyInline):
    model = Posting
    fields = ["account_link", "amount_shown", "balance_shown"]
    readonly_fields = fields
    ordering = ["id"]
    verbose_name_plural = _("Postings")

    @display(description=_("account"))
    def account_link(self, posting: Posting) -> str:
        account = posting.account
        return link(account, _in_words(account, name_accounts([account])[account.pk]))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Posting]:
        postings: QuerySet[Posting] = super().get_queryset(request)
        return postings.select_related("account__merchant").defer(
            "account__merchant__webhook_secret"
        )


@admin.register(Account)
class AccountAdmin(AccountTables, BalancePage):
    """All accounts. Our own have a list of their own, too (system_accounts.py)."""

    merchant_path = "merchant"
    merchant_pages = ReadOnlyAdmin.merchant_pages | {"balance"}
    merchant_link = link_column("merchant", _("merchant"), empty=_("the service"))
    list_display = ["name_shown", "merchant_link", "balance_shown", "purpose_shown"]
    list_display_links = ["name_shown"]
    list_filter = ["kind", "currency", ("merchant", RecordFilter)]
    search_fields = ["code__startswith", "merchant__id__exact", "merchant__name__icontains"]
    search_help_text = _("Beginning of the code, or id or name of the merchant")
    ordering = ["code"]
    fields = ["kind"]
    readonly_fields = [*list_display, "kind"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        accounts: QuerySet[Account] = super().get_queryset(request)
        return accounts.select_related("merchant").defer("merchant__webhook_secret")


@admin.register(Entry)
class EntryAdmin(RowsAboutRecords):
    created = timestamp_column("created_at", _("created at"))
    shown_if_empty = _(
        "Each movement of money is one entry. The first one comes with the first payment."
    )
    list_display = ["total_shown", "kind_shown", "about_shown", "id", "created"]
    list_display_links = ["total_shown", "id"]
    list_filter = ["kind", ("created_at", DaysFilter)]
    search_fields = ["id__exact", "subject_id__exact"]
    search_help_text = _("Id of the entry, the order or the merchant")
    ordering = ["-id"]
    # What people read is first, and what programs and auditors compare is last.
    fieldsets = [
        (
            _("Codes and proof"),
            {
                "fields": [("id", "subject_id"), "unique_key", "memo_text", "digest_text"],
                "classes": ["collapse"],
            },
        ),
    ]
    readonly_fields = [*list_display, "subject_id", "unique_key", "memo_text", "digest_text"]
    inlines = [PostingInline]
    export_columns = [
        *columns(id="pk", kind="kind", subjectId="subject_id", createdAt="created_at"),
        Column("memo", lambda entry: jsontext.dumps(entry.memo)),
        Column("digest", lambda entry: bytes(entry.digest).hex()),
    ]

    def title_of(self, row: Entry) -> str:
        return capfirst(row.get_kind_display())

    def head(self, row: Entry) -> dict[str, Any]:
        """From which accounts to which others, and what caused it."""
        postings = list(row.postings.select_related("account__merchant"))
        names = name_accounts(posting.account for posting in postings)

        def named(is_taken: bool) -> str:
            found = (p.account for p in postings if (p.amount < 0) is is_taken)
            words = (link(each, _in_words(each, names[each.pk])) for each in found)
            return format_html_join(mark_safe("<br>"), "{}", ((word,) for word in words))

        facts = [
            (_("about"), self.about_shown(row)),
            (pgettext_lazy("accounts", "from"), named(True)),
            (pgettext_lazy("accounts", "to"), named(False)),
            (_("created at"), time_element(row.created_at)),
        ]
        return {"amount": self.total_shown(row), "state": "", "facts": facts}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        entries: QuerySet[Entry] = super().get_queryset(request)
        return entries.prefetch_related("postings")

    @display(description=_("amount"))
    def total_shown(self, entry: Entry) -> str:
        """What the entry adds to accounts, which is what it takes from others."""
        sums: dict[str, Decimal] = {}
        for posting in entry.postings.all():
            if posting.amount > 0:
                sums[posting.currency] = sums.get(posting.currency, Decimal(0)) + posting.amount
        return " · ".join(amount(total, currency) for currency, total in sums.items()) or "-"

    @display(description=_("kind"), ordering="kind")
    def kind_shown(self, entry: Entry) -> str:
        return capfirst(entry.get_kind_display())

    @display(description=_("unique key"))
    def unique_key(self, entry: Entry) -> str:
        return entry.dedupe

    @display(description=_("memo"))
    def memo_text(self, entry: Entry) -> str:
        return detail_lines(entry.memo) or "-"

    @display(description=_("digest"))
    def digest_text(self, entry: Entry) -> str:
        """SHA-256 of the entry with its lines, which verify_ledger checks."""
        return bytes(entry.digest).hex()


@admin.register(Posting)
class PostingAdmin(PostingColumns, RowsAboutRecords):
    list_about = _(
        "The postings of an entry add up to zero. The balances of our own accounts are on their "
        "pages."
    )
    created = timestamp_column("created_at", _("created at"))
    list_display = [
        *("amount_shown", "account_link", "entry_link", "about_shown"),
        *("balance_shown", "created"),
    ]
    list_display_links = ["amount_shown"]
    list_filter = ["currency", ("account", RecordFilter)]
    search_fields = ["entry__id__exact", "entry__subject_id__exact"]
    search_help_text = _("Id of the entry or the order")
    ordering = ["-id"]
    fieldsets = [
        (
            _("Codes and proof"),
            {"fields": [("account_code", "entry_code"), "id"], "classes": ["collapse"]},
        ),
    ]
    readonly_fields = [*list_display, "account_code", "entry_code", "id"]
    export_columns = [
        Column("postingId", lambda posting: str(posting.pk)),
        *columns(createdAt="created_at", entryId="entry_id", kind="kind"),
        *columns(subjectId="entry__subject_id", account="account__code"),
        *columns(merchantId="account__merchant_id", accountKind="account__kind"),
        *columns(currency="currency", amount="amount", balance="balance_after"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Posting]:
        postings: QuerySet[Posting] = super().get_queryset(request)
        return postings.select_related("entry", "account__merchant").defer(
            "account__merchant__webhook_secret"
        )

    def subject_holder(self, row: Posting) -> Entry:
        return row.entry

    def prepare(self, rows: list[Any]) -> list[Any]:
        names = name_accounts({row.account_id: row.account for row in rows}.values())
        for row in rows:
            row.account.name = names[row.account_id]
        return super().prepare(rows)

    def title_of(self, row: Posting) -> str:
        return capfirst(row.entry.get_kind_display())

    def head(self, row: Posting) -> dict[str, Any]:
        facts = [
            (_("account"), self.account_link(row)),
            (_("about"), self.about_shown(row)),
            (_("entry"), self.entry_link(row)),
            (_("created at"), time_element(row.created_at)),
        ]
        if row.balance_after is not None:
            before = amount(row.balance_after - row.amount, row.currency)
            after = amount(row.balance_after, row.currency)
            facts.insert(1, (_("balance, before and after"), f"{before} → {after}"))
        return {"amount": self.amount_shown(row), "state": "", "facts": facts}

    @display(description=_("account"))
    def account_link(self, posting: Posting) -> str:
        account: Any = posting.account
        name = getattr(account, "name", None) or name_accounts([account])[account.pk]
        shown = link(account, capfirst(name))
        if account.merchant is None:
            return shown
        whose = format_html('<span class="desk-small">{}</span>', account.merchant.name)
        return format_html("{}<br>{}", shown, whose)

    @display(description=_("entry"))
    def entry_link(self, posting: Posting) -> str:
        return link(posting.entry, capfirst(posting.entry.get_kind_display()))

    @display(description=_("code of the account"))
    def account_code(self, posting: Posting) -> str:
        return posting.account.code

    @display(description=_("id of the entry"))
    def entry_code(self, posting: Posting) -> str:
        return posting.entry_id

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Posting], search_term: str
    ) -> tuple[QuerySet[Posting], bool]:
        """Searches entries first, by their indexes.

        A condition over two tables would read both in full.
        """
        if not (term := search_term.strip()):
            return queryset, False
        entries = Entry.objects.filter(pk=term) | Entry.objects.filter(subject_id=term)
        found = list(entries.values_list("pk", flat=True)[:FOUND_MAX])
        return queryset.filter(entry_id__in=found), False
