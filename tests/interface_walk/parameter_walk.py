"""Every parameter of every route, shown by what it does."""

from tests.factories.customers import AddressFactory
from tests.factories.giftcards import gift_card
from tests.interface_walk.board import PARAMETERS, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.effects import EFFECTS, Effect
from tests.interface_walk.field_choices import CHOICES, Choice
from tests.interface_walk.routes import ROUTES
from tests.interface_walk.samples import (
    ADDRESS,
    CATEGORIES,
    REDEEM,
    SAMPLES,
    SHIPPING,
    Row,
    answered,
    first_row,
    send,
)
from tests.interface_walk.shop import Shop
from tests.interface_walk.sources import reported
from tests.interface_walk.trees import camel

_NUMBERS = ("limit", "offset", "count", "estimate_count")
_NAMED_BY = {"shipping_options": "name", "product_categories": "name", "store_credit_accounts": "currency_code"}


def walk_parameters(board: Board, callers: Callers, shop: Shop) -> None:
    """All of them, in the order in which the tables name them."""
    for name, route in ROUTES.items():
        for parameter in route.query:
            for effect in (each for each in EFFECTS.get(name, ()) if each.parameter == parameter):
                with board.holds(name, PARAMETERS, parameter):
                    _select(name, effect, callers, shop)
            if parameter == "fields":
                with board.holds(name, PARAMETERS, parameter):
                    _choose(name, CHOICES[name], callers, shop)
    with board.holds(SHIPPING, PARAMETERS, "cart_id"):
        _demand_cart(callers)
    for flag, tree in (
        ("include_ancestors_tree", "parent_category"),
        ("include_descendants_tree", "category_children"),
    ):
        with board.holds(CATEGORIES, PARAMETERS, flag):
            _widen(flag, tree, callers)
    with board.holds(REDEEM, PARAMETERS, "id_or_code"):
        _redeem_by_either(callers, shop)
    with board.holds(ADDRESS, PARAMETERS, "address_id"):
        _change_the_named_one(callers, shop)
    for name, route in ROUTES.items():
        with board.met(f"{name} has effects for all its parameters"):
            assert board.names(name, PARAMETERS) == {*route.query, *route.path_parameters}


def _select(route: str, effect: Effect, callers: Callers, shop: Shop) -> None:
    plural = ROUTES[route].answer[-1]
    name, field = _NAMED_BY[plural], camel(plural)
    answer = answered(route, callers, shop, query=effect.query)
    numbers = " ".join(map(camel, _NUMBERS))
    document = f"{{ {field}({effect.arguments.format(shop=shop)}) {{ {field} {{ {camel(name)} }} {numbers} }} }}"
    twin = reported(getattr(callers, SAMPLES[route].caller).ask(document))[field]
    assert tuple(row[name] for row in answer[plural]) == effect.rows
    assert tuple(row[camel(name)] for row in twin[field]) == effect.rows
    assert [answer[each] for each in _NUMBERS] == [twin[camel(each)] for each in _NUMBERS]
    assert answer["count"] == answer["estimate_count"]
    if answer["offset"] + len(effect.rows) < answer["limit"]:
        assert answer["count"] == answer["offset"] + len(effect.rows)
    for page in ("limit", "offset"):
        assert f"{page}={answer[page]}" in effect.query or page not in effect.query


def _choose(route: str, choice: Choice, callers: Callers, shop: Shop) -> None:
    own = SAMPLES[route].query

    def row(fields: str | None) -> Row:
        query = "&".join(filter(None, (own, fields and f"fields={fields}")))
        return first_row(route, answered(route, callers, shop, query=query))

    unasked = set(row(None))
    assert set(row(choice.plain)) == {"id", *choice.plain.split(",")}
    assert set(row(f"-{choice.less}")) == unasked - {choice.less}
    relation, *below = choice.more.split(".")
    more = row(f"-{relation},+{choice.more}")
    assert set(more) == unasked | {relation}
    for name in below:
        inner = more[relation]
        more, relation = inner[0] if isinstance(inner, list) else inner, name
        assert set(more) == {"id", name}
    refused = send(route, callers, shop, query="&".join(filter(None, (own, f"fields={choice.refused}"))))
    assert (refused.status, refused.body["type"]) == (400, "invalid_data")
    assert refused.body["message"] == f"Requested fields [{choice.refused}] are not valid"


def _demand_cart(callers: Callers) -> None:
    refused = callers.store.send("GET", "/store/shipping-options")
    assert (refused.status, refused.body["message"]) == (400, "Invalid request: Field 'cart_id' is required")


def _widen(flag: str, relation: str, callers: Callers) -> None:
    """From the apples to the root, or from the root to the apples; without the flag one step."""
    start = "apples" if relation == "parent_category" else "food"
    for query, steps in ((f"{flag}=true&", 2), ("", 1)):
        for asked in (f"{relation}.name", f"*{relation}"):
            wanted = f"{query}handle={start}&fields=name,{asked}"
            answer = callers.store.send("GET", "/store/product-categories", query=wanted)
            (row,) = answer.body["product_categories"]
            assert _steps(row, relation) == steps


def _steps(row: Row, relation: str) -> int:
    below = row.get(relation) or []
    rows = below if isinstance(below, list) else [below]
    return max((1 + _steps(each, relation) for each in rows), default=0)


def _redeem_by_either(callers: Callers, shop: Shop) -> None:
    """Its id or its code, over REST and in GraphQL."""
    for known_by in ("pk", "code"):
        card, twin = gift_card(20), gift_card(20)
        callers.customer.send("POST", f"/store/gift-cards/{getattr(card, known_by)}/redeem")
        named = getattr(twin, known_by)
        reported(callers.customer.ask(f'mutation {{ redeemGiftCard(idOrCode: "{named}") {{ giftCard {{ id }} }} }}'))
        for each in (card, twin):
            each.refresh_from_db()
            assert (each.status, each.customer_id) == ("redeemed", shop.customer.pk)


def _change_the_named_one(callers: Callers, shop: Shop) -> None:
    other = AddressFactory(customer=shop.customer, city="Ulm")
    answer = callers.customer.send("POST", f"/store/customers/me/addresses/{other.pk}", {"city": "Bonn"})
    cities = {address["id"]: address["city"] for address in answer.body["customer"]["addresses"]}
    assert cities == {shop.address.pk: shop.address.city, other.pk: "Bonn"}
    other.delete()
