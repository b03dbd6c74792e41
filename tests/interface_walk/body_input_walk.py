"""Every field of every body that a route takes, shown by what becomes of it."""

from typing import Any

from tests.factories.customers import AddressFactory
from tests.interface_walk.board import BODY, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.routes import ROUTES
from tests.interface_walk.samples import ADDRESS, KEYS, answered, send
from tests.interface_walk.shop import Shop

NEW_ADDRESS: dict[str, Any] = {
    "first_name": "Zoe",
    "last_name": "Moss",
    "phone": "555-9876",
    "company": "Moss Ltd",
    "address_1": "9 Quay",
    "address_2": "Top",
    "city": "Salem",
    "country_code": "us",
    "province": "us-or",
    "postal_code": "97301",
    "address_name": "Work",
    "is_default_shipping": True,
    "is_default_billing": True,
    "metadata": {"floor": 3},
}
"""Of another address than that of which nothing is said."""
KEY = {"title": "Kiosk", "type": "secret"}


def walk_bodies_taken(board: Board, callers: Callers, shop: Shop) -> None:
    """Send each field by itself: it alone is changed."""
    other = AddressFactory(customer=shop.customer, country_code="us", province=None)
    path = f"/store/customers/me/addresses/{other.pk}"
    for name in ROUTES[ADDRESS].body:
        with board.holds(ADDRESS, BODY, name):
            before = _address(answered(ADDRESS, callers, shop, path=path), other.pk)
            assert before[name] != NEW_ADDRESS[name] or name == "country_code"
            customer = answered(ADDRESS, callers, shop, path=path, body={name: NEW_ADDRESS[name]})
            after = _address(customer, other.pk)
            assert after == {**before, name: NEW_ADDRESS[name], "updated_at": after["updated_at"]}
            if name.startswith("is_default"):
                assert not _address(customer, shop.address.pk)[name]
                assert customer["customer"][f"{name.removeprefix('is_')}_address_id"] == other.pk
    with board.holds(ADDRESS, BODY, "province"):
        refused = send(ADDRESS, callers, shop, path=path, body={"province": "us-xx"})
        assert (refused.status, refused.body["type"]) == (400, "invalid_data")
    for name in ROUTES[KEYS].body:
        with board.holds(KEYS, BODY, name):
            assert answered(KEYS, callers, shop, body=KEY)["api_key"][name] == KEY[name]
            refused = send(KEYS, callers, shop, body={key: value for key, value in KEY.items() if key != name})
            assert (refused.status, refused.body["message"]) == (400, f"Invalid request: Field '{name}' is required")
    for name, route in ROUTES.items():
        with board.met(f"{name} has effects for all its body"):
            assert board.words(name, BODY) == set(route.body)


def _address(answer: dict[str, Any], address_id: str) -> dict[str, Any]:
    (found,) = (address for address in answer["customer"]["addresses"] if address["id"] == address_id)
    return dict(found)
