"""The rows that the calls of every_method.mjs name: what programs cannot create, and what they would have already."""

from typing import Any

from django.contrib.auth.models import Group

from auth.signing_in.staff_registration import register_staff
from customers.models import CustomerGroup
from kit.domain.actor import SYSTEM
from orders.changes import lifecycle
from orders.drafts import lifecycle as draft_lifecycle
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import OrderNumber
from orders.returns import arrivals, creation
from orders.states import ChangeKind
from payments.models import Payment
from shop.models import Store
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.factories.fulfillment import ProfileFactory, option
from tests.factories.inventory import InventoryItemFactory, ReservationFactory, StockLocationFactory, stock
from tests.factories.invitations import invitation
from tests.factories.mails import sent_mail
from tests.factories.orders import asked_for, owing_order, return_reason, with_credit
from tests.factories.payments import captured_payment, refund_reason
from tests.factories.products import (
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
)
from tests.factories.staff import PASSWORD, UserFactory
from tests.orders.drafts.shop import STAFF as DRAFTING
from tests.orders.drafts.shop import draft
from tests.orders.exchanging import started
from tests.orders.fulfillments.shop import lines, ordered, pack
from tests.orders.returns.shop import delivered, return_of
from tests.pictures.files import PictureFactory


def called_rows() -> dict[str, str]:
    """Their ids by the names that the calls use."""
    rows = {**_orders(), **_returns(), **_exchanges(), **_owing(), **_catalogue(), **_shop(), **_staff(), **_drafts()}
    return {name: row if isinstance(row, str) else row.pk for name, row in rows.items()}


def _shop() -> dict[str, Any]:
    address = AddressFactory()
    store = Store.objects.get()
    return {
        "address": address,
        "channel": store.default_sales_channel,
        "customer": address.customer,
        "mail": sent_mail(),
        "member": CustomerFactory(has_account=True),
        "group": CustomerGroup.objects.create(name="Friends"),
        "profile": ProfileFactory(),
        "return_option": option(2, rules=[("is_return", "eq", "true")]),
        "store": store,
    }


def _drafts() -> dict[str, Any]:
    region = selling_region()
    changed = draft(region=region)
    OrderNumber.objects.update_or_create(id=1, defaults={"last": 1000})  # orders of tests number themselves
    draft_lifecycle.begin(actor=DRAFTING, draft_id=changed.pk)
    return {
        "region": region,
        "draft_being_changed": changed,
        "spare_draft": draft(region=region),
        "draft_variant": sold_variant(10),
        "draft_option": option(5),
        "other_way": option(7),
        "draft_code": PromotionFactory().code,
    }


def _staff() -> dict[str, Any]:
    Group.objects.create(name="Warehouse")
    return {
        "colleague": UserFactory(email="colleague@example.com"),
        "invite": invitation("bob@example.com"),
        "registration": register_staff(email="eve@example.com", password=PASSWORD, client=""),
    }


def _catalogue() -> dict[str, Any]:
    variant = sold_variant(10, product=ProductFactory(title="Mug"))
    level = stock(variant, 20)
    volume = OptionFactory(product=variant.product, title="Volume", values=["S", "M"])
    small, medium = volume.values.order_by("pk")
    variant.options.add(small)
    return {
        "category": CategoryFactory(),
        "collection": ProductCollectionFactory(),
        "item": level.inventory_item,
        "location": level.location,
        "option": volume,
        "picture": PictureFactory(),
        "product": variant.product,
        "reservation": ReservationFactory(level=level),
        "spare_item": InventoryItemFactory(),
        "spare_location": StockLocationFactory(),
        "spare_option": OptionFactory(values=["Red"]),
        "spare_product": ProductFactory(),
        "spare_value": medium,
        "tag": ProductTagFactory(),
        "type": ProductTypeFactory(),
        "value": small,
        "variant": variant,
    }


def _orders() -> dict[str, Any]:
    order, to_pack, to_cancel = ordered(), ordered(), ordered()
    to_edit, not_to_edit = ordered(), ordered()
    lifecycle.begin(actor=SYSTEM, order_id=not_to_edit.pk)
    [line] = lines(to_pack)
    return {
        "line_to_edit": lines(to_edit)[0],
        "order_not_to_edit": not_to_edit,
        "order_to_edit": to_edit,
        "variant_to_add": sold_variant(7),
        "captured_payment": captured_payment(),
        "fulfillment_of_canceled": pack(to_cancel, 1),
        "fulfillment_to_cancel": pack(ordered(), 1),
        "fulfillment_to_ship": pack(ordered(), 1),
        "line_to_pack": line,
        "location_to_pack": pack(to_pack, 1).location_id,
        "order": order,
        "order_to_cancel": to_cancel,
        "order_to_pack": to_pack,
        "refund_reason": refund_reason(),
        "payment": Payment.objects.get(collection__order_id=order.pk),
    }


def _exchanges() -> dict[str, Any]:
    to_exchange, to_claim = (delivered(*((sold_variant(10), 2) for _ in range(2))) for _ in range(2))
    exchanged, not_exchanged = lines(to_exchange)
    claimed, also_claimed = lines(to_claim)
    return {
        "also_claimed": also_claimed,
        "claim_not_to_request": started(ChangeKind.CLAIM).pk.replace("ordch", "claim"),
        "claimed": claimed,
        "exchange_not_to_request": started(ChangeKind.EXCHANGE).pk.replace("ordch", "oexc"),
        "exchanged": exchanged,
        "not_exchanged": not_exchanged,
        "option_to_send_by": option(4),
        "order_to_claim": to_claim,
        "order_to_exchange": to_exchange,
        "reason": return_reason(),
        "variant_to_keep": sold_variant(8),
        "variant_to_send": sold_variant(7),
    }


def _owing() -> dict[str, Any]:
    """After other orders: these take their numbers from no counter."""
    arrived = asked_for()
    return {
        "arrived": arrived,
        "arrived_order": arrived.order_id,
        "not_asked_for": asked_for(),
        "credited_order": with_credit(owing_order()),
        "owing_order": owing_order(),
    }


def _returns() -> dict[str, Any]:
    order = delivered(*((sold_variant(10), 2) for _ in range(3)))
    counted = return_of()
    [line] = lines(counted.order)
    arrivals.count_received(actor=SYSTEM, return_id=counted.pk, items=[ItemQuantity(line.pk, 1)])
    return {
        **dict(zip(("first", "second", "third"), lines(order), strict=True)),
        "order_to_return": order,
        "return_to_cancel": return_of(),
        "return_to_count": counted,
        "return_to_delete": creation.begin(actor=SYSTEM, order_id=delivered().pk),
    }
