"""Promotions and campaigns in GraphQL, for staff."""

from carts.api.admin.campaigns import Campaigns
from carts.api.admin.promotions import Promotions
from carts.promotions.campaign_editing import change_promotions
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.rows import row_mutations, row_queries

QUERIES = {**row_queries(Promotions), **row_queries(Campaigns)}
MUTATIONS = {
    **row_mutations(Promotions),
    **row_mutations(Campaigns),
    "update_campaign_promotions": Change(
        Campaigns.resource,
        "Put promotions into a campaign, also those of another one, and take others out.",
        act=written_by(change_promotions, "id"),
        permission=Campaigns.permissions["change_promotions"],
        viewing=Campaigns.permissions["retrieve"],
        input=Campaigns.inputs["change_promotions"],
    ),
}
