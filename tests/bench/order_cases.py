"""What is measured on orders: completing carts, each of which is completed once, and reading what they became."""

from tests.bench.case import Case, Facts

DATA = "orders"
COMPLETE = "/store/carts/{cart}/complete"
OF_THE_ACCOUNT = (
    "/store/orders?limit=10&offset=0&order=-created_at&fields=*items,+items.metadata,*items.variant,*items.product"
)


def _ready(facts: Facts, repetition: int) -> Facts:
    return {"cart": facts["ready_carts"][repetition]}


def _credited(facts: Facts, repetition: int) -> Facts:
    cart, token = facts["credited_carts"][repetition]
    return {"cart": cart, "token": token}


def _shown(facts: Facts, repetition: int) -> Facts:
    return {"order": facts["orders"][repetition % len(facts["orders"])]}


def _reader(facts: Facts, repetition: int) -> Facts:
    return {"token": facts["reader"]}


CASES = [
    Case(
        "complete a cart of 2 lines",
        COMPLETE,
        DATA,
        method="POST",
        own_facts=_ready,
        peer_ms=149,
        aim_ms=9.0,
        statements=60,
    ),
    Case(
        "the same with a gift card and store credit",
        COMPLETE,
        DATA,
        method="POST",
        own_facts=_credited,
        aim_ms=12.0,
    ),
    Case(
        "an order with all defaults",
        "/store/orders/{order}",
        DATA,
        own_facts=_shown,
        peer_ms=21.6,
        aim_ms=2.0,
        statements=10,
    ),
    Case(
        "10 orders as the account's page asks",
        OF_THE_ACCOUNT,
        DATA,
        own_facts=_reader,
        peer_ms=44,
        aim_ms=3.0,
        statements=8,
    ),
]
