"""Links from reservations to the orders and carts that their lines belong to."""

from collections.abc import Collection, Mapping

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from carts.admin.cart_links import cart_links
from carts.models import Cart, LineItem
from orders.admin import order_links
from tests.factories.checkout import checked_out_cart
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db


def test_a_cart_that_is_deleted_meanwhile_has_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RequestFactory().get("/admin/")
    request.user = UserFactory(is_superuser=True)
    gone, kept = (LineItem.objects.get(cart=checked_out_cart()) for _ in range(2))

    def after_deletion(request: HttpRequest, cart_ids: Collection[str]) -> Mapping[str, str]:
        LineItem.objects.filter(pk=gone.pk).delete()
        Cart.objects.filter(pk=gone.cart_id).delete()
        return cart_links(request, cart_ids)

    monkeypatch.setattr(order_links, "cart_links", after_deletion)
    assert set(order_links.line_links(request, [gone.pk, kept.pk])) == {kept.pk}
