"""The taxes that a tax provider has stated for a cart."""

from collections.abc import Sequence
from functools import partial

from django.conf import settings

from carts.pricing.costs import Costs
from carts.pricing.locked_cart import LockedCart
from carts.pricing.provided_taxes import NO_PROVIDER, ProvidedTaxes
from carts.states import OwnTaxes
from kit.database import pausing
from shop.taxes import OwedTax
from taxes.asking.answers import Answer, Rates, keep_of_new_cart, known_answer
from taxes.asking.asking import ask
from taxes.asking.questions import Question, question_of


def provided_taxes(cart: LockedCart, costs: Costs) -> ProvidedTaxes:
    """A step of carts/pricing/cart_steps.py. No statement in a shop without tax providers, else at most four.

    A changed cart gets the answer to the same question alone: another one may be about an address far away.
    """
    question = question_of(cart, costs) if settings.TAX_PROVIDERS else None
    if question is None:
        return NO_PROVIDER
    if isinstance(question, OwnTaxes):
        return ProvidedTaxes(because=question)
    fresh = pausing.result_of(question.digest)
    if isinstance(fresh, Answer) and cart.is_new:
        keep_of_new_cart(cart.id, question, fresh)
    answer = fresh if isinstance(fresh, Answer) else known_answer(question)
    if answer is None:
        again = partial(pausing.pause, question.digest, partial(ask, question))
        return ProvidedTaxes(because=OwnTaxes.UNASKED, ask=again)
    if answer.rates is None:
        return ProvidedTaxes(because=answer.because)
    return ProvidedTaxes(_owed(question, answer.rates, of=len(cart.lines) + len(cart.methods)))


def _owed(question: Question, rates: Rates, *, of: int) -> list[Sequence[OwedTax]]:
    owed: list[Sequence[OwedTax]] = [()] * of
    for place, found in zip(question.places, rates, strict=True):
        owed[place] = [OwedTax(rate, code, None, name, question.provider_id) for rate, code, name in found]
    return owed
