"""Drafts as carts that staff keep."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts.admin.abandoned import abandoned
from carts.details.faults import CartFaults
from carts.details.line_replacement import WantedLine
from carts.models import Cart
from kit.errors import Forbidden
from kit.values.timestamps import now
from orders.completion.expired_carts import discard_expired
from orders.drafts import creation, details
from orders.drafts.errors import DraftNotFound
from orders.drafts.methods import DraftMethod
from tests.factories import carts as make
from tests.factories.actors import staff_actor
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.orders.drafts.shop import ADDRESS, STAFF, draft, wanted

pytestmark = pytest.mark.django_db
NOT_DELIVERING = "does not deliver to the address of this draft, given by field 'shipping_option_id'"


def change(made: Cart, **values: object) -> Cart:
    details.change(actor=STAFF, draft_id=made.pk, **values)  # type: ignore[arg-type]  # of a test
    return Cart.objects.get(pk=made.pk)


def test_staff_create_a_draft_for_any_customer() -> None:
    customer = CustomerFactory(email="mara@example.com")
    made = draft(make.sold_variant(10), customer_id=customer.pk, email=None, metadata={"by": "phone"})
    assert (made.is_draft, made.draft_number, made.created_by) == (True, 1, "user_01TEST")
    assert (made.customer, made.email, made.metadata, made.total) == (
        customer,
        "mara@example.com",
        {"by": "phone"},
        Decimal(15),
    )
    assert draft().draft_number == 2


def test_a_draft_needs_no_email_and_no_items() -> None:
    made = draft(email=None, shipping_address=None, shipping=None)
    assert (made.email, made.total) == (None, 0)


def test_deleted_drafts_leave_gaps() -> None:
    creation.delete(actor=STAFF, draft_id=draft(make.sold_variant(10)).pk)
    assert [draft().draft_number, Cart.objects.count()] == [2, 1]


def test_prices_of_staff_stay() -> None:
    mug = make.sold_variant(10)
    made = draft(wanted(mug, 3, 2), mug, custom="1.50")
    assert [(line.unit_price, line.is_custom_price) for line in made.items.order_by("pk")] == [(2, True), (10, False)]
    assert (made.shipping_methods.get().amount, made.total) == (Decimal("1.5"), Decimal("17.5"))
    mug.price_set.prices.update(amount=12)
    again = change(made, metadata={"a": 1})
    assert [line.unit_price for line in again.items.order_by("pk")] == [2, 12]
    assert (again.shipping_methods.get().amount, again.total) == (Decimal("1.5"), Decimal("19.5"))


def test_a_line_may_have_only_a_title() -> None:
    made = draft(WantedLine(2, title="Engraving", unit_price=Decimal("7.50")))
    line = made.items.get()
    assert (line.title, line.variant, line.unit_price, line.requires_shipping) == (
        "Engraving",
        None,
        Decimal("7.5"),
        True,
    )
    assert made.total == 20
    without = draft(WantedLine(1, title="Fee", unit_price=Decimal(3), requires_shipping=False), shipping=None)
    assert (without.items.get().requires_shipping, without.total) == (False, 3)


def test_a_variant_keeps_its_line_whatever_its_title() -> None:
    mug = make.sold_variant(10, in_stock=3)
    made = draft(wanted(mug, 2, 8, title="Engraving"))
    assert made.items.get().variant_id == mug.pk


def test_options_with_a_threshold_are_offered_by_what_the_goods_cost() -> None:
    free = option(0, rules=[("item_total", "gte", "50")])
    made = draft(make.sold_variant(60), shipping=None, shipping_methods=[DraftMethod(free.pk)])
    assert (made.shipping_methods.get().name, made.total) == (free.name, 60)
    with pytest.raises(CartFaults, match=NOT_DELIVERING):
        draft(make.sold_variant(40), shipping=None, shipping_methods=[DraftMethod(free.pk)])


@pytest.mark.parametrize("given", [{"metadata": {"a": "\0"}}, {"description": "\0"}])
def test_what_is_said_of_a_method_is_checked(given: dict[str, Any]) -> None:
    with pytest.raises(CartFaults, match=r"shipping_methods\[0\]"):
        draft(make.sold_variant(10), shipping=None, shipping_methods=[DraftMethod(option(5).pk, **given)])


def test_a_price_before_needs_a_price() -> None:
    line = WantedLine(1, variant_id=make.sold_variant(10).pk, compare_at_unit_price=Decimal(12))
    with pytest.raises(CartFaults, match="Field 'compare_at_unit_price' needs a 'unit_price'"):
        draft(line)


def test_a_title_needs_a_price() -> None:
    with pytest.raises(CartFaults, match=r"items\[0\]: Field 'unit_price' is required without a variant_id"):
        draft(WantedLine(1, title="Engraving"))


def test_drafts_take_no_account_of_stock() -> None:
    assert draft(wanted(make.sold_variant(10, in_stock=3), 5)).total == 55


def test_all_faults_of_a_draft_are_named() -> None:
    gift = make.sold_variant(50, product=ProductFactory(is_giftcard=True))
    mug = make.sold_variant(10)
    with pytest.raises(CartFaults) as refused:
        draft(
            wanted(gift),
            wanted(mug, price="-2"),
            wanted(mug, price="2.001"),
            WantedLine(1, title="", unit_price=Decimal(1)),
            email="nobody",
            customer_id="cus_none",
            sales_channel_id="sc_none",
            promo_codes=["NOPE"],
            shipping_methods=[DraftMethod("so_none"), DraftMethod(option(5).pk, custom_amount=Decimal(-1))],
            shipping=None,
        )
    assert [(each.field, each.error.message) for each in refused.value.faults] == [
        ("sales_channel_id", "Sales channel with id: sc_none was not found, given by field 'sales_channel_id'"),
        ("customer_id", "Customer with id: cus_none was not found, given by field 'customer_id'"),
        ("email", "Value for field 'email' is not an email address"),
        ("items[0]", f"'{gift.product.title}' is a gift card, which cannot be added to a draft order"),
        ("items[1]", "Value for field 'unit_price' too small: it must be at least 0"),
        ("items[2]", "Value for field 'unit_price' has more than 2 decimals of usd"),
        ("items[3]", "Field 'title' must not be empty"),
        ("promo_codes[0]", "The promotion code NOPE is invalid"),
        ("shipping_methods[0]", f"Shipping option with id: so_none {NOT_DELIVERING}"),
        ("shipping_methods[1]", "Value for field 'custom_amount' too small: it must be at least 0"),
    ]
    assert not Cart.objects.exists()


def test_prices_need_a_permission_of_their_own() -> None:
    seller = staff_actor("carts.manage_draft")
    mug = make.sold_variant(10)
    assert draft(mug, actor=seller).total == 15
    for priced in ((wanted(mug, price=2),), ()):
        with pytest.raises(Forbidden, match=r"orders\.set_price"):
            draft(*priced, actor=seller, custom=0)
    with pytest.raises(Forbidden, match=r"carts\.manage_draft"):
        draft(actor=staff_actor("carts.view_cart"))


def test_details_change_at_once() -> None:
    made, other = draft(make.sold_variant(10)), CustomerFactory(email="bob@example.com")
    changed = change(made, customer_id=other.pk, billing_address={**ADDRESS, "city": "Boston"}, locale="de")
    assert (changed.email, changed.billing_address.city, changed.locale) == ("bob@example.com", "Boston", "de")
    assert change(made, customer_id=None, email=None).email is None
    with pytest.raises(CartFaults, match="sales_channel_id: Remove from the cart"):
        change(made, sales_channel_id=SalesChannelFactory().pk)
    with pytest.raises(CartFaults, match="shipping_address: Country with code de is not within the region"):
        change(made, shipping_address={**ADDRESS, "country_code": "de"})


def test_a_shopper_s_cart_is_no_draft() -> None:
    for verb in (lambda: change(make.cart()), lambda: creation.delete(actor=STAFF, draft_id=make.cart().pk)):
        with pytest.raises(DraftNotFound):
            verb()


def test_drafts_are_neither_abandoned_nor_pruned() -> None:
    made = draft(make.sold_variant(10))
    old = now() - timedelta(days=20)
    Cart.objects.update(created_at=old, updated_at=old)
    assert not Cart.objects.filter(abandoned()).exists()
    Cart.objects.update(created_at=now() - timedelta(days=900), updated_at=now() - timedelta(days=900))
    made.items.update(updated_at=now() - timedelta(days=900))
    assert (discard_expired(), Cart.objects.count()) == (0, 1)
