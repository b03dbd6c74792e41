"""What is measured on paying a cart.

Every write changes something: each new collection is of another cart, each session in the place of another.
"""

from tests.bench.case import Case, Facts
from tests.bench.shopper_cases import DATA

COLLECTIONS = "/store/payment-collections"
OF_CART = '{"cart_id": "$payable"}'
SESSION = '{"provider_id": "pp_system_default", "data": {"number": $number}}'


def _known(facts: Facts, repetition: int) -> Facts:
    carts = facts["collected_carts"]
    return {"payable": carts[repetition % len(carts)]}


def _new(facts: Facts, repetition: int) -> Facts:
    return {"payable": facts["payable_carts"][repetition]}


def _session(facts: Facts, repetition: int) -> Facts:
    collections = facts["collections"]
    return {"collection": collections[repetition % len(collections)], "number": repetition}


CASES = [
    Case(
        "the payment collection of a cart",
        COLLECTIONS,
        DATA,
        method="POST",
        body=OF_CART,
        own_facts=_known,
        peer_ms=5.5,
        aim_ms=0.9,
    ),
    Case(
        "a new payment collection",
        COLLECTIONS,
        DATA,
        method="POST",
        body=OF_CART,
        own_facts=_new,
        peer_ms=18.3,
        aim_ms=2.8,
    ),
    Case(
        "a payment session in the place of another",
        f"{COLLECTIONS}/{{collection}}/payment-sessions",
        DATA,
        method="POST",
        body=SESSION,
        own_facts=_session,
        peer_ms=21,
        aim_ms=5.0,
        statements=26,
    ),
]
