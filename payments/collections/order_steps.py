"""What payments call of orders, an app above this one; `commerce/wiring.py` supplies it."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from kit.domain.hooks import Wired
from payments.collections.collection_rows import CollectionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentSteps:
    """Each is called inside a transaction that has locked the cart, except for those that return something.

    lock: locks the order of a completed cart, whose id it gets, before its collection is locked.
    lock_order: locks the order with that id, before a collection of it that has no cart.
    recorded: gets the collection of an order after money moved or a status changed, to keep the order's transactions,
        totals and payment status.
    refundable: the amount, in major units, that can still be refunded of the order whose id it gets.
    due: the amount, in major units, that the customer still owes of the order whose id it gets.
    credit_refunds: the number of refunds to gift cards or store credit with that refund reason, by its id.
    settled: gets the id of a cart without an order that can now be completed, or whose attempt can be settled, although
        no request waits for it: an event or the background worker brought the provider's answer.
    """

    lock: Callable[[str], None]
    lock_order: Callable[[str], None]
    recorded: Callable[[CollectionRow], None]
    refundable: Callable[[str], Decimal]
    due: Callable[[str], Decimal]
    credit_refunds: Callable[[str], int]
    settled: Callable[[str], None]


PAYMENT_STEPS = Wired[PaymentSteps]("the steps that follow a payment")
