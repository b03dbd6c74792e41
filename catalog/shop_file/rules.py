"""The rules of prices, of price lists and of shipping options in the shop file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from catalog.rule_attributes import Fault, Kinds
from kit.domain.absent import ABSENT
from kit.shop_file.problems import Problems
from kit.shop_file.values import ByKey, Choice, Entry, Object, Objects, Value
from kit.shop_file.values.value import shortened


@dataclass(frozen=True, kw_only=True)
class _Rule(Object):
    fault: Callable[[Mapping[str, str]], Fault | None]

    def read(self, raw: object, path: str, problems: Problems) -> object:
        rule = super().read(raw, path, problems)
        fault = self.fault(rule.given) if isinstance(rule, Entry) else None
        if fault is None:
            return rule
        problems.add(f"{path}.{fault[0]}", fault[1])
        return ABSENT


@dataclass(frozen=True, kw_only=True)
class Rules(Objects):
    """A list of rules. fault: checks a rule whose parts are valid by themselves."""

    fault: Callable[[Mapping[str, str]], Fault | None]

    def element(self) -> Object:
        return _Rule(fields=self.fields, fault=self.fault)


def rules(kinds: Kinds, *, operators: tuple[str, ...], value: Value, fault: Callable[..., Fault | None]) -> Rules:
    """Rules about attributes of these kinds. fault: called with the attribute, the operator and the value."""
    return Rules(
        fields={
            "attribute": Choice(required=True, choices=tuple(kinds)),
            "operator": Choice(required=True, choices=operators),
            "value": value,
        },
        fault=lambda given: fault(given["attribute"], given["operator"], given["value"]),
    )


@dataclass(frozen=True, kw_only=True)
class TextsByAttribute(ByKey):
    """The rules of a price list: texts by attribute."""

    kinds: Kinds

    def read(self, raw: object, path: str, problems: Problems) -> object:
        found = super().read(raw, path, problems)
        unknown = [name for name in found if name not in self.kinds] if isinstance(found, dict) else []
        for name in unknown:
            problems.add(f"{path}.{shortened(name)}", f"expected {' or '.join(self.kinds)} as the name")
        return ABSENT if unknown else found
