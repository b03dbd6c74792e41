"""Lists of orders and what happens to them."""

from decimal import Decimal
from typing import Any

from django.db.models import Model

from carts.api.serializers.carts import CartAddressSerializer
from customers.api.serializers import AdminCustomerSerializer
from kit.domain.actor import SYSTEM
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from orders.api.serializers import (
    AdminReturnReasonSerializer,
    GrantedRefundSerializer,
    OrderAddressSerializer,
    OrderCustomerSerializer,
    OrderSerializer,
    ReturnReasonSerializer,
)
from orders.api.serializers.admin_fulfillments import AdminFulfillmentSerializer
from orders.api.serializers.admin_orders import (
    AdminOrderLineItemSerializer,
    AdminOrderSerializer,
    OrderItemSerializer,
)
from orders.api.serializers.changes.drafts import DraftOrderSerializer
from orders.api.serializers.changes.edits import OrderEditSerializer
from orders.api.serializers.changes.exchanges import ClaimSerializer, ExchangeSerializer
from orders.api.serializers.changes.returns import OrderChangeSerializer
from orders.api.serializers.invoices import AdminInvoiceSerializer, InvoiceSerializer
from orders.api.serializers.management import OrderNoteSerializer
from orders.api.serializers.returns import AdminReturnSerializer, ReturnSerializer
from orders.exchanges import lifecycle
from orders.models import GrantedRefund, Order, OrderChange, OrderLineItem, OrderNote
from orders.refunds import creation
from orders.returns import cancellation as return_cancellation
from orders.states import ChangeKind, FulfillmentStatus, InvoiceKind, OrderStatus
from payments.api.serializers import (
    PaymentCollectionSerializer,
    RefundReasonSerializer,
)
from shop.api.serializers import AdminRegionSerializer, SalesChannelSerializer
from tests.contract.lists.contract import (
    DATED,
    DATES,
    ID_AND_DATES,
    ITEM_AND_SHIPPING_TOTALS,
    NONE_DELETED,
    RECORD,
    RETURN,
    TOTALS,
    Contract,
    Filtering,
    Rows,
    days_apart,
)
from tests.contract.routes import shopper
from tests.factories import payments
from tests.factories.carts import selling_region, sold_variant
from tests.factories.customers import CustomerFactory
from tests.factories.inventory import (
    StockLocationFactory,
)
from tests.factories.invoices import document
from tests.factories.orders import order, return_reason
from tests.factories.shop import SalesChannelFactory
from tests.orders.drafts.shop import draft
from tests.orders.exchanging import started
from tests.orders.placed import placed
from tests.orders.returns.shop import delivered, return_of

_GOODS_CHANGE = (
    "order_id return_id display_id status order_version description internal_note no_notification created_by "
    f"confirmed_at canceled_at transactions shipping_methods order return {RECORD}"
)
_INVOICE = (
    "id kind number order_id corrects_id reason issued_at issued_on supplied_on due_on currency_code locale seller "
    "buyer paid_by subtotal tax_total total lines taxes"
)
CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    OrderSerializer: Contract(
        "summary items shipping_address billing_address shipping_methods credit_lines payment_collections fulfillments "
        "promotions invoices customer cart "
        "id status display_id custom_display_id version email currency_code region_id customer_id sales_channel_id "
        f"payment_status fulfillment_status {ITEM_AND_SHIPPING_TOTALS} credit_line_total credit_line_subtotal "
        f"metadata {TOTALS} {DATED} credit_line_tax_total item_discount_total shipping_discount_total gift_card_total "
        "gift_card_tax_total",
        "customer_id sales_channel_id metadata credit_line_tax_total item_discount_total shipping_discount_total "
        "gift_card_tax_total items shipping_address billing_address shipping_methods credit_lines payment_collections "
        "fulfillments promotions invoices customer summary cart",
        {
            "shipping_address": OrderAddressSerializer,
            "billing_address": OrderAddressSerializer,
            "customer": OrderCustomerSerializer,
        },
    ),
    AdminOrderSerializer: Contract(
        "gift_cards locale no_notification canceled_at refundable_total order_change returns region sales_channel "
        "transactions refunds "
        "summary items shipping_address billing_address shipping_methods credit_lines payment_collections fulfillments "
        "promotions invoices customer cart "
        "id status display_id custom_display_id version email currency_code region_id customer_id sales_channel_id "
        f"payment_status fulfillment_status {ITEM_AND_SHIPPING_TOTALS} credit_line_total credit_line_subtotal "
        f"metadata {TOTALS} {DATED} credit_line_tax_total item_discount_total shipping_discount_total gift_card_total "
        "gift_card_tax_total",
        "no_notification metadata credit_line_tax_total gift_card_total gift_card_tax_total refundable_total "
        "order_change returns gift_cards items shipping_methods "
        "credit_lines payment_collections fulfillments promotions invoices summary cart transactions refunds region "
        "sales_channel shipping_address billing_address customer",
        {
            "region": AdminRegionSerializer,
            "sales_channel": SalesChannelSerializer,
            "shipping_address": OrderAddressSerializer,
            "billing_address": OrderAddressSerializer,
            "customer": AdminCustomerSerializer,
        },
    ),
    DraftOrderSerializer: Contract(
        "status is_draft_order version display_id custom_display_id payment_status fulfillment_status no_notification "
        "created_by summary payment_collections fulfillments transactions gift_card_tax_total sales_channel "
        "id region_id customer_id sales_channel_id email currency_code locale shipping_address_id billing_address_id "
        f"completed_at {ITEM_AND_SHIPPING_TOTALS} credit_line_total credit_line_subtotal credit_line_tax_total "
        "gift_card_total item_discount_total shipping_discount_total items region customer shipping_address "
        "billing_address shipping_methods promotions skipped_promo_codes credit_lines metadata "
        f"{TOTALS} {DATED} payment_collection",
        "status is_draft_order version custom_display_id payment_status fulfillment_status summary "
        "payment_collections fulfillments transactions gift_card_tax_total credit_line_tax_total items "
        "shipping_methods promotions skipped_promo_codes credit_lines sales_channel region customer shipping_address "
        "billing_address payment_collection",
        {
            "sales_channel": SalesChannelSerializer,
            "region": AdminRegionSerializer,
            "customer": AdminCustomerSerializer,
            "shipping_address": CartAddressSerializer,
            "billing_address": CartAddressSerializer,
            "payment_collection": PaymentCollectionSerializer,
        },
    ),
    OrderChangeSerializer: Contract(
        "id order_id return_id change_type status version description internal_note no_notification "
        "carry_over_promotions created_by requested_by requested_at confirmed_by confirmed_at declined_by declined_at "
        "declined_reason canceled_by canceled_at exchange_id exchange claim_id claim order return_order actions "
        f"{RECORD}",
        "id change_type carry_over_promotions declined_by declined_at declined_reason exchange_id exchange claim_id "
        "claim order return_order actions",
        {"order": AdminOrderSerializer, "return_order": AdminReturnSerializer},
    ),
    ExchangeSerializer: Contract(
        f"id difference_due additional_items return_items {_GOODS_CHANGE}",
        "id additional_items return_items transactions shipping_methods order return",
        {"order": AdminOrderSerializer, "return": AdminReturnSerializer},
    ),
    ClaimSerializer: Contract(
        f"id type reason_id refund_amount additional_items claim_items {_GOODS_CHANGE}",
        "id refund_amount additional_items claim_items transactions shipping_methods order return",
        {"order": AdminOrderSerializer, "return": AdminReturnSerializer},
    ),
    OrderEditSerializer: Contract(
        "id order_id return_id change_type status version description internal_note no_notification "
        "carry_over_promotions created_by requested_by requested_at confirmed_by confirmed_at declined_by declined_at "
        "declined_reason canceled_by canceled_at exchange_id exchange claim_id claim order return_order actions "
        f"{RECORD}",
        "return_id change_type version declined_by declined_at declined_reason exchange_id exchange claim_id "
        "claim order return_order actions",
        {"order": AdminOrderSerializer},
    ),
    OrderNoteSerializer: Contract("id order_id text created_by created_at", ""),
    OrderItemSerializer: Contract(
        "item history id order_id item_id version quantity unit_price compare_at_unit_price fulfilled_quantity "
        "delivered_quantity shipped_quantity return_requested_quantity return_received_quantity "
        f"return_dismissed_quantity written_off_quantity {RECORD}",
        "item unit_price compare_at_unit_price history",
        {"item": AdminOrderLineItemSerializer},
    ),
    AdminOrderLineItemSerializer: Contract(
        "id title subtitle thumbnail variant_id product_id product_title product_description product_subtitle "
        "product_type product_type_id product_collection product_handle variant_sku variant_barcode "
        "variant_title variant_option_values requires_shipping is_discountable is_giftcard is_tax_inclusive "
        "compare_at_unit_price unit_price quantity item_total item_subtotal item_tax_total refundable_total "
        f"refundable_total_per_unit tax_lines adjustments detail variant product metadata {TOTALS} {DATED} gift_cards "
        "order_id is_custom_price line_item_metadata fulfilled_total shipped_total return_requested_total "
        "return_received_total return_dismissed_total write_off_total deleted_at",
        "tax_lines adjustments detail variant product gift_cards fulfilled_total shipped_total return_requested_total "
        "return_received_total return_dismissed_total write_off_total",
    ),
    AdminFulfillmentSerializer: Contract(
        "order_id shipping_option_id marked_shipped_by cancel_reason delivery_address provider shipping_option id "
        "provider_id "
        "requires_shipping location_id created_by data items labels packed_at shipped_at delivered_at canceled_at "
        f"{DATED} metadata deleted_at"
    ),
    CartAddressSerializer: Contract(
        "id first_name last_name company address_1 address_2 city country_code province postal_code phone metadata "
        f"{DATED}"
    ),
    OrderAddressSerializer: Contract(
        "id customer_id company first_name last_name address_1 address_2 city country_code province postal_code phone "
        f"{RECORD}"
    ),
    OrderCustomerSerializer: Contract("id email"),
    ReturnReasonSerializer: Contract(
        f"id value label description parent_return_reason_id parent_return_reason return_reason_children {RECORD}",
        "metadata parent_return_reason return_reason_children",
        {"parent_return_reason": ReturnReasonSerializer},
    ),
    GrantedRefundSerializer: Contract(
        "id order_id amount allowance refund_reason_id return_id note to_store_credit created_by refund_reason parts "
        f"{DATED}",
        "refund_reason parts",
        {"refund_reason": RefundReasonSerializer},
    ),
    AdminReturnReasonSerializer: Contract(
        f"id value label description parent_return_reason_id parent_return_reason return_reason_children {RECORD}",
        "metadata parent_return_reason return_reason_children",
        {"parent_return_reason": ReturnReasonSerializer},
    ),
    InvoiceSerializer: Contract(_INVOICE, "seller buyer paid_by lines taxes"),
    AdminInvoiceSerializer: Contract(
        f"series_year series_number created_by pdf_created_at {_INVOICE}",
        "pdf_created_at seller buyer paid_by lines taxes",
    ),
    ReturnSerializer: Contract(f"items shipping_methods {RETURN}", "items shipping_methods"),
    AdminReturnSerializer: Contract(
        "location_id no_notification internal_note created_by refund_amount exchange_id claim_id items "
        f"shipping_methods {RETURN}",
        "refund_amount exchange_id claim_id items shipping_methods",
    ),
}


def _orders() -> Rows:
    return days_apart(
        one=lambda: order(
            shopper(), captured=True, status=OrderStatus.ARCHIVED, fulfillment_status=FulfillmentStatus.SHIPPED
        ),
        other=lambda: order(shopper()),
    )


def _all_orders() -> Rows:
    """The first with a total of its own, so that it is found by that."""
    ann = CustomerFactory(email="ann@oak.example")
    terms = {"status": OrderStatus.ARCHIVED, "fulfillment_status": FulfillmentStatus.SHIPPED, "total": 17}
    own = {"email": ann.email, "currency_id": "eur", "custom_display_id": "R-1"}
    made = days_apart(one=lambda: order(ann, captured=True, **own, **terms), other=order)
    one: Any = made["one"]
    line = one.items.order_by("pk")[0]
    return {**made, "customer": ann, "product": line.product_id, "channel": one.sales_channel, "region": one.region}


def _order_items() -> Rows:
    """`one` and `other` are known by the ids of their details."""
    lines = {each.metadata["number"]: each for each in order(lines=2).items.all()}
    OrderLineItem.objects.filter(pk=lines[0].pk).update(version=4)
    own = {"above": lines[0].order, "line": lines[0]}
    return {**own, "one": lines[0].detail_id, "other": lines[1].detail_id}


def _order_notes() -> Rows:
    above = order()
    made = days_apart(**{name: lambda: OrderNote.objects.create(order=above, text="Oak") for name in ("one", "other")})
    return {**made, "above": above}


def _reasons() -> Rows:
    made = {"one": return_reason(), "other": return_reason("damaged", "Damaged")}
    return {**made, "child": return_reason("too_small", "Too small", parent_return_reason=made["one"])}


def _admin_reasons() -> Rows:
    parent = return_reason("goods", "Goods")
    made = days_apart(
        one=lambda: return_reason("oak", "Oak", description="Hard", parent_return_reason=parent),
        other=lambda: return_reason("pine", "Pine"),
        gone=lambda: return_reason("elm", "Elm", deleted_at=now()),
    )
    return {**made, "parent": parent}


def _drafts() -> Rows:
    customer, channel = CustomerFactory(), SalesChannelFactory()
    own = {"customer_id": customer.pk, "sales_channel_id": channel.pk, "email": "oak@example.com"}
    region = selling_region(countries=["ca"])
    plain = {"shipping": None, "shipping_address": None}
    made = days_apart(
        one=lambda: draft(**{"region": region, **plain, **own}),
        other=lambda: draft(**plain),
        gone=lambda: draft(**plain),
    )
    gone = made["gone"]
    type(gone).objects.filter(pk=gone.pk).update(deleted_at=now())
    return {**made, "customer": customer, "channel": channel, "region": region}


def _returns() -> Rows:
    location = StockLocationFactory()

    def one() -> Model:
        made = return_of(location_id=location.pk)
        return_cancellation.cancel(actor=SYSTEM, return_id=made.pk)
        return made

    made = days_apart(one=one, other=return_of, gone=return_of)
    gone = made["gone"]
    type(gone).objects.filter(pk=gone.pk).update(deleted_at=now())
    return {**made, "location": location, "order": made["one"].order_id}  # type: ignore[attr-defined]  # a return


def _changes() -> Rows:
    above = delivered((sold_variant(10), 2))
    made = days_apart(one=lambda: return_of(above), other=lambda: return_of(above))
    changes = {name: f"ordch_{each.pk.removeprefix('return_')}" for name, each in made.items()}
    return {**changes, "above": above, "return": made["one"]}


def _invoices() -> Rows:
    """The first is a credit note in euros, of an order of its own."""
    own = placed(currency_id="eur")
    made = days_apart(
        one=lambda: document(own, kind=InvoiceKind.CREDIT_NOTE, total=6), other=lambda: document(placed(), total=18)
    )
    return {**made, "order": own}


def _exchanges() -> Rows:
    return _of_goods("oexc", ChangeKind.EXCHANGE)


def _claims() -> Rows:
    return _of_goods("claim", ChangeKind.CLAIM)


def _of_goods(prefix: str, kind: ChangeKind) -> Rows:
    def one() -> OrderChange:
        made = started(kind)
        lifecycle.cancel_request(actor=SYSTEM, change_id=made.pk)
        return made

    rows = days_apart(one=one, other=lambda: started(kind))
    ids = {name: f"{prefix}_{row.pk.removeprefix('ordch_')}" for name, row in rows.items()}
    return {**ids, "order": rows["one"].order_id}  # type: ignore[attr-defined]  # a change


def _refund_reasons() -> Rows:
    return days_apart(
        one=lambda: payments.refund_reason("oak", "Oak"),
        other=lambda: payments.refund_reason("pine", "Pine"),
        gone=lambda: payments.refund_reason("elm", "Elm", deleted_at=now()),
    )


def _refunds() -> Rows:
    above, reason = delivered(), payments.refund_reason()
    returned = return_of(above)
    made = days_apart(
        one=lambda: _refund(above, return_id=returned.pk), other=lambda: _refund(above, refund_reason_id=reason.pk)
    )
    return {**made, "above": above, "return": returned}


def _refund(of: Order, **why: str) -> GrantedRefund:
    refund_id = creation.create(actor=SYSTEM, order_id=of.pk, amount=Decimal(5), **why)
    return GrantedRefund.objects.get(pk=refund_id)


_OF_EXCHANGES: dict[str, str | tuple[str, str]] = {
    **ID_AND_DATES,
    "deleted_at": NONE_DELETED,
    "order_id": "order_id={order}",
    "status": "status=canceled",
}
LISTS = {
    "/store/orders": Filtering(
        _orders,
        {
            "id": "id={one}",
            "status": "status=archived",
            "created_at": DATES["created_at"],
            "updated_at": DATES["updated_at"],
            "payment_status": "payment_status=captured",
            "fulfillment_status": "fulfillment_status=shipped",
        },
    ),
    "/store/return-reasons": Filtering(_reasons, {}),
    "/admin/orders": Filtering(
        _all_orders,
        {
            "id": "id={one}",
            "status": "status=archived",
            "created_at": DATES["created_at"],
            "updated_at": DATES["updated_at"],
            "payment_status": "payment_status=captured",
            "fulfillment_status": "fulfillment_status=shipped",
            "q": "q=oak.example",
            "display_id": "display_id[$lt]=2",
            "email": "email=Ann@oak.example",
            "customer_id": "customer_id={customer}",
            "product_id": "product_id={product}",
            "sales_channel_id": ("sales_channel_id={channel}", "one other"),
            "region_id": "region_id={region}",
            "currency_code": "currency_code=EUR",
            "total": "total=17",
            "custom_display_id": "custom_display_id=R-1",
            "created_by": ("created_by=user_x", ""),
            "name": "name=oak.example",
        },
    ),
    "/admin/orders/<str:id>/line-items": Filtering(
        _order_items,
        {
            "id": "id={one}",
            "order_id": ("order_id={above}", "one other"),
            "item_id": "item_id={line}",
            "version": "version[$gt]=1",
        },
    ),
    "/admin/orders/<str:id>/notes": Filtering(
        _order_notes,
        {"id": "id={one}", "created_at": DATES["created_at"], "order_id": ("order_id={above}", "one other")},
    ),
    "/admin/orders/<str:id>/changes": Filtering(
        _changes,
        {
            "id": "id={one}",
            "return_id": "return_id={return}",
            "status": ("status[]=confirmed&status[]=requested", "one other"),
            "change_type": ("change_type[]=return_request&change_type[]=edit", "one other"),
            "created_at": DATES["created_at"],
            "updated_at": DATES["updated_at"],
            "deleted_at": NONE_DELETED,
            "order_id": ("order_id={above}", "one other"),
        },
    ),
    "/admin/invoices": Filtering(
        _invoices,
        {
            "id": "id={one}",
            "q": "q=G-2026-000001",
            "kind": "kind=credit_note",
            "order_id": "order_id={order}",
            "currency_code": "currency_code=EUR",
            "issued_at": "issued_at[$lt]=2026-03-02",
        },
    ),
    "/admin/exchanges": Filtering(_exchanges, _OF_EXCHANGES),
    "/admin/claims": Filtering(_claims, _OF_EXCHANGES),
    "/admin/return-reasons": Filtering(
        _admin_reasons,
        {
            **ID_AND_DATES,
            "q": "q=hard",
            "value": "value=oak",
            "label": "label=Oak",
            "description": "description=Hard",
            "parent_return_reason_id": "parent_return_reason_id={parent}",
        },
    ),
    "/admin/draft-orders": Filtering(
        _drafts,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "region_id": "region_id={region}",
            "customer_id": "customer_id={customer}",
            "sales_channel_id": "sales_channel_id={channel}",
        },
    ),
    "/admin/returns": Filtering(
        _returns,
        {
            **ID_AND_DATES,
            "order_id": "order_id={order}",
            "status": "status=canceled",
            "location_id": "location_id={location}",
        },
    ),
    "/admin/refund-reasons": Filtering(_refund_reasons, {**ID_AND_DATES, "q": "q=oak"}),
    "/admin/orders/<str:id>/refunds": Filtering(
        _refunds,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "order_id": ("order_id={above}", "one other"),
            "return_id": "return_id={return}",
        },
    ),
}
