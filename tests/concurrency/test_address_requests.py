"""The addresses of one customer, changed by many requests at once, over HTTP and in several workers."""

from collections import Counter

import pytest

from customers.models import CustomerAddress
from tests.concurrency.running_server import RunningServer, Sent
from tests.factories.customers import AddressFactory, CustomerFactory, token_of

CROWD = 20
FLAGS = ("is_default_shipping", "is_default_billing")
PATH = "/store/customers/me/addresses"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("number", [2, CROWD])
def test_of_many_requests_to_be_the_default_all_succeed_and_one_address_is_it(
    server: RunningServer, number: int
) -> None:
    customer = CustomerFactory()
    addresses = AddressFactory.create_batch(number, customer=customer)
    bearer = {"Authorization": f"Bearer {token_of(customer)}"}

    def request(turn: int) -> Sent:
        return Sent(f"{PATH}/{addresses[turn % number].pk}", dict.fromkeys(FLAGS, True), bearer)

    answers = server.at_once(request, number=CROWD)

    assert Counter(answer.status for answer in answers) == {200: CROWD}
    defaults = CustomerAddress.objects.filter(is_default_shipping=True).values_list("pk", *FLAGS)
    (holder,) = defaults
    assert holder[1:] == (True, True)
    assert CustomerAddress.objects.filter(is_default_billing=True).count() == 1
    me = server.send(Sent("/store/customers/me", headers=bearer, method="GET")).body["customer"]
    assert (me["default_shipping_address_id"], me["default_billing_address_id"]) == (holder[0], holder[0])
    assert [len([each for each in me["addresses"] if each[flag]]) for flag in FLAGS] == [1, 1]
