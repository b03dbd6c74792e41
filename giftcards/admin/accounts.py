"""The admin screens of store credit accounts."""

from collections.abc import Iterable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from giftcards.admin.adjustment_forms import AdjustmentForm, GiftForm
from giftcards.admin.balance_columns import BALANCES, BalanceColumns, owner
from giftcards.admin.booking import book
from giftcards.admin.charts import plot
from giftcards.admin.newest_entries import newest_entries
from giftcards.admin.purposes import SourceColumn
from giftcards.ledger.outstanding import balance_histories
from giftcards.models import StoreCreditAccount, TransactionGroup
from kit.admin.actions.bulk_action import row_button
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.forms.record_section import record_section
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.admin.sections import Section
from kit.values.currencies import currency_name
from shop.admin.currency_choices import CurrencyFilter

DAYS = 90


class GroupInline(SourceColumn, BalanceColumns, ReadOnlyInline):
    """Sources of credit, newest first."""

    model = TransactionGroup
    permission = "giftcards.view_storecreditaccount"
    fields = readonly_fields = ("source", "credited", "debited", "balance", "created_at")
    ordering = ("-id",)
    per_page = 20
    verbose_name_plural = "Sources of credit"

    def get_queryset(self, request: HttpRequest) -> QuerySet[TransactionGroup]:
        rows: QuerySet[TransactionGroup] = super().get_queryset(request)
        return rows.select_related("account")


@admin.register(StoreCreditAccount)
class StoreCreditAccountAdmin(VerbAdmin[StoreCreditAccount]):
    """Store credit accounts, which change only through entries."""

    section = Section.CREDIT
    daily = "view"
    icon = "account_balance_wallet"
    nothing_yet = "An account appears here once a customer is given store credit, or redeems a gift card."
    forbids = frozenset({"add", "change", "delete"})
    columns = (BALANCES,)
    menu_rank = 1
    inlines = (GroupInline,)
    change_form_after_template = "giftcards/newest_entries.html"

    list_display = ("owner", "currency", "credited", "debited", "balance", "updated_at")
    list_filter = (("currency", CurrencyFilter), ("customer", SearchedFilter))
    list_filter_submit = True
    search_fields = ("customer__email", "=id", "=customer__id")
    search_help_text = "Email of the customer, or id"
    actions = ()
    actions_list = ("give", "outstanding")
    actions_detail = ("adjust",)
    readonly_fields = ("credited", "debited", "balance")
    fieldsets = (
        (None, {"fields": ("customer", "gift_card", "currency", "credited", "debited", "balance")}),
        record_section("metadata", "id", "created_at", "updated_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[StoreCreditAccount]:
        return super().get_queryset(request).select_related("customer", "gift_card", "currency")

    def labels(self, rows: Iterable[StoreCreditAccount]) -> dict[str, str]:
        return {row.pk: f"{owner(row)}, {currency_name(row.currency_id)}" for row in rows}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *, obj: StoreCreditAccount, **options: object
    ) -> HttpResponse:
        """Adds the newest entries below the form."""
        shown = {**context, "newest": newest_entries(request, obj.pk)}
        page: HttpResponse = super().render_change_form(request, shown, obj=obj, **options)
        return page

    # --- Who may what ------------------------------------------------------------------------------------------------

    def has_view_permission(self, request: HttpRequest, obj: StoreCreditAccount | None = None) -> bool:
        """The same rule as `visible_to`; Django would also let users with a change permission view them."""
        return request_actor(request).may("giftcards.view_storecreditaccount")

    def has_outstanding_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_give_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request) and request_actor(request).may("giftcards.add_transaction")

    def has_adjust_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_give_permission(request)

    # --- Booking -----------------------------------------------------------------------------------------------------

    def offers_actions(self, request: HttpRequest, row: StoreCreditAccount) -> bool:
        """A guest's balance can only be spent with the card's code."""
        return row.customer_id is not None

    def _adjust(self, request: HttpRequest, rows: QuerySet[StoreCreditAccount]) -> HttpResponse:
        account = rows.get()
        if not self.offers_actions(request, account):
            raise Http404
        form = AdjustmentForm(request.POST if is_confirmed(request) else None, account=account)
        note = f"{owner(account)} has {BALANCES.balance(account)}."
        return book(self, request, form) or self._ask(request, form, "Adjust store credit", note)

    adjust = row_button("adjust", _adjust, description="Adjust", icon="edit")

    @row_action(description="Give store credit", icon="add")
    def give(self, request: HttpRequest) -> HttpResponse:
        data, customer_id = request.POST if is_confirmed(request) else None, request.GET.get("customer", "")
        form = GiftForm(data, actor=request_actor(request), customer_id=customer_id)
        note = "The first credit in a currency opens the customer's account."
        return book(self, request, form) or self._ask(request, form, "Give store credit", note)

    def _ask(self, request: HttpRequest, form: AdjustmentForm, question: str, note: str) -> HttpResponse:
        nothing = StoreCreditAccount.objects.none()
        return ask(self, request, nothing, action="", question=question, note=note, form=form, button="Book")

    # --- What is owed ------------------------------------------------------------------------------------------------

    @row_action(description="Outstanding balance", icon="show_chart")
    def outstanding(self, request: HttpRequest) -> HttpResponse:
        """The balances of the last days, by currency."""
        return self.page(
            request,
            "giftcards/outstanding.html",
            title="Outstanding store credit",
            days=DAYS,
            plots=[plot(history) for history in balance_histories(actor=request_actor(request), days=DAYS)],
        )
