"""What each list of the interface promises: its filters, each with a query that finds what it should, and its fields.

Every name stands here as the contract has it. tests/contract/test_every_list.py compares it with what the resources
declare, so that a new filter, order key or field fails until it has its case.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Model

from apikeys.api.serializers import ApiKeySerializer, SalesChannelSerializer
from apikeys.revocation import revoke
from carts.api.serializers import CartSerializer
from catalog import category_tree
from catalog.api.serializers import (
    CalculatedPriceSerializer,
    InventoryItemSerializer,
    InventoryLevelSerializer,
    ProductCategorySerializer,
    ProductCollectionSerializer,
    ProductOptionSerializer,
    ProductSerializer,
    ProductTagSerializer,
    ProductTypeSerializer,
    ProductVariantSerializer,
    ReservationSerializer,
)
from commerce.kit.core.actor import SYSTEM
from commerce.kit.core.timestamps import now
from commerce.kit.projection.fields import ResourceSerializerClass
from commerce.shop.api.serializers import CurrencySerializer, RegionSerializer
from commerce.shop.models import Currency, PaymentProvider, Store
from customers.api.serializers import AddressSerializer, CustomerSerializer
from fulfillment.api.serializers import (
    FulfillmentProviderSerializer,
    ServiceZoneSerializer,
    ShippingOptionSerializer,
    ShippingOptionTypeSerializer,
)
from giftcards import cancellation
from giftcards.account_opening import open_account
from giftcards.adjustment import credit_account, debit_account
from giftcards.api.serializers import (
    AdminGiftCardSerializer,
    AdminStoreCreditAccountSerializer,
    GiftCardSerializer,
    StoreCreditAccountSerializer,
    StoreCreditTransactionSerializer,
)
from giftcards.models import GiftCard, Transaction
from orders.api.serializers import (
    AdminReturnReasonSerializer,
    GrantedRefundSerializer,
    OrderAddressSerializer,
    OrderCustomerSerializer,
    OrderSerializer,
    ReturnReasonSerializer,
)
from orders.api.serializers.admin_fulfillments import AdminFulfillmentSerializer
from orders.api.serializers.admin_orders import AdminOrderSerializer, OrderItemSerializer
from orders.api.serializers.items import OrderLineItemSerializer
from orders.api.serializers.management import OrderNoteSerializer
from orders.api.serializers.order_changes import OrderChangeSerializer
from orders.api.serializers.returns import AdminReturnSerializer, ReturnSerializer
from orders.models import GrantedRefund, Order, OrderLineItem, OrderNote
from orders.refunds import creation
from orders.returns import cancellation as return_cancellation
from orders.states import FulfillmentStatus, OrderStatus
from payments.api.serializers import (
    AdminPaymentProviderSerializer,
    AdminPaymentSerializer,
    OfferedProviderSerializer,
    PaymentCollectionSerializer,
    RefundReasonSerializer,
)
from payments.api.serializers.resources import PaymentSessionSerializer
from tests.contract.routes import shopper
from tests.factories import carts, fulfillment, payments
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.carts import sold_variant
from tests.factories.catalog import CategoryFactory
from tests.factories.clock import at
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
)
from tests.factories.orders import order, return_reason
from tests.factories.products import (
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import RegionFactory
from tests.orders.returns.shop import delivered, return_of

FIRST_DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
DATED = "created_at updated_at"
RECORD = f"metadata {DATED} deleted_at"
RETURN = (
    f"id order_id display_id status order_version note requested_at received_at canceled_at metadata {DATED} deleted_at"
)
TOTALS = (
    "total subtotal tax_total discount_total discount_subtotal discount_tax_total original_total original_subtotal "
    "original_tax_total"
)
ITEM_AND_SHIPPING_TOTALS = (
    "item_total item_subtotal item_tax_total original_item_total original_item_subtotal original_item_tax_total "
    "shipping_total shipping_subtotal shipping_tax_total original_shipping_total original_shipping_subtotal "
    "original_shipping_tax_total"
)

Rows = Mapping[str, Model | str]
"""By name; a text stands for itself."""


@dataclass(frozen=True)
class Filtering:
    """A list's filters.

    make: the rows; `one` is what most queries find, and `other` what they do not. `above` is what the path names.
    cases: by filter, the query that finds `one` alone, in which `{name}` stands for the key of the row of that name;
        or the query, and the names of the rows that it finds.
    base: what every query needs beside.
    """

    make: Callable[[], Rows]
    cases: Mapping[str, str | tuple[str, str]]
    base: str = ""


@dataclass(frozen=True)
class Contract:
    """A resource's own fields; those that nothing is sorted by, and the relations whose fields it is sorted by too.

    in_context: what else it is sorted by, for requests that name its price circumstances.
    """

    fields: str
    unsorted: str = ""
    through: Mapping[str, ResourceSerializerClass] = field(default_factory=dict)
    in_context: str = ""


CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    ProductCategorySerializer: Contract(
        f"id name description handle rank parent_category_id parent_category category_children products {RECORD}",
        "parent_category category_children products",
        {"parent_category": ProductCategorySerializer},
    ),
    ProductSerializer: Contract(
        "id title handle subtitle description thumbnail status is_giftcard discountable external_id collection_id "
        "type_id collection categories type tags variants options images width weight length height origin_country "
        f"hs_code mid_code material {RECORD}",
        "collection categories type tags variants options images",
        {"collection": ProductCollectionSerializer, "type": ProductTypeSerializer},
        "variants.calculated_price",
    ),
    ProductVariantSerializer: Contract(
        "id title sku barcode ean upc product_id allow_backorder manage_inventory variant_rank inventory_quantity "
        "product options images calculated_price width weight length height origin_country hs_code mid_code material "
        f"{RECORD}",
        "inventory_quantity product options images calculated_price",
        {"product": ProductSerializer},
    ),
    ProductCollectionSerializer: Contract(f"id title handle products {RECORD}", "products"),
    ProductTypeSerializer: Contract(f"id value {RECORD}"),
    ProductTagSerializer: Contract(f"id value {RECORD}"),
    ProductOptionSerializer: Contract(
        f"id title product_id product values {RECORD}", "product values", {"product": ProductSerializer}
    ),
    RegionSerializer: Contract(
        f"id name currency_code countries payment_providers {RECORD}", "countries payment_providers"
    ),
    CurrencySerializer: Contract(
        f"code symbol symbol_native name decimal_digits rounding {DATED} deleted_at", "symbol symbol_native rounding"
    ),
    AddressSerializer: Contract(
        "id address_name is_default_shipping is_default_billing customer_id company first_name last_name address_1 "
        f"address_2 city country_code province postal_code phone metadata {DATED}"
    ),
    CustomerSerializer: Contract(
        "id email default_billing_address_id default_shipping_address_id company_name first_name last_name phone "
        f"has_account addresses {RECORD} store_credit_accounts orders",
        "addresses store_credit_accounts orders",
    ),
    StoreCreditAccountSerializer: Contract(
        f"id customer_id currency_code customer transaction_groups metadata credits debits balance {DATED}",
        "customer transaction_groups",
        {"customer": CustomerSerializer},
    ),
    InventoryItemSerializer: Contract(
        f"id sku title requires_shipping stocked_quantity reserved_quantity location_levels {DATED} deleted_at",
        "location_levels",
    ),
    InventoryLevelSerializer: Contract(
        "id inventory_item_id location_id stocked_quantity reserved_quantity available_quantity incoming_quantity "
        f"inventory_item {DATED} deleted_at",
        "inventory_item",
        {"inventory_item": InventoryItemSerializer},
    ),
    ReservationSerializer: Contract(
        "id line_item_id location_id inventory_item_id quantity allow_backorder description inventory_item "
        f"{DATED} deleted_at",
        "inventory_item",
        {"inventory_item": InventoryItemSerializer},
    ),
    ApiKeySerializer: Contract(
        "id token redacted title type last_used_at created_by created_at revoked_by revoked_at updated_at deleted_at "
        "permissions sales_channels",
        "permissions sales_channels",
    ),
    OfferedProviderSerializer: Contract("id is_enabled"),
    PaymentCollectionSerializer: Contract(
        "payment_providers id currency_code amount authorized_amount captured_amount refunded_amount completed_at "
        f"status payment_sessions payments metadata {DATED}",
        "payment_providers payment_sessions payments",
    ),
    GiftCardSerializer: Contract(
        "id code status value currency_code customer_id reference_id reference note expires_at metadata customer "
        f"{DATED} line_item"
    ),
    CartSerializer: Contract(
        "id region_id customer_id sales_channel_id email currency_code locale shipping_address_id billing_address_id "
        "completed_at item_total item_subtotal item_tax_total original_item_total original_item_subtotal "
        "original_item_tax_total shipping_total shipping_subtotal shipping_tax_total original_shipping_total "
        "original_shipping_subtotal original_shipping_tax_total credit_line_total gift_card_total items region "
        "customer shipping_address billing_address shipping_methods promotions credit_lines metadata total subtotal "
        "tax_total discount_total discount_subtotal discount_tax_total original_total original_subtotal "
        f"original_tax_total {DATED} payment_collection"
    ),
    ShippingOptionSerializer: Contract(
        "id name price_type service_zone_id provider_id shipping_profile_id amount is_tax_inclusive data "
        "insufficient_inventory provider type prices calculated_price service_zone",
        "data provider type prices calculated_price service_zone",
        {
            "provider": FulfillmentProviderSerializer,
            "type": ShippingOptionTypeSerializer,
            "calculated_price": CalculatedPriceSerializer,
            "service_zone": ServiceZoneSerializer,
        },
    ),
    FulfillmentProviderSerializer: Contract("id is_enabled"),
    OrderSerializer: Contract(
        "summary items shipping_address billing_address shipping_methods credit_lines payment_collections fulfillments "
        "promotions customer cart "
        "id status display_id custom_display_id version email currency_code region_id customer_id sales_channel_id "
        f"payment_status fulfillment_status {ITEM_AND_SHIPPING_TOTALS} credit_line_total credit_line_subtotal "
        f"metadata {TOTALS} {DATED} credit_line_tax_total item_discount_total shipping_discount_total gift_card_total "
        "gift_card_tax_total",
        "customer_id sales_channel_id metadata credit_line_tax_total item_discount_total shipping_discount_total "
        "gift_card_tax_total items shipping_address billing_address shipping_methods credit_lines payment_collections "
        "fulfillments promotions customer summary cart",
        {
            "shipping_address": OrderAddressSerializer,
            "billing_address": OrderAddressSerializer,
            "customer": OrderCustomerSerializer,
        },
    ),
    AdminOrderSerializer: Contract(
        "locale no_notification canceled_at region sales_channel transactions refunds "
        "summary items shipping_address billing_address shipping_methods credit_lines payment_collections fulfillments "
        "promotions customer cart "
        "id status display_id custom_display_id version email currency_code region_id customer_id sales_channel_id "
        f"payment_status fulfillment_status {ITEM_AND_SHIPPING_TOTALS} credit_line_total credit_line_subtotal "
        f"metadata {TOTALS} {DATED} credit_line_tax_total item_discount_total shipping_discount_total gift_card_total "
        "gift_card_tax_total",
        "no_notification metadata credit_line_tax_total gift_card_total gift_card_tax_total items shipping_methods "
        "credit_lines payment_collections fulfillments promotions summary cart transactions refunds region "
        "sales_channel shipping_address billing_address customer",
        {
            "region": RegionSerializer,
            "sales_channel": SalesChannelSerializer,
            "shipping_address": OrderAddressSerializer,
            "billing_address": OrderAddressSerializer,
            "customer": CustomerSerializer,
        },
    ),
    OrderChangeSerializer: Contract(
        "id order_id return_id change_type status version description internal_note created_by requested_by "
        "requested_at confirmed_by confirmed_at declined_by declined_at declined_reason canceled_by canceled_at "
        f"actions {RECORD}",
        "id change_type declined_by declined_at declined_reason actions",
    ),
    OrderNoteSerializer: Contract("id order_id text created_by created_at", ""),
    OrderItemSerializer: Contract(
        "item id order_id item_id version quantity unit_price compare_at_unit_price fulfilled_quantity "
        "delivered_quantity shipped_quantity return_requested_quantity return_received_quantity "
        f"return_dismissed_quantity written_off_quantity {RECORD}",
        "item unit_price compare_at_unit_price",
        {"item": OrderLineItemSerializer},
    ),
    OrderLineItemSerializer: Contract(
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
        "order_id shipping_option_id marked_shipped_by cancel_reason delivery_address id provider_id "
        "requires_shipping location_id created_by data items labels packed_at shipped_at delivered_at canceled_at "
        f"{DATED} metadata"
    ),
    SalesChannelSerializer: Contract("id name"),
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
    AdminGiftCardSerializer: Contract(
        "line_item_id id code status value currency_code customer_id reference_id reference note expires_at metadata "
        f"customer {DATED}",
        "code customer_id reference_id reference note metadata customer",
        {"customer": CustomerSerializer},
    ),
    AdminStoreCreditAccountSerializer: Contract(
        "gift_card_id id customer_id currency_code customer transaction_groups metadata credits debits balance "
        f"{DATED}",
        "customer transaction_groups",
        {"customer": CustomerSerializer},
    ),
    StoreCreditTransactionSerializer: Contract(
        "id account_id transaction_group_id type amount reference reference_id note created_by created_at"
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
    ReturnSerializer: Contract(f"items shipping_methods {RETURN}", "items shipping_methods"),
    AdminReturnSerializer: Contract(
        f"location_id no_notification internal_note created_by refund_amount items shipping_methods {RETURN}",
        "refund_amount items shipping_methods",
    ),
    RefundReasonSerializer: Contract(f"id label description code metadata {DATED}"),
    AdminPaymentProviderSerializer: Contract("id is_enabled"),
    AdminPaymentSerializer: Contract(
        "payment_collection_id payment_session_id id currency_code provider_id amount authorized_amount "
        "captured_amount refunded_amount data captured_at canceled_at captures refunds payment_collection "
        f"payment_session {DATED}",
        "data captures refunds payment_collection payment_session",
        {"payment_collection": PaymentCollectionSerializer, "payment_session": PaymentSessionSerializer},
    ),
    PaymentSessionSerializer: Contract(
        "id provider_id amount currency_code data context status authorized_at payment_collection payment",
        "data context payment_collection payment",
    ),
    ShippingOptionTypeSerializer: Contract("id label description code"),
    ServiceZoneSerializer: Contract("id fulfillment_set_id fulfillment_set", "fulfillment_set"),
    CalculatedPriceSerializer: Contract(
        "id is_calculated_price_price_list is_calculated_price_tax_inclusive calculated_amount "
        "calculated_amount_with_tax calculated_amount_without_tax is_original_price_price_list "
        "is_original_price_tax_inclusive original_amount original_amount_with_tax original_amount_without_tax "
        "currency_code calculated_price original_price",
        "calculated_price original_price",
    ),
}
"""By serializer. What nobody lists has no order."""


def _days_apart(**makers: Callable[[], Model]) -> dict[str, Model]:
    """The rows, each made a day after the one before it."""
    made = {}
    for day, (name, make) in enumerate(makers.items()):
        with at(FIRST_DAY + timedelta(days=day)):
            made[name] = make()
    return made


DATES = {
    "created_at": "created_at[$lt]=2026-03-02",
    "updated_at": "updated_at[$lt]=2026-03-02",
    "deleted_at": ("with_deleted=true&deleted_at[$gt]=1970-01-01", "gone"),
}
ID_AND_DATES = {"id": "id={one}", **DATES}


def _categories() -> Rows:
    def gone() -> Model:
        category = CategoryFactory(name="Elm", handle="elm")
        category_tree.delete(actor=SYSTEM, category_id=category.pk)
        return category

    parent = CategoryFactory(name="Wood", handle="wood")
    made = _days_apart(
        one=lambda: CategoryFactory(name="Oak", handle="oak", description="Hard", parent=parent),
        other=lambda: CategoryFactory(name="Pine", handle="pine", description="Soft"),
        gone=gone,
    )
    return {**made, "parent": parent}


def _products() -> Rows:
    belongings = {
        "collection": ProductCollectionFactory(),
        "type": ProductTypeFactory(),
        "category": CategoryFactory(),
        "tag": ProductTagFactory(),
        "channel": Store.objects.get().default_sales_channel,
    }

    def one() -> Model:
        product = ProductFactory(
            title="Oak table", handle="oak", external_id="E-1", is_giftcard=True,
            collection=belongings["collection"], type=belongings["type"], categories=[belongings["category"]],
            tags=[belongings["tag"]], sales_channels=[belongings["channel"]],
        )  # fmt: skip
        _variant(product)
        return product

    made = _days_apart(
        one=one,
        other=lambda: VariantFactory(title="Pine shelf", sku="P-1").product,
        gone=lambda: ProductFactory(deleted_at=now()),
    )
    return {**made, **belongings, **_option_of(made["one"])}


def _variant(product: Any = None) -> Model:
    given = {} if product is None else {"product": product}
    option = OptionFactory(title="Size", values=["Large"], **given)
    return VariantFactory(
        product=option.product, title="Wide", sku="O-1", barcode="B-1", ean="EAN-1", upc="UPC-1", allow_backorder=True,
        manage_inventory=False, options=option.values.all(),
    )  # fmt: skip


def _option_of(product: Any) -> Rows:
    option = product.options.get()
    return {"option": option, "value": option.values.get()}


def _variants() -> Rows:
    made = _days_apart(
        one=_variant,
        other=lambda: VariantFactory(title="Pine shelf", sku="P-1"),
        gone=lambda: VariantFactory(deleted_at=now()),
    )
    product = made["one"].product  # type: ignore[attr-defined]  # a variant
    return {**made, "product": product, **_option_of(product)}


def _options() -> Rows:
    made = _days_apart(
        one=lambda: OptionFactory(title="Size"),
        other=lambda: OptionFactory(title="Colour"),
        gone=lambda: OptionFactory(deleted_at=now()),
    )
    return {**made, "product": made["one"].product}  # type: ignore[attr-defined]  # an option


def _named(factory: Any, column: str, **more: Any) -> Callable[[], Rows]:
    """Three rows of a factory: Oak, Pine, and Elm that is deleted. more: what is added to the first."""
    return lambda: _days_apart(
        one=lambda: factory(**{column: "Oak", **more}),
        other=lambda: factory(**{column: "Pine"}),
        gone=lambda: factory(**{column: "Elm", "deleted_at": now()}),
    )


def _addresses() -> Rows:
    ulm = {"city": "Ulm", "country_code": "de", "province": None, "postal_code": "89073"}
    return _days_apart(
        one=lambda: AddressFactory(customer=shopper(), **ulm), other=lambda: AddressFactory(customer=shopper())
    )


def _accounts() -> Rows:
    return _days_apart(
        one=lambda: store_credit(shopper(), 5, currency_code="eur"), other=lambda: store_credit(shopper(), 7)
    )


def _keys() -> Rows:
    def one() -> Model:
        key = publishable_key(title="Oak").key
        revoke(actor=SYSTEM, key_id=key.pk)
        return type(key).objects.get(pk=key.pk)

    made = _days_apart(one=one, other=lambda: secret_key(title="Pine").key)
    return {**made, "token": made["one"].token}  # type: ignore[attr-defined]  # a key


def _levels() -> Rows:
    item = InventoryItemFactory()
    made = _days_apart(
        one=lambda: InventoryLevelFactory(inventory_item=item, stocked_quantity=7),
        other=lambda: InventoryLevelFactory(inventory_item=item, stocked_quantity=4),
        gone=lambda: InventoryLevelFactory(inventory_item=item, deleted_at=now()),
    )
    InventoryLevelFactory(stocked_quantity=1)
    return {**made, "above": item, "location": made["one"].location}  # type: ignore[attr-defined]  # a level


def _reservations() -> Rows:
    made = _days_apart(
        one=lambda: ReservationFactory(line_item_id="ordli_1"),
        other=lambda: ReservationFactory(quantity=3),
        gone=lambda: ReservationFactory(deleted_at=now()),
    )
    one: Any = made["one"]
    return {**made, "item": one.inventory_item, "location": one.location}


def _shipping_options() -> Rows:
    return {
        "one": fulfillment.option(rules=(("is_return", "eq", "true"),)),
        "other": fulfillment.option(),
        "cart": carts.cart(),
    }


def _providers() -> Rows:
    region = RegionFactory()
    region.payment_providers.add("pp_system_default")
    return {"region": region, "one": PaymentProvider.objects.get(pk="pp_system_default")}


def _orders() -> Rows:
    return _days_apart(
        one=lambda: order(
            shopper(), captured=True, status=OrderStatus.ARCHIVED, fulfillment_status=FulfillmentStatus.SHIPPED
        ),
        other=lambda: order(shopper()),
    )


def _all_orders() -> Rows:
    """The first with a total of its own, so that it is found by that."""
    ann = CustomerFactory(email="ann@oak.example")
    terms = {"status": OrderStatus.ARCHIVED, "fulfillment_status": FulfillmentStatus.SHIPPED, "total": 17}
    made = _days_apart(one=lambda: order(ann, captured=True, email=ann.email, currency_id="eur", **terms), other=order)
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
    made = _days_apart(**{name: lambda: OrderNote.objects.create(order=above, text="Oak") for name in ("one", "other")})
    return {**made, "above": above}


def _reasons() -> Rows:
    made = {"one": return_reason(), "other": return_reason("damaged", "Damaged")}
    return {**made, "child": return_reason("too_small", "Too small", parent_return_reason=made["one"])}


def _admin_reasons() -> Rows:
    parent = return_reason("goods", "Goods")
    made = _days_apart(
        one=lambda: return_reason("oak", "Oak", description="Hard", parent_return_reason=parent),
        other=lambda: return_reason("pine", "Pine"),
        gone=lambda: return_reason("elm", "Elm", deleted_at=now()),
    )
    return {**made, "parent": parent}


def _returns() -> Rows:
    location = StockLocationFactory()

    def one() -> Model:
        made = return_of(location_id=location.pk)
        return_cancellation.cancel(actor=SYSTEM, return_id=made.pk)
        return made

    made = _days_apart(one=one, other=return_of, gone=return_of)
    gone = made["gone"]
    type(gone).objects.filter(pk=gone.pk).update(deleted_at=now())
    return {**made, "location": location, "order": made["one"].order_id}  # type: ignore[attr-defined]  # a return


def _changes() -> Rows:
    above = delivered((sold_variant(10), 2))
    made = _days_apart(one=lambda: return_of(above), other=lambda: return_of(above))
    changes = {name: f"ordch_{each.pk.removeprefix('return_')}" for name, each in made.items()}
    return {**changes, "above": above, "return": made["one"]}


def _refund_reasons() -> Rows:
    return _days_apart(
        one=lambda: payments.refund_reason("oak", "Oak"),
        other=lambda: payments.refund_reason("pine", "Pine"),
        gone=lambda: payments.refund_reason("elm", "Elm", deleted_at=now()),
    )


def _cards() -> Rows:
    def one() -> Model:
        terms = {"reference": "fair", "reference_id": "fair_1"}
        card = gift_card(code="GIFT-OAK", customer_id=shopper().pk, **terms)
        cancellation.cancel(actor=SYSTEM, card_id=card.pk)
        return GiftCard.objects.get(pk=card.pk)

    return {**_days_apart(one=one, other=gift_card), "customer": shopper()}


def _all_accounts() -> Rows:
    made = _days_apart(
        one=lambda: store_credit(shopper(), 5, currency_code="eur"), other=lambda: store_credit(CustomerFactory(), 7)
    )
    return {**made, "customer": shopper()}


def _transactions() -> Rows:
    account_id = open_account(actor=SYSTEM, currency_code="usd", customer_id=CustomerFactory().pk)

    def adjusted(adjust: Callable[..., None]) -> Model:
        adjust(actor=SYSTEM, account_id=account_id, amount=Decimal(5), note="For the test")
        return Transaction.objects.latest("pk")

    made = _days_apart(one=lambda: adjusted(credit_account), other=lambda: adjusted(debit_account))
    return {**made, "above": account_id, "reference_id": made["one"].reference_id}  # type: ignore[attr-defined]  # an entry


def _refunds() -> Rows:
    above, reason = delivered(), payments.refund_reason()
    returned = return_of(above)
    made = _days_apart(
        one=lambda: _refund(above, return_id=returned.pk), other=lambda: _refund(above, refund_reason_id=reason.pk)
    )
    return {**made, "above": above, "return": returned}


def _refund(of: Order, **why: str) -> GrantedRefund:
    refund_id = creation.create(actor=SYSTEM, order_id=of.pk, amount=Decimal(5), **why)
    return GrantedRefund.objects.get(pk=refund_id)


def _payments() -> Rows:
    made = _days_apart(one=payments.captured_payment, other=payments.authorized_payment)
    return {**made, "session": made["one"].session}  # type: ignore[attr-defined]  # a payment


def _all_providers() -> Rows:
    return {"one": PaymentProvider.objects.get(pk="pp_system_default")}


NONE_DELETED = ("with_deleted=true&deleted_at[$gt]=1970-01-01", "")

LISTS = {
    "/store/product-categories": Filtering(
        _categories,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "name": "name=Oak",
            "description": "description=Hard",
            "handle": "handle=oak",
            "parent_category_id": "parent_category_id={parent}",
        },
    ),
    "/store/products": Filtering(
        _products,
        {
            **ID_AND_DATES,
            "q": "q=oak+o-1",
            "title": "title=Oak table",
            "handle": "handle=oak",
            "external_id": "external_id=E-1",
            "category_id": "category_id={category}",
            "collection_id": "collection_id={collection}",
            "type_id": "type_id={type}",
            "tag_id": "tag_id={tag}",
            "sales_channel_id": ("sales_channel_id={channel}", "one other"),
            "option_value_id": "option_value_id={value}",
            "is_giftcard": "is_giftcard=true",
            "variants[sku]": "variants[sku]=O-1",
            "variants[title]": "variants[title]=Wide",
            "variants[barcode]": "variants[barcode]=B-1",
            "variants[ean]": "variants[ean]=EAN-1",
            "variants[upc]": "variants[upc]=UPC-1",
            "variants[options][value]": "variants[options][value]=Large",
            "variants[options][option_id]": "variants[options][option_id]={option}",
            "variants[allow_backorder]": "variants[allow_backorder]=true",
            "variants[manage_inventory]": "variants[manage_inventory]=false",
        },
    ),
    "/store/product-variants": Filtering(
        _variants,
        {
            **ID_AND_DATES,
            "q": "q=wide",
            "title": "title=Wide",
            "sku": "sku=O-1",
            "barcode": "barcode=B-1",
            "ean": "ean=EAN-1",
            "upc": "upc=UPC-1",
            "product_id": "product_id={product}",
            "options[value]": "options[value]=Large",
            "options[option_id]": "options[option_id]={option}",
            "allow_backorder": "allow_backorder=true",
            "manage_inventory": "manage_inventory=false",
        },
    ),
    "/store/collections": Filtering(
        _named(ProductCollectionFactory, "title", handle="oak"),
        {**ID_AND_DATES, "q": "q=oak", "title": "title=Oak", "handle": "handle=oak"},
    ),
    "/store/product-types": Filtering(
        _named(ProductTypeFactory, "value"), {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak"}
    ),
    "/store/product-tags": Filtering(
        _named(ProductTagFactory, "value"), {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak"}
    ),
    "/store/product-options": Filtering(
        _options,
        {
            **ID_AND_DATES,
            "q": "q=size",
            "title": "title=Size",
            "product_id": "product_id={product}",
            "is_exclusive": ("is_exclusive=true", "one other"),
        },
    ),
    "/store/regions": Filtering(
        _named(RegionFactory, "name", currency_id="eur"),
        {**ID_AND_DATES, "q": "q=oak", "name": "name=Oak", "currency_code": "currency_code=EUR"},
    ),
    "/store/currencies": Filtering(
        lambda: {"one": Currency.objects.get(pk="usd"), "other": Currency.objects.get(pk="eur")},
        {
            "created_at": ("created_at[$lt]=2026-03-02", ""),
            "updated_at": ("updated_at[$gt]=2026-03-02", "one other"),
            "deleted_at": NONE_DELETED,
            "q": "q=us+dollar",
            "code": "code=USD",
        },
    ),
    "/store/customers/me/addresses": Filtering(
        _addresses,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "q": "q=ulm",
            "city": "city=Ulm",
            "country_code": "country_code=de",
            "postal_code": "postal_code=89073",
        },
    ),
    "/store/store-credit-accounts": Filtering(
        _accounts, {**ID_AND_DATES, "deleted_at": NONE_DELETED, "currency_code": "currency_code=eur"}
    ),
    "/store/shipping-options": Filtering(
        _shipping_options,
        {"cart_id": ("", "other"), "is_return": ("is_return=true", "one other")},
        base="cart_id={cart}",
    ),
    "/store/payment-providers": Filtering(_providers, {"region_id": ""}, base="region_id={region}"),
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
    "/admin/inventory-items/<str:id>/location-levels": Filtering(
        _levels,
        {
            **ID_AND_DATES,
            "updated_at": "updated_at[$lt]=2026-03-02",
            "inventory_item_id": ("inventory_item_id={above}", "one other"),
            "location_id": "location_id={location}",
        },
    ),
    "/admin/reservations": Filtering(
        _reservations,
        {
            **ID_AND_DATES,
            "inventory_item_id": "inventory_item_id={item}",
            "location_id": "location_id={location}",
            "line_item_id": "line_item_id=ordli_1",
        },
    ),
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
            "return_id": "return_id={return}",
            "created_at": DATES["created_at"],
            "updated_at": DATES["updated_at"],
            "order_id": ("order_id={above}", "one other"),
        },
    ),
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
    "/admin/gift-cards": Filtering(
        _cards,
        {
            "id": "id={one}",
            "created_at": DATES["created_at"],
            "updated_at": "updated_at[$lt]=2026-03-02",
            "deleted_at": NONE_DELETED,
            "q": "q=gift-oak",
            "customer_id": "customer_id={customer}",
            "reference": "reference=fair",
            "reference_id": "reference_id=fair_1",
            "status": "status=canceled",
        },
    ),
    "/admin/store-credit-accounts": Filtering(
        _all_accounts,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "q": "q={customer}",
            "currency_code": "currency_code=eur",
            "customer_id": "customer_id={customer}",
        },
    ),
    "/admin/store-credit-accounts/<str:id>/transactions": Filtering(
        _transactions,
        {
            "id": "id={one}",
            "created_at": DATES["created_at"],
            "account_id": ("account_id={above}", "one other"),
            "type": "type=credit",
            "reference": ("reference=adjustment", "one other"),
            "reference_id": "reference_id={reference_id}",
        },
    ),
    "/admin/orders/<str:id>/refunds": Filtering(
        _refunds,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "order_id": ("order_id={above}", "one other"),
            "return_id": "return_id={return}",
        },
    ),
    "/admin/payments": Filtering(
        _payments,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "q": "q={session}",
            "payment_session_id": "payment_session_id={session}",
        },
    ),
    "/admin/payments/payment-providers": Filtering(_all_providers, {"id": "id={one}", "is_enabled": "is_enabled=true"}),
    "/admin/api-keys": Filtering(
        _keys,
        {
            **ID_AND_DATES,
            "updated_at": "updated_at[$lt]=2026-03-02",
            "deleted_at": NONE_DELETED,
            "q": "q=oak",
            "token": "token={token}",
            "title": "title=Oak",
            "type": "type=publishable",
            "revoked_at": "revoked_at[$gt]=1970-01-01",
        },
    ),
}
"""By path."""
