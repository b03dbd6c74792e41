"""Orders for tests: copies of carts that were made by their own verbs."""

from typing import Any

from django.db.models import Max, Model

from carts.lines import NewLineItem
from carts.models import Cart
from catalog.models import ProductVariant
from commerce.kit.core.ids import new_secret_id
from customers.models import Customer
from orders.models import Order, OrderAddress, OrderAdjustment, OrderLineItem, OrderTaxLine
from orders.states import PaymentStatus
from tests.factories import carts as make


def order(
    *pieces: NewLineItem | ProductVariant, customer: Customer | None = None, cart: Cart | None = None, **columns: Any
) -> Order:
    """The captured order of the cart, or of one with those pieces: the customer's, else a guest's."""
    if cart is None:
        actor = make.shopper(customer_id=customer.pk if customer else None)
        email = customer.email if customer else "guest@example.com"
        cart = make.cart(*pieces, actor=actor, email=email)
    made = Order(
        **{
            **_shared(Order, cart),
            "id": new_secret_id("order"),
            "cart_id": cart.pk,
            "display_id": (Order.objects.aggregate(last=Max("display_id"))["last"] or 0) + 1,
            "payment_status": PaymentStatus.CAPTURED,
            "original_order_total": cart.total,
            "shipping_address": _address(cart.shipping_address),
            "billing_address": _address(cart.billing_address),
            **columns,
        }
    )
    made.save(force_insert=True)
    for item in cart.items.order_by("pk"):
        line = _copy(OrderLineItem, item, order_id=made.pk)
        for tax in item.tax_lines.all():
            _copy(OrderTaxLine, tax, item_id=line.pk)
        for adjustment in item.adjustments.all():
            _copy(OrderAdjustment, adjustment, item_id=line.pk)
    return made


def _address(address: Model | None) -> OrderAddress | None:
    return None if address is None else _copy(OrderAddress, address)


def _copy(model: type[Model], source: Model, **columns: Any) -> Any:
    made = model(**{**_shared(model, source), "id": _ordered(source.pk), **columns})
    made.save(force_insert=True)
    return made


def _shared(model: type[Model], source: Model) -> dict[str, Any]:
    """What the source has in columns of the same names."""
    names = {column.attname for column in model._meta.concrete_fields} - {"id", "customer_id"}
    shared = {name: getattr(source, name) for name in names if hasattr(source, name)}
    return shared | ({"customer_id": source.customer_id} if isinstance(source, Cart) else {})


def _ordered(cart_part_id: str) -> str:
    """`ordli_X` for `cali_X`, and so on."""
    return "ord" + cart_part_id.removeprefix("ca")
