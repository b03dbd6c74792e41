"""Whatever happens to a cart and its payments, it is not deleted while its provider may hold money for it.

The provider keeps books by itself (tests/payments/providers.py).
"""

from contextlib import suppress
from datetime import timedelta

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from carts.models import Cart
from kit.errors import DomainError
from kit.values.timestamps import now
from orders.completion.expired_carts import discard_expired
from payments.models import Intent
from payments.requests import intents
from tests.factories.clock import at
from tests.payments.providers import FakeProvider
from tests.properties.test_payments import BEFORE, STEPS, Shop, Step, at_once, fake
from tests.savepoints import undone
from tests.walks import walks

__all__ = ["at_once", "fake"]

YEARS = timedelta(days=1000)
STARTED: list[list[Step]] = [*BEFORE, [("start", "pp_double_test", True)]]


def may_hold_money(shop: Shop) -> bool:
    """By the provider's books: something was taken, or is promised and not called off."""
    is_promised = any(shop.promised[session] and session not in shop.fake.called_off for session in shop.promised)
    return is_promised or any(shop.fake.total_taken(session) for session in [*shop.fake.taken])


def test_a_cart_is_deleted_once_nothing_can_come_of_its_payments_and_never_before(
    fake: FakeProvider, at_once: None
) -> None:
    outcomes = set()

    @given(st.sampled_from(STARTED), st.lists(STEPS, max_size=8))
    @hypothesis_settings(max_examples=walks(30))
    def walk(before: list[Step], steps: list[Step]) -> None:
        with undone():
            fake.begin_again()
            shop = Shop(fake)
            for name, *values in [*before, *steps]:
                with suppress(DomainError):
                    getattr(shop, name)(*values)
                fake.recovers()
            had_money = may_hold_money(shop)  # it may be called off below
            for later in (YEARS, YEARS + timedelta(days=8), YEARS + timedelta(days=16)):
                with at(now() + later):
                    discard_expired()
                assert Cart.objects.exists() or not may_hold_money(shop)
                intents.resume_all()
            is_gone = not Cart.objects.exists()
            assert is_gone or had_money or Intent.objects.exists()
            outcomes.add((is_gone, had_money))

    walk()
    assert outcomes >= {(True, False), (False, True)}
