"""What it costs to find the addresses of one cart among those of all."""

import pytest
from django.db import connection

from carts.models import Cart, CartAddress
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_customer", [False, True])
def test_the_cart_of_an_address_is_found_by_index(*, is_customer: bool) -> None:
    """However many carts there are: nobody waits for those of others."""
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL's planner")
    actor = make.shopper(customer_id=CustomerFactory().pk if is_customer else None)
    cart = make.cart(shipping_address={"city": "Ulm"}, actor=actor)
    _multiply(cart)
    plan = CartAddress.objects.visible_to(actor).filter(pk__in=[cart.shipping_address_id]).explain()
    assert "Seq Scan on carts_cart " not in plan, plan
    assert list(CartAddress.objects.visible_to(actor).values_list("city")) == [("Ulm",)]


def _multiply(cart: Cart) -> None:
    """Many more carts like it, in the table's statistics too."""
    columns = ", ".join(field.column for field in Cart._meta.concrete_fields if field.column not in _OWN)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO carts_cart (id, {columns})"
            f" SELECT 'cart_' || number, {columns} FROM carts_cart, generate_series(1, 5000) number"
        )
        cursor.execute("ANALYZE carts_cart")


_OWN = {"id", "shipping_address_id", "billing_address_id"}
