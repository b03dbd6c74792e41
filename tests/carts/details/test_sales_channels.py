"""A cart that goes to another sales channel."""

import re

import pytest

from carts.details import details
from carts.errors import LinesNotSold, LinesOutOfStock, SalesChannelClosed
from carts.models import Cart
from kit.domain.actor import Actor
from shop.models import SalesChannel
from tests.contract.callers import Caller, refusal
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.shop import SalesChannelFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db


@pytest.fixture
def till() -> SalesChannel:
    return SalesChannelFactory(name="Till")


def clerk(till: SalesChannel) -> Actor:
    """Whose key opens the default channel and the till."""
    return Actor("anonymous", None, (*make.shopper().sales_channel_ids, till.pk))


def moved(cart: Cart, till: SalesChannel) -> Cart:
    details.change(actor=clerk(till), cart_id=cart.pk, sales_channel_id=till.pk)
    return Cart.objects.get(pk=cart.pk)


def test_its_lines_come_along_where_the_channel_sells_them(till: SalesChannel) -> None:
    mug = make.sold_variant(10)
    mug.product.sales_channels.add(till)
    cart = moved(make.cart(mug), till)
    assert (cart.sales_channel_id, cart.total, cart.items.count()) == (till.pk, 10, 1)


def test_lines_that_it_does_not_sell_are_refused_by_name(till: SalesChannel) -> None:
    mug, pot = make.sold_variant(10), make.sold_variant(20)
    mug.product.sales_channels.add(till)
    cart = make.cart(mug, pot)
    with pytest.raises(LinesNotSold, match=f"no longer available: {re.escape(make.title_of(pot))}$"):
        moved(cart, till)
    cart.refresh_from_db()
    assert cart.sales_channel_id != till.pk


def test_lines_that_it_has_too_little_of_are_refused_by_name(till: SalesChannel) -> None:
    """Its stock is that of its own locations: here of none."""
    mug = make.sold_variant(10, in_stock=5)
    mug.product.sales_channels.add(till)
    cart = make.cart(mug)
    with pytest.raises(LinesOutOfStock, match=re.escape(make.title_of(mug))):
        moved(cart, till)
    cart.refresh_from_db()
    assert cart.sales_channel_id != till.pk


def test_a_line_whose_variant_is_gone_holds_nobody_up(till: SalesChannel) -> None:
    mug = make.sold_variant(10)
    cart = make.cart(mug)
    cart.items.update(variant=None)
    assert moved(cart, till).sales_channel_id == till.pk


def test_the_channel_that_it_is_in_asks_nothing_of_its_lines() -> None:
    mug = make.sold_variant(10)
    cart = make.cart(mug)
    mug.product.sales_channels.clear()
    details.change(actor=make.shopper(), cart_id=cart.pk, sales_channel_id=cart.sales_channel_id, email="a@b.co")
    assert Cart.objects.get(pk=cart.pk).email == "a@b.co"


def test_a_channel_that_the_key_does_not_open_is_refused(till: SalesChannel) -> None:
    cart = make.cart()
    with pytest.raises(SalesChannelClosed, match=f"Sales channel '{till.pk}' of field 'sales_channel_id'"):
        details.change(actor=make.shopper(), cart_id=cart.pk, sales_channel_id=till.pk)
    cart.refresh_from_db()
    assert cart.sales_channel_id != till.pk


def test_over_http(till: SalesChannel) -> None:
    cart = make.cart()
    web = cart.sales_channel_id
    store = Caller(x_publishable_api_key=publishable_key(cart.sales_channel, till).token)
    path = f"/store/carts/{cart.pk}"
    assert store.post(path, {"sales_channel_id": till.pk}).json()["cart"]["sales_channel_id"] == till.pk
    message = "Sales channel 'nobody' of field 'sales_channel_id' is not available to the API key"
    assert refusal(store.post(path, {"sales_channel_id": "nobody"})) == (400, message)
    document = (
        f'mutation {{ updateCart(id: "{cart.pk}", input: {{salesChannelId: "{web}"}})'
        " { cart { salesChannelId } } }"
    )
    assert data(ask(store, document))["updateCart"]["cart"] == {"salesChannelId": web}
