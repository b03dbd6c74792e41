"""The forms about an edit that a program has begun."""

from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from orders.admin.actions import action_url
from orders.changes import items, lifecycle, shipping
from orders.changes.added_lines import NewItem
from orders.changes.shipping import NewMethod
from orders.managing import completion
from orders.models import Order, OrderChange
from tests.factories.fulfillment import option
from tests.kit.admin.forms import filled_in
from tests.orders.admin.forms.desk import desk, filled, page, send, text_of
from tests.orders.admin.forms.edits import previewed
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.shop import staff

pytestmark = [pytest.mark.once, pytest.mark.django_db]


class TestAnEditThatAProgramHasBegun:
    def begun(self, **given: Any) -> tuple[Order, str]:
        """A scarf is added to the order: 78.00 instead of 60.00."""
        order = order_a(**given)
        change_id = lifecycle.begin(actor=SYSTEM, order_id=order.pk, description="Wants a scarf")
        items.add(actor=SYSTEM, order_id=order.pk, items=[NewItem(goods("scarf", 15).pk, 1)])
        return order, change_id

    def test_is_shown_and_confirmed(self) -> None:
        client, user = desk()
        order, change_id = self.begun()
        shown = text_of(client.get(f"/admin/orders/order/{order.pk}/change/"))
        assert ("Confirm edit" in shown, "Cancel edit" in shown, "Edit order" in shown) == (True, True, False)
        assert client.get(action_url(order.pk, "edit")).status_code == 302
        text = page(client, order, "confirm-edit", change_id)
        for part in ("Wants a scarf", "+1 scarf", "Total with tax: $60.00 → $78.00.", "$18.00 is then due."):
            assert part in text
        form = filled(client, order, "confirm-edit", change_id)
        for _ in range(2):
            message = send(client, order, "confirm-edit", change_id, form)
            assert message == "Edited: the total was $60.00, and is $78.00."
        assert outcome(order)[:2] == ("78.00", "18.00")
        assert OrderChange.objects.get().confirmed_by == user.pk
        assert Mail.objects.filter(kind="order_changed").count() == 1

    def test_is_shown_again_if_it_has_changed(self) -> None:
        client, _ = desk()
        order, change_id = self.begun()
        form = filled(client, order, "confirm-edit", change_id)
        items.change_line(actor=SYSTEM, order_id=order.pk, line_id=line(order, "mug").pk, quantity=1)
        told, form = previewed(client, order, form, "confirm-edit", change_id)
        assert "Total with tax: $60.00 → $66.00." in told
        shipping.add(actor=SYSTEM, order_id=order.pk, method=NewMethod(option(0, name="Pick-up").pk))
        told, form = previewed(client, order, form, "confirm-edit", change_id)
        assert "Pick-up: added, $0.00." in told
        send(client, order, "confirm-edit", change_id, form)
        assert outcome(order)[:2] == ("66.00", "6.00")

    def test_says_why_it_cannot_be_confirmed(self) -> None:
        client, _ = desk()
        order = order_a()
        change_id = lifecycle.begin(actor=SYSTEM, order_id=order.pk)
        items.change_line(actor=SYSTEM, order_id=order.pk, line_id=line(order, "mug").pk, quantity=1)
        form = filled(client, order, "confirm-edit", change_id)
        pack(order, 2)
        text = page(client, order, "confirm-edit", change_id)
        name = f"mug ({line(order, 'mug').variant_title})"
        assert f"It cannot be confirmed: Quantity of item {name} must be at least 2: 2 units are fulfilled." in text
        answer = client.post(action_url(order.pk, "confirm-edit", change_id), form)
        assert "Nothing was done: this order was changed" in text_of(answer)
        answer = client.post(action_url(order.pk, "confirm-edit", change_id), filled_in(answer))
        answer = client.post(action_url(order.pk, "confirm-edit", change_id), filled_in(answer))
        assert "must be at least 2: 2 units are fulfilled" in text_of(answer)
        assert OrderChange.objects.get().status == "pending"

    def test_is_canceled(self) -> None:
        client, user = desk()
        order, change_id = self.begun()
        assert "Nothing of the order changes." in page(client, order, "cancel-edit", change_id)
        assert send(client, order, "cancel-edit", change_id, filled(client, order, "cancel-edit", change_id)) == (
            "Edit canceled."
        )
        change = OrderChange.objects.get()
        assert (change.status, change.canceled_by) == ("canceled", user.pk)
        assert outcome(order)[:2] == ("60.00", "0.00")
        for name in ("confirm-edit", "cancel-edit"):
            assert client.get(action_url(order.pk, name, change_id)).status_code == 302

    def test_can_only_be_canceled_once_its_order_is_completed(self) -> None:
        client, _ = desk()
        order, change_id = self.begun()
        completion.complete(actor=staff(), order_id=order.pk, note="Lost")
        shown = text_of(client.get(f"/admin/orders/order/{order.pk}/change/"))
        assert ("Confirm edit" in shown, "Cancel edit" in shown) == (False, True)
        assert client.get(action_url(order.pk, "confirm-edit", change_id)).status_code == 302
        send(client, order, "cancel-edit", change_id, filled(client, order, "cancel-edit", change_id))
        assert OrderChange.objects.get().status == "canceled"

    def test_belongs_to_its_order(self) -> None:
        client, _ = desk()
        _, change_id = self.begun()
        other = order_a()
        for name in ("confirm-edit", "cancel-edit"):
            for about in (change_id, "ordch_none", "x\x00", ""):
                address = action_url(other.pk, name, about)
                assert client.get(address).status_code == client.post(address, {}).status_code == 404
