"""The prices of variants outside price lists, as programs send them: the given ones replace the stored ones."""

from collections.abc import Collection, Mapping, Sequence

from catalog.models import Price, ProductVariant
from catalog.prices.price_editing import COLUMNS, VERBS, PriceState, RuleKey
from catalog.prices.price_reduction import rules_of
from catalog.rule_attributes import OF_BUYERS
from catalog.states import RuleOperator
from kit.domain.actor import Actor
from kit.editing.parts import Part, Values, put, refuse
from kit.editing.states import Fault
from kit.errors import InvalidData
from kit.values import text

_Goods = tuple[object, ...]
"""What distinguishes the prices of a variant: currency, quantities and rules."""


class _Stored:
    """The stored prices of price sets, with their rules. Two statements, if there are price sets."""

    def __init__(self, price_sets: Collection[str]) -> None:
        rows = Price.objects.not_deleted().filter(price_set__in=price_sets, price_list=None).order_by("pk")
        self.rows: dict[str, Price] = {row.pk: row for row in rows.prefetch_related("rules")} if price_sets else {}
        self.ids = {(row.price_set_id, self.goods({"id": key})): key for key, row in self.rows.items()}

    def state(self, values: Values, price_set: str) -> PriceState:
        """The state of the price that the values name by its id, else of one for the same goods, else of a new one."""
        given = {name: values[name] for name in COLUMNS if name in values}
        if "currency_code" in values:
            given["currency_id"] = values["currency_code"].lower()
        key = values.get("id") or self.ids.get((price_set, _goods(values)))
        if key is None:
            return PriceState(price_set_id=price_set, rules=_rules(values), **given)
        removed = dict.fromkeys(rules_of(self.rows[key])) if "rules" in values else {}
        return PriceState(id=key, rules={**removed, **_rules(values)}, **given)

    def goods(self, values: Values) -> _Goods:
        """Those of the price with these values; a stored one, which they name by its id, keeps others."""
        row = self.rows.get(values.get("id", ""))
        if row is None:
            return _goods(values)
        kept = {"currency_code": row.currency_id, "min_quantity": row.min_quantity, "max_quantity": row.max_quantity}
        currency, least, most, rules = _goods(kept | values)
        return currency, least, most, rules if "rules" in values else frozenset(rules_of(row).items())


def put_prices(
    parts: Sequence[Part], price_sets: Mapping[int, str], replaced: Collection[str], *, actor: Actor
) -> set[int]:
    """Write prices. Returns the places of the variants in the batch whose prices have changed.

    price_sets: by the place of their variant. replaced: those whose other prices are deleted.
    """
    stored, seen, faults = _Stored(replaced), set[object](), list[Fault]()
    for part in parts:
        key, owner = part.values.get("id"), price_sets[part.index]
        if key is not None and (key not in stored.rows or stored.rows[key].price_set_id != owner):
            faults.append(part.fault("id", InvalidData(f"The variant has no price with id: {key}")))
        faults += [part.fault("rules", InvalidData(problem)) for problem in _rule_problems(part.values)]
        if (part.index, goods := stored.goods(part.values)) in seen:
            message = "Another price is for the same currency, quantities and rules"
            faults.append(part.fault("currency_code", InvalidData(message)))
        seen.add((part.index, goods))
    refuse(ProductVariant, faults)
    states = [stored.state(part.values, price_sets[part.index]) for part in parts]
    gone = sorted({*stored.rows} - {state.id for state in states})
    if gone:
        VERBS.delete(actor=actor, ids=gone)
    names = {"currency": "currency_code"}
    edited = put(VERBS.put_inside, parts, states, of=ProductVariant, actor=actor, names=names)
    lost = {stored.rows[key].price_set_id for key in gone}
    changed = {part.index for part, one in zip(parts, edited, strict=True) if one.is_changed}
    return changed | {index for index, price_set in price_sets.items() if price_set in lost}


def _goods(values: Values) -> _Goods:
    currency, rules = values.get("currency_code"), frozenset(_rules(values).items())
    return currency and currency.lower(), values.get("min_quantity"), values.get("max_quantity"), rules


def _rules(values: Values) -> dict[RuleKey, str]:
    given = values.get("rules", {}).items()
    return {(attribute, RuleOperator.EQUAL.value): str(value) for attribute, value in given}


def _rule_problems(values: Values) -> list[str]:
    given = values.get("rules", {}).items()
    unknown = [
        f"'{name}' is none of the attributes {', '.join(OF_BUYERS)}" for name, _ in given if name not in OF_BUYERS
    ]
    bad = [name for name, one in given if not isinstance(one, str) or text.fault(one, may_be_blank=False)]
    return unknown + [f"The value of '{name}' must be a text" for name in bad]
