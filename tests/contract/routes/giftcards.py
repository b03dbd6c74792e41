"""Gift cards and store credit."""

from collections.abc import Callable

from giftcards.models import GiftCard
from giftcards.spending.cart_cards import add_card
from tests.contract.routes.customers import shopper
from tests.contract.routes.examples import Example, reading
from tests.factories import carts
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit

CODE = "GIFT-EXAMPLE"
ADJUSTMENT = {"amount": 5, "note": "Late parcel"}


def _card_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/store/gift-cards/{gift_card().code}{suffix}"


def _paid_by_card_path() -> str:
    """The gift cards of a cart, which the example's card pays for already."""
    card = GiftCard.objects.filter(code=CODE).first() or gift_card(code=CODE)
    cart = carts.cart(carts.sold_variant())
    add_card(actor=carts.shopper(), cart_id=cart.pk, code=card.pk)
    return f"/store/carts/{cart.pk}/gift-cards"


def _paid_by_credit_path() -> str:
    """The store credit of a cart of the customer who has signed in."""
    customer = shopper()
    store_credit(customer)
    cart = carts.cart(carts.sold_variant(), actor=carts.shopper(customer_id=customer.pk))
    return f"/store/carts/{cart.pk}/store-credits"


def _account_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/store-credit-accounts/{store_credit(shopper()).pk}{suffix}"


EXAMPLES = {
    **reading("/store/store-credit-accounts", lambda: store_credit(shopper())),
    "/store/gift-cards/<str:id_or_code>": Example(_card_path()),
    "/store/gift-cards/<str:id_or_code>/redeem": Example(_card_path("/redeem")),
    "/store/carts/<str:id>/gift-cards": Example(_paid_by_card_path, {"add": {"code": CODE}, "remove": {"code": CODE}}),
    "/store/carts/<str:id>/store-credits": Example(_paid_by_credit_path, {"add": {"amount": 5}}),
    "/admin/gift-cards": Example(
        lambda: "/admin/gift-cards",
        {"create": lambda: {"value": 25, "currency_code": carts.selling_region().currency_id}},
    ),
    "/admin/gift-cards/<str:id>": Example(
        lambda: f"/admin/gift-cards/{gift_card().pk}", {"update": {"note": "For the fair"}}
    ),
    "/admin/store-credit-accounts": Example(
        lambda: "/admin/store-credit-accounts",
        {"create": lambda: {"currency_code": "usd", "customer_id": CustomerFactory().pk}},
    ),
    "/admin/store-credit-accounts/<str:id>": Example(_account_path()),
    "/admin/store-credit-accounts/<str:id>/credit": Example(_account_path("/credit"), {"credit": ADJUSTMENT}),
    "/admin/store-credit-accounts/<str:id>/debit": Example(_account_path("/debit"), {"debit": ADJUSTMENT}),
    "/admin/store-credit-accounts/<str:id>/transactions": Example(_account_path("/transactions")),
}
