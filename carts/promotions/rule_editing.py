"""The rules of promotions, as staff maintain them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from carts.models import Promotion, PromotionRule
from carts.promotions.derived import keep_derived
from carts.promotions.rule_declarations import BY_VALUE, MOST_RULES, MOST_VALUES, attributes_of
from carts.rule_attributes import AMOUNTS
from carts.states import PromotionKind, PromotionTarget, RuleKind
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.batches import Batch, write_batch
from kit.editing.deletion import remove_rows
from kit.editing.locked_rows import locked
from kit.editing.parts import Part, Parts
from kit.editing.reporting import reported, touch
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.text import is_storable

Problem = tuple[str, str]
"""The list of rules, or the column, and what is wrong with it, as a sentence."""


def _check(edits: RowEdits[PromotionRule], states: Sequence[Any]) -> None:
    """Refuse what could never hold: unknown attributes, operators and values."""
    named: dict[str, set[str]] = defaultdict(set)
    for index, (row, state) in enumerate(zip(edits.rows, states, strict=True)):
        values = [row.values] if isinstance(row.values, str) else row.values
        edits.change(index, {"values": values})
        problem = _fault(row, values)
        if problem:
            edits.refuse(index, problem[0], InvalidData(problem[1]))
        elif state.id is None or row.pk in {**edits.replaced("values"), **edits.replaced("attribute")}:
            named[row.attribute] |= {*values}
    unknown = {attribute: missing_values(attribute, values) for attribute, values in named.items()}
    for index, row in enumerate(edits.rows):
        gone = [value for value in row.values if value in unknown.get(row.attribute, ())]
        if gone and not edits.is_refused(index):
            noun = BY_VALUE[row.attribute].label
            edits.refuse(index, "values", InvalidData(missing(noun, *gone, field="values")))


def _fault(row: PromotionRule, values: Any) -> Problem | None:
    known = attributes_of(row.kind)
    declared = next((each for each in known if each.value == row.attribute), None)
    if declared is None:
        listed = ", ".join(each.value for each in known)
        return "attribute", f"Such rules cannot compare '{row.attribute}', but: {listed}"
    if row.operator not in declared.operators:
        return "operator", f"Rules compare {row.attribute} by: {', '.join(declared.operators)}"
    if not (isinstance(values, list) and all(isinstance(one, str) and one and is_storable(one) for one in values)):
        return "values", "The values must be texts, and not empty"
    if not 1 <= len(values) <= MOST_VALUES:
        return "values", f"A rule has 1 to {MOST_VALUES} values"
    problem = declared.fault(values)
    return ("values", f"The values of {row.attribute} {problem}") if problem else None


def missing_values(attribute: str, values: Iterable[str]) -> set[str]:
    """Those of the values that name no living row."""
    source = BY_VALUE[attribute].rows()
    return {*values} - {*source.rows().filter(pk__in=values).values_list("pk", flat=True)} if source else set()


VERBS = RowVerbs(
    PromotionRule,
    ("promotion_id", "kind", "attribute", "operator", "values", "description"),
    check=_check,
    delete=remove_rows,
)
"""values: a text, or a list of texts. Callers then check `problems`, and call `keep_derived`, for each promotion."""
LISTS = tuple(Parts(kind.value, VERBS, "promotion_id", only={"kind": kind.value}) for kind in RuleKind)


def known(parts: Sequence[Part], stored: Mapping[str, PromotionRule], edited: Sequence[Edited[Any]]) -> list[Part]:
    """The parts, with the id of the stored rule that is the same, so that sending a list again changes nothing."""
    left = {key: (row.promotion_id, row.attribute, row.operator, row.values) for key, row in stored.items()}
    found = []
    for part in parts:
        given = part.values
        same = (edited[part.index].row.pk, given.get("attribute"), given.get("operator"), given.get("values"))
        key = next((key for key, rule in left.items() if rule == same), None)
        found.append(part if key is None or "id" in given else replace(part, values={**given, "id": key}))
        left.pop(key or "", None)
    return found


def problems(promotion: Promotion, rules: Sequence[PromotionRule]) -> Iterator[Problem]:
    """What is wrong with the rules of the promotion together."""
    by_kind: dict[str, list[PromotionRule]] = defaultdict(list)
    for rule in rules:
        by_kind[rule.kind].append(rule)
    goods, bought = by_kind[RuleKind.TARGET_RULES], by_kind[RuleKind.BUY_RULES]
    if len(rules) > MOST_RULES:
        yield "rules", f"A promotion has {MOST_RULES} rules at most"
    if promotion.target_type == PromotionTarget.ORDER and goods:
        yield "target_rules", "A discount off the order is for all of it, and has no target rules"
    elif other := [rule for rule in goods if BY_VALUE[rule.attribute].target != promotion.target_type]:
        yield "target_rules", f"A discount off {promotion.target_type} cannot select by {other[0].attribute}"
    if promotion.kind == PromotionKind.BUYGET:
        if not goods:
            yield "target_rules", "Buy X, get Y needs rules for what is discounted"
        if not bought:
            yield "buy_rules", "Buy X, get Y needs rules for what has to be bought"
    elif bought:
        yield "buy_rules", "Only buy X, get Y has rules for what has to be bought"
    if promotion.currency_id is None and any(rule.attribute in AMOUNTS for rule in rules):
        yield "currency", "A rule that compares an amount needs the promotion's currency_code"


def rules_of(promotion_ids: Sequence[str]) -> Mapping[str, list[PromotionRule]]:
    """The rules of these promotions, by promotion. One statement."""
    rules: dict[str, list[PromotionRule]] = defaultdict(list)
    for rule in PromotionRule.objects.not_deleted().filter(promotion__in=promotion_ids).order_by("pk"):
        rules[rule.promotion_id].append(rule)
    return rules


@transaction.atomic
@reported()
def change_rules(
    *,
    actor: Actor,
    id: str,
    kind: str,
    create: Sequence[Mapping[str, Any]] = (),
    update: Sequence[Mapping[str, Any]] = (),
    delete: Sequence[str] = (),
) -> Batch:
    """Create, change and delete rules of that kind of a promotion: all of them, or none.

    create, update: the values of a rule by column, in update with its `id`. Returns the ids.
    Raises NotFound (the promotion), InvalidData (rules), Forbidden.
    """
    actor.require("carts.change_promotion")
    promotion = locked(Promotion, [id])[id]
    own = next(each for each in LISTS if each.name == kind)
    stored, named = own.stored([id]), {"update": [one["id"] for one in update], "delete": delete}
    for field, keys in named.items():
        if unknown := sorted({*keys} - {*stored}):
            raise InvalidData(missing(own.verbs.noun.capitalize(), *unknown, field=field))
    new = [{"promotion_id": id, "kind": kind, **rule} for rule in create]
    done = write_batch(own.verbs, actor=own.trusted(actor), create=new, update=update, delete=delete)
    for _, problem in problems(promotion, rules_of([id])[id]):
        raise InvalidData(problem)
    keep_derived([id])
    touch(Promotion, [id])
    return done
