"""The invariants of what orders and open attempts claim: stock, promotions, credit, the cart, and the next number.

Each has a query for its violations; `manage.py verify_ledger` checks them (orders/management/invariants/__init__.py).
"""

from django.db.models import CharField, Count, Exists, F, Max, Min, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Concat, Left, Substr

from carts.models import Campaign, Cart, LineItem, Promotion, PromotionCode, PromotionUsage
from catalog.models import Reservation
from giftcards.models import CreditHold
from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.models import CompletionAttempt, Order, OrderLineItem, OrderNumber
from orders.states import AttemptStatus

_SHOWN_CHARACTERS = 12
"""How many characters of a cart's id are shown, as in logs."""


def _open_attempts() -> QuerySet[CompletionAttempt]:
    attempts: QuerySet[CompletionAttempt] = CompletionAttempt.objects.filter(status=AttemptStatus.OPEN)
    return attempts


def _stray_reservations() -> QuerySet[Reservation]:
    """Reservations for a line of an order that there is not, and no attempt is making."""
    cart_line_id = Concat(Value("cali"), Substr("line_item_id", 6), output_field=CharField())
    attempted = LineItem.objects.filter(pk=OuterRef("cart_line_id"), cart_id__in=_open_attempts().values("cart_id"))
    ordered = OrderLineItem.objects.filter(pk=OuterRef("line_item_id"))
    for_orders = Reservation.objects.not_deleted().filter(line_item_id__startswith="ordli_")
    stray: QuerySet[Reservation] = for_orders.annotate(cart_line_id=cart_line_id).exclude(
        Exists(ordered) | Exists(attempted)
    )
    return stray


def _stray_uses() -> QuerySet[PromotionUsage]:
    cart_id = OuterRef("cart_id")
    ordered, attempted = Order.objects.filter(cart_id=cart_id), _open_attempts().filter(cart_id=cart_id)
    stray: QuerySet[PromotionUsage] = PromotionUsage.objects.exclude(Exists(ordered) | Exists(attempted))
    return stray


def _attempts_of_open_carts() -> QuerySet[CompletionAttempt]:
    closed = Cart.objects.filter(pk=OuterRef("cart_id"), completed_at=None).exclude(closed_at=None)
    return _open_attempts().exclude(Exists(closed))


def _carts_without_attempt() -> QuerySet[Cart]:
    attempted = _open_attempts().filter(cart_id=OuterRef("pk"))
    closed = Cart.objects.exclude(closed_at=None).annotate(shown=Left("pk", _SHOWN_CHARACTERS))
    stray: QuerySet[Cart] = closed.exclude(Exists(attempted))
    return stray


def _ordered_carts() -> QuerySet[Order]:
    """Orders whose cart can still be changed."""
    orders: QuerySet[Order] = Order.objects.filter(
        Exists(Cart.objects.filter(pk=OuterRef("cart_id"), completed_at=None))
    )
    return orders


def _gaps() -> QuerySet[Order]:
    """Orders without one of the number before, but for the first."""
    before = Order.objects.filter(display_id=OuterRef("display_id") - 1)
    first = Order.objects.order_by().values(none=Value(1)).annotate(first=Min("display_id")).values("first")
    orders: QuerySet[Order] = Order.objects.exclude(Exists(before)).exclude(display_id__in=first)
    return orders


def _last_number() -> QuerySet[OrderNumber]:
    latest = Order.objects.order_by().values(none=Value(1)).annotate(latest=Max("display_id")).values("latest")
    numbers: QuerySet[OrderNumber] = OrderNumber.objects.annotate(latest=Coalesce(Subquery(latest), Value(0)))
    return numbers.exclude(last=F("latest"))


def _miscounted_promotions() -> QuerySet[Promotion]:
    promotions: QuerySet[Promotion] = Promotion.objects.annotate(uses=Count("usages")).exclude(used=F("uses"))
    return promotions


def _miscounted_codes() -> QuerySet[PromotionCode]:
    uses = PromotionUsage.objects.filter(code=OuterRef("pk")).order_by().values("code").annotate(uses=Count("pk"))
    codes: QuerySet[PromotionCode] = PromotionCode.objects.annotate(uses=Coalesce(Subquery(uses.values("uses")), 0))
    return codes.exclude(used=F("uses"))


def _misspent_budgets() -> QuerySet[Campaign]:
    taken = PromotionUsage.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    spent = Subquery(taken.annotate(spent=Sum("amount")).values("spent"))
    campaigns: QuerySet[Campaign] = Campaign.objects.annotate(spent=Coalesce(spent, 0, output_field=MoneyField()))
    return campaigns.exclude(budget_used=F("spent"))


CLAIM_INVARIANTS = (
    Invariant(
        _stray_reservations,
        "Reservation {id} of {quantity} is for line {line_item_id}, of which there is neither order nor open attempt",
    ),
    Invariant(
        _stray_uses, "Use {id} of promotion {promotion_id} is of a cart with neither an order nor an open attempt"
    ),
    Invariant(_miscounted_promotions, "Promotion {code} counts {used} uses, but there are {uses}"),
    Invariant(_miscounted_codes, "Promotion code {id} counts {used} uses, but there are {uses}"),
    Invariant(_misspent_budgets, "Campaign {name} has spent {budget_used}, but its uses took {spent}"),
    Invariant(
        lambda: CreditHold.objects.filter(
            attempt_id__in=CompletionAttempt.objects.exclude(status=AttemptStatus.OPEN).values("pk")
        ),
        "Hold {id} of {amount} is of attempt {attempt_id}, which has ended",
    ),
    Invariant(_attempts_of_open_carts, "Attempt {id} is open, but its cart is not closed"),
    Invariant(_carts_without_attempt, "Cart {shown}… was closed at {closed_at}, but no attempt to complete it is open"),
    Invariant(_ordered_carts, "Order {display_id} was made, but its cart is not completed"),
    Invariant(_gaps, "Order {display_id} has no order with the number before it"),
    Invariant(_last_number, "The last order has number {latest}, but the counter says {last}"),
)
