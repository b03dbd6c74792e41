"""What a confirmed edit leaves besides amounts: event, email, timeline, metadata, and stock at its places."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.core import mail
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Reservation
from kit.messages.mails.sending import send_due
from kit.messages.outbox.models import Event
from orders.changes import confirmation, items, lifecycle
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.errors import NoActions
from orders.changes.items import LineChange
from orders.erasure.blockers import blockers_of
from orders.models import Order, OrderChange, OrderLineItem
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.factories.inventory import stock
from tests.kit.graphql.calls import ask, data
from tests.orders.api.conftest import ProgramWith, program_with
from tests.orders.changes.shop import Edit, goods, line, order_a, outcome, reserved
from tests.orders.fulfillments.shop import STAFF, ordered, pack
from tests.orders.outbox import mails

pytestmark = pytest.mark.django_db
__all__ = ["admin", "program_with"]


def test_the_event_has_ids_and_the_email_says_what_changed(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    change = Edit(admin, order)
    change.add(scarf, 2)
    change.set("tee", 0)
    change.confirm()
    change_id = change.change["id"]
    event = Event.objects.get(name="order-edit.confirmed")
    assert event.data == {"id": change_id, "order_id": order.pk, "change_id": change_id}
    assert mails() == [("order_changed", change_id, 1, False)]
    send_due()
    [sent] = mail.outbox
    assert "2 x scarf" in sent.body
    assert "1 x tee" in sent.body
    assert "It cost $60.00 before, and costs $66.00 now." in sent.body
    assert "$6.00 of it is still to be paid." in sent.body


def test_nobody_is_mailed_if_staff_say_so(admin: Caller) -> None:
    order = order_a()
    change = Edit(admin, order)
    change.set("mug", 1)
    change.confirm(no_notification=True)
    assert mails() == []


def test_the_email_asks_for_nothing_that_is_authorized(admin: Caller) -> None:
    """60.00 are held: 48.00 need no more, and 78.00 need 18.00."""
    order = order_a(captured=False)
    change = Edit(admin, order)
    change.set("mug", 1)
    change.confirm()
    send_due()
    assert "still to be paid" not in mail.outbox[-1].body
    change = Edit(admin, order)
    change.set("mug", 2)
    change.add(goods("scarf", 15))
    change.confirm()
    send_due()
    assert "It cost $48.00 before, and costs $78.00 now." in mail.outbox[-1].body
    assert "$18.00 of it is still to be paid." in mail.outbox[-1].body


def test_what_changes_nothing_is_no_edit(admin: Caller) -> None:
    order = order_a()
    same = [LineChange(line(order, "mug").pk, 2, Decimal(10), {})]
    with pytest.raises(NoActions):
        edit(actor=STAFF, order_id=order.pk, changed_items=same)
    order.refresh_from_db()
    assert (order.version, mails()) == (1, [])
    change = Edit(admin, order)
    change.set("mug", 2, metadata={"wrap": "red"})
    change.confirm()
    send_due()
    assert (line(order, "mug").metadata, mail.outbox) == ({"wrap": "red"}, [])


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"gift": ""}, {"fair": 1}), ({"gift": 2}, {"gift": 2, "fair": 1}), ({}, {}), (None, {})],
)
def test_metadata_of_a_line_is_changed_as_elsewhere(admin: Caller, given: Any, expected: Any) -> None:
    order = order_a()
    OrderLineItem.objects.filter(pk=line(order, "mug").pk).update(metadata={"gift": 1, "fair": 1})
    change = Edit(admin, order)
    change.set("mug", 2, metadata=given)
    change.confirm()
    assert line(order, "mug").metadata == expected


def test_the_timeline_tells_the_edit(admin_client: Client, admin: Caller) -> None:
    order = order_a()
    change = Edit(admin, order, description="By phone")
    change.add(goods("scarf", 15))
    change.set("mug", 1)
    change.confirm()
    page = admin_client.get(f"/admin/orders/order/{quote(order.pk)}/change/").content.decode()
    assert "Edit begun: By phone" in page
    assert "Edited: +1 scarf, -1 mug" in page


def test_metadata_is_merged_and_prices_are_staffs() -> None:
    order = order_a()
    OrderLineItem.objects.filter(pk=line(order, "mug").pk).update(metadata={"gift": True})
    change = LineChange(line(order, "mug").pk, 2, Decimal(9), {"metadata": {"wrap": "red"}})
    edit(actor=STAFF, order_id=order.pk, changed_items=[change])
    mug = line(order, "mug")
    assert (mug.unit_price, mug.is_custom_price, mug.metadata) == (9, True, {"gift": True, "wrap": "red"})
    assert outcome(order)[:2] == ("57.60", "-2.40")


def test_lowered_units_leave_the_place_with_the_fewest() -> None:
    """5 are reserved at one place and 2 at another; 3 fewer leave 4 at the first."""
    mug = goods("mug", 10, in_stock=5)
    item = mug.inventory_links.get().inventory_item
    stock(mug, 2, item=item)
    order = ordered((mug, 7))
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(line(order, "mug").pk, 4, None, {})])
    assert list(Reservation.objects.not_deleted().values_list("quantity", flat=True)) == [4]


def test_pieces_of_a_kit_are_released_by_units() -> None:
    pair = goods("pair", 10, in_stock=None)
    pair.manage_inventory = True
    pair.save()
    stock(pair, 20, required_quantity=2)
    order = ordered((pair, 5))
    assert reserved(order) == {"pair": 10}
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(line(order, "pair").pk, 3, None, {})])
    assert reserved(order) == {"pair": 6}
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(line(order, "pair").pk, 4, None, {})])
    assert reserved(order) == {"pair": 8}


def test_raised_units_need_what_is_reserved_of_the_others() -> None:
    """A unit has two pieces when it is ordered, and three in the catalogue when the line is raised."""
    pair = goods("pair", 10, in_stock=None)
    pair.manage_inventory = True
    pair.save()
    stock(pair, 20, required_quantity=2)
    order, other = ordered((pair, 5)), goods("mug", 10)
    pair.inventory_links.update(required_quantity=3)
    raised = LineChange(line(order, "pair").pk, 6, None, {})
    edit(actor=STAFF, order_id=order.pk, changed_items=[raised], added_items=[NewItem(other.pk, 1)])
    assert reserved(order) == {"pair": 12, "mug": 1}
    Order.objects.filter(pk=order.pk).update(payment_status="captured", paid_total=F("total"))
    assert pack(order, 1).items.get().quantity == 2
    pair.manage_inventory = False
    pair.save()
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(raised.line_id, 7, None, {})])
    assert reserved(order) == {"pair": 12, "mug": 1}


def test_a_raised_line_that_had_no_inventory_is_reserved_as_a_whole() -> None:
    """2 mugs are ordered before their variant has inventory; of 3, each can be packed."""
    mug = goods("mug", 10, in_stock=None)
    order = ordered((mug, 2))
    mug.manage_inventory = True
    mug.save()
    stock(mug, 10)
    edit(actor=STAFF, order_id=order.pk, changed_items=[LineChange(line(order, "mug").pk, 3, None, {})])
    assert reserved(order) == {"mug": 3}
    Order.objects.filter(pk=order.pk).update(payment_status="captured", paid_total=F("total"))
    assert pack(order, 1).items.get().quantity == 1


def test_statements_do_not_depend_on_the_lines() -> None:
    def statements(number: int) -> int:
        order = ordered(*((goods(f"mug {each}", 10), 2) for each in range(number)))
        lifecycle.begin(actor=STAFF, order_id=order.pk)
        added = [NewItem(goods(f"scarf {each}", 15).pk, 1) for each in range(number)]
        items.add(actor=STAFF, order_id=order.pk, items=added)
        for each in OrderLineItem.objects.filter(order=order):
            items.change_line(actor=STAFF, order_id=order.pk, line_id=each.pk, quantity=1)
        with CaptureQueriesContext(connection) as seen:
            confirmation.confirm(actor=STAFF, order_id=order.pk)
        return len(seen)

    assert statements(2) == statements(5)


def test_graphql_previews_and_edits_as_a_whole(admin: Caller) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    given = f"""id: "{order.pk}", input: {{version: 1, addedItems: [{{variantId: "{scarf.pk}", quantity: 1}}],
        changedItems: [{{id: "{line(order, "mug").pk}", quantity: 1}}]}}"""
    asked = "order { total version summary { pendingDifference } items { title quantity } }"
    expected = {
        "total": 66,
        "version": 2,
        "summary": {"pendingDifference": 6},
        "items": [{"title": name, "quantity": 1} for name in ("mug", "tee", "scarf")],
    }
    shown = data(ask(admin, f"mutation {{ previewOrderEdit({given}) {{ {asked} }} }}"))
    assert shown == {"previewOrderEdit": {"order": expected}}
    assert (outcome(order)[0], OrderChange.objects.count(), reserved(order)) == ("60.00", 0, {"mug": 2, "tee": 1})
    done = data(ask(admin, f"mutation {{ editOrder({given}) {{ {asked} }} }}"))
    assert done == {"editOrder": {"order": expected}}
    assert outcome(order)[0] == "66.00"
    listed = data(ask(admin, "{ orderEdits { orderEdits { status actions { action } } } }"))
    actions = [{"action": "ITEM_UPDATE"}, {"action": "ITEM_ADD"}]
    assert listed == {"orderEdits": {"orderEdits": [{"status": "confirmed", "actions": actions}]}}


def test_prices_need_their_own_permission(program_with: ProgramWith) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    editor = program_with("orders.add_orderchange")
    change = Edit(editor, order)
    change.add(scarf)
    priced = {"items": [{"variant_id": scarf.pk, "quantity": 1, "unit_price": 1}]}
    assert editor.post(f"/admin/{change.path}/items", priced).status_code == 403
    clerk = program_with("orders.view_order", "orders.change_order")
    assert clerk.post(f"/admin/{change.path}/confirm", {}).status_code == 403


def test_an_open_edit_blocks_the_erasure_of_its_order() -> None:
    order = order_a()

    def reasons() -> list[str]:
        return [blocker.text for blocker in blockers_of([order.cart_id])]

    before = reasons()
    lifecycle.begin(actor=STAFF, order_id=order.pk)
    assert reasons() == [*before, f"order {order}: an edit is neither confirmed nor canceled"]
