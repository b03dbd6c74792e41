"""The routes of the interface, read off the URLconf, and an example of each that the generic tests need."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

from catalog.models import Price, ProductVariant
from customers.models import Customer
from fulfillment.models import ShippingOptionType
from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from kit.domain.actor import SYSTEM
from kit.rest.endpoint import Endpoint
from kit.rest.viewsets import AdminEndpoint
from kit.values.ids import new_ulid
from kit.values.timestamps import now
from orders.fulfillments.requested_items import ItemQuantity
from orders.mails.lookups import render_lookup_mail
from orders.mails.transfers import render_transfer_mail
from orders.models import (
    Fulfillment,
    OrderLineItem,
    OrderLookup,
    OrderNote,
    OrderShippingMethod,
    OrderTransfer,
    ReturnItem,
)
from orders.models.lookups import address_digest
from orders.refunds import creation as refund_creation
from orders.returns import arrivals, creation, preparation, shipping_choice
from orders.returns.shipping import ReturnShipping
from orders.states import OrderStatus
from orders.transfers.requesting import request_transfer
from payments.models import RefundReason
from shop.models import Currency, StockLocation, Store
from tests.contract.callers import Caller
from tests.factories import carts, fulfillment, payments
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.checkout import ready_cart
from tests.factories.customers import AddressFactory, CustomerFactory, CustomerGroupFactory
from tests.factories.fulfillment import ProfileFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
)
from tests.factories.orders import order, return_reason
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    ImageFactory,
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.factories.taxes import tax_rate, tax_region
from tests.orders.fulfillments.shop import pack
from tests.orders.placed import placed
from tests.orders.returns.shop import delivered, lines, return_of, wanted
from tests.pictures.files import PictureFactory, form, picture


@dataclass(frozen=True)
class Route:
    """A path as the URLconf writes it, its viewset, and the action of each method."""

    path: str
    endpoint: type[Endpoint]
    actions: dict[str, str] = field(hash=False)

    def __str__(self) -> str:
        return self.path

    @property
    def methods(self) -> list[str]:
        """The methods it has, without OPTIONS."""
        return sorted({*(method.upper() for method in self.actions), *(["HEAD"] if "get" in self.actions else [])})


def routes() -> list[Route]:
    """Every route that an Endpoint serves."""
    return list(_below(get_resolver(), "/"))


def _below(resolver: URLResolver, prefix: str) -> Iterator[Route]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _below(pattern, path)
        elif isinstance(pattern, URLPattern) and issubclass(getattr(pattern.callback, "cls", object), Endpoint):
            yield Route(path, pattern.callback.cls, dict(pattern.callback.actions))


@dataclass(frozen=True)
class Example:
    """What a request to a route needs to succeed.

    path: makes the rows it needs and gives the path, with a query where it cannot do without one.
    bodies: by action, or what makes them; without one, the action takes none.
    """

    path: Callable[[], str]
    bodies: dict[str, Any] = field(default_factory=dict)


def _key_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/api-keys/{publishable_key().key.pk}{suffix}"


def _levels_path() -> str:
    return f"/admin/inventory-items/{InventoryLevelFactory().inventory_item_id}/location-levels"


def _level_path() -> str:
    level = InventoryLevelFactory()
    return f"/admin/inventory-items/{level.inventory_item_id}/location-levels/{level.location_id}"


def _variant_path() -> str:
    variant = VariantFactory()
    return f"/admin/products/{variant.product_id}/variants/{variant.pk}"


def _new_variant() -> dict[str, Any]:
    return {"product_id": ProductFactory().pk, "title": "Box"}


def _variants_path() -> str:
    option = OptionFactory(title="Size", values=["Large", "Small"])
    VariantFactory(product=option.product, options=[option.values.get(value="Large")])
    return f"/admin/products/{option.product_id}/variants"


def _adjustment() -> dict[str, Any]:
    level = InventoryLevelFactory()
    place = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}
    return {"update": [{**place, "adjust_by": 1}]}


def _reservation() -> dict[str, Any]:
    level = InventoryLevelFactory(stocked_quantity=5)
    return {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id, "quantity": 1}


def _zone_path() -> str:
    zone = fulfillment.zone()
    return f"/admin/fulfillment-sets/{zone.fulfillment_set_id}/service-zones/{zone.pk}"


def _return_request() -> dict[str, Any]:
    made = delivered()
    return {"order_id": made.pk, **_units_of_newest_line()}


def _return_path(suffix: str) -> Callable[[], str]:
    return lambda: f"/admin/returns/{return_of().pk}{suffix}"


def _units_of_newest_line() -> dict[str, Any]:
    return {"items": [{"id": OrderLineItem.objects.latest("created_at").pk, "quantity": 1}]}


def _open_return(*units: int) -> str:
    made = delivered()
    return_id = creation.begin(actor=SYSTEM, order_id=made.pk)
    preparation.add_items(actor=SYSTEM, return_id=return_id, items=wanted(made, *units))
    return return_id


def _open_item_path() -> str:
    return_id = _open_return(1)
    return f"/admin/returns/{return_id}/request-items/{ReturnItem.objects.get(of_return=return_id).pk}"


def _filled_return_path() -> str:
    return f"/admin/returns/{_open_return(1)}/request"


def _return_option() -> dict[str, Any]:
    return {"shipping_option_id": fulfillment.option(5, rules=[("is_return", "eq", "true")]).pk}


def _return_shipping_path() -> str:
    return_id = _open_return(1)
    way = ReturnShipping(_return_option()["shipping_option_id"])
    shipping_choice.choose(actor=SYSTEM, return_id=return_id, shipping=way)
    method = OrderShippingMethod.objects.get(of_return=return_id)
    return f"/admin/returns/{return_id}/shipping-method/{method.pk}"


def _counted_item_path(kind: str) -> Callable[[], str]:
    def path() -> str:
        made = return_of()
        return f"/admin/returns/{made.pk}/{kind}-items/{made.items.get().pk}"

    return path


def _counted_return_path() -> str:
    made = return_of()
    [line] = lines(made.order)
    arrivals.count_received(actor=SYSTEM, return_id=made.pk, items=[ItemQuantity(line.pk, 1)])
    return f"/admin/returns/{made.pk}/receive/confirm"


def _reading(path: str, factory: Callable[[], Any], *, key: str = "id") -> dict[str, Example]:
    """The list below a path, and one of it that the factory makes."""
    return {path: Example(lambda: path), f"{path}/<str:{key}>": Example(lambda: f"{path}/{factory().pk}")}


def _maintained(
    path: str,
    factory: Callable[[], Any],
    new: Any,
    change: dict[str, Any],
    *,
    can_restore: bool = True,
    in_batches: bool = True,
) -> dict[str, Example]:
    """The same, where staff create and change rows."""
    batch = {"batch": lambda: {"update": [{"id": factory().pk, **change}]}}
    restoring = {f"{path}/<str:id>/restore": Example(lambda: f"{path}/{_deleted(factory()).pk}/restore")}
    return {
        path: Example(lambda: path, {"create": new}),
        **({f"{path}/batch": Example(lambda: f"{path}/batch", batch)} if in_batches else {}),
        f"{path}/<str:id>": Example(lambda: f"{path}/{factory().pk}", {"update": change}),
        **(restoring if can_restore else {}),
    }


def _image_path() -> str:
    image = ImageFactory()
    return f"/admin/products/{image.product_id}/images/{image.pk}/variants/batch"


def _listed() -> Price:
    return price(VariantFactory(), 5, price_list=PriceListFactory())


def _option_value_path() -> str:
    """One that can be deleted."""
    option = OptionFactory(values=["Red", "Blue"])
    return f"/admin/product-options/{option.pk}/values/{option.values.first().pk}"


def _deleted(row: Any) -> Any:
    row.deleted_at = now()
    row.save(update_fields=["deleted_at"])
    return row


def _own_address_path() -> str:
    """An address below its customer."""
    address = AddressFactory()
    return f"/admin/customers/{address.customer_id}/addresses/{address.pk}"


SHOPPER = "shopper@example.com"


def shopper() -> Customer:
    """The customer who has signed in where a route asks for one."""
    return Customer.objects.filter(email=SHOPPER).first() or CustomerFactory(email=SHOPPER)


def _address_path() -> str:
    return f"/store/customers/me/addresses/{AddressFactory(customer=shopper()).pk}"


def _cart_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/store/carts/{carts.cart(region_id=carts.selling_region().pk).pk}{suffix}"


def _line_path() -> str:
    """A line that stock does not limit, in a cart of its own."""
    cart = carts.cart(carts.sold_variant())
    return f"/store/carts/{cart.pk}/line-items/{cart.items.get().pk}"


def _filled_path() -> str:
    """The lines of a cart that can take the example's variant."""
    if not ProductVariant.objects.filter(pk=SOLD).exists():
        carts.sold_variant(id=SOLD)
    return f"{_cart_path()()}/line-items"


def _order_path(suffix: str) -> Callable[[], str]:
    """A guest's order."""
    return lambda: f"/store/orders/{placed().pk}/transfer/{suffix}"


def _own_orders_path() -> str:
    """There is one of the shopper's."""
    order(shopper())
    return "/store/orders"


def _requested_path(suffix: str) -> Callable[[], str]:
    """An order that the shopper has requested."""

    def path() -> str:
        made = placed()
        request_transfer(actor=carts.shopper(customer_id=shopper().pk), order_id=made.pk)
        return f"/store/orders/{made.pk}/transfer/{suffix}"

    return path


def _lookup_path() -> str:
    """A guest's order, by the token of the email."""
    made = placed()
    digest = address_digest(str(made.email))
    lookup = OrderLookup.objects.create(
        number=str(made.display_id), email_digest=digest, sales_channel_ids=[made.sales_channel_id]
    )
    mail = render_lookup_mail(lookup.pk, 1)
    assert mail is not None
    return f"/store/orders/lookup/{mail.context['token']}"


def _token() -> dict[str, str]:
    """That of the latest request."""
    mail = render_transfer_mail(OrderTransfer.objects.latest("pk").pk, 1)
    assert mail is not None
    return {"token": str(mail.context["token"])}


def _shipping_options_path() -> str:
    """Those of a cart that may choose from one."""
    fulfillment.option()
    return f"/store/shipping-options?cart_id={carts.cart().pk}"


def _calculation_path() -> str:
    return f"/store/shipping-options/{fulfillment.option().pk}/calculate"


def _first_cart_path() -> str:
    carts.default_region()
    return "/store/carts"


def _card_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/store/gift-cards/{gift_card().code}{suffix}"


def _paid_by_card_path() -> str:
    """The gift cards of a cart, which the example's card pays for already."""
    card = GiftCard.objects.filter(code=CODE).first() or gift_card(code=CODE)
    cart = carts.cart(carts.sold_variant())
    add_card(actor=carts.shopper(), cart_id=cart.pk, code=card.pk)
    return f"/store/carts/{cart.pk}/gift-cards"


def _paid_by_credit_path() -> str:
    """The store credit of a cart of the customer who has signed in."""
    customer = shopper()
    store_credit(customer)
    cart = carts.cart(carts.sold_variant(), actor=carts.shopper(customer_id=customer.pk))
    return f"/store/carts/{cart.pk}/store-credits"


def _providers_path() -> str:
    """Those of a region that offers one."""
    return f"/store/payment-providers?region_id={payments.payable_cart().region_id}"


def _sessions_path() -> str:
    return f"/store/payment-collections/{payments.collection().pk}/payment-sessions"


def _all_orders_path() -> str:
    """There is one."""
    order(shopper())
    return "/admin/orders"


def _packed_path(act: str) -> Callable[[], str]:
    """A fulfillment of an order."""

    def path() -> str:
        made = pack(placed(), 1)
        return f"/admin/orders/{made.order_id}/fulfillments/{made.pk}/{act}"

    return path


def _notes_path() -> str:
    note = OrderNote.objects.create(order=order(), text="Call first")
    return f"/admin/orders/{note.order_id}/notes"


def _one_item() -> dict[str, Any]:
    """One unit of the latest line."""
    return {"items": [{"id": OrderLineItem.objects.latest("created_at", "pk").pk, "quantity": 1}]}


def _named_items() -> list[dict[str, Any]]:
    return [{"line_item_id": OrderLineItem.objects.latest("created_at", "pk").pk, "quantity": 1}]


def _packed() -> Fulfillment:
    return pack(placed(), 1)


def _account_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/store-credit-accounts/{store_credit(shopper()).pk}{suffix}"


def _refund_path() -> str:
    made = order(captured=True)
    why = _refund_reason().pk
    refund_id = refund_creation.create(actor=SYSTEM, order_id=made.pk, amount=Decimal(5), refund_reason_id=why)
    return f"/admin/orders/{made.pk}/refunds/{refund_id}"


def _refund_reason() -> RefundReason:
    return payments.refund_reason(f"reason_{RefundReason.objects.count()}")


CODE = "GIFT-EXAMPLE"
SOLD = "variant_01SOLD"
ADJUSTMENT = {"amount": 5, "note": "Late parcel"}
_SIGN_UP = {"email": "a@example.com", "password": "correct horse battery"}

EXAMPLES = {
    **_reading("/store/product-categories", CategoryFactory),
    **_reading("/store/products", ProductFactory),
    **_reading("/store/product-variants", VariantFactory),
    **_reading("/store/product-options", OptionFactory),
    **_reading("/store/collections", ProductCollectionFactory),
    **_reading("/store/product-types", ProductTypeFactory),
    **_reading("/store/product-tags", ProductTagFactory),
    **_reading("/store/regions", RegionFactory),
    **_reading("/store/currencies", lambda: Currency.objects.get(pk="usd"), key="code"),
    **_reading("/store/store-credit-accounts", lambda: store_credit(shopper())),
    **_reading("/store/return-reasons", return_reason),
    "/store/orders": Example(_own_orders_path),
    "/store/orders/<str:id>": Example(lambda: f"/store/orders/{order().pk}"),
    "/store/locales": Example(lambda: "/store/locales"),
    "/store/gift-cards/<str:id_or_code>": Example(_card_path()),
    "/store/gift-cards/<str:id_or_code>/redeem": Example(_card_path("/redeem")),
    "/store/carts/<str:id>/gift-cards": Example(_paid_by_card_path, {"add": {"code": CODE}, "remove": {"code": CODE}}),
    "/store/carts/<str:id>/store-credits": Example(_paid_by_credit_path, {"add": {"amount": 5}}),
    "/store/customers": Example(lambda: "/store/customers", {"create": {}}),
    "/store/customers/me": Example(lambda: "/store/customers/me", {"update": {"first_name": "Zed"}}),
    "/store/customers/me/addresses": Example(lambda: "/store/customers/me/addresses", {"create": {"city": "Ulm"}}),
    "/store/customers/me/addresses/<str:address_id>": Example(_address_path, {"update": {"city": "Ulm"}}),
    "/store/carts": Example(_first_cart_path, {"create": {"email": "a@example.com", "metadata": {"a": 1}}}),
    "/store/carts/<str:id>": Example(_cart_path(), {"change": {"email": "a@example.com"}}),
    "/store/carts/<str:id>/line-items": Example(_filled_path, {"add": {"variant_id": SOLD, "quantity": 2}}),
    "/store/carts/<str:id>/line-items/<str:line_id>": Example(_line_path, {"change": {"quantity": 3}}),
    "/store/carts/<str:id>/promotions": Example(
        _cart_path("/promotions"), {"add": {"promo_codes": []}, "remove": {"promo_codes": ["SAVE"]}}
    ),
    "/store/carts/<str:id>/shipping-methods": Example(
        _cart_path("/shipping-methods"),
        {"choose": lambda: {"option_id": fulfillment.option().pk, "data": {"a": 1}}, "remove": {}},
    ),
    "/store/shipping-options": Example(_shipping_options_path),
    "/store/shipping-options/<str:id>/calculate": Example(
        _calculation_path, {"calculate": lambda: {"cart_id": carts.cart().pk, "data": {"a": 1}}}
    ),
    "/store/payment-providers": Example(_providers_path),
    "/store/payment-collections": Example(
        lambda: "/store/payment-collections", {"open": lambda: {"cart_id": payments.payable_cart().pk}}
    ),
    "/store/carts/<str:id>/complete": Example(lambda: f"/store/carts/{ready_cart().pk}/complete"),
    "/store/orders/lookup": Example(
        lambda: "/store/orders/lookup", {"create": lambda: {"display_id": "1", "email": f"{new_ulid()}@example.com"}}
    ),
    "/store/orders/lookup/<str:token>": Example(_lookup_path),
    "/store/orders/<str:id>/transfer/request": Example(_order_path("request")),
    "/store/orders/<str:id>/transfer/cancel": Example(_requested_path("cancel")),
    "/store/orders/<str:id>/transfer/accept": Example(_requested_path("accept"), {"accept": _token}),
    "/store/orders/<str:id>/transfer/decline": Example(_requested_path("decline"), {"decline": _token}),
    "/store/payment-collections/<str:id>/payment-sessions": Example(
        _sessions_path, {"start": {"provider_id": payments.PROVIDER, "data": {"a": 1}}}
    ),
    "/hooks/payments/<str:provider_id>": Example(lambda: "/hooks/payments/pp_system_default"),
    "/hooks/fulfillment/<str:provider_id>": Example(lambda: "/hooks/fulfillment/manual_manual"),
    "/store/carts/<str:id>/customer": Example(_cart_path("/customer")),
    "/store/carts/<str:id>/taxes": Example(_cart_path("/taxes")),
    "/admin/api-keys": Example(lambda: "/admin/api-keys", {"create": {"title": "Web shop", "type": "publishable"}}),
    "/admin/api-keys/<str:id>": Example(_key_path(), {"rename": {"title": "Web shop"}}),
    "/admin/api-keys/<str:id>/revoke": Example(_key_path("/revoke"), {"revoke": {}}),
    "/admin/api-keys/<str:id>/sales-channels": Example(_key_path("/sales-channels"), {"set_channels": {}}),
    "/admin/uploads": Example(lambda: "/admin/uploads", {"create": lambda: Form(form(picture()))}),
    "/admin/uploads/<str:id>": Example(lambda: f"/admin/uploads/{PictureFactory().pk}"),
    "/admin/inventory-items/location-levels/batch": Example(
        lambda: "/admin/inventory-items/location-levels/batch", {"batch": _adjustment}
    ),
    "/admin/inventory-items/<str:id>/location-levels": Example(_levels_path),
    "/admin/inventory-items/<str:id>/location-levels/<str:location_id>": Example(
        _level_path, {"change": {"stocked_quantity": 3}}
    ),
    "/admin/inventory-items/<str:id>/location-levels/batch": Example(
        lambda: f"{_levels_path()}/batch",
        {"batch_of_item": lambda: {"update": [{"location_id": StockLocation.objects.latest("pk").pk}]}},
    ),
    **_maintained(
        "/admin/inventory-items", InventoryItemFactory, {"title": "Tea", "requires_shipping": True}, {"title": "Teas"}
    ),
    **_maintained(
        "/admin/reservations", ReservationFactory, _reservation, {"description": "For the fair"}, can_restore=False
    ),
    "/admin/orders": Example(_all_orders_path),
    "/admin/orders/<str:id>": Example(
        lambda: f"/admin/orders/{order().pk}", {"update": {"email": "office@example.com", "metadata": {"erp": 7}}}
    ),
    "/admin/orders/<str:id>/complete": Example(
        lambda: f"/admin/orders/{placed().pk}/complete", {"complete": {"note": "Picked up"}}
    ),
    "/admin/orders/<str:id>/archive": Example(
        lambda: f"/admin/orders/{order(status=OrderStatus.COMPLETED).pk}/archive"
    ),
    "/admin/orders/<str:id>/cancel": Example(lambda: f"/admin/orders/{placed().pk}/cancel"),
    "/admin/orders/<str:id>/notes": Example(_notes_path, {"create": {"text": "Call first"}}),
    "/admin/orders/<str:id>/changes": Example(lambda: f"/admin/orders/{return_of().order_id}/changes"),
    "/admin/orders/<str:id>/line-items": Example(lambda: f"/admin/orders/{order().pk}/line-items"),
    "/admin/orders/<str:id>/fulfillments": Example(
        lambda: f"/admin/orders/{placed().pk}/fulfillments", {"create": _one_item}
    ),
    "/admin/orders/<str:id>/fulfillments/<str:fulfillment_id>/cancel": Example(_packed_path("cancel")),
    "/admin/orders/<str:id>/fulfillments/<str:fulfillment_id>/shipments": Example(
        _packed_path("shipments"), {"ship": _one_item}
    ),
    "/admin/orders/<str:id>/fulfillments/<str:fulfillment_id>/mark-as-delivered": Example(
        _packed_path("mark-as-delivered")
    ),
    "/admin/fulfillments": Example(
        lambda: "/admin/fulfillments", {"create": lambda: {"order_id": placed().pk, "items": _named_items()}}
    ),
    "/admin/fulfillments/<str:id>/cancel": Example(lambda: f"/admin/fulfillments/{_packed().pk}/cancel"),
    "/admin/fulfillments/<str:id>/shipment": Example(lambda: f"/admin/fulfillments/{_packed().pk}/shipment"),
    "/admin/orders/<str:id>/refunds": Example(
        lambda: _refund_path().rpartition("/")[0],
        {"create": lambda: {"amount": 5, "refund_reason_id": _refund_reason().pk}},
    ),
    "/admin/orders/<str:id>/refunds/<str:refund_id>": Example(_refund_path),
    **_maintained(
        "/admin/return-reasons",
        return_reason,
        {"value": "wrong_colour", "label": "Wrong colour"},
        {"label": "Wrong colour"},
    ),
    "/store/returns": Example(lambda: "/store/returns", {"create": _return_request}),
    "/admin/returns": Example(lambda: "/admin/returns", {"create": lambda: {"order_id": delivered().pk}}),
    "/admin/returns/<str:id>": Example(_return_path(""), {"update": {"no_notification": True}}),
    "/admin/returns/<str:id>/cancel": Example(_return_path("/cancel")),
    "/admin/returns/<str:id>/request-items": Example(
        lambda: f"/admin/returns/{_open_return()}/request-items", {"add": _units_of_newest_line}
    ),
    "/admin/returns/<str:id>/request-items/<str:action_id>": Example(_open_item_path, {"change": {"quantity": 2}}),
    "/admin/returns/<str:id>/request": Example(_filled_return_path, {"confirm": {}}),
    "/admin/returns/<str:id>/receive": Example(_return_path("/receive"), {"begin": {"internal_note": "Box is open"}}),
    "/admin/returns/<str:id>/receive-items": Example(
        _return_path("/receive-items"), {"count_received": _units_of_newest_line}
    ),
    "/admin/returns/<str:id>/dismiss-items": Example(
        _return_path("/dismiss-items"), {"count_damaged": _units_of_newest_line}
    ),
    "/admin/returns/<str:id>/shipping-method": Example(
        lambda: f"/admin/returns/{_open_return(1)}/shipping-method", {"choose": _return_option}
    ),
    "/admin/returns/<str:id>/shipping-method/<str:action_id>": Example(
        _return_shipping_path, {"change": {"custom_amount": 2}}
    ),
    "/admin/returns/<str:id>/receive-items/<str:action_id>": Example(
        _counted_item_path("receive"), {"recount_received": {"quantity": 1}}
    ),
    "/admin/returns/<str:id>/dismiss-items/<str:action_id>": Example(
        _counted_item_path("dismiss"), {"recount_damaged": {"quantity": 1}}
    ),
    "/admin/returns/<str:id>/receive/confirm": Example(_counted_return_path, {"confirm": {}}),
    **_maintained(
        "/admin/refund-reasons", _refund_reason, {"code": "late", "label": "Arrived late"}, {"label": "Arrived late"}
    ),
    **_maintained("/admin/product-types", ProductTypeFactory, {"value": "Tea"}, {"value": "Teas"}),
    **_maintained("/admin/product-tags", ProductTagFactory, {"value": "green"}, {"value": "Green"}),
    **_maintained("/admin/products", ProductFactory, {"title": "Green tea"}, {"title": "Tea"}),
    "/admin/products/<str:id>/variants/batch": Example(
        lambda: f"/admin/products/{VariantFactory().product_id}/variants/batch",
        {"batch": lambda: {"update": [{"id": ProductVariant.objects.latest("created_at").pk, "title": "Box"}]}},
    ),
    "/admin/products/<str:id>/variants": Example(
        _variants_path, {"create": {"title": "Box", "prices": [], "options": {"Size": "Small"}}}
    ),
    "/admin/products/<str:id>/variants/<str:variant_id>": Example(_variant_path, {"update": {"title": "Box"}}),
    **_maintained("/admin/product-variants", VariantFactory, _new_variant, {"title": "Box"}),
    "/admin/collections/<str:id>/products": Example(
        lambda: f"/admin/collections/{ProductCollectionFactory().pk}/products",
        {"update_products": lambda: {"add": [ProductFactory().pk]}},
    ),
    **_maintained("/admin/collections", ProductCollectionFactory, {"title": "Summer"}, {"title": "Spring"}),
    **_maintained("/admin/tax-regions", lambda: tax_region("fr"), {"country_code": "es"}, {"metadata": {"erp": 7}}),
    **_maintained(
        "/admin/tax-rates",
        lambda: tax_rate("fr", 20, products=[ProductFactory()]),
        lambda: {"name": "IVA", "tax_region_id": tax_region("es").pk},
        {"rate": 21},
    ),
    "/admin/tax-providers": Example(lambda: "/admin/tax-providers"),
    **_maintained("/admin/stock-locations", StockLocationFactory, {"name": "Berlin"}, {"name": "Bonn"}),
    "/admin/stock-locations/<str:id>/fulfillment-sets": Example(
        lambda: f"/admin/stock-locations/{StockLocationFactory().pk}/fulfillment-sets",
        {"create_set": {"name": "Berlin ships", "type": "shipping"}},
    ),
    "/admin/stock-locations/<str:id>/sales-channels": Example(
        lambda: f"/admin/stock-locations/{StockLocationFactory().pk}/sales-channels", {"update_sales_channels": {}}
    ),
    "/admin/stock-locations/<str:id>/fulfillment-providers": Example(
        lambda: f"/admin/stock-locations/{StockLocationFactory().pk}/fulfillment-providers",
        {"update_providers": {"add": ["manual_manual"]}},
    ),
    "/admin/fulfillment-sets/<str:id>": Example(
        lambda: f"/admin/fulfillment-sets/{fulfillment.zone().fulfillment_set_id}"
    ),
    "/admin/fulfillment-sets/<str:id>/service-zones": Example(
        lambda: f"/admin/fulfillment-sets/{fulfillment.zone().fulfillment_set_id}/service-zones",
        {"create": {"name": "Far", "geo_zones": [{"type": "country", "country_code": "de"}]}},
    ),
    "/admin/fulfillment-sets/<str:id>/service-zones/<str:zone_id>": Example(
        _zone_path, {"update": {"geo_zones": [{"type": "country", "country_code": "fr"}]}}
    ),
    "/admin/fulfillment-providers": Example(lambda: "/admin/fulfillment-providers"),
    "/admin/fulfillment-providers/<str:id>/options": Example(
        lambda: "/admin/fulfillment-providers/manual_manual/options"
    ),
    **_maintained(
        "/admin/shipping-options",
        fulfillment.option,
        lambda: {
            "name": "Express",
            "service_zone_id": fulfillment.zone().pk,
            "prices": [{"currency_code": "usd", "amount": 5}],
            "rules": [{"attribute": "item_total", "operator": "gt", "value": "5"}],
        },
        {"prices": [{"currency_code": "usd", "amount": 6}], "rules": []},
    ),
    "/admin/shipping-options/<str:id>/rules/batch": Example(
        lambda: f"/admin/shipping-options/{fulfillment.option().pk}/rules/batch",
        {"change_rules": {"create": [{"attribute": "is_return", "operator": "eq", "value": "true"}]}},
    ),
    **_maintained(
        "/admin/shipping-option-types",
        lambda: ShippingOptionType.objects.create(label="Fast", code="fast"),
        {"label": "Express", "code": "express"},
        {"label": "Faster"},
    ),
    **_maintained("/admin/shipping-profiles", ProfileFactory, {"name": "Boxes", "type": "default"}, {"name": "Crates"}),
    **_maintained(
        "/admin/customers", CustomerFactory, {"email": "a@example.com"}, {"first_name": "Zed"}, can_restore=False
    ),
    "/admin/customers/<str:id>/customer-groups": Example(
        lambda: f"/admin/customers/{CustomerFactory().pk}/customer-groups",
        {"update_groups": lambda: {"add": [CustomerGroupFactory().pk]}},
    ),
    "/admin/customers/<str:id>/addresses": Example(
        lambda: _own_address_path().rpartition("/")[0], {"create": {"city": "Ulm"}}
    ),
    "/admin/customers/<str:id>/addresses/<str:address_id>": Example(_own_address_path, {"update": {"city": "Ulm"}}),
    **_maintained("/admin/customer-groups", CustomerGroupFactory, {"name": "Trade"}, {"name": "Retail"}),
    "/admin/customer-groups/<str:id>/customers": Example(
        lambda: f"/admin/customer-groups/{CustomerGroupFactory().pk}/customers",
        {"update_customers": lambda: {"add": [CustomerFactory().pk]}},
    ),
    **_maintained("/admin/regions", RegionFactory, {"name": "Alps", "currency_code": "chf"}, {"name": "Alps"}),
    **_maintained("/admin/sales-channels", SalesChannelFactory, {"name": "Market"}, {"name": "Market"}),
    "/admin/sales-channels/<str:id>/products": Example(
        lambda: f"/admin/sales-channels/{SalesChannelFactory().pk}/products",
        {"update_products": lambda: {"add": [ProductFactory().pk]}},
    ),
    "/admin/stores": Example(lambda: "/admin/stores"),
    "/admin/stores/<str:id>": Example(
        lambda: f"/admin/stores/{Store.objects.get().pk}", {"update": {"name": "Tea shop"}}
    ),
    **_reading("/admin/currencies", lambda: Currency.objects.get(pk="usd"), key="code"),
    "/admin/locales": Example(lambda: "/admin/locales"),
    "/admin/locales/<str:code>": Example(lambda: "/admin/locales/en"),
    "/admin/product-options": Example(
        lambda: "/admin/product-options",
        {"create": lambda: {"product_id": ProductFactory().pk, "title": "Size", "values": ["S"]}},
    ),
    "/admin/product-options/batch": Example(
        lambda: "/admin/product-options/batch",
        {"batch": lambda: {"update": [{"id": OptionFactory().pk, "title": "Size", "values": ["S"]}]}},
    ),
    "/admin/product-options/<str:id>": Example(
        lambda: f"/admin/product-options/{OptionFactory().pk}", {"update": {"title": "Size", "values": ["S"]}}
    ),
    "/admin/products/<str:id>/options": Example(lambda: f"/admin/products/{OptionFactory().product_id}/options"),
    "/admin/products/<str:id>/options/batch": Example(
        lambda: f"/admin/products/{ProductFactory().pk}/options/batch", {"link": {}}
    ),
    "/admin/products/<str:id>/variants/<str:variant_id>/images/batch": Example(
        lambda: f"{_variant_path()}/images/batch", {"of_variant": {"add": []}}
    ),
    "/admin/products/<str:id>/images/<str:image_id>/variants/batch": Example(_image_path, {"of_image": {"remove": []}}),
    "/admin/products/<str:id>/variants/inventory-items/batch": Example(
        lambda: f"/admin/products/{ProductFactory().pk}/variants/inventory-items/batch", {"batch": {"create": []}}
    ),
    "/admin/product-options/<str:id>/values": Example(lambda: _option_value_path().rpartition("/")[0]),
    "/admin/product-options/<str:id>/values/<str:value_id>": Example(_option_value_path, {"update": {"value": "S"}}),
    **_maintained("/admin/price-lists", PriceListFactory, {"title": "Sale"}, {"rules": {"region_id": ["reg_x"]}}),
    "/admin/price-lists/<str:id>/prices": Example(lambda: f"/admin/price-lists/{_listed().price_list_id}/prices"),
    "/admin/price-lists/<str:id>/prices/batch": Example(
        lambda: f"/admin/price-lists/{_listed().price_list_id}/prices/batch",
        {"batch": lambda: {"update": [{"id": Price.objects.latest("created_at", "pk").pk, "amount": 4}]}},
    ),
    "/admin/price-lists/<str:id>/products": Example(
        lambda: f"/admin/price-lists/{PriceListFactory().pk}/products",
        {"link_products": lambda: {"remove": [ProductFactory().pk]}},
    ),
    "/admin/price-preferences": Example(
        lambda: "/admin/price-preferences",
        {"create": lambda: {"attribute": "region_id", "value": RegionFactory().pk, "is_tax_inclusive": True}},
    ),
    "/admin/price-preferences/batch": Example(
        lambda: "/admin/price-preferences/batch",
        {"batch": lambda: {"update": [{"id": RegionFactory().pk, "is_tax_inclusive": True}]}},
    ),
    "/admin/price-preferences/<str:id>": Example(
        lambda: f"/admin/price-preferences/{RegionFactory().pk}", {"update": {"is_tax_inclusive": True}}
    ),
    **_maintained(
        "/admin/product-categories", CategoryFactory, {"name": "Tea"}, {"name": "Teas", "rank": 0}, in_batches=False
    ),
    "/admin/product-categories/<str:id>/products": Example(
        lambda: f"/admin/product-categories/{CategoryFactory().pk}/products",
        {"update_products": lambda: {"add": [ProductFactory().pk]}},
    ),
    "/admin/payments": Example(lambda: "/admin/payments"),
    "/admin/payments/payment-providers": Example(lambda: "/admin/payments/payment-providers"),
    "/admin/payments/<str:id>": Example(lambda: f"/admin/payments/{payments.authorized_payment().pk}"),
    "/admin/payments/<str:id>/capture": Example(
        lambda: f"/admin/payments/{payments.authorized_payment().pk}/capture", {"capture": {"amount": 20}}
    ),
    "/admin/payments/<str:id>/refund": Example(
        lambda: f"/admin/payments/{payments.captured_payment().pk}/refund", {"refund": {"amount": 20}}
    ),
    "/admin/gift-cards": Example(
        lambda: "/admin/gift-cards",
        {"create": lambda: {"value": 25, "currency_code": carts.selling_region().currency_id}},
    ),
    "/admin/gift-cards/<str:id>": Example(
        lambda: f"/admin/gift-cards/{gift_card().pk}", {"update": {"note": "For the fair"}}
    ),
    "/admin/store-credit-accounts": Example(
        lambda: "/admin/store-credit-accounts",
        {"create": lambda: {"currency_code": "usd", "customer_id": CustomerFactory().pk}},
    ),
    "/admin/store-credit-accounts/<str:id>": Example(_account_path()),
    "/admin/store-credit-accounts/<str:id>/credit": Example(_account_path("/credit"), {"credit": ADJUSTMENT}),
    "/admin/store-credit-accounts/<str:id>/debit": Example(_account_path("/debit"), {"debit": ADJUSTMENT}),
    "/admin/store-credit-accounts/<str:id>/transactions": Example(_account_path("/transactions")),
    "/auth/<actor_type:actor_type>/providers": Example(lambda: "/auth/customer/providers"),
    "/auth/<actor_type:actor_type>/emailpass": Example(
        lambda: "/auth/user/emailpass", {"create": {"email": "a@example.com", "password": "wrong"}}
    ),
    "/auth/<open_actor_type:actor_type>/emailpass/register": Example(
        lambda: "/auth/customer/emailpass/register", {"create": _SIGN_UP}
    ),
    "/auth/<actor_type:actor_type>/emailpass/reset-password": Example(
        lambda: "/auth/customer/emailpass/reset-password", {"create": {"identifier": "a@example.com"}}
    ),
    "/auth/<actor_type:actor_type>/emailpass/update": Example(
        lambda: "/auth/customer/emailpass/update", {"update": {"password": "correct horse battery"}}
    ),
    "/auth/token/refresh": Example(lambda: "/auth/token/refresh"),
    "/auth/session": Example(lambda: "/auth/session"),
    "/graphql": Example(lambda: "/graphql", {"execute": {"query": "{ __typename }"}}),
    "/health/live": Example(lambda: "/health/live"),
    "/health/ready": Example(lambda: "/health/ready"),
}
"""By path. A route without an example fails tests/contract/test_every_route.py."""

ROUTES = routes()


def of(
    base: type[Endpoint], *, writes: bool | None = None, demands: bool | None = None, but: Collection[str] = ()
) -> list[Any]:
    """Route and method of everything below the base.

    writes: only those that may, or may not, change something. demands: only those that ask who is there, or do not.
    but: the paths of those that are distinguished.
    """
    return [
        pytest.param(route, method, id=f"{method} {route.path}")
        for route in ROUTES
        for method in route.methods
        if issubclass(route.endpoint, base)
        and writes in (None, method in ("POST", "DELETE"))
        and demands in (None, route.endpoint.demands)
        and route.path not in but
    ]


class Form(dict[str, Any]):
    """A body that is not JSON: `body` and `content_type` of the request."""


@dataclass(frozen=True)
class GoodRequest:
    """A request that nothing is wrong with. The rows that it needs are there; refused, it can be sent again."""

    method: str
    path: str
    body: Any

    def send(self, caller: Caller, **options: Any) -> HttpResponse:
        """It, save for what the options change."""
        sent = self.body if isinstance(self.body, Form) else {"body": self.body}
        return caller.send(self.method, self.path, **{**sent, **options})


def good_request(route: Route, method: str) -> GoodRequest:
    """One for the route, and the rows that it needs."""
    example = EXAMPLES[route.path]
    action = route.actions.get(method.lower(), "")
    body = example.bodies.get(action, b"" if method in ("GET", "HEAD", "DELETE") else {})
    return GoodRequest(method, example.path(), body() if callable(body) else body)


def send(caller: Caller, route: Route, method: str, **options: Any) -> HttpResponse:
    """A good request, save for what the options change."""
    return good_request(route, method).send(caller, **options)


FILES = {route.path for route in ROUTES if route.endpoint.takes_files}
"""Routes whose body is a form with files; tests/pictures test those."""
RAW = {route.path for route in ROUTES if route.endpoint.takes_bytes}
"""Routes whose callers use formats of their own."""
PARAMETER = re.compile(r"<str:\w+>")
ADMIN = {
    f"{method.upper()} {PARAMETER.sub('{}', route.path)}"
    for route in ROUTES
    if issubclass(route.endpoint, AdminEndpoint)
    for method in route.actions
}
"""`GET /admin/orders/{}`, and all others for staff and their programs."""
