"""The rules of promotions, and what they can compare, as programs maintain and show them."""

from rest_framework.request import Request

from carts.api.admin import rule_serializers
from carts.api.admin.inputs import PromotionRuleChangesInput, PromotionRuleInput
from carts.api.admin.resources import PROMOTIONS
from carts.api.admin.shown_rules import CURRENCY, shown_attributes, shown_rules
from carts.models import Promotion
from carts.promotions.rule_declarations import attributes_of
from carts.promotions.rule_editing import VERBS, change_rules, rules_of
from carts.promotions.rule_values import options
from carts.states import PromotionKind, PromotionTarget, PromotionType, RuleKind
from kit.domain.missing_row import missing
from kit.errors import InvalidData, NotFound, shown
from kit.query.paging import parse_page
from kit.reads.resources import text
from kit.rest.requests.row_inputs import batch_input
from kit.rest.viewsets import AdminEndpoint
from kit.values.json import JSONObject

_LISTED = 100


PromotionRuleBatchInput = batch_input(
    VERBS, "PromotionRuleBatchInput", {"create": PromotionRuleInput, "update": PromotionRuleChangesInput}
)
_OF_PROMOTION = {
    "promotion_type": f"One of: {', '.join(PromotionKind.values)}.",
    "application_method_type": f"One of: {', '.join(PromotionType.values)}.",
    "application_method_target_type": f"One of: {', '.join(PromotionTarget.values)}.",
}


class PromotionRules(AdminEndpoint):
    """The rules of a promotion: its `rules`, `target-rules` and `buy-rules`."""

    resource = PROMOTIONS
    permissions = {
        **dict.fromkeys(("rules", "attributes", "values"), "carts.view_promotion"),
        "change": "carts.change_promotion",
    }
    dry_runs = frozenset({"change"})
    inputs = {"change": PromotionRuleBatchInput}
    answers = {
        "rules": rule_serializers.LabeledRulesSerializer,
        "attributes": rule_serializers.RuleAttributesSerializer,
        "values": rule_serializers.RuleValuesSerializer,
        "change": rule_serializers.PromotionRuleBatchSerializer,
    }
    query_parameters = {
        "rules": _OF_PROMOTION,
        "attributes": _OF_PROMOTION,
        "values": {
            "q": "A part of the label.",
            "value": "One value, or a list of them.",
            "application_method_target_type": _OF_PROMOTION["application_method_target_type"],
            "limit": f"At most so many; {_LISTED} by default.",
            "offset": "How many to skip.",
        },
    }

    def rules(self, request: Request, id: str, rule_type: str) -> JSONObject:
        """List the rules of one kind, with labels for people."""
        kind = kind_of(rule_type)
        promotion = Promotion.objects.not_deleted().with_id(id)
        if promotion is None:
            raise NotFound(missing("Promotion", id))
        rules = [rule for rule in rules_of([id])[id] if rule.kind == kind]
        return {"rules": shown_rules(promotion, kind, rules, self.actor)}

    def attributes(self, request: Request, rule_type: str) -> JSONObject:
        """List what rules of one kind can compare, for the type and target of a promotion."""
        kind = kind_of(rule_type)
        promotion, method, target = (text(name, self.query.get(name)) for name in _OF_PROMOTION)
        return {"attributes": shown_attributes(kind, promotion=promotion, method=method, target=target)}

    def values(self, request: Request, rule_type: str, attribute_id: str) -> JSONObject:
        """List the values that a rule can have. Requires the permission to view the rows that they name."""
        kind = kind_of(rule_type)
        known = [CURRENCY, *attributes_of(kind)]
        attribute = next((each for each in known if each.id == attribute_id and kind in each.kinds), None)
        if attribute is None:
            raise InvalidData(f"Invalid param rule_attribute_id ({shown(attribute_id)})")
        page = parse_page(self.query.get("limit"), self.query.get("offset"), default_limit=_LISTED)
        value = self.query.get("value", [])
        named = [value] if isinstance(value, str) else value
        if isinstance(named, dict) or not all(isinstance(each, str) for each in named):
            raise InvalidData("Invalid request: Expected type: 'string' for field 'value'")
        found, count = options(
            attribute.field_type,
            attribute.rows(),
            self.actor,
            q=text("q", self.query.get("q")) or "",
            values=named,
            offset=page.offset,
            limit=page.limit,
        )
        return {
            "values": [{"value": value, "label": label} for value, label in found],
            "count": count,
            "offset": page.offset,
            "limit": page.limit,
        }

    def change(self, request: Request, id: str, rule_type: str) -> JSONObject:
        """Create, change and delete rules of one kind: all of them, or none."""
        kind = kind_of(rule_type)
        done = change_rules(actor=self.actor, id=id, kind=kind, **self.body())
        reader = self.actor.with_permission("carts.view_promotion")
        promotion = self.resource.one(id, self.resource.single_query({}), reader)
        method = promotion["application_method"]
        lists = [promotion["rules"], method["target_rules"], method["buy_rules"]]
        rules = {rule["id"]: rule for each in lists for rule in each}
        return {
            "created": [rules[key] for key in done.created],
            "updated": [rules[key] for key in done.updated],
            "deleted": {"ids": [*done.deleted], "object": "promotion-rule", "deleted": True},
            "promotion": promotion,
        }


def kind_of(rule_type: str) -> RuleKind:
    """The kind that a path names. Raises InvalidData."""
    known = {kind.replace("_", "-"): kind for kind in RuleKind}
    if rule_type not in known:
        raise InvalidData(f"Invalid param rule_type ({shown(rule_type)})")
    return known[rule_type]
