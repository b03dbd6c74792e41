"""What staff do for those who buy."""

from customers.models import Customer
from giftcards.models import GiftCard
from orders.models import Order
from tests.browser.day.person import Person
from tests.orders.managing.shop import statuses, work


def add_a_customer(staff: Person) -> None:
    staff.add("Customers")
    staff.enter("email", "ola@pier.example")
    staff.enter("first_name", "Ola")
    staff.enter("last_name", "Brandt")
    assert "ola@pier.example” was added successfully" in staff.save()
    assert Customer.objects.get(email="ola@pier.example").first_name == "Ola"


def issue_a_gift_card(staff: Person) -> None:
    staff.add("Gift cards")
    staff.enter("value", "25")
    staff.select("currency", "Pound Sterling (GBP)")
    staff.save()
    said = staff.submit()
    card = GiftCard.objects.latest("created_at")
    assert card.code in said
    staff.picture("giftcard")
    staff.activate("a", "Done")
    assert card.code not in staff.page.text


def pack_and_ship(staff: Person, order: Order) -> None:
    """An order is captured, packed and shipped."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.picture("order")
    staff.choose("Capture")
    assert "Captured" in staff.move_money()
    staff.choose("Pack")
    staff.picture("pack")
    assert "from Harbour warehouse." in staff.submit()
    staff.choose("Ship")
    staff.enter("tracking_number_1", "QT-2041")
    assert ", QT-2041." in staff.submit()
    assert statuses(order) == ("pending", "captured", "shipped")


def refund(staff: Person, order: Order) -> None:
    """A part of an order is refunded."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.choose("Refund")
    staff.enter("amount", "5")
    staff.select("refund_reason_id", "Arrived damaged")
    staff.picture("refund")
    assert "Refund of £5.00 (Arrived damaged): £5.00 by" in staff.move_money()
    work()
    assert statuses(order) == ("pending", "partially_refunded", "shipped")


def edit(staff: Person, order: Order) -> None:
    """One of two packets is taken off an order that is not packed yet."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.choose("Edit order")
    staff.enter(f"quantity_{order.items.get(variant_sku='ASSAM-100').pk}", "1")
    staff.submit()
    staff.picture("edit")
    assert "Edited: the total was " in staff.submit()
    assert order.items.get(variant_sku="ASSAM-100").quantity == 1


def exchange(staff: Person, order: Order) -> None:
    """A packet that was delivered comes back, and a cup is sent for it."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.choose("Exchange")
    staff.enter(f"units_{order.items.get(variant_sku='ASSAM-100').pk}", "1")
    staff.pick("variant_1", "Tide Cup / Slate (CUP-SLATE)")
    staff.submit()
    staff.picture("exchange")
    assert "Exchanged: £" in staff.submit()
    assert order.items.filter(variant_sku="CUP-SLATE").count() == 1


def claim(staff: Person, order: Order) -> None:
    """The other packet has burst: another one is sent, and nothing comes back."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.choose("Settle a claim")
    staff.enter(f"units_{order.items.get(variant_sku='ASSAM-100').pk}", "1")
    staff.select("reason", "Production failure")
    staff.submit()
    assert "Claimed: " in staff.submit()
    assert order.items.filter(variant_sku="ASSAM-100").count() == 2


def cancel(staff: Person, order: Order) -> None:
    """Nothing of the order has been packed yet."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.choose("Cancel order")
    assert "The order was canceled." in staff.submit()
    work()
    assert statuses(order) == ("canceled", "canceled", "canceled")


def take_a_return(staff: Person, order: Order) -> None:
    """One of the units that were shipped comes back, undamaged, and is refunded."""
    staff.menu("Orders")
    staff.activate("#result_list a", str(order))
    staff.choose("Mark as delivered")
    staff.submit()
    staff.choose("Request return")
    staff.enter(f"units_{order.items.get(variant_sku='CUP-SAND').pk}", "1")
    staff.submit()
    staff.choose("Receive return")
    staff.submit()
    staff.choose("Refund")
    assert "Refund of " in staff.move_money()
    work()
    assert statuses(order) == ("pending", "partially_refunded", "delivered")
