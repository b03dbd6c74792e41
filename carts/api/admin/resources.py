"""Promotions and campaigns as resources, for staff."""

from carts.api.admin.serializers import AdminPromotionSerializer, CampaignSerializer, PromotionCodeSerializer
from carts.errors import PromotionNotFound
from carts.models import Promotion
from kit.domain.actor import Actor
from kit.errors import NotFound
from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import ObjectFilter, SearchFilter, TextFilter
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from kit.values.text import is_storable


class PromotionFilters(RecordFilters):
    """Promotions, by their code, campaign and currency."""

    q = SearchFilter(columns=("code",))
    code = TextFilter()
    campaign_id = TextFilter(nullable=True)
    application_method = ObjectFilter(members={"currency_code": TextFilter(field_name="currency_id", nullable=True)})


class PromotionCodeFilters(RecordFilters):
    """Codes, by their letters and promotion."""

    q = SearchFilter(columns=("code",))
    code = TextFilter()
    promotion_id = TextFilter()


class CampaignFilters(RecordFilters):
    """Campaigns, by their texts and currency."""

    q = SearchFilter(columns=("name", "campaign_identifier", "description"))
    campaign_identifier = TextFilter()
    budget = ObjectFilter(members={"currency_code": TextFilter(field_name="budget_currency_id", nullable=True)})


class PromotionResource(Resource):
    """A promotion can also be read by its code."""

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """Raises PromotionNotFound."""
        try:
            return super().one(id, query, actor)
        except NotFound:
            coded = Promotion.objects.not_deleted().filter(code=id) if is_storable(id) else Promotion.objects.none()
            found = coded.values_list("pk", flat=True).first()
            if found is None:
                raise PromotionNotFound(id) from None
            return super().one(found, query, actor)


PROMOTIONS = PromotionResource(
    name="promotion",
    plural="promotions",
    serializer_class=AdminPromotionSerializer,
    filterset_class=PromotionFilters,
    default_limit=50,
    defaults="*application_method,*rules,*campaign",
)
CAMPAIGNS = Resource(
    name="campaign",
    plural="campaigns",
    serializer_class=CampaignSerializer,
    filterset_class=CampaignFilters,
    default_limit=50,
    defaults="*budget",
)
PROMOTION_CODES = Resource(
    name="promotion_code",
    plural="promotion_codes",
    serializer_class=PromotionCodeSerializer,
    filterset_class=PromotionCodeFilters,
    default_limit=50,
)
