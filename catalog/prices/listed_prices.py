"""The prices of price lists, as programs maintain them: each for a variant, with attributes of the buyer as rules."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction

from catalog.models import Price, PriceList, ProductVariant
from catalog.prices import price_editing, price_sets
from catalog.prices.price_editing import PriceState
from catalog.prices.price_terms import RuleChanges, equal_rules, terms_of
from catalog.rule_attributes import buyer_rules_problem
from kit.database.locking import lock_rows
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.deletion import delete_rows
from kit.editing.nested_rows import NestedRows
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import Duplicate, InvalidData
from kit.values.money import currency

Values = Mapping[str, Any]


def _put(*, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[Price]]:
    """Create and change prices. Creates the price sets of variants that have none."""
    stored = _stored([state.id for state in states if state.id is not None])
    lists = {state.price_list_id for state in states} - {ABSENT} | {row.price_list_id for row in stored.values()}
    lock_rows(PriceList.objects.filter(pk__in=lists))
    variants = {state.variant_id for state in states} - {ABSENT}
    known = ProductVariant.objects.not_deleted().filter(pk__in=variants).values_list("pk", flat=True)
    sets = price_sets.of_variants([*known])
    faults = [Fault(index, *wrong) for index, state in enumerate(states) for wrong in _wrong(state, sets, stored)]
    if faults:
        raise RowsRefused(Price, faults)
    edited = price_editing.VERBS.put(actor=actor, states=[_state(state, sets, stored) for state in states])
    _refuse_repeated([one.row for one in edited])
    return edited


VERBS = RowVerbs(
    Price,
    ("price_list_id", "variant_id", "currency_code", "amount", "min_quantity", "max_quantity", "rules"),
    extras=("variant_id", "currency_code", "rules"),
    put=_put,
    delete=delete_rows,
)
"""rules: a value by attribute of the buyer; they replace the stored ones. The variant of a price never changes."""
NESTED = NestedRows(VERBS, "price_list_id")


@transaction.atomic
def remove_products(*, actor: Actor, price_list_id: str, remove: Collection[str] = ()) -> None:
    """Delete the prices of these products from the list. Raises NotFound, Forbidden."""
    NESTED.require_parent(price_list_id)
    lock_rows(PriceList.objects.filter(pk=price_list_id))
    prices = Price.objects.not_deleted().filter(price_list=price_list_id, price_set__variant__product__in=remove)
    if remove and (ids := [*prices.values_list("pk", flat=True)]):
        VERBS.delete(actor=actor, ids=ids)


def _stored(ids: Collection[str]) -> dict[str, Price]:
    """The prices with these ids, by id, with their rules."""
    return {row.pk: row for row in Price.objects.filter(pk__in=ids).prefetch_related("rules")} if ids else {}


def _wrong(state: Any, sets: Mapping[str, str], stored: Mapping[str, Price]) -> Iterator[tuple[str, InvalidData]]:
    """Invalid fields of the state, each with the reason."""
    if state.variant_id is not ABSENT and state.variant_id not in sets:
        yield "variant_id", InvalidData(missing("Product variant", state.variant_id, field="variant_id"))
    elif state.id in stored and sets.get(state.variant_id) not in (None, stored[state.id].price_set_id):
        yield "variant_id", InvalidData("The price is for another variant, and cannot be moved to this one")
    try:
        currency("eur" if state.currency_code is ABSENT else state.currency_code)
    except InvalidData as refusal:
        yield "currency_code", refusal
    if problem := buyer_rules_problem({} if state.rules is ABSENT else state.rules, each=str):
        yield "rules", InvalidData(problem)


def _state(state: Any, sets: Mapping[str, str], stored: Mapping[str, Price]) -> PriceState:
    given = {name: value for name, value in state.given_values().items() if name in price_editing.COLUMNS}
    if state.currency_code is not ABSENT:
        given["currency_id"] = currency(state.currency_code)
    if state.id is None:
        given["price_set_id"] = sets[state.variant_id]
    rules: RuleChanges = {} if state.rules is ABSENT else equal_rules(stored.get(state.id), state.rules)
    return PriceState(id=state.id, rules=rules, **given)


def _refuse_repeated(prices: Sequence[Price]) -> None:
    """Two prices of a list differ in their variant, currency, quantities or rules. Two statements."""
    lists, sets = {price.price_list_id for price in prices}, {price.price_set_id for price in prices}
    rows = Price.objects.not_deleted().filter(price_list__in=lists, price_set__in=sets).prefetch_related("rules")
    keys: dict[object, list[str]] = {}
    for row in rows:
        keys.setdefault((row.price_list_id, row.price_set_id, terms_of(row)), []).append(row.pk)
    repeated = {key for of_terms in keys.values() if len(of_terms) > 1 for key in of_terms}
    error = Duplicate("The list has another price for this variant, currency, quantities and rules")
    if faults := [Fault(index, "", error) for index, price in enumerate(prices) if price.pk in repeated]:
        raise RowsRefused(Price, faults)
