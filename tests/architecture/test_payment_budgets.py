"""How many SQL statements paying costs: as many for a cart of fifty lines as for one."""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from payments.models import Payment
from payments.providers.system import SystemProvider
from shop.models import PaymentProvider
from tests.architecture.test_cart_budgets import change
from tests.architecture.test_fulfillment_budgets import order_of
from tests.architecture.test_query_budgets import statements, store
from tests.contract.callers import Caller, importer
from tests.factories import carts as make
from tests.factories.apikeys import secret_key
from tests.factories.checkout import checked_out_cart
from tests.factories.payments import PROVIDER
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

PATH = "/store/payment-collections"
LINES = [1, 50]


def payable(lines: int) -> Cart:
    """A cart of so many lines, taxed, in a region with one provider."""
    mug, region = make.sold_variant(10, in_stock=99), make.selling_region(tax_rate=5)
    region.payment_providers.add(PROVIDER)
    pieces = [NewLineItem(mug.pk, 1, {"number": number}) for number in range(lines)]
    return make.cart(*pieces, region_id=region.pk, shipping_address={"country_code": "us", "province": "ny"})


def sessions_path(caller: Caller, cart: Cart) -> str:
    opened = caller.post(PATH, {"cart_id": cart.pk}).json()["payment_collection"]
    return f"{PATH}/{opened['id']}/payment-sessions"


@pytest.mark.parametrize("lines", LINES)
def test_a_collection_costs_eight_statements_and_three_once_it_is_there(lines: int) -> None:
    caller, body = store(), {"cart_id": payable(lines).pk}
    assert [change(caller, "POST", PATH, body) for _ in range(3)] == [8, 3, 3]


@pytest.mark.parametrize("lines", LINES)
def test_starting_keeping_and_replacing_a_session(lines: int) -> None:
    caller, cart = store(), payable(lines)
    path, body = sessions_path(caller, cart), {"provider_id": PROVIDER}
    costs = [change(caller, "POST", path, {**body, "data": data}) for data in (None, {}, {"another": 1})]
    assert costs == [19, 16, 20]


@pytest.mark.parametrize("lines", LINES)
def test_replacing_a_session_of_a_cart_that_is_shipped(lines: int) -> None:
    """As a checkout does; the repricing of its shipping method takes four of them."""
    caller, cart = store(), checked_out_cart(*(make.sold_variant(10, in_stock=9) for _ in range(lines)))
    path, body = sessions_path(caller, cart), {"provider_id": PROVIDER}
    costs = [change(caller, "POST", path, {**body, "data": data}) for data in (None, {"another": 1})]
    assert costs == [24, 25]


def test_starting_and_replacing_a_session_of_a_provider_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemProvider, "is_local", False)
    caller, cart = store(), payable(2)
    path, body = sessions_path(caller, cart), {"provider_id": PROVIDER}
    costs = [change(caller, "POST", path, {**body, "data": data}) for data in (None, {"another": 1})]
    assert costs == [26, 29]


@pytest.mark.parametrize("lines", LINES)
def test_a_cart_with_its_collection(lines: int) -> None:
    caller, cart = store(), payable(lines)
    path, fields = f"/store/carts/{cart.pk}", "fields=id,payment_collection.id,payment_collection.payment_sessions.id"
    assert change(caller, "GET", f"{path}?{fields}", b"") == 2
    bare = change(caller, "GET", path, b"")
    caller.post(sessions_path(caller, cart), {"provider_id": PROVIDER})
    assert change(caller, "GET", f"{path}?{fields}", b"") == 4
    assert change(caller, "GET", path, b"") - bare == 2


@pytest.mark.parametrize("lines", LINES)
def test_a_change_of_a_cart_that_is_being_paid(lines: int) -> None:
    """The collection's amount follows, and so does its session: it is started again."""
    caller, cart = store(), payable(lines)
    first = cart.items.order_by("pk")[0].pk
    path = f"/store/carts/{cart.pk}/line-items/{first}"
    unpaid = change(caller, "POST", path, {"quantity": 2})
    caller.post(sessions_path(caller, cart), {"provider_id": PROVIDER})
    assert change(caller, "POST", path, {"quantity": 3}) - unpaid == 9
    assert change(caller, "POST", path, {"quantity": 4}) - unpaid == 9


def test_a_capture_and_a_refund_of_an_order() -> None:
    """Of a local provider, in one transaction. Refunding reads more: what the order was paid with.

    Three, then two of the statements see that its invoice waits for the seller's data.
    """
    made = order_of(2)
    caller = importer(secret_key(UserFactory(is_superuser=True)))
    path = f"/admin/payments/{Payment.objects.get(collection__order_id=made.pk).pk}"
    caller.get(path)
    assert [change(caller, "POST", f"{path}/capture", body) for body in ({"amount": 5}, {})] == [30, 30]
    assert [change(caller, "POST", f"{path}/refund", body) for body in ({"amount": 5}, {})] == [41, 40]


@pytest.mark.parametrize("providers", [1, 20])
def test_a_regions_providers_cost_two_statements(providers: int, settings: Any) -> None:
    region, ids = make.selling_region(), [f"pp_{number}" for number in range(providers)]
    region.payment_providers.add(*PaymentProvider.objects.bulk_create(PaymentProvider(id=each) for each in ids))
    settings.PAYMENT_PROVIDERS = dict.fromkeys(ids, settings.PAYMENT_PROVIDERS[PROVIDER])
    caller = store()
    with statements() as texts:
        listed = caller.get("/store/payment-providers", f"region_id={region.pk}").json()
    assert (listed["count"], len(texts)) == (providers, 2)
