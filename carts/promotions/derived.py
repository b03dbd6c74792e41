"""What follows from a promotion's terms and rules: its gates, and what older versions read of it.

Why: docs/decisions/carts.md#promotions-keep-what-older-versions-read.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Model

from carts import rule_attributes as attributes
from carts.models import Promotion, PromotionGate, PromotionRule
from carts.states import Allocation, Comparison, PromotionTarget, RuleKind

_NAMED = (Comparison.IN, Comparison.EQUAL)
_GATES = {
    attributes.VARIANT: "variant",
    attributes.PRODUCT: "product",
    attributes.COLLECTION: "collection",
    attributes.TYPE: "type",
    attributes.TAG: "tag",
    attributes.CATEGORY: "category",
    attributes.CUSTOMER: "customer",
    attributes.GROUPS: "group",
    attributes.REGION: "region",
    attributes.COUNTRY: "country",
    attributes.CHANNEL: "channel",
}
"""The first part of a gate's key, by the attribute of a rule that names its values; the most selective first."""


def terms_of_older(target: str, *, has_target_rules: bool) -> tuple[str, str | None]:
    """What target_type and allocation are for the target of an older version: off the order, rules mean lines."""
    if target == PromotionTarget.ITEMS:
        return PromotionTarget.ITEMS, Allocation.EACH
    return (PromotionTarget.ITEMS, Allocation.ACROSS) if has_target_rules else (PromotionTarget.ORDER, None)


def older_target(promotion: Promotion) -> str:
    """The target that an older version reads."""
    is_shared = promotion.target_type == PromotionTarget.ORDER or promotion.allocation == Allocation.ACROSS
    return PromotionTarget.ORDER if is_shared else PromotionTarget.ITEMS


def put_products(products: Mapping[str, Collection[str]]) -> None:
    """Make a target rule of the products of each promotion; of none there is no rule. Four statements at most."""
    about = {"kind": RuleKind.TARGET_RULES, "attribute": attributes.PRODUCT, "operator": Comparison.IN}
    stored = {rule.promotion_id: rule for rule in PromotionRule.objects.filter(promotion__in=products, **about)}
    changed, new = [], []
    for promotion_id, ids in products.items():
        rule, values = stored.get(promotion_id), sorted(ids)
        if rule is None and values:
            new.append(PromotionRule(promotion_id=promotion_id, values=values, **about))
        elif rule is not None and values and rule.values != values:
            rule.values = values
            changed.append(rule)
    PromotionRule.objects.filter(pk__in=[rule.pk for pk, rule in stored.items() if not products[pk]]).delete()
    PromotionRule.objects.bulk_update(changed, ["values"])
    PromotionRule.objects.bulk_create(new)


def keep_derived(promotion_ids: Sequence[str]) -> None:
    """Bring up to date what follows from the rules of these promotions. Verbs that change those end with it.

    Its statements do not depend on the number of promotions.
    """
    promotions = list(Promotion.objects.filter(pk__in=promotion_ids))
    rules: dict[str, list[PromotionRule]] = defaultdict(list)
    for rule in PromotionRule.objects.not_deleted().filter(promotion__in=promotion_ids).order_by("pk"):
        rules[rule.promotion_id].append(rule)
    gates = {row.pk: _gates(rules[row.pk]) if row.is_automatic else set() for row in promotions}
    changed = []
    for row in promotions:
        derived = {"target": older_target(row), "is_gated": bool(gates[row.pk])}
        if any(getattr(row, name) != value for name, value in derived.items()):
            row.target, row.is_gated = derived.values()
            changed.append(row)
    Promotion.objects.bulk_update(changed, ["target", "is_gated"])
    _keep_pairs(PromotionGate, "key", gates)
    _keep_pairs(Promotion.products.through, "product_id", {row.pk: _products(rules[row.pk]) for row in promotions})


def gate_key(attribute: str, value: str) -> str | None:
    """The key by which carts with that value find promotions; None if they do not find them by the attribute."""
    kind = _GATES.get(attribute)
    return f"{kind}:{value}" if kind else None


def _gates(rules: Iterable[PromotionRule]) -> set[str]:
    """The keys of the most selective rule: a cart without any of them gets nothing by the promotion."""
    named = [rule for rule in rules if rule.operator in _NAMED and rule.attribute in _GATES]
    if not named:
        return set()
    rule = min(named, key=lambda each: [*_GATES].index(each.attribute))
    return {f"{_GATES[rule.attribute]}:{value}" for value in rule.values}


def _products(rules: Iterable[PromotionRule]) -> set[str]:
    """The products that an older version takes for those of the promotion."""
    about = (RuleKind.TARGET_RULES, attributes.PRODUCT)
    return {
        value
        for rule in rules
        if (rule.kind, rule.attribute) == about and rule.operator in _NAMED
        for value in rule.values
    }


def _keep_pairs(model: type[Model], column: str, wanted: Mapping[str, set[str]]) -> None:
    """Make the rows of (promotion, value) those that are wanted. Three statements at most."""
    rows = model._default_manager.filter(promotion__in=wanted)
    stored = {(promotion_id, value): pk for pk, promotion_id, value in rows.values_list("pk", "promotion_id", column)}
    pairs = {(promotion_id, value) for promotion_id, values in wanted.items() for value in values}
    gone = [pk for pair, pk in stored.items() if pair not in pairs]
    if gone:
        rows.filter(pk__in=gone).delete()
    new = sorted(pairs - stored.keys())
    model._default_manager.bulk_create(model(promotion_id=pair[0], **{column: pair[1]}) for pair in new)
