"""The admin screens of payment collections."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.contrib.filters.admin import RelatedDropdownFilter

from carts.admin.order_links import ORDERS_BY_NUMBER
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.forms.record_section import record_section
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.request_actor import request_actor
from payments.admin.collection_parts import PaymentInline, SessionInline
from payments.admin.history import tables
from payments.admin.money_columns import MoneyColumns
from payments.admin.needs_attention import AttentionFilter
from payments.admin.paid_by import PAID_BY
from payments.admin.payment_admin import PaymentScreen
from payments.lifecycle.cancellation import cancel
from payments.models import PaymentCollection, PaymentSession
from payments.states import COLLECTIONS, CollectionStatus


@admin.register(PaymentCollection)
class PaymentCollectionAdmin(PaymentScreen[PaymentCollection]):
    """Payment collections, newest first. Their ids, which open them for shoppers, are not shown."""

    icon = "receipt"
    nothing_yet = "What a cart has to pay appears here once its customer begins to pay."
    made_on = "orders.order"
    daily = "change"
    columns = (MoneyColumns(), PAID_BY)
    inlines = (PaymentInline, SessionInline)
    change_form_after_template = "payments/history.html"

    list_display = ("payer", "order", "state", "worth", "authorized", "captured", "refunded", "created_at")
    list_filter = ("status", ("payment_sessions__provider", RelatedDropdownFilter), AttentionFilter)
    list_filter_submit = True
    list_select_related = ("cart",)
    search_fields = ("id",)
    search_help_text = (
        "Number of the order, email or id of the cart, id of the collection, session or payment, or the provider's "
        "reference"
    )
    actions_detail = ("cancel",)
    readonly_fields = ("order", "customer", "state", "worth", "authorized", "captured", "refunded")
    fieldsets = (
        (None, {"fields": ("order", "customer", "cart", "state", "worth", "authorized", "captured", "refunded")}),
        record_section("metadata", "completed_at", "created_at", "updated_at"),
    )

    def search(
        self, request: HttpRequest, queryset: QuerySet[PaymentCollection], search_term: str
    ) -> tuple[QuerySet[PaymentCollection], bool]:
        """Each word searches one column only: a search across all tables at once would scan them."""
        for word in search_term.split():
            queryset = queryset.filter(_condition(word))
        return queryset, False

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *, obj: PaymentCollection, **options: object
    ) -> HttpResponse:
        """Adds the collection's history below the form."""
        page: HttpResponse = super().render_change_form(request, {**context, "tables": tables(obj)}, obj=obj, **options)
        return page

    def get_inlines(self, request: HttpRequest, obj: PaymentCollection | None) -> list[type[ReadOnlyInline]]:
        """Tables that have rows."""
        return [inline for inline in self.inlines if inline.model.objects.filter(collection=obj).exists()]

    def has_cancel_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_act(request, "payments.change_paymentcollection")

    def offers_actions(self, request: HttpRequest, row: PaymentCollection) -> bool:
        """A collection with captured money, or of an order, cannot be canceled."""
        return row.order_id is None and CollectionStatus.CANCELED in COLLECTIONS.allowed[row.status]

    def cancel_chosen(self, request: HttpRequest, row: PaymentCollection) -> None:
        """Cancel the collection."""
        cancel(actor=request_actor(request), collection_id=row.pk)

    cancel_selected = bulk_action(
        "cancel_chosen",
        name="",
        description="Cancel",
        question="Cancel this payment collection?",
        participle="canceled",
        note="Its sessions are canceled and providers release authorized amounts. The cart can then be paid again.",
        permission="cancel",
    )
    cancel = row_button("cancel", cancel_selected, description="Cancel", icon="block")


def _condition(word: str) -> Q:
    for prefix, lookup in _ID_PREFIXES.items():
        if word.startswith(prefix):
            return Q(**{lookup: word})
    if "@" in word:
        return Q(cart__email=word.lower())
    if orders := ORDERS_BY_NUMBER.get()(word):
        return Q(order_id__in=orders)
    sessions = PaymentSession.objects.filter(data__id=word)
    return Q(pk__in=sessions.values("collection"))


_ID_PREFIXES = {
    "pay_col_": "pk",
    "cart_": "cart",
    "payses_": "payment_sessions",
    "pay_": "payments",
}
"""Lookups by the prefix of an id, longest prefix first."""
