"""Promotions and campaigns in GraphQL, for staff."""

from dataclasses import asdict
from typing import Any

from carts.api.admin.campaigns import Campaigns
from carts.api.admin.codes import NewCodesSerializer, NewPromotionCodesInput, PromotionCodes
from carts.api.admin.promotions import Promotions
from carts.api.admin.rules import PromotionRuleBatchInput, PromotionRules, kind_of
from carts.promotions.campaign_editing import change_promotions
from carts.promotions.code_batches import create_codes
from carts.promotions.rule_editing import change_rules
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, written_by
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.requests.input_fields import CharField
from kit.rest.responses.answers import BatchSerializer
from kit.values.json import JSONObject


class PromotionRulesInput(PromotionRuleBatchInput):  # type: ignore[misc, valid-type]  # made
    """Rules of one kind to create, change and delete."""

    rule_type = CharField(help_text="One of: rules, target-rules, buy-rules.")


def _batch_rules(context: RequestContext, *, rule_type: str, **values: Any) -> dict[str, Any]:
    actor = context.actor(PromotionRules.permissions["change"])
    return asdict(change_rules(actor=actor, kind=kind_of(rule_type), **values))


def _create_codes(context: RequestContext, *, id: str, **values: Any) -> JSONObject:
    actor = context.actor(PromotionCodes.permissions["create"])
    return {"codes": [*create_codes(actor=actor, promotion_id=id, **values)]}


QUERIES = {**row_queries(Promotions), **row_queries(PromotionCodes), **row_queries(Campaigns)}
MUTATIONS = {
    **row_mutations(Promotions),
    "create_promotion_codes": Action(
        NewCodesSerializer,
        "Make codes for a promotion, or add those given. From the first on, its own code is only a name.",
        act=_create_codes,
        input=NewPromotionCodesInput,
        by_id=True,
    ),
    "delete_promotion_code": row_mutations(PromotionCodes)["delete_promotion_code"],
    **row_mutations(Campaigns),
    "batch_promotion_rules": Action(
        BatchSerializer,
        "Create, change and delete rules of a promotion: all of them, or none.",
        act=_batch_rules,
        input=PromotionRulesInput,
        by_id=True,
    ),
    "update_campaign_promotions": Change(
        Campaigns.resource,
        "Put promotions into a campaign, also those of another one, and take others out.",
        act=written_by(change_promotions, "id"),
        permission=Campaigns.permissions["change_promotions"],
        viewing=Campaigns.permissions["retrieve"],
        input=Campaigns.inputs["change_promotions"],
    ),
}
