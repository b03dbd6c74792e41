"""What is measured on gift cards and store credit.

Every write changes something: each redemption is of another pending card, and each cart gets one of its own.
"""

from tests.bench.case import Case, Facts
from tests.bench.shopper_cases import DATA

ACCOUNTS = "/store/store-credit-accounts"


def _redeemed(facts: Facts, repetition: int) -> Facts:
    tokens = facts["redeemers"]
    return {"code": facts["pending"][repetition], "token": tokens[repetition % len(tokens)]}


def _shown(facts: Facts, repetition: int) -> Facts:
    return {"code": facts["shown"][repetition % len(facts["shown"])]}


def _paid(facts: Facts, repetition: int) -> Facts:
    return {"code": facts["paying"][repetition], "cart": facts["paid_carts"][repetition]}


def _few_entries(facts: Facts, repetition: int) -> Facts:
    return {"token": facts["few_entries"]}


def _many_entries(facts: Facts, repetition: int) -> Facts:
    return {"token": facts["many_entries"]}


CASES = [
    Case("store credit, 10 entries", ACCOUNTS, DATA, own_facts=_few_entries, peer_ms=7.1, aim_ms=1.0, statements=6),
    Case(
        "store credit, 100,000 entries",
        ACCOUNTS,
        DATA,
        own_facts=_many_entries,
        peer_ms=7.1,
        aim_ms=1.0,
        statements=6,
    ),
    Case("a gift card by its code", "/store/gift-cards/{code}", DATA, own_facts=_shown, aim_ms=0.8),
    Case(
        "redeem a gift card",
        "/store/gift-cards/{code}/redeem",
        DATA,
        method="POST",
        own_facts=_redeemed,
        aim_ms=3.5,
        statements=12,
    ),
    Case(
        "a gift card on a cart of 2 lines",
        "/store/carts/{cart}/gift-cards",
        DATA,
        method="POST",
        body='{"code": "$code"}',
        own_facts=_paid,
        aim_ms=5.0,
    ),
]
