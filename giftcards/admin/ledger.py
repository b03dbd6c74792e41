"""Read-only admin screens of the ledger: groups of entries, and entries."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from giftcards.admin.balance_columns import BALANCES, owner
from giftcards.admin.purposes import OPENED_BY_ID, SourceColumn, add_purposes
from giftcards.models import Transaction, TransactionGroup
from kit.admin.forms.record_section import record_section
from kit.admin.lists.amounts import shown
from kit.admin.lists.label_column import label_column
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from shop.admin.currency_choices import CurrencyFilter
from staff.authors import author, with_author


@admin.register(TransactionGroup)
class TransactionGroupAdmin(ReadOnlyAdmin[TransactionGroup]):
    """Sources of credit, newest first."""

    section = Section.CREDIT
    icon = "account_tree"
    nothing_yet = "A group appears here for each gift card that was redeemed, and each amount that staff gave."
    made_on = "giftcards.storecreditaccount"
    columns = (SourceColumn(), BALANCES)
    menu_rank = 2

    list_display = ("created_at", "source", "owner", "credited", "debited", "balance")
    list_filter = (("account", SearchedFilter), ("account__currency", CurrencyFilter))
    list_filter_submit = True
    list_select_related = ("account__customer", "account__gift_card")
    search_fields = ("=code", "=id", "=account__id", "=account__customer__email")
    search_help_text = "Whole code, id, the account's id or email of the customer"
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("source", "account", "credited", "debited", "balance")}),
        record_section("metadata", "code", "id", "created_at", "updated_at"),
    )
    readonly_fields = ("source", "credited", "debited", "balance")


@admin.register(Transaction)
class TransactionAdmin(ReadOnlyAdmin[Transaction]):
    """Entries, newest first."""

    section = Section.CREDIT
    icon = "receipt_long"
    nothing_yet = "An entry appears here whenever store credit is given or spent."
    made_on = "giftcards.storecreditaccount"
    menu_rank = 3

    list_display = ("created_at", "direction", "worth", "owner", "purpose", "note", "author")
    list_filter = (
        "type",
        ("group__account", SearchedFilter),
        ("group__account__currency", CurrencyFilter),
    )
    list_filter_submit = True
    list_select_related = ("group__account__customer", "group__account__gift_card")
    search_fields = ("=reference_id", "=id", "=group__code", "=group__account__customer__email")
    search_help_text = "Id, reference id, code of the group or email of the customer"
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("direction", "worth", "owner", "group", "purpose", "note", "author", "created_at")}),
        record_section("recorded_id", "id"),
    )
    readonly_fields = ("purpose", "recorded_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Transaction]:
        return with_author(super().get_queryset(request))

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """What the entries are for. At most a statement for each of orders, carts and gift cards."""
        add_purposes(request, rows)

    @admin.display(description="For")
    def purpose(self, row: Any) -> str:
        return str(row.purpose)

    @admin.display(description="Reference id")
    def recorded_id(self, row: Transaction) -> str | None:
        return None if row.reference in OPENED_BY_ID else row.reference_id

    @label_column(description="Type", colours={"credit": "success", "debit": "warning"})
    def direction(self, row: Transaction) -> str:
        return row.type

    @admin.display(description="Amount", ordering="amount")
    def worth(self, row: Transaction) -> str:
        return shown(row.amount, row.group.account.currency_id)

    @admin.display(description="Customer")
    def owner(self, row: Transaction) -> str:
        return owner(row.group.account)

    @admin.display(description="By")
    def author(self, row: Transaction) -> str:
        return author(row)
