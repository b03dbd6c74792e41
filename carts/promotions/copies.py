"""Copies of promotions, as drafts that staff change."""

from typing import Any

from carts.models import Promotion, PromotionRule
from carts.models.promotion_parts import LONGEST_CODE
from carts.promotions.promotion_editing import VERBS
from carts.promotions.rule_editing import missing_values, rules_of
from carts.states import PromotionStatus, RuleKind
from kit.domain.actor import Actor
from kit.editing.locked_rows import locked

_COLUMNS = (
    *("is_automatic", "kind", "type", "value", "currency_id", "is_tax_inclusive", "target_type", "allocation"),
    *("max_quantity", "buy_rules_min_quantity", "apply_to_quantity", "description", "starts_at", "ends_at"),
    *("usage_limit", "usage_limit_per_customer", "priority", "campaign_id", "metadata"),
    *("combines_with_product", "combines_with_order", "combines_with_shipping"),
)


def copy(*, actor: Actor, promotion_id: str) -> Promotion:
    """A draft with the same terms and rules, without uses and batches of codes. Its code is SAVE copy, SAVE copy 2, ….

    Rules leave out what has been deleted, as far as something is left of their values.

    Raises NotFound, Forbidden. Callers hold a transaction.
    """
    row = locked(Promotion, [promotion_id])[promotion_id]
    given: dict[str, Any] = {column: getattr(row, column) for column in _COLUMNS}
    rules = rules_of([row.pk])[row.pk]
    for kind in RuleKind:
        given[kind] = [_copied(rule) for rule in rules if rule.kind == kind]
    return VERBS.create(actor=actor, code=_free(row.code), status=PromotionStatus.DRAFT, **given)


def _copied(rule: PromotionRule) -> dict[str, Any]:
    missing = missing_values(rule.attribute, rule.values)
    left = [value for value in rule.values if value not in missing]
    own = {name: getattr(rule, name) for name in ("attribute", "operator", "description")}
    return {**own, "values": left or rule.values}


def _free(code: str) -> str:
    name = f"{code[: LONGEST_CODE - 12]} copy"
    taken = {
        each.upper()
        for each in Promotion.objects.not_deleted().filter(code__istartswith=name).values_list("code", flat=True)
    }
    number = 1
    while (free := name if number == 1 else f"{name} {number}").upper() in taken:
        number += 1
    return free
