"""What each route answers unasked: its keys, and of its resource all that comes by itself."""

from typing import Any

from tests.interface_walk.board import ANSWER, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.kinds import fits
from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.routes import ROUTES
from tests.interface_walk.samples import ACCOUNTS, ADDRESS, CATEGORIES, KEYS, PAYMENT, REDEEM, SHIPPING, answered
from tests.interface_walk.shop import Shop
from tests.interface_walk.tables import held

Below = dict[str, Any]
"""Names of what comes along, and below each the same; None stands for everything, however deep."""

COMES_ALONG: dict[str, Below | None] = {
    KEYS: {},
    REDEEM: {"customer": {}, "line_item": {}},
    SHIPPING: None,
    ADDRESS: {"addresses": {}},
    PAYMENT: {"payment_sessions": {}},
    CATEGORIES: {"parent_category": {}, "category_children": {}},
    ACCOUNTS: {"customer": {}},
}
"""The relations that each route includes by default."""


def walk_answers(board: Board, callers: Callers, shop: Shop) -> None:
    """Send what is good to each route, and look at all that comes."""
    for name, route in ROUTES.items():
        if route.resource is None:
            continue
        for key in route.answer:
            with board.holds(name, ANSWER, key):
                found = answered(name, callers, shop)[key]
                if key != route.answer[-1]:
                    assert fits(found, "number")
                    continue
                rows = found if isinstance(found, list) else [found]
                assert rows
                for row in rows:
                    look(row, route.resource, COMES_ALONG[name])
    with board.holds(PAYMENT, ANSWER, "payment_collection"):
        (session,) = answered(PAYMENT, callers, shop)["payment_collection"]["payment_sessions"]
        assert session["context"] == {"customer": {"id": shop.customer.pk}}


def look(row: dict[str, Any], resource: str, along: Below | None) -> None:
    """The row has everything that comes by itself, and each value that is not null is of its kind."""
    for name, kind in RESOURCES[resource].items():
        below = held(kind)
        if below and along is not None and name not in along:
            continue
        value = row[name]
        assert value is None or fits(value, kind), (resource, name, value)
        if below:
            for each in value if isinstance(value, list) else [value]:
                if each is not None:
                    look(each, below, None if along is None else along[name])
