"""The prices of variants outside price lists, as programs send them: the given ones replace the stored ones."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from catalog.models import Price, PriceRule, ProductVariant
from catalog.prices.price_editing import VERBS, PriceState, RuleKey
from catalog.rule_attributes import OF_BUYERS
from catalog.states import RuleOperator
from catalog.whole_products.parts import Part, Values, put, refuse
from kit.domain.actor import Actor
from kit.errors import DomainError, InvalidData
from kit.values import text

_NAMES = {"currency": "currency_code"}
_COLUMNS = ("amount", "min_quantity", "max_quantity")
_Key = tuple[str | None, int | None, int | None, frozenset[tuple[str, str]]]
"""What distinguishes a price from others of its variant: the currency, the quantities and the rules."""


class _Stored:
    """The stored prices of price sets, with their rules. Two statements, if there are price sets."""

    def __init__(self, price_sets: Collection[str]) -> None:
        rows = Price.objects.not_deleted().filter(price_set__in=price_sets, price_list=None)
        self.rows: dict[str, Price] = {row.pk: row for row in rows.order_by("pk")} if price_sets else {}
        rules = PriceRule.objects.not_deleted().filter(price__in=self.rows) if self.rows else ()
        self.rules: defaultdict[str, dict[RuleKey, str]] = defaultdict(dict)
        for rule in rules:
            self.rules[rule.price_id][rule.attribute, rule.operator] = rule.value
        self.ids = {(row.price_set_id, self._key(row)): row.pk for row in self.rows.values()}

    def state(self, part: Part, price_set: str) -> PriceState:
        """The state of the price that the part names by its id, else of one for the same goods, else of a new one."""
        given = {name: part.values[name] for name in _COLUMNS if name in part.values}
        if "currency_code" in part.values:
            given["currency_id"] = part.values["currency_code"].lower()
        key = part.values.get("id") or self.ids.get((price_set, key_of(part.values)))
        if key is None:
            return PriceState(price_set_id=price_set, rules=_rules(part.values), **given)
        wanted: dict[RuleKey, str | None] = dict(_rules(part.values))
        if "rules" in part.values:
            wanted = {**dict.fromkeys(self.rules[key]), **wanted}
        return PriceState(id=key, rules=wanted, **given)

    def _key(self, row: Price) -> _Key:
        rules = frozenset((attribute, value) for (attribute, _), value in self.rules[row.pk].items())
        return row.currency_id, row.min_quantity, row.max_quantity, rules


def put_prices(
    parts: Sequence[Part], price_sets: Mapping[int, str], replaced: Collection[str], *, actor: Actor
) -> set[int]:
    """Write prices. Returns the places of the variants in the batch whose prices have changed.

    price_sets: by the place of their variant. replaced: those whose other prices are deleted.
    """
    stored = _Stored(replaced)
    faults: list[tuple[Part, str, DomainError]] = [*_rule_faults(parts), *_repetitions(parts)]
    for part in parts:
        row = stored.rows.get(part.values.get("id", ""))
        if "id" in part.values and (row is None or row.price_set_id != price_sets[part.index]):
            faults.append((part, "id", InvalidData(f"The variant has no price with id: {part.values['id']}")))
    refuse(ProductVariant, faults)
    states = [stored.state(part, price_sets[part.index]) for part in parts]
    gone = sorted({*stored.rows} - {state.id for state in states})
    if gone:
        VERBS.delete(actor=actor, ids=gone)
    edited = put(VERBS.put_inside, parts, states, of=ProductVariant, actor=actor, names=_NAMES)
    lost = {stored.rows[key].price_set_id for key in gone}
    changed = {part.index for part, one in zip(parts, edited, strict=True) if one.is_changed}
    return changed | {index for index, price_set in price_sets.items() if price_set in lost}


def key_of(values: Values) -> _Key:
    """What distinguishes the price from others of its variant."""
    currency = values.get("currency_code")
    rules = frozenset((attribute, str(value)) for attribute, value in values.get("rules", {}).items())
    return currency and currency.lower(), values.get("min_quantity"), values.get("max_quantity"), rules


def _rules(values: Values) -> dict[RuleKey, str]:
    return {(attribute, RuleOperator.EQUAL.value): value for attribute, value in values.get("rules", {}).items()}


def _rule_faults(parts: Sequence[Part]) -> list[tuple[Part, str, DomainError]]:
    rules = [(part, name, value) for part in parts for name, value in part.values.get("rules", {}).items()]
    unknown = [(part, name) for part, name, _ in rules if name not in OF_BUYERS]
    bad = [
        (part, name)
        for part, name, value in rules
        if not isinstance(value, str) or text.fault(value, may_be_blank=False)
    ]
    known = ", ".join(OF_BUYERS)
    return [
        *((part, "rules", InvalidData(f"'{name}' is none of the attributes {known}")) for part, name in unknown),
        *((part, "rules", InvalidData(f"The value of '{name}' must be a text")) for part, name in bad),
    ]


def _repetitions(parts: Sequence[Part]) -> list[tuple[Part, str, Any]]:
    """Prices that are named twice, by id or by what they are for."""
    seen: set[tuple[int, object]] = set()
    faults = []
    for part in parts:
        key = (part.index, part.values.get("id") or key_of(part.values))
        if key in seen:
            faults.append((part, "currency_code", InvalidData("Another price is for the same currency and quantities")))
        seen.add(key)
    return faults
