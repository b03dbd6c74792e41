"""Orders of drafts: cases 32 to 37, with their amounts, and what is checked before."""

from decimal import Decimal
from typing import Any

import pytest
from django.core import mail

from carts.details.line_replacement import WantedLine
from carts.errors import LinesNotSold, LinesOutOfStock
from carts.models import Cart, Promotion
from catalog.models import ProductVariant, Reservation
from kit.errors import Forbidden
from kit.messages.mails.sending import send_due
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.common.errors import NoEmail, NoItems, NoShippingAddress, NoShippingMethod, TotalChanged
from orders.drafts import creation, details
from orders.drafts.conversion import convert
from orders.drafts.errors import DraftConverted, DraftNotFound
from orders.fulfillments.errors import OrderNotPaid
from orders.managing import payment_collections
from orders.managing.payment_links import creation as links
from orders.managing.payment_links.errors import NothingToPay
from orders.models import Order, OrderNumber
from payments.errors import CollectionPaid
from payments.models import PaymentCollection
from shop.models import Currency, Region
from tests.factories import carts as make
from tests.factories.actors import staff_actor
from tests.factories.fulfillment import zone
from tests.factories.inventory import count_stock
from tests.factories.pricing import price
from tests.orders.changes.shop import goods, outcome
from tests.orders.drafts.shop import STAFF, draft, wanted
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.shop import staff
from tests.orders.outbox import mails

pytestmark = pytest.mark.django_db


def converted(made: Cart) -> Order:
    return Order.objects.get(pk=convert(actor=STAFF, draft_id=made.pk))


def taxed(**given: Any) -> Region:
    return make.selling_region(**{"tax_rate": 20, **given})


def draft_a() -> Cart:
    """2 mugs at 10.00, a tee at 25.00 and post of 5.00, at 20 % on top: 60.00. Of each there are 10."""
    return draft(wanted(goods("mug", 10), 2), goods("tee", 25), shipping=5, region=taxed())


def reserved() -> int:
    return sum(Reservation.objects.values_list("quantity", flat=True))


def numbers() -> int:
    return sum(OrderNumber.objects.values_list("last", flat=True))


def test_case_32() -> None:
    made = draft(wanted(goods("mug", 10), 3, 2), shipping=5, custom=0, region=taxed())
    assert (made.total, reserved(), numbers()) == (Decimal("7.2"), 0, 0)
    order = converted(made)
    assert outcome(order) == ("7.20", "7.20", "not_paid", "not_fulfilled", 1, [("7.20", "not_paid")])
    assert (reserved(), order.display_id, numbers()) == (3, 1, 1)
    line, method = order.items.get(), order.shipping_methods.get()
    assert (line.unit_price, line.is_custom_price, method.amount, method.is_custom_amount) == (2, True, 0, True)


def test_case_33() -> None:
    region = taxed(currency_id="eur", countries=["de"], tax_rate=19)
    Currency.objects.filter(pk="eur").update(is_tax_inclusive=True)
    bag = goods("bag", 11.9)
    price(bag, 11.9, "eur")
    code = make.PromotionFactory(value=10)
    address = {"city": "Berlin", "country_code": "de", "address_1": "Allee 1"}
    made = draft(
        wanted(bag, 2, "9.90"),
        shipping=4,
        custom=0,
        region=region,
        zone=zone("de"),
        promo_codes=[code.code],
        shipping_address=address,
    )
    line = made.items.get()
    adjustment = line.adjustments.get()
    assert (made.total, made.tax_total, adjustment.stated_amount) == (
        Decimal("17.82"),
        Decimal("2.85"),  # 17.82 - round(17.82 / 1.19), as of every price that includes tax
        Decimal("1.98"),
    )
    assert Promotion.objects.get().used == 0
    assert outcome(converted(made))[:3] == ("17.82", "17.82", "not_paid")
    assert Promotion.objects.get().used == 1


def test_case_34(settings: Any) -> None:
    order = converted(draft_a())
    assert outcome(order) == ("60.00", "60.00", "not_paid", "not_fulfilled", 1, [("60.00", "not_paid")])
    with pytest.raises(OrderNotPaid):
        pack(order, 2, 1)
    collection = PaymentCollection.objects.get()
    paid = {"actor": staff(), "collection_id": collection.pk, "order_id": order.pk, "note": "Transfer 4711"}
    payment_collections.mark_as_paid(**paid)
    assert outcome(order)[:3] == ("60.00", "0.00", "captured")
    with pytest.raises(CollectionPaid):
        payment_collections.mark_as_paid(**paid)
    assert PaymentCollection.objects.get().captured_amount == 60
    settings.FULFILL_UNPAID = True
    assert pack(converted(draft_a()), 2)


def test_case_36() -> None:
    order = converted(draft(wanted(goods("mug", 10), price=0), shipping=5, custom=0, region=taxed()))
    assert outcome(order)[:3] == ("0.00", "0.00", "captured")
    assert [each.amount for each in PaymentCollection.objects.all()] == [0]
    with pytest.raises(NothingToPay):
        links.create(actor=staff(), order_id=order.pk)


def test_case_37() -> None:
    first = converted(draft(goods("tee", 25)))
    made = draft(wanted(goods("mug", 10, in_stock=3), 5))
    with pytest.raises(LinesOutOfStock, match="mug"):
        convert(actor=STAFF, draft_id=made.pk)
    assert (reserved(), numbers(), Order.objects.count()) == (1, first.display_id, 1)
    count_stock(5)
    assert converted(made).display_id == first.display_id + 1


def test_twice_gives_the_same_order() -> None:
    made = draft_a()
    order = converted(made)
    assert converted(made) == order
    assert [kind for kind, *_ in mails()] == ["order_placed"]
    for verb in (
        lambda: details.change(actor=STAFF, draft_id=made.pk, email="bob@example.com"),
        lambda: creation.delete(actor=STAFF, draft_id=made.pk),
    ):
        with pytest.raises(DraftConverted):
            verb()


def test_what_is_missing_is_named() -> None:
    mug, region = goods("mug", 10), make.selling_region()
    for made, error in (
        (draft(region=region), NoItems),
        (draft(mug, email=None, region=region), NoEmail),
        (draft(mug, shipping_address=None, region=region), NoShippingAddress),
        (draft(mug, shipping=None, region=region), NoShippingMethod),
    ):
        with pytest.raises(error):
            convert(actor=STAFF, draft_id=made.pk)
    made = draft(mug, region=region)
    mug.product.sales_channels.clear()
    with pytest.raises(LinesNotSold, match="mug"):
        convert(actor=STAFF, draft_id=made.pk)
    assert not Order.objects.exists()


def test_a_changed_total_refuses_once() -> None:
    mug = goods("mug", 10)
    code = make.PromotionFactory(value=10)
    made = draft(mug, promo_codes=[code.code])
    assert made.total == 14
    Promotion.objects.update(status="inactive")
    with pytest.raises(TotalChanged) as refused:
        convert(actor=STAFF, draft_id=made.pk)
    assert refused.value.message == (
        "The total of the draft has changed from 14.00 to 15.00 usd: the discount on "
        f"mug ({mug.title}) is 0.00 instead of 1.00 (promotion {code.code} no longer applies). "
        "Review the draft and convert it again"
    )
    assert converted(made).total == 15


def test_lines_with_only_a_title_are_sold_and_packed(settings: Any) -> None:
    settings.FULFILL_UNPAID = True
    made = draft(WantedLine(2, title="Engraving", unit_price=Decimal("7.50")), goods("mug", 10))
    order = converted(made)
    assert (outcome(order)[:3], reserved()) == (("30.00", "30.00", "not_paid"), 1)
    assert pack(order, 2, 1)
    assert outcome(order).fulfillment == "fulfilled"


def test_more_of_a_line_with_only_a_title() -> None:
    order = converted(draft(WantedLine(1, title="Engraving", unit_price=Decimal("7.50"))))
    more = LineChange(order.items.get().pk, 2, None, {})
    edit(actor=staff_actor("orders.add_orderchange"), order_id=order.pk, changed_items=[more])
    assert Order.objects.get().total == 20  # and 5 for shipping


def test_who_may_convert() -> None:
    made = draft(goods("mug", 10))
    with pytest.raises(Forbidden, match=r"orders\.add_order"):
        convert(actor=staff_actor("carts.manage_draft"), draft_id=made.pk)
    shopper_s = make.cart(goods("tee", 10))
    for draft_id in (shopper_s.pk, "cart_none", "\x00"):
        with pytest.raises(DraftNotFound):
            convert(actor=STAFF, draft_id=draft_id)


def test_the_customer_gets_no_emails_if_staff_say_so() -> None:
    order = converted(draft(goods("mug", 10), no_notification=True))
    send_due()
    assert (order.no_notification, mail.outbox) == (True, [])


def test_the_variant_of_a_line_is_kept() -> None:
    mug: ProductVariant = goods("mug", 10)
    assert converted(draft(wanted(mug, 2, 3))).items.get().variant_id == mug.pk
