"""The errors of gift cards and the ledger."""

from giftcards.codes import is_id, normalised
from kit.domain.missing_row import GuessedRowNotFound, RowNotFound
from kit.errors import Duplicate, InvalidData, NotAllowed, NotFound, shown


class GiftCardNotFound(GuessedRowNotFound):
    """No card has that id or code, or it belongs to another customer."""

    noun = "Gift card"

    def __init__(self, id_or_code: str) -> None:
        super().__init__(id_or_code)
        text = id_or_code.strip()
        self.guess = text if is_id(text) else normalised(text)


class CodeTaken(Duplicate):
    """A code belongs to one card."""

    message = "Another gift card has this code"


class AlreadyRedeemed(NotAllowed):
    """A card can be redeemed once."""

    message = "Gift card is already redeemed"


class GiftCardCanceled(NotAllowed):
    """The shop has canceled the card."""

    message = "Gift card is canceled"


class BoughtCardRedeemed(NotAllowed):
    """A gift card that was bought with an order has been used, so the order cannot be canceled."""

    def __init__(self, masked_code: str) -> None:
        super().__init__(f"Gift card {masked_code}, which was bought with the order, is already redeemed")


class GiftCardExpired(NotAllowed):
    """The card has expired."""

    message = "Gift card has expired"


class GiftCardHeld(NotAllowed):
    """An attempt to complete a cart holds the card: it ends with an order, or the card is free again."""

    message = "Gift card is reserved for an order that is being placed"


class CreditUnavailable(NotAllowed):
    """A credit line of the cart can no longer be taken from its gift card or store credit.

    what: names it, as the beginning of the message. why: the end of it.
    """

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} {why}. Remove it from the cart, or use it for a smaller amount")


class UnitTaken(Duplicate):
    """The card of this unit was issued with a different value or currency."""

    def __init__(self, line_item_id: str, unit: int) -> None:
        super().__init__(f"Gift card for unit {unit} of line item {line_item_id} already exists with a different value")


class CurrencyMismatch(InvalidData):
    """A cart is paid in one currency."""

    def __init__(self, card_currency: str, cart_currency: str) -> None:
        super().__init__(f"Gift card is in {card_currency}, the cart in {cart_currency}")


class CurrencyNotSold(InvalidData):
    """No region uses the currency."""

    def __init__(self, currency_code: str) -> None:
        super().__init__(f"No region sells in {currency_code}, so nobody could spend it")


class NoBalance(NotAllowed):
    """The balance is 0."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} has no balance")


class CartWithoutCustomer(InvalidData):
    """Store credit belongs to a customer, and the cart has none."""

    message = "Cart's customer must be set to add store credits"


class AccountNotFound(RowNotFound):
    """No account has that id, or it belongs to another customer."""

    noun = "Store credit account"


class AccountTaken(Duplicate):
    """A customer has one account in each currency."""

    def __init__(self, customer_id: str, currency_code: str) -> None:
        super().__init__(f"Store credit account of customer {customer_id} in {currency_code} already exists")


class NoStoreCreditAccount(NotFound):
    """The customer has no store credit in that currency."""

    def __init__(self, currency_code: str) -> None:
        super().__init__(f"Store credit account in {currency_code} was not found")


class AlreadyAdjusted(Duplicate):
    """The adjustment's id is taken."""

    def __init__(self, adjustment_id: str) -> None:
        super().__init__(f"Adjustment {shown(adjustment_id)} has already been booked")


class IssuedOtherwise(Duplicate):
    """A form has issued cards, and names other ones now."""

    def __init__(self, count: int, worth: str) -> None:
        cards = "a gift card" if count == 1 else f"{count} gift cards"
        super().__init__(
            f"Nothing was issued: this form has already issued {cards} of {worth}. Open it again to issue others"
        )


class BalanceTooLow(NotAllowed):
    """The amount exceeds the balance. Nothing is taken."""

    message = "Amount is greater than the store credit account balance"


class AccountFull(NotAllowed):
    """An account's total credits are limited. Nothing is added."""

    message = "Amount would exceed the account's maximum"


class RefundExceedsSpent(NotAllowed):
    """The refund exceeds what the payer has spent."""

    message = "Amount is greater than the amount spent and not yet refunded"


class AlreadySettled(Duplicate):
    """The same payment or refund came again with a different amount."""

    def __init__(self, reference: str, reference_id: str) -> None:
        super().__init__(f"{reference} {reference_id} has already been settled with a different amount")
