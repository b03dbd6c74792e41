"""The routes of gift cards and store credit."""

from rest_framework.request import Request

from carts.api.resources import CARTS
from giftcards.api.guess_limits import CardMissesCounted
from giftcards.api.resources import GIFT_CARDS, REDEEMED_GIFT_CARDS, STORE_CREDIT_ACCOUNTS
from giftcards.api.serializers.inputs import GiftCardInput, StoreCreditInput
from giftcards.cards import redemption
from giftcards.spending import cart_cards, cart_store_credit
from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import CustomerEndpoint, StoreEndpoint
from kit.rest.writes import WriteEndpoint


class GiftCards(CardMissesCounted, Retrieve, StoreEndpoint):
    """Gift cards. Anyone who knows a card's id or code may read it."""

    resource = GIFT_CARDS
    private = True

    def retrieve(self, request: Request, **key: str) -> dict[str, object]:
        """Get a gift card by its id or code, the code in any letter case."""
        return super().retrieve(request, **key)


class Redemptions(CardMissesCounted, WriteEndpoint, CustomerEndpoint):
    """Redemption of gift cards."""

    resource = REDEEMED_GIFT_CARDS

    def redeem(self, request: Request, id_or_code: str) -> dict[str, object]:
        """Redeem a gift card. Its whole value becomes store credit of the customer, once."""
        return self.written(redemption.redeem(actor=self.actor, id_or_code=id_or_code))


class StoreCreditAccounts(List, Retrieve, CustomerEndpoint):
    """The store credit accounts of the signed-in customer, one per currency."""

    resource = STORE_CREDIT_ACCOUNTS


class CartGiftCards(CardMissesCounted, WriteEndpoint, StoreEndpoint):
    """The gift cards that pay for a cart."""

    resource = CARTS
    inputs = {"add": GiftCardInput, "remove": GiftCardInput}
    private = True

    def add(self, request: Request, id: str) -> dict[str, object]:
        """Pay for a cart with a gift card. It covers what it can, and follows the cart's changes."""
        cart_cards.add_card(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)

    def remove(self, request: Request, id: str) -> dict[str, object]:
        """Remove a gift card from a cart."""
        cart_cards.remove_card(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)


class CartStoreCredits(WriteEndpoint, CustomerEndpoint):
    """The store credit that pays for a cart."""

    resource = CARTS
    inputs = {"add": StoreCreditInput}

    def add(self, request: Request, id: str) -> dict[str, object]:
        """Pay for a cart with the customer's store credit. It covers what it can, and follows the cart's changes."""
        cart_store_credit.add_store_credit(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)

    def remove(self, request: Request, id: str) -> dict[str, object]:
        """Stop paying for a cart with store credit."""
        cart_store_credit.remove_store_credit(actor=self.actor, cart_id=id)
        return self.written(id)
