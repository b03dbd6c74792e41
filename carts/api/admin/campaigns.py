"""Campaigns, as programs maintain them."""

from rest_framework.request import Request

from carts.api.admin.inputs import CAMPAIGN_NAMES, CampaignChangesInput, CampaignInput
from carts.api.admin.resources import CAMPAIGNS
from carts.promotions.campaign_editing import VERBS, change_promotions
from kit.rest.row_endpoint import MembersInput, RowEndpoint
from kit.values.json import JSONObject


class Campaigns(RowEndpoint):
    """Campaigns. The promotions of a deleted one go on without it."""

    resource = CAMPAIGNS
    verbs = VERBS.naming(CAMPAIGN_NAMES)
    inputs = {"create": CampaignInput, "update": CampaignChangesInput, "change_promotions": MembersInput}
    permissions = {"change_promotions": "carts.change_campaign"}
    dry_runs = frozenset({"change_promotions"})

    def change_promotions(self, request: Request, id: str) -> JSONObject:
        """Put promotions into a campaign, also those of another one, and take others out."""
        change_promotions(actor=self.actor, id=id, **self.body())
        return self.written(id)
