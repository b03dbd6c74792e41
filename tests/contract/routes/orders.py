"""Orders, fulfillments and transfers."""

from collections.abc import Callable
from typing import Any

from kit.values.ids import new_ulid
from orders.access.transfers.requesting import request_transfer
from orders.mails.lookups import render_lookup_mail
from orders.mails.transfers import render_transfer_mail
from orders.models import (
    Fulfillment,
    OrderLineItem,
    OrderLookup,
    OrderNote,
    OrderTransfer,
)
from orders.models.lookups import address_digest
from orders.states import OrderStatus
from tests.contract.routes.customers import shopper
from tests.contract.routes.examples import Example
from tests.factories import carts
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.orders import order
from tests.orders.fulfillments.shop import pack
from tests.orders.placed import placed
from tests.orders.returns.shop import return_of


def _order_path(suffix: str) -> Callable[[], str]:
    """A guest's order."""
    return lambda: f"/store/orders/{placed().pk}/transfer/{suffix}"


def _own_orders_path() -> str:
    """There is one of the shopper's."""
    order(shopper())
    return "/store/orders"


def _requested_path(suffix: str, area: str = "store") -> Callable[[], str]:
    """An order that the shopper has requested."""

    def path() -> str:
        made = placed()
        request_transfer(actor=carts.shopper(customer_id=shopper().pk), order_id=made.pk)
        return f"/{area}/orders/{made.pk}/transfer/{suffix}"

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


EXAMPLES = {
    "/store/orders": Example(_own_orders_path),
    "/store/orders/<str:id>": Example(lambda: f"/store/orders/{order().pk}"),
    "/store/carts/<str:id>/complete": Example(lambda: f"/store/carts/{ready_cart().pk}/complete"),
    "/store/orders/lookup": Example(
        lambda: "/store/orders/lookup", {"create": lambda: {"display_id": "1", "email": f"{new_ulid()}@example.com"}}
    ),
    "/store/orders/lookup/<str:token>": Example(_lookup_path),
    "/store/orders/<str:id>/reorder": Example(lambda: f"/store/orders/{placed().pk}/reorder"),
    "/store/orders/<str:id>/transfer/request": Example(_order_path("request")),
    "/store/orders/<str:id>/transfer/cancel": Example(_requested_path("cancel")),
    "/store/orders/<str:id>/transfer/accept": Example(_requested_path("accept"), {"accept": _token}),
    "/store/orders/<str:id>/transfer/decline": Example(_requested_path("decline"), {"decline": _token}),
    "/hooks/fulfillment/<str:provider_id>": Example(lambda: "/hooks/fulfillment/manual_manual"),
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
    "/admin/orders/export": Example(lambda: "/admin/orders/export"),
    "/admin/orders/<str:id>/preview": Example(lambda: f"/admin/orders/{return_of().order_id}/preview"),
    "/admin/orders/<str:id>/shipping-options": Example(lambda: f"/admin/orders/{order().pk}/shipping-options"),
    "/admin/orders/<str:id>/transfer": Example(
        lambda: f"/admin/orders/{placed().pk}/transfer",
        {"request_for": lambda: {"customer_id": CustomerFactory(has_account=True).pk}},
    ),
    "/admin/orders/<str:id>/transfer/guest": Example(
        lambda: f"/admin/orders/{order(shopper()).pk}/transfer/guest", {"to_guest": {"email": "guest@example.com"}}
    ),
    "/admin/orders/<str:id>/transfer/cancel": Example(_requested_path("cancel", "admin")),
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
}
