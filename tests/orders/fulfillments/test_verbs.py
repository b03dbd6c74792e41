"""Packing, shipping, delivering and canceling: counters, stock and reservations add up after each step."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from catalog.models import Reservation
from fulfillment.models import ShippingOption
from kit.domain.actor import SYSTEM, Actor
from kit.errors import DomainError, Forbidden, InvalidData, NotAllowed, NotFound
from orders.common.errors import OrderNotFound
from orders.fulfillments import cancellation, creation, delivery, shipping
from orders.fulfillments.errors import OptionNotForDelivery
from orders.fulfillments.labels import NewLabel, add_labels
from orders.fulfillments.requested_items import ItemQuantity
from orders.models import Fulfillment, FulfillmentItem, FulfillmentLabel, Order, OrderLineItem
from payments.models import Payment
from payments.movements import capturing, refunding
from payments.providers.base import ProviderReport
from payments.states import Act, SessionStatus
from shop.models import StockLocation
from tests.factories.carts import sold_variant
from tests.factories.checkout import stocked
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.orders.fulfillments.shop import STAFF, books, events, kit_of, lines, ordered, pack, reserved
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def refusal(work: Any, **given: Any) -> tuple[str, str]:
    with pytest.raises(DomainError) as error:
        work(**given)
    return error.value.type, error.value.message


def ship(fulfillment: Fulfillment, *labels: NewLabel, **given: Any) -> None:
    shipping.ship(actor=STAFF, fulfillment_id=fulfillment.pk, labels=labels, **given)


def deliver(fulfillment: Fulfillment) -> None:
    delivery.deliver(actor=STAFF, fulfillment_id=fulfillment.pk)


def cancel(fulfillment: Fulfillment) -> None:
    cancellation.cancel(actor=STAFF, fulfillment_id=fulfillment.pk)


def reserved_at(line: OrderLineItem) -> str:
    """The only location where the line is reserved."""
    return str(Reservation.objects.get(line_item_id=line.pk).location_id)


def location_of(option: ShippingOption) -> str:
    return str(option.service_zone.fulfillment_set.location_id)


class TestPacking:
    def test_two_of_five_and_then_three(self) -> None:
        order = ordered()
        assert books(order) == ([(0, 0, 0)], [(10, 5)], "not_fulfilled")
        first = pack(order, 2)
        assert books(order) == ([(2, 0, 0)], [(8, 3)], "partially_fulfilled")
        [line] = lines(order)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 4)]}
        assert refusal(creation.create, **asked) == (
            "invalid_data",
            f"Cannot fulfill more items than what was ordered for item {line.pk}.",
        )
        assert books(order) == ([(2, 0, 0)], [(8, 3)], "partially_fulfilled")
        second = pack(order, 3)
        assert books(order) == ([(5, 0, 0)], [(5, 0)], "fulfilled")
        assert reserved(order) == {}
        assert events(order) == [("order.fulfillment_created", order.pk)] * 2
        assert (order.version, lines(order)[0].version) == (3, 3)
        assert {first.created_by, second.created_by} == {"user_ann"}

    def test_what_is_written(self) -> None:
        mug = sold_variant(10, in_stock=4, title="Blue", sku="MUG-B", barcode="4006381333931")
        order = ordered((mug, 3))
        made = pack(order, 2, metadata={"shelf": "A"})
        [item] = FulfillmentItem.objects.filter(fulfillment=made)
        [line] = lines(order)
        level = mug.inventory_links.get().inventory_item.levels.get()
        assert (item.line_item_id, item.inventory_item_id) == (line.pk, level.inventory_item_id)
        assert (item.title, item.barcode) == (f"{line.title} (Blue)", "4006381333931")
        assert (item.units, item.quantity) == (2, 2)
        method = order.shipping_methods.get()
        assert (made.location_id, made.provider_id) == (level.location_id, "manual_manual")
        assert (made.shipping_option_id, made.delivery_address_id) == (
            method.shipping_option_id,
            order.shipping_address_id,
        )
        assert (made.requires_shipping, made.metadata, made.data) == (True, {"shelf": "A"}, {})
        assert made.packed_at is not None
        assert (made.shipped_at, made.delivered_at, made.canceled_at) == (None, None, None)

    def test_a_kit_takes_each_of_its_items(self) -> None:
        place = StockLocationFactory()
        order = ordered((kit_of((2, 9), (1, 5), location=place), 4))
        assert books(order).stock == [(9, 8), (5, 4)]
        made = pack(order, 3)
        assert books(order) == ([(3, 0, 0)], [(3, 2), (2, 1)], "partially_fulfilled")
        quantities = FulfillmentItem.objects.filter(fulfillment=made).order_by("pk").values_list("units", "quantity")
        assert sorted(quantities) == [(3, 3), (3, 6)]
        cancel(made)
        assert books(order) == ([(0, 0, 0)], [(9, 8), (5, 4)], "not_fulfilled")

    def test_a_kit_that_changes_later_is_packed_as_it_was_sold(self) -> None:
        kit = kit_of((2, 9), location=StockLocationFactory())
        order = ordered((kit, 3))
        kit.inventory_links.update(required_quantity=3)
        pack(order, 1)
        assert books(order).stock == [(7, 4)]
        kit.delete()
        pack(order, 2)
        assert books(order).stock == [(3, 0)]

    def test_goods_whose_stock_is_not_managed_take_none(self) -> None:
        order = ordered((sold_variant(10), 2))
        made = pack(order, 2)
        [item] = FulfillmentItem.objects.filter(fulfillment=made)
        option = ShippingOption.objects.get(pk=made.shipping_option_id)
        assert (item.inventory_item_id, item.quantity) == (None, 2)
        assert made.location_id == option.service_zone.fulfillment_set.location_id
        named = StockLocationFactory()
        other = ordered((sold_variant(10), 1))
        assert pack(other, 1, location_id=named.pk).location_id == named.pk
        assert books(other).status == "fulfilled"

    def test_managed_goods_without_a_reservation_are_refused(self) -> None:
        mug = sold_variant(10)
        order = ordered((mug, 1))
        mug.manage_inventory = True
        mug.save()
        [line] = lines(order)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 1)]}
        kind, message = refusal(creation.create, **asked)
        assert (kind, message.split(" - ")[0]) == (
            "invalid_data",
            f"No stock reservation found for item {line.pk}",
        )

    def test_two_locations(self) -> None:
        mug = stocked(2)
        small = mug.inventory_links.get().inventory_item.levels.get()
        item = small.inventory_item
        large = stock(mug, 4, item=item)
        order = ordered((mug, 6))
        [line] = lines(order)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 1)]}
        places = sorted([small.location_id, large.location_id])
        assert refusal(creation.create, **asked) == (
            "invalid_data",
            f"Field 'location_id' is required: item {line.pk} is reserved at locations {', '.join(places)}",
        )
        too_many = {**asked, "items": [ItemQuantity(line.pk, 3)], "location_id": small.location_id}
        assert refusal(creation.create, **too_many) == (
            "invalid_data",
            (
                f"Quantity to fulfill exceeds the reserved quantity for the item: {line.pk} needs 3 of {item.title}, "
                f"of which 2 are reserved at location {small.location_id}"
            ),
        )
        made = pack(order, 2, location_id=small.location_id)
        assert books(order).stock == [(0, 0), (4, 4)]
        assert pack(order, 4).location_id == large.location_id
        cancel(made)
        assert books(order).stock == [(2, 2), (0, 0)]
        assert reserved(order) == {(line.pk, item.pk, small.location_id): 2}

    def test_what_is_named_wrongly(self) -> None:
        order, other = ordered(), ordered()
        [line], [foreign] = lines(order), lines(other)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 1)]}
        absent = f"Items with ids {foreign.pk} does not exist in order with id {order.pk}."
        assert refusal(creation.create, **{**asked, "items": [ItemQuantity(foreign.pk, 1)]}) == ("invalid_data", absent)
        assert refusal(creation.create, **{**asked, "items": []}) == ("invalid_data", "No items to fulfill")
        twice = {**asked, "items": [ItemQuantity(line.pk, 1), ItemQuantity(line.pk, 1)]}
        assert refusal(creation.create, **twice) == (
            "invalid_data",
            f"Item {line.pk} is named more than once in field 'items'",
        )
        for units in (0, -1):
            with pytest.raises(InvalidData, match="too small"):
                creation.create(**{**asked, "items": [ItemQuantity(line.pk, units)]})
        for named in ({"location_id": "sloc_none"}, {"shipping_option_id": "so_none"}, {"location_id": "\0"}):
            [field] = named
            with pytest.raises(InvalidData, match=f"given by field '{field}'$"):
                creation.create(**asked, **named)
        with pytest.raises(OrderNotFound):
            creation.create(**{**asked, "order_id": "order_none"})
        with pytest.raises(Forbidden):
            creation.create(**{**asked, "actor": Actor("user", "user_bob")})
        assert not Fulfillment.objects.exists()

    def test_another_option_must_ship_from_the_same_location_to_the_address(self) -> None:
        [line] = lines(order := ordered())
        berlin = StockLocation.objects.get(pk=reserved_at(line))
        elsewhere, abroad = option(name="Elsewhere"), option(of=zone("de", location=berlin))
        back = option(of=zone(location=berlin), rules=[("is_return", "eq", "true")])
        hidden = option(of=zone(location=berlin), rules=[("enabled_in_store", "eq", "false")])
        own = ShippingOption.objects.get(pk=order.shipping_methods.get().shipping_option_id)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 1)]}
        assert refusal(creation.create, **asked, shipping_option_id=elsewhere.pk) == (
            "invalid_data",
            (
                f"Shipping option with id: {elsewhere.pk} ships from location {location_of(elsewhere)}, not from "
                f"{berlin.pk}, given by field 'shipping_option_id'"
            ),
        )
        for unfit in (abroad, back):
            assert refusal(creation.create, **asked, shipping_option_id=unfit.pk) == (
                "invalid_data",
                (
                    f"Shipping option with id: {unfit.pk} does not deliver to the address of this fulfillment, "
                    "given by field 'shipping_option_id'"
                ),
            )
        assert not Fulfillment.objects.exists()
        assert location_of(own) != berlin.pk
        for chosen in (own, hidden):  # the order's own option may ship from anywhere
            assert pack(order, 1, shipping_option_id=chosen.pk).shipping_option_id == chosen.pk

    def test_another_option_is_judged_by_the_address_of_the_fulfillment(self) -> None:
        order = ordered()
        berlin = StockLocation.objects.get(pk=reserved_at(lines(order)[0]))
        home, abroad = option(of=zone(location=berlin)), option(of=zone("de", location=berlin))
        with pytest.raises(OptionNotForDelivery):
            pack(order, 1, shipping_option_id=home.pk, delivery_address={"country_code": "DE"})
        made = pack(order, 1, shipping_option_id=abroad.pk, delivery_address={"country_code": "DE"})
        assert made.shipping_option_id == abroad.pk
        for address in ({}, {"address_1": "2 Oak"}):  # in the order's country
            assert pack(order, 1, shipping_option_id=home.pk, delivery_address=address).shipping_option_id == home.pk
            with pytest.raises(OptionNotForDelivery):
                pack(order, 1, shipping_option_id=abroad.pk, delivery_address=address)

    def test_goods_with_and_without_shipping_are_not_mixed(self) -> None:
        order = ordered(sold_variant(10), sold_variant(5))
        _, manual = lines(order)
        manual.requires_shipping = False
        manual.save()
        with pytest.raises(InvalidData, match="Split this request into 2 fulfillments"):
            pack(order, 1, 1)
        digital = pack(order, 0, 1)
        assert digital.requires_shipping is False
        assert books(order).status == "partially_fulfilled"
        ship(pack(order, 1))
        assert books(order).status == "shipped"


class TestPayment:
    def test_an_order_whose_payment_is_awaited_is_not_packed(self, fake: FakeProvider, settings: Any) -> None:
        fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus.PENDING_AUTHORIZATION))
        order = ordered(provider_id=FAKE)
        [line] = lines(order)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 1)]}
        assert refusal(creation.create, **asked) == (
            "not_allowed",
            "The order is not paid: its payment status is awaiting, and 55.00 usd is outstanding",
        )
        settings.FULFILL_UNPAID = True
        pack(order, 1)

    def test_refunds_do_not_stop_the_goods_that_are_kept(self) -> None:
        order = ordered()
        payment = Payment.objects.get(collection__order_id=order.pk)
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(10))
        pack(order, 1)
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(4))
        pack(order, 1)
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(6))
        with pytest.raises(NotAllowed, match="its payment status is refunded"):
            pack(order, 1)

    def test_a_canceled_order_is_not_packed(self) -> None:
        order = ordered()
        packed = pack(order, 1)
        Order.objects.filter(pk=order.pk).update(status="canceled")
        message = ("invalid_data", f"Order with id {order.pk} has been canceled.")
        [line] = lines(order)
        asked = {"actor": STAFF, "order_id": order.pk, "items": [ItemQuantity(line.pk, 1)]}
        assert refusal(creation.create, **asked) == message
        for verb in (shipping.ship, delivery.deliver, cancellation.cancel):
            assert refusal(verb, actor=STAFF, fulfillment_id=packed.pk) == message


class TestShipping:
    def test_labels_are_added(self) -> None:
        order = ordered()
        made = pack(order, 5)
        first = NewLabel("T1", "https://parcels.example/T1", "http://parcels.example/T1.pdf")
        ship(made, first, NewLabel("T2"))
        add_labels(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("T3", ""), first])
        kept = FulfillmentLabel.objects.order_by("tracking_number")
        assert list(kept.values_list("tracking_number", "tracking_url", "label_url")) == [
            ("T1", "https://parcels.example/T1", "http://parcels.example/T1.pdf"),
            ("T2", None, None),
            ("T3", None, None),
        ]
        assert books(order) == ([(5, 5, 0)], [(5, 0)], "shipped")
        made.refresh_from_db()
        assert (made.marked_shipped_by, made.shipped_at is not None) == ("user_ann", True)
        assert events(order)[1:] == [("shipment.created", made.pk)]

    @pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://parcels.example", "parcels.example", "https:/\n/x"])
    def test_only_urls_of_pages(self, url: str) -> None:
        made = pack(ordered(), 1)
        for label in (NewLabel("T1", url), NewLabel("T1", None, url)):
            with pytest.raises(InvalidData, match="_url"):
                ship(made, label)
            with pytest.raises(InvalidData, match="_url"):
                add_labels(actor=STAFF, fulfillment_id=made.pk, labels=[label])
        assert not FulfillmentLabel.objects.exists()

    def test_it_ships_once_and_whole(self) -> None:
        order = ordered()
        made = pack(order, 2)
        [line] = lines(order)
        with pytest.raises(InvalidData, match="it ships as a whole"):
            ship(made, items=[ItemQuantity(line.pk, 1)])
        with pytest.raises(InvalidData, match="Items with ids ordli_none does not exist"):
            ship(made, items=[ItemQuantity("ordli_none", 1)])
        ship(made, items=[ItemQuantity(line.pk, 2)])
        asked = {"actor": STAFF, "fulfillment_id": made.pk}
        assert refusal(shipping.ship, **asked) == ("not_allowed", "Shipment has already been created")
        assert books(order).counters == [(2, 2, 0)]

    def test_what_has_ended_is_not_shipped(self) -> None:
        order = ordered()
        canceled, collected = pack(order, 1), pack(order, 1)
        cancel(canceled)
        deliver(collected)
        for made, end in ((canceled, "canceled"), (collected, "delivered")):
            assert refusal(shipping.ship, actor=STAFF, fulfillment_id=made.pk) == (
                "not_allowed",
                f"Cannot create shipment for {end} fulfillments",
            )
        assert refusal(add_labels, actor=STAFF, fulfillment_id=canceled.pk, labels=[NewLabel("T")]) == (
            "not_allowed",
            "Cannot add labels to a canceled fulfillment",
        )

    def test_another_orders_fulfillment_is_not_found(self) -> None:
        made, other = pack(ordered(), 1), ordered()
        for verb in (shipping.ship, delivery.deliver, cancellation.cancel):
            asked = {"actor": STAFF, "fulfillment_id": made.pk, "order_id": other.pk}
            assert refusal(verb, **asked) == ("not_found", f"Fulfillment with id: {made.pk} was not found")
            with pytest.raises(Forbidden):
                verb(actor=Actor("user", "user_bob"), fulfillment_id=made.pk)  # type: ignore[operator]
            for unknown in ("ful_none", "\0"):
                with pytest.raises(NotFound):
                    verb(actor=STAFF, fulfillment_id=unknown)  # type: ignore[operator]


class TestDelivery:
    def test_once(self) -> None:
        order = ordered()
        made = pack(order, 5)
        ship(made)
        deliver(made)
        assert books(order) == ([(5, 5, 5)], [(5, 0)], "delivered")
        assert refusal(delivery.deliver, actor=STAFF, fulfillment_id=made.pk) == (
            "not_allowed",
            "Fulfillment has already been marked delivered",
        )
        assert events(order)[-1] == ("delivery.created", made.pk)
        assert books(order).counters == [(5, 5, 5)]

    def test_goods_that_are_picked_up(self) -> None:
        order = ordered()
        deliver(pack(order, 2))
        assert books(order) == ([(2, 0, 2)], [(8, 3)], "partially_delivered")

    def test_a_canceled_one_is_not_delivered(self) -> None:
        made = pack(ordered(), 1)
        cancel(made)
        assert refusal(delivery.deliver, actor=STAFF, fulfillment_id=made.pk) == (
            "not_allowed",
            "Cannot deliver an already canceled fulfillment",
        )


class TestCancellation:
    def test_everything_is_as_before(self) -> None:
        order = ordered()
        before, pieces = books(order), reserved(order)
        part, rest = pack(order, 2), pack(order, 3)
        cancel(part)
        assert books(order) == ([(3, 0, 0)], [(7, 2)], "partially_fulfilled")
        cancel(rest)
        assert (books(order), reserved(order)) == (before, pieces)
        part.refresh_from_db()
        assert (part.canceled_at is not None, part.cancel_reason) == (True, None)
        assert events(order)[2:] == [("order.fulfillment_canceled", order.pk)] * 2
        assert refusal(cancellation.cancel, actor=STAFF, fulfillment_id=part.pk) == (
            "not_allowed",
            "The fulfillment is already canceled",
        )
        assert (books(order), reserved(order)) == (before, pieces)
        pack(order, 5)
        assert books(order).status == "fulfilled"

    def test_not_once_it_has_left(self) -> None:
        order = ordered()
        shipped, collected = pack(order, 1), pack(order, 1)
        ship(shipped)
        deliver(collected)
        for made, end in ((shipped, "shipped"), (collected, "delivered")):
            assert refusal(cancellation.cancel, actor=SYSTEM, fulfillment_id=made.pk) == (
                "not_allowed",
                f"The fulfillment has already been {end}. {end.capitalize()} fulfillments cannot be canceled",
            )
        assert books(order).stock == [(8, 3)]

    def test_a_backorder_takes_the_stock_below_zero_and_gives_it_back(self) -> None:
        mug = sold_variant(10, in_stock=2, allow_backorder=True)
        order = ordered((mug, 5))
        made, rest = pack(order, 4), pack(order, 1)
        assert books(order) == ([(5, 0, 0)], [(-3, 0)], "fulfilled")
        cancel(made)
        assert books(order) == ([(1, 0, 0)], [(1, 4)], "partially_fulfilled")
        cancel(rest)
        assert books(order) == ([(0, 0, 0)], [(2, 5)], "not_fulfilled")
        pack(order, 5)
        assert books(order).stock == [(-3, 0)]

    def test_items_that_lines_share(self) -> None:
        item, place = InventoryItemFactory(), StockLocationFactory()
        cup, pair = stocked(0), kit_of(location=place)
        cup.inventory_links.all().delete()
        stock(cup, 9, item=item, location=place)
        pair.inventory_links.create(inventory_item=item, required_quantity=2)
        order = ordered((cup, 2), (pair, 3))
        level = item.levels.get()
        made = pack(order, 1, 2)
        level.refresh_from_db()
        assert (level.stocked_quantity, level.reserved_quantity) == (4, 3)
        cancel(made)
        level.refresh_from_db()
        assert (level.stocked_quantity, level.reserved_quantity) == (9, 8)
