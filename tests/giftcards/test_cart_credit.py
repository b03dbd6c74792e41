"""What gift cards and store credit pay of a cart, through all its changes."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts import details, line_change, line_removal, ownership, promotion_codes
from carts.errors import CartCompleted, CartNotFound
from carts.lines import Piece
from carts.models import Cart, CreditLine
from carts.states import PromotionTarget, PromotionType
from commerce.core.actor import SYSTEM, Actor
from commerce.core.errors import DomainError, InvalidData
from commerce.core.timestamps import now
from customers.models import Customer
from giftcards import adjustment, cancellation, redemption
from giftcards.cart_cards import put_card, take_card_off
from giftcards.cart_store_credit import put_store_credit, take_store_credit_off
from giftcards.errors import (
    AlreadyRedeemed,
    BalanceTooLow,
    CartWithoutCustomer,
    CurrencyMismatch,
    GiftCardCanceled,
    GiftCardExpired,
    GiftCardNotFound,
    NoAccount,
    NothingLeft,
)
from giftcards.models import GiftCard
from giftcards.references import Reference
from giftcards.spending import spend
from tests.contract.callers import storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.factories.pricing import price

pytestmark = pytest.mark.django_db

GUEST = make.shopper


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


def cart_of(price_each: Any, quantity: int = 1, *, actor: Actor | None = None) -> Cart:
    variant = make.sold_variant(price_each)
    return make.cart(Piece(variant.pk, quantity), actor=actor)


def put(cart: Cart, *cards: GiftCard, actor: Actor | None = None) -> None:
    for card in cards:
        put_card(actor=actor or GUEST(), cart_id=cart.pk, code=card.code)


def quantity(cart: Cart, pieces: int, *, actor: Actor | None = None) -> None:
    line = cart.items.order_by("pk").first()
    assert line is not None
    line_change.change(actor=actor or GUEST(), cart_id=cart.pk, line_id=line.pk, quantity=pieces)


def paid(cart: Cart) -> dict[str, Decimal]:
    """What each credit line pays, by the id of its card or account; held to the cart's own totals."""
    cart.refresh_from_db()
    lines = {line.reference_id: line.amount for line in cart.credit_lines.order_by("pk")}
    assert cart.credit_line_total == sum(lines.values())
    assert cart.total == cart.item_subtotal + cart.tax_total - cart.discount_subtotal - cart.credit_line_total >= 0
    return lines


def refused(cart: Cart, error: type[DomainError], put_it: Callable[[], None], match: str | None = None) -> None:
    before = paid(cart), list(Cart.objects.filter(pk=cart.pk).values())
    with pytest.raises(error, match=match):
        put_it()
    assert (paid(cart), list(Cart.objects.filter(pk=cart.pk).values())) == before


# --- Cards ---


def test_a_card_pays_what_it_can_and_the_rest_is_left_to_pay() -> None:
    cart, card = cart_of("12.34", 3), gift_card(10)
    put(cart, card)
    assert paid(cart) == {card.pk: 10}
    assert (cart.total, cart.item_total) == (Decimal("27.02"), Decimal("37.02"))
    card.refresh_from_db()
    assert card.status == "pending"


def test_a_card_pays_no_more_than_is_due() -> None:
    cart, card = cart_of("12.34"), gift_card(50)
    put(cart, card)
    assert (paid(cart), cart.total) == ({card.pk: Decimal("12.34")}, 0)


def test_taxes_are_paid_too_and_stay_what_they_are() -> None:
    region = make.selling_region(tax_rate=10)
    cart = make.cart(make.sold_variant("9.99"), region_id=region.pk)
    put(cart, gift_card(5))
    paid(cart)
    assert (cart.tax_total, cart.total, cart.original_total) == (Decimal("1.00"), Decimal("5.99"), Decimal("10.99"))


def test_the_smallest_balance_pays_first_whichever_came_first() -> None:
    cart = cart_of(40)
    large, small, middle = (gift_card(value) for value in (30, 5, 20))
    put(cart, large, small, middle)
    assert paid(cart) == {large.pk: 15, small.pk: 5, middle.pk: 20}
    assert cart.total == 0


def test_cards_that_are_not_needed_stay_on_the_cart_and_pay_nothing_yet() -> None:
    cart = cart_of(10)
    small, large = gift_card(10), gift_card(20)
    put(cart, large, small)
    assert paid(cart) == {large.pk: 0, small.pk: 10}
    quantity(cart, 3)
    assert paid(cart) == {large.pk: 20, small.pk: 10}


def test_a_card_follows_the_quantity_up_and_down() -> None:
    cart, card = cart_of("7.77"), gift_card(20)
    put(cart, card)
    for pieces, pays in ((1, "7.77"), (2, "15.54"), (3, "20"), (2, "15.54"), (1, "7.77")):
        quantity(cart, pieces)
        assert paid(cart) == {card.pk: Decimal(pays)}
        assert cart.total == max(Decimal("7.77") * pieces - 20, 0)


def test_an_empty_cart_costs_nothing_and_keeps_its_card() -> None:
    cart, card = cart_of(10), gift_card(20)
    put(cart, card)
    line_removal.remove(actor=GUEST(), cart_id=cart.pk, line_id=cart.items.get().pk)
    assert (paid(cart), cart.total) == ({card.pk: 0}, 0)


def test_a_card_follows_a_promotion_that_comes_and_goes() -> None:
    cart, card = cart_of(30), gift_card(50)
    make.PromotionFactory(
        code="TEN", type=PromotionType.FIXED, target=PromotionTarget.ORDER, value=10, currency_id="usd"
    )
    put(cart, card)
    promotion_codes.add(actor=GUEST(), cart_id=cart.pk, promo_codes=["TEN"])
    assert (paid(cart), cart.total) == ({card.pk: 20}, 0)
    promotion_codes.remove(actor=GUEST(), cart_id=cart.pk, promo_codes=["TEN"])
    assert (paid(cart), cart.total) == ({card.pk: 30}, 0)


def test_in_another_currency_cards_and_store_credit_fall_off(ann: Customer) -> None:
    actor = make.shopper(customer_id=ann.pk)
    europe = make.selling_region(currency_id="eur", countries=["de"])
    variant = make.sold_variant(10)
    price(variant, 9, "eur")
    cart = make.cart(variant, actor=actor)
    put(cart, gift_card(3), actor=actor)
    store_credit(ann, 100)
    put_store_credit(actor=actor, cart_id=cart.pk)
    assert sorted(paid(cart).values()) == [3, 7]
    details.change(actor=actor, cart_id=cart.pk, region_id=europe.pk)
    assert (paid(cart), cart.total) == ({}, 9)


def test_in_another_region_of_the_same_currency_they_stay() -> None:
    cart, card = cart_of(10), gift_card(3)
    put(cart, card)
    details.change(actor=GUEST(), cart_id=cart.pk, region_id=make.selling_region(countries=["ca"]).pk)
    assert paid(cart) == {card.pk: 3}


def expire(card: GiftCard) -> None:
    GiftCard.objects.filter(pk=card.pk).update(expires_at=now() - timedelta(seconds=1))


def cancel(card: GiftCard) -> None:
    cancellation.cancel(actor=SYSTEM, card_id=card.pk)


def redeem_elsewhere(card: GiftCard) -> None:
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.pk)


def spend_as_guest(card: GiftCard) -> None:
    account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    spend(actor=SYSTEM, account_id=account_id, amount=card.value, payer=Reference("cart", "another"))


@pytest.mark.parametrize("end", [expire, cancel, redeem_elsewhere, spend_as_guest])
def test_a_card_that_pays_no_longer_falls_off_at_the_next_change_and_not_before(end: Any) -> None:
    cart, card, other = cart_of(10), gift_card(4), gift_card(5)
    put(cart, card, other)
    end(card)
    shown = storefront(publishable_key()).get(f"/store/carts/{cart.pk}").json()["cart"]
    assert (shown["total"], len(shown["credit_lines"])) == (1, 2)
    assert paid(cart) == {card.pk: 4, other.pk: 5}
    quantity(cart, 2)
    assert (paid(cart), cart.total) == ({other.pk: 5}, 15)


ENDED = [
    (expire, GiftCardExpired),
    (cancel, GiftCardCanceled),
    (redeem_elsewhere, AlreadyRedeemed),
    (spend_as_guest, NothingLeft),
]


@pytest.mark.parametrize(("end", "error"), ENDED)
def test_a_card_that_pays_no_longer_is_refused(end: Any, error: type[DomainError]) -> None:
    cart, card = cart_of(10), gift_card(4)
    end(card)
    refused(cart, error, lambda: put(cart, card))


def test_a_card_in_another_currency_is_refused() -> None:
    cart, card = cart_of(10), gift_card(4, currency_code="eur")
    refused(cart, CurrencyMismatch, lambda: put(cart, card), "in eur, the cart in usd")


@pytest.mark.parametrize("code", ["", "GIFT-NOBODY", "gcard_nobody", "a\0b", "\ud800"])
def test_an_unknown_card_is_not_found(code: str) -> None:
    cart = cart_of(10)
    refused(cart, GiftCardNotFound, lambda: put_card(actor=GUEST(), cart_id=cart.pk, code=code))
    refused(cart, GiftCardNotFound, lambda: take_card_off(actor=GUEST(), cart_id=cart.pk, code=code))


def test_a_card_is_on_a_cart_once(ann: Customer) -> None:
    cart, card = cart_of(10), gift_card(4)
    put(cart, card, card)
    put_card(actor=GUEST(), cart_id=cart.pk, code=f" {card.code.lower()} ")
    put_card(actor=GUEST(), cart_id=cart.pk, code=card.pk)
    assert (paid(cart), cart.total) == ({card.pk: 4}, 6)


def test_a_card_may_be_on_several_carts() -> None:
    first, second, card = cart_of(10), cart_of(10), gift_card(4)
    put(first, card)
    put(second, card)
    assert paid(first) == paid(second) == {card.pk: 4}


def test_a_bound_card_pays_for_the_cart_of_its_customer_alone(ann: Customer) -> None:
    card = gift_card(4, customer_id=ann.pk)
    mine, others = make.shopper(customer_id=ann.pk), make.shopper(customer_id=CustomerFactory().pk)
    carts = [cart_of(10), cart_of(10, actor=others), cart_of(10, actor=mine)]
    refused(carts[0], GiftCardNotFound, lambda: put(carts[0], card))
    refused(carts[0], GiftCardNotFound, lambda: put(carts[0], card, actor=mine))
    refused(carts[0], GiftCardNotFound, lambda: put(carts[0], card, actor=SYSTEM))
    refused(carts[1], GiftCardNotFound, lambda: put(carts[1], card, actor=others))
    put(carts[2], card, actor=mine)
    assert paid(carts[2]) == {card.pk: 4}


def test_what_a_guest_has_left_of_a_card_its_code_spends_on_later_carts(ann: Customer) -> None:
    card = gift_card(25)
    account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    spend(actor=SYSTEM, account_id=account_id, amount=Decimal("17.50"), payer=Reference("cart", "first"))
    guests, anns = cart_of(5), cart_of(10, actor=make.shopper(customer_id=ann.pk))
    put(guests, card)
    put(anns, card, actor=make.shopper(customer_id=ann.pk))
    assert (paid(guests), paid(anns)) == ({card.pk: 5}, {card.pk: Decimal("7.50")})
    spend(actor=SYSTEM, account_id=account_id, amount=Decimal(5), payer=Reference("cart", guests.pk))
    quantity(anns, 2, actor=make.shopper(customer_id=ann.pk))
    assert paid(anns) == {card.pk: Decimal("2.50")}


def test_the_remainder_of_a_guests_card_does_not_expire() -> None:
    cart, card = cart_of(10), gift_card(25)
    redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
    expire(card)
    put(cart, card)
    assert paid(cart) == {card.pk: 10}


def test_a_card_is_taken_off_by_its_code_or_id_or_that_of_its_credit_line() -> None:
    cart, card, other = cart_of(10), gift_card(4), gift_card(5)
    names: list[Callable[[], str]] = [
        card.code.lower,
        lambda: card.pk,
        lambda: CreditLine.objects.get(reference_id=card.pk).pk,
    ]
    for name in names:
        put(cart, card, other)
        take_card_off(actor=GUEST(), cart_id=cart.pk, code=name())
        assert (paid(cart), cart.total) == ({other.pk: 5}, 5)


def test_a_card_that_the_cart_does_not_have_cannot_be_taken_off() -> None:
    cart, card, other = cart_of(10), gift_card(4), gift_card(5)
    put(cart, card)
    for name in (other.code, other.pk):
        refused(cart, GiftCardNotFound, lambda name=name: take_card_off(actor=GUEST(), cart_id=cart.pk, code=name))


# --- Store credit ---


def test_store_credit_pays_behind_the_cards_and_never_more_than_there_is(ann: Customer) -> None:
    actor, account, card = make.shopper(customer_id=ann.pk), store_credit(ann, "12.50"), gift_card(30)
    cart = cart_of(40, actor=actor)
    put_store_credit(actor=actor, cart_id=cart.pk)
    assert (paid(cart), cart.total) == ({account.pk: Decimal("12.50")}, Decimal("27.50"))
    put(cart, card, actor=actor)
    assert (paid(cart), cart.total) == ({account.pk: 10, card.pk: 30}, 0)
    quantity(cart, 2, actor=actor)
    assert (paid(cart), cart.total) == ({account.pk: Decimal("12.50"), card.pk: 30}, Decimal("37.50"))


def test_store_credit_follows_what_is_on_the_account(ann: Customer) -> None:
    actor, account = make.shopper(customer_id=ann.pk), store_credit(ann, 5)
    cart = cart_of(10, actor=actor)
    put_store_credit(actor=actor, cart_id=cart.pk)
    store_credit(ann, 2)
    quantity(cart, 1, actor=actor)
    assert paid(cart) == {account.pk: 7}
    adjustment.adjust(actor=SYSTEM, customer_id=ann.pk, currency_code="usd", amount=Decimal(-7), reason="taken")
    quantity(cart, 1, actor=actor)
    assert (paid(cart), cart.total) == ({}, 10)


def test_an_amount_is_the_most_that_store_credit_pays_until_another_is_named(ann: Customer) -> None:
    actor, account = make.shopper(customer_id=ann.pk), store_credit(ann, 50)
    cart = cart_of(10, actor=actor)

    def pays(amount: Any) -> Any:
        put_store_credit(actor=actor, cart_id=cart.pk, amount=amount and Decimal(str(amount)))
        return paid(cart)[account.pk]

    assert pays("7.25") == Decimal("7.25")
    quantity(cart, 3, actor=actor)
    assert (paid(cart), cart.total) == ({account.pk: Decimal("7.25")}, Decimal("22.75"))
    assert pays(20) == 20
    quantity(cart, 1, actor=actor)
    assert paid(cart) == {account.pk: 10}
    quantity(cart, 5, actor=actor)
    assert paid(cart) == {account.pk: 20}
    assert pays(None) == 50


@pytest.mark.parametrize(
    ("amount", "error"),
    [
        *((0, InvalidData), (-1, InvalidData), ("0.001", InvalidData), ("1e12", InvalidData), ("NaN", InvalidData)),
        ("50.01", BalanceTooLow),
    ],
)
def test_what_the_account_cannot_pay_is_refused(ann: Customer, amount: Any, error: type[DomainError]) -> None:
    actor = make.shopper(customer_id=ann.pk)
    store_credit(ann, 50)
    cart = cart_of(10, actor=actor)
    put_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(2))
    refused(cart, error, lambda: put_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(str(amount))))


def test_there_has_to_be_an_account_with_something_on_it(ann: Customer) -> None:
    actor = make.shopper(customer_id=ann.pk)
    cart = cart_of(10, actor=actor)
    store_credit(ann, 5, currency_code="eur")
    refused(cart, NoAccount, lambda: put_store_credit(actor=actor, cart_id=cart.pk))
    store_credit(ann, 5)
    store_credit(ann, -5)
    refused(cart, NothingLeft, lambda: put_store_credit(actor=actor, cart_id=cart.pk))


def test_a_cart_of_nobody_is_paid_by_no_store_credit(ann: Customer) -> None:
    store_credit(ann)
    cart = cart_of(10)
    for actor in (GUEST(), make.shopper(customer_id=ann.pk), SYSTEM):
        refused(cart, CartWithoutCustomer, lambda actor=actor: put_store_credit(actor=actor, cart_id=cart.pk))


def test_nobody_who_merely_knows_a_guests_cart_pays_with_the_guests_store_credit(ann: Customer) -> None:
    guest = CustomerFactory(has_account=False)
    account = store_credit(guest, 50)
    cart = cart_of(10)
    Cart.objects.filter(pk=cart.pk).update(customer=guest)
    for actor in (GUEST(), make.shopper(customer_id=ann.pk)):
        refused(cart, CartWithoutCustomer, lambda actor=actor: put_store_credit(actor=actor, cart_id=cart.pk))
    put_store_credit(actor=SYSTEM, cart_id=cart.pk)
    assert paid(cart) == {account.pk: 10}


def test_store_credit_is_taken_off_and_taking_it_off_again_changes_nothing(ann: Customer) -> None:
    actor, card = make.shopper(customer_id=ann.pk), gift_card(4)
    store_credit(ann, 5)
    cart = cart_of(10, actor=actor)
    put(cart, card, actor=actor)
    put_store_credit(actor=actor, cart_id=cart.pk)
    for _ in range(2):
        take_store_credit_off(actor=actor, cart_id=cart.pk)
        assert (paid(cart), cart.total) == ({card.pk: 4}, 6)


# --- Whose cart ---


def test_a_cart_that_is_taken_over_keeps_its_card_and_may_use_its_customers_credit(ann: Customer) -> None:
    cart, card = cart_of(10), gift_card(4)
    put(cart, card)
    actor = make.shopper(customer_id=ann.pk)
    ownership.take_over(actor=actor, cart_id=cart.pk)
    assert paid(cart) == {card.pk: 4}
    bound, account = gift_card(5, customer_id=ann.pk), store_credit(ann, 50)
    put(cart, bound, actor=actor)
    put_store_credit(actor=actor, cart_id=cart.pk)
    assert (paid(cart), cart.total) == ({card.pk: 4, bound.pk: 5, account.pk: 1}, 0)


def test_what_a_guest_customers_credit_held_falls_off_when_somebody_takes_the_cart_over(ann: Customer) -> None:
    guest = CustomerFactory(has_account=False)
    store_credit(guest, 50)
    cart = cart_of(10)
    Cart.objects.filter(pk=cart.pk).update(customer=guest)
    bound = gift_card(4, customer_id=guest.pk)
    put(cart, bound, actor=SYSTEM)
    put_store_credit(actor=SYSTEM, cart_id=cart.pk)
    assert len(paid(cart)) == 2
    ownership.take_over(actor=make.shopper(customer_id=ann.pk), cart_id=cart.pk)
    assert (paid(cart), cart.total) == ({}, 10)


def test_another_customers_cart_is_not_found(ann: Customer) -> None:
    cart, card = cart_of(10, actor=make.shopper(customer_id=ann.pk)), gift_card(4)
    store_credit(ann)
    for actor in (GUEST(), make.shopper(customer_id=CustomerFactory().pk)):
        where: Any = {"actor": actor, "cart_id": cart.pk}
        refused(cart, CartNotFound, lambda where=where: put_card(**where, code=card.code))
        refused(cart, CartNotFound, lambda where=where: take_card_off(**where, code=card.code))
        refused(cart, CartNotFound, lambda where=where: put_store_credit(**where))
        refused(cart, CartNotFound, lambda where=where: take_store_credit_off(**where))


def test_a_completed_cart_is_paid_by_nothing_more(ann: Customer) -> None:
    where: Any = {"actor": make.shopper(customer_id=ann.pk)}
    cart, card = cart_of(10, **where), gift_card(4)
    store_credit(ann)
    put(cart, card, **where)
    Cart.objects.filter(pk=cart.pk).update(completed_at=now())
    where["cart_id"] = cart.pk
    refused(cart, CartCompleted, lambda: put_card(**where, code=gift_card().code))
    refused(cart, CartCompleted, lambda: take_card_off(**where, code=card.code))
    refused(cart, CartCompleted, lambda: put_store_credit(**where))
    refused(cart, CartCompleted, lambda: take_store_credit_off(**where))
