"""What is measured on shoppers: their address books, and carts of guests from their making to the tenth line.

Every write changes something: it is another cart's turn, or another line, another street, another default address.
"""

from tests.bench.case import Case, Facts

DATA = "shoppers"
ADDRESS = "/store/customers/me/addresses/{address}"
STREET = """{"first_name": "Ann", "last_name": "Lee", "address_1": "$number Elm Street", "city": "Berlin",
    "country_code": "de", "postal_code": "10115", "phone": "+49 30 123456"}"""
SMALL, LARGE = "/store/carts/{small_cart}", "/store/carts/{large_cart}"
NEW, KNOWN = '{"variant_id": "$new_variant", "quantity": 1}', '{"variant_id": "$known_variant", "quantity": 1}'
PAIR = f'{{"region_id": "$region_id", "items": [{NEW}, {KNOWN}]}}'


def _address(facts: Facts, repetition: int) -> Facts:
    """Of one customer after the other; all with their next address then."""
    turn, number = divmod(repetition, len(facts["customers"]))
    token, addresses = facts["customers"][number]
    return {"token": token, "address": addresses[turn % len(addresses)], "number": repetition}


def _cart(facts: Facts, repetition: int) -> Facts:
    """One after the other; all get the next new variant then, by requests for more than there are carts."""
    turn, number = divmod(repetition, len(facts["small_carts"]))
    return {
        "small_cart": facts["small_carts"][number],
        "large_cart": facts["large_carts"][number],
        "new_variant": facts["new_variants"][turn],
    }


def _shipped_cart(facts: Facts, repetition: int) -> Facts:
    """One after the other."""
    carts = facts["shipped_carts"]
    return {"shipped_cart": carts[repetition % len(carts)]}


CASES = [
    Case(
        "change an address",
        ADDRESS,
        DATA,
        method="POST",
        body=STREET,
        own_facts=_address,
        peer_ms=11.9,
        aim_ms=2.0,
        statements=8,
    ),
    Case(
        "make an address the default",
        ADDRESS,
        DATA,
        method="POST",
        body='{"is_default_shipping": true}',
        own_facts=_address,
        statements=8,
    ),
    Case("a cart with 10 lines", LARGE, DATA, own_facts=_cart, aim_ms=3.0, statements=9),
    Case(
        "shipping options of a cart",
        "/store/shipping-options?cart_id={shipped_cart}",
        DATA,
        own_facts=_shipped_cart,
        peer_ms=35.8,
        aim_ms=3.0,
        statements=9,
    ),
    Case(
        "choose how a cart of 2 lines is shipped",
        "/store/carts/{shipped_cart}/shipping-methods",
        DATA,
        method="POST",
        body='{"option_id": "$shipping_option"}',
        own_facts=_shipped_cart,
    ),
    Case("create a cart with 2 lines", "/store/carts", DATA, method="POST", body=PAIR, own_facts=_cart, aim_ms=6.0),
    Case(
        "a new line in a cart of 2 lines",
        f"{SMALL}/line-items",
        DATA,
        method="POST",
        body=NEW,
        own_facts=_cart,
        aim_ms=4.5,
    ),
    Case(
        "the same line grown, cart of 3",
        f"{SMALL}/line-items",
        DATA,
        method="POST",
        body=KNOWN,
        own_facts=_cart,
        aim_ms=4.5,
    ),
    Case("a new line in a cart of 10 lines", f"{LARGE}/line-items", DATA, method="POST", body=NEW, own_facts=_cart),
]
