"""Price preferences: whether the prices of a region or in a currency include tax, as programs maintain it."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from catalog.prices.price_preferences import TABLES, VERBS, flagged_rows
from kit.domain.actor import Actor
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.reads.computed_resources import ComputedResource, Shown, chosen
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer
from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import ChoiceFilter, OneTextFilter, TextFilter
from kit.reads.reading import ListQuery
from kit.rest.requests.input_fields import CharField, ChoiceField
from kit.rest.requests.row_inputs import batch_input, row_input
from kit.rest.row_endpoint import RowEndpoint, row_routes
from kit.values.timestamps import isoformat
from shop.models import Region

_ATTRIBUTES = tuple(TABLES)
_VALUE = "The id of the region, or the code of the currency."


class PricePreferenceSerializer(DatedSerializer, DeletableSerializer):
    """Whether prices for a region, or in a currency, include tax. Each region and currency has one."""

    id = serializers.CharField()
    attribute = serializers.ChoiceField(choices=_ATTRIBUTES)
    value = serializers.CharField(help_text=_VALUE)
    is_tax_inclusive = serializers.BooleanField()

    class Meta:
        model = Region


class PricePreferenceFilters(RecordFilters):
    """Price preferences."""

    q = OneTextFilter(field_name="value", lookup_expr="icontains")
    attribute = ChoiceFilter(choices=_ATTRIBUTES)
    value = TextFilter()


class PricePreferenceResource(ComputedResource):
    """The flags of currencies and regions."""

    def load(self, query: ListQuery, actor: Actor) -> Sequence[Shown]:
        columns = ("is_tax_inclusive", "created_at", "updated_at", "deleted_at")
        rows: list[dict[str, Any]] = [
            {"id": key, "attribute": attribute, "value": key, **{name: getattr(row, name) for name in columns}}
            for key, (attribute, row) in flagged_rows(with_deleted=query.with_deleted).items()
        ]
        return [
            {**row, **{name: row[name] and isoformat(row[name]) for name in columns[1:]}} for row in chosen(rows, query)
        ]


PRICE_PREFERENCES = PricePreferenceResource(
    name="price_preference",
    plural="price_preferences",
    serializer_class=PricePreferenceSerializer,
    filterset_class=PricePreferenceFilters,
    default_limit=50,
)


_INPUTS = {
    "create": row_input(
        VERBS,
        "PricePreferenceInput",
        is_new=True,
        attribute=ChoiceField(choices=_ATTRIBUTES),
        value=CharField(allow_blank=False, help_text=_VALUE),
    ),
    "update": row_input(VERBS, "PricePreferenceChangesInput", is_new=False, attribute=None, value=None),
}


class PricePreferences(RowEndpoint):
    """Whether the prices of each region, and in each currency, include tax. Deleting one sets this to false."""

    resource = PRICE_PREFERENCES
    verbs = VERBS
    inputs = {**_INPUTS, "batch": batch_input(VERBS, "PricePreferenceBatchInput", _INPUTS)}
    permissions = dict.fromkeys(("create", "update", "destroy"), "shop.change_region")


urlpatterns = row_routes("price-preferences", PricePreferences)
QUERIES, MUTATIONS = row_queries(PricePreferences), row_mutations(PricePreferences)
