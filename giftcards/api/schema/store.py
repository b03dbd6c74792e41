"""Gift cards and store credit in GraphQL."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

from carts.api.resources import CARTS
from giftcards.api.guess_limits import guesser
from giftcards.api.resources import GIFT_CARDS, STORE_CREDIT_ACCOUNTS
from giftcards.api.serializers.inputs import GiftCardInput, StoreCreditInput
from giftcards.cards import redemption
from giftcards.spending import cart_cards, cart_store_credit
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.roots import Arguments
from kit.query.selection import Selection


class CardField(SingleField):
    """A query that takes the code of a card."""

    def answer(self, context: RequestContext, plan: Selection, args: Arguments) -> PreshapedValue:
        with _guess(context, self.who):
            return super().answer(context, plan, args)


class CardChange(Change):
    """A mutation that takes the code of a card."""

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        with _guess(context, self.who):
            return super().answer(context, plan, args)


def _guess(context: RequestContext, who: Callable[[RequestContext], Actor] | None) -> AbstractContextManager[None]:
    actor = who(context) if who else context.shopper
    return guesser(actor, context.request.META).guess(context.outside, context.counted)


def _redeem(*, actor: Actor, id_or_code: str) -> Written:
    return Written(redemption.redeem(actor=actor, id_or_code=id_or_code))


_by = partial(written_by, key="cart_id")
_of_card = partial(CardChange, CARTS, input=GiftCardInput)
_of_credit = partial(Change, CARTS, who=RequestContext.customer)

QUERIES = {
    "gift_card": CardField(GIFT_CARDS, "A gift card, by its id or code."),
    "store_credit_accounts": ListField(
        STORE_CREDIT_ACCOUNTS, "The customer's store credit accounts, one per currency.", who=RequestContext.customer
    ),
    "store_credit_account": SingleField(
        STORE_CREDIT_ACCOUNTS, "One of the customer's store credit accounts.", who=RequestContext.customer
    ),
}
MUTATIONS = {
    "redeem_gift_card": CardChange(
        GIFT_CARDS,
        "Redeem a gift card: its whole value becomes store credit of the customer.",
        act=_redeem,
        who=RequestContext.customer,
    ),
    "add_gift_card_to_cart": _of_card(
        "Pay for the cart with a gift card. It covers what it can, and follows the cart's changes.",
        act=_by(cart_cards.add_card),
    ),
    "remove_gift_card_from_cart": _of_card(
        "Stop paying for the cart with a gift card.", act=_by(cart_cards.remove_card)
    ),
    "add_store_credit_to_cart": _of_credit(
        "Pay for the cart with the customer's store credit. It covers what it can, and follows the cart's changes.",
        act=_by(cart_store_credit.add_store_credit),
        input=StoreCreditInput,
    ),
    "remove_store_credit_from_cart": _of_credit(
        "Stop paying for the cart with store credit.", act=_by(cart_store_credit.remove_store_credit)
    ),
}
