"""The steps of orders, as a test observes them."""

from decimal import Decimal

import pytest

from payments.collections.order_steps import PAYMENT_STEPS, PaymentSteps


class Steps:
    """What payments called, in order: the name of the step, and the id of the cart or collection."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    @property
    def entry(self) -> PaymentSteps:
        return PaymentSteps(
            lock=lambda cart_id: self.calls.append(("lock", cart_id)),
            lock_order=lambda order_id: self.calls.append(("lock_order", order_id)),
            recorded=lambda collection: self.calls.append(("recorded", collection.id)),
            refundable=lambda order_id: Decimal(1_000_000),
            due=lambda order_id: Decimal(1_000_000),
            credit_refunds=lambda refund_reason_id: 0,
            settled=lambda cart_id: self.calls.append(("settled", cart_id)),
        )


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """In the place of what commerce/wiring.py registers."""
    observed = Steps()
    monkeypatch.setattr(PAYMENT_STEPS, "_value", observed.entry)
    return observed
