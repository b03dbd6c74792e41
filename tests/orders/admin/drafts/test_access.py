"""Who sees draft orders on the admin site, and their list."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from carts.models import Cart, ShippingMethod
from fulfillment.models import ShippingOption
from kit.errors import Forbidden
from orders.drafts.methods import DraftMethod
from orders.drafts.replacing import replace
from orders.models import DraftOrder, Order
from tests.factories.actors import staff_actor
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.kit.admin.forms import filled_in
from tests.orders.admin.drafts.forms import ADD, CONTACT, LIST, address_of, filled, messages_of, region_at_20, saved
from tests.orders.admin.forms.desk import desk, text_of
from tests.orders.admin.forms.edits import by
from tests.orders.changes.shop import goods
from tests.orders.drafts.shop import draft, wanted

pytestmark = [pytest.mark.once, pytest.mark.django_db]
MANAGING = "carts.manage_draft"


def test_without_the_permission_there_is_nothing() -> None:
    made = draft(goods("mug", 10))
    stranger = by("orders.view_order", "carts.view_cart", "orders.add_order", "orders.set_price")
    deletion = address_of(made).replace("change", "delete")
    for address in (LIST, ADD, address_of(made), deletion):
        assert stranger.get(address).status_code == stranger.post(address, {"_save": "1"}).status_code == 403
    for address in ("/admin/", "/admin/orders/order/"):
        assert "Draft orders" not in text_of(stranger.get(address))
    assert Client().get(LIST).status_code == 302
    assert Cart.objects.count() == 1


def test_with_it_alone_drafts_are_prepared_and_not_converted() -> None:
    region_at_20()
    mug, clerk = goods("mug", 10), by(MANAGING)
    assert "Draft orders" in text_of(clerk.get("/admin/"))
    page = clerk.get(ADD)
    assert "Create order" not in text_of(page)
    withheld = ("price", "title", "custom_amount", "customer")
    assert [name for name in filled_in(page) if any(each in name for each in withheld)] == []
    made = saved(clerk, **CONTACT, variant_1=mug.pk, new_price_1="1", title_1="Wrapping", title_price_1="1")
    assert made.total == 18  # (10 + 5) x 1.2, as the catalogue asks
    answer = clerk.post(address_of(made), {**filled(clerk, address_of(made)), "_create": "1"})
    assert (answer.status_code, Order.objects.count()) == (403, 0)


def test_amounts_that_others_have_set_for_shipping_stay() -> None:
    """Goods of 10, and shipping at 0 and 2 instead of 5 and 7; 20 % on top."""
    region = region_at_20()
    post, courier = ShippingOption.objects.get(), option(7, name="Courier")
    own = [DraftMethod(post.pk, custom_amount=Decimal(0)), DraftMethod(courier.pk, custom_amount=Decimal(2))]
    made, clerk = draft(goods("mug", 10), region=region, shipping=None, shipping_methods=own), by(MANAGING)
    made = saved(clerk, address_of(made), email="bob@example.com", custom_amount="9")
    methods = ShippingMethod.objects.not_deleted().filter(cart=made).order_by("pk")
    assert (made.email, made.total) == ("bob@example.com", Decimal("14.40"))
    assert list(methods.values_list("amount", "is_custom_amount")) == [(0, True), (2, True)]
    made = saved(clerk, address_of(made), shipping_option_id=option(7, name="Bike").pk)
    assert list(methods.values_list("amount", "is_custom_amount")) == [(7, False), (2, True)]
    given = [DraftMethod(courier.pk, Decimal(3), methods[1].pk)]
    actor = staff_actor(MANAGING)
    with pytest.raises(Forbidden):
        replace(actor=actor, draft_id=made.pk, details={}, items=[], promo_codes=[], shipping_methods=given)


def test_who_may_not_view_orders_gets_back_to_the_list() -> None:
    clerk = by(MANAGING, "orders.add_order")
    made = draft(goods("mug", 10))
    answer = clerk.post(address_of(made), {**filled(clerk, address_of(made)), "_create": "1"})
    assert (answer["Location"], Order.objects.count()) == (LIST, 1)


def test_the_list() -> None:
    clerk, user = desk()
    ann = CustomerFactory(email="ann@shop.example", first_name="Ann", last_name="Lee")
    first = draft(wanted(goods("mug", 10), 3), email="bob@example.com")
    Cart.objects.filter(pk=first.pk).update(created_by=user.pk)
    second = draft(goods("tee", 25), customer_id=ann.pk, email=None)
    cart = Cart.objects.exclude(is_draft=True)
    assert not cart.exists()
    page = text_of(clerk.get(LIST))
    for told in ("D-1", "bob@example.com", "3", "$35.00", user.get_full_name(), "D-2", "ann@shop.example", "$30.00"):
        assert told in page
    found = {
        term: [row.pk for row in clerk.get(LIST, {"q": term}).context["cl"].result_list]
        for term in ("D-2", "d-2", "1", "bob", "lee", "D-9", "99999999999999999999", "nobody")
    }
    assert found == {
        "D-2": [second.pk],
        "d-2": [second.pk],
        "1": [first.pk],
        "bob": [first.pk],
        "lee": [second.pk],
        "D-9": [],
        "99999999999999999999": [],
        "nobody": [],
    }
    assert reverse("admin:orders_order_drafts") in clerk.get("/admin/orders/order/").content.decode()
    assert clerk.get(reverse("admin:orders_order_drafts"))["Location"] == LIST


def test_it_is_deleted() -> None:
    clerk, _ = desk()
    made = draft(goods("mug", 10))
    deletion = address_of(made).replace("change", "delete")
    assert "Delete this draft order?" in text_of(clerk.get(deletion))
    answer = clerk.post(deletion, {"post": "yes"})
    assert (answer["Location"], DraftOrder.objects.count()) == (LIST, 0)
    other = draft(goods("tee", 25))
    chosen = {"action": "delete_selected", "_selected_action": [other.pk], "index": "0"}
    clerk.post(LIST, {**chosen, "post": "yes"})
    assert DraftOrder.objects.count() == 0
    assert messages_of(answer)
