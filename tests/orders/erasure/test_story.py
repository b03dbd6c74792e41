"""After an erasure, the database contains none of the person's texts."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from django.test import Client, TestCase

from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.erasure import erasing, people
from orders.erasure.erasing import Erased
from orders.erasure.people import Person
from orders.models import Order, OrderAddress
from payments.providers import registry
from tests.architecture.erased_columns import shown_in_time
from tests.orders.erasure import story
from tests.orders.erasure.columns import holding, kept_answers
from tests.orders.erasure.story import MARK, Shop
from tests.orders.fulfillments.carrier import at_work
from tests.orders.invoices.shop import sells
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db

INDEX = {"orders_order_fts.terms"}
"""Of SQLite, which reads the table of entries."""
KEPT = (
    "display_id",
    "status",
    "payment_status",
    "total",
    "tax_total",
    "shipping_total",
    "paid_total",
    "refunded_total",
)


@pytest.fixture
def shop(db: None, settings: Any) -> Iterator[Shop]:
    sells()
    settings.INVOICE_RETENTION_DAYS = 0
    with switched_on(settings), at_work(settings) as carrier:
        yield Shop.opened(cast("FakeProvider", registry.provider(FAKE)), carrier)


def erased(person: Person) -> Erased:
    """What an erasure reports, once its transaction has ended."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        return erasing.erase(actor=SYSTEM, person=person)


def books(order: Order) -> dict[str, Any]:
    order.refresh_from_db()
    return {name: getattr(order, name) for name in KEPT}


def test_nothing_of_an_account_is_left(shop: Shop, admin_client: Client) -> None:
    caller, customer = story.registered(shop)
    story.described(shop, customer)
    order = story.ordered(shop, caller)
    story.returned(shop, caller, order)
    story.credited(shop, caller, customer)
    story.transferred(caller, shop.stranger)
    story.asked_for_a_password(shop)
    story.left_behind(shop, caller)
    story.looked_at(admin_client, customer)
    story.written_down(shop, order)
    before = books(order)
    assert shown_in_time() - holding(MARK) == {"carts_promotionusage.customer_key"}
    assert holding(MARK) - shown_in_time() - INDEX == set()
    assert kept_answers()

    assert erased(people.customer(customer.pk)) == Erased(orders=1, waiting=0)

    assert holding(MARK) == set()
    assert kept_answers() == 0
    assert list(discrepancies()) == []
    assert books(order) == before
    address = OrderAddress.objects.get(pk=order.shipping_address_id)
    assert (address.country_code, address.postal_code, address.province) == ("us", "10", None)
    assert StoreCreditAccount.objects.get(customer=customer.pk).balance == 12
    assert not GiftCard.objects.filter(customer=customer.pk, status="pending").exists()
    story.written_again(shop, order)
    assert holding(MARK) >= {"orders_order.email", "orders_ordernote.text"}
    assert erased(people.customer(customer.pk)) == Erased(orders=1, waiting=0)
    assert holding(MARK) == set()
    assert books(order) == before


def test_nothing_of_a_guest_is_left(shop: Shop) -> None:
    """Neither of two orders, nor of a cart; an unfinished registration has the same email."""
    orders = [story.ordered(shop, shop.store, number=number) for number in (0, 1)]
    story.left_behind(shop, shop.store)
    story.asked_for_a_password(shop, unfinished=True)
    story.written_down(shop, orders[0])
    before = [books(order) for order in orders]
    assert holding(MARK) >= {"carts_promotionusage.customer_key", "commerce_auth_authidentity.email"}

    assert erased(people.guest_of(orders[1].pk)) == Erased(orders=2, waiting=0)

    assert holding(MARK) == set()
    assert kept_answers() == 0
    assert list(discrepancies()) == []
    assert [books(order) for order in orders] == before
    for order in orders:
        assert shop.store.get(f"/store/orders/{order.pk}").status_code == 404
