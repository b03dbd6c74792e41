"""Price lists and their prices, as programs maintain them."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from django.urls import path
from rest_framework.request import Request

from catalog.api import resources
from catalog.nested_writes.price_lists import VERBS
from catalog.prices import listed_prices
from kit.editing.batches import write_batch
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, written_by
from kit.graphql.fields.reads import ListField
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.nested_endpoint import NestedEndpoint
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.input_fields import ListField as ListInput
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import Sendable, row_input
from kit.rest.responses.answers import BatchSerializer
from kit.rest.row_endpoint import RowEndpoint, row_routes
from kit.values.json import JSONObject


class ProductsInput(Input):
    """Products to remove from a price list."""

    remove = ListInput(required=False, max_length=500)


def _key(**options: Any) -> CharField:
    return CharField(allow_blank=False, **options)


_TEXTS = DictField(required=False, help_text="Values by attribute of the buyer. They replace the stored ones.")
_price_input = partial(row_input, listed_prices.VERBS, price_list_id=None, rules=_TEXTS)
NewListedPriceInput = _price_input("ListedPriceInput", is_new=True, variant_id=_key(), currency_code=_key())
ListedPriceChangesInput = _price_input(
    "ListedPriceChangesInput", is_new=False, variant_id=_key(required=False), currency_code=_key(required=False)
)
_RULES = DictField(required=False, help_text="Lists of values by attribute of the buyer, such as `customer.groups.id`.")
_SENT: Mapping[str, Sendable | None] = {"rules": _RULES, "prices": NewListedPriceInput(many=True, required=False)}


class PriceLists(RowEndpoint):
    """Price lists: sales, and prices that override others. The prices of a deleted list do not apply.

    A request whose response would contain too many prices is refused, and changes nothing.
    """

    resource = resources.PRICE_LISTS
    verbs = VERBS
    body_fields = _SENT
    inputs = {
        "update": row_input(VERBS, "PriceListChangesInput", is_new=False, rules=_RULES, prices=None),
        "link_products": ProductsInput,
    }
    permissions = {"link_products": "catalog.change_pricelist"}
    dry_runs = frozenset({"link_products"})

    def link_products(self, request: Request, id: str) -> JSONObject:
        """Remove products from a price list, with all prices of their variants."""
        listed_prices.remove_products(actor=self.actor, price_list_id=id, **self.body())
        return self.written(id)


class PricesOfList(NestedEndpoint):
    """The prices of a price list."""

    resource = resources.PRICES_OF_LISTS
    verbs = listed_prices.VERBS
    within = "price_list_id"
    inputs = {"create": NewListedPriceInput, "update": ListedPriceChangesInput}


def _batch(context: RequestContext, *, id: str, **values: Any) -> JSONObject:
    actor = context.actor(PricesOfList.permissions["batch"])
    return asdict(write_batch(listed_prices.VERBS, actor=actor, **listed_prices.NESTED.batch(id, **values)))


urlpatterns = [
    *row_routes("price-lists", PriceLists),
    path("price-lists/<str:id>/prices", PricesOfList.as_view({"get": "list"})),
    path("price-lists/<str:id>/prices/batch", PricesOfList.as_view({"post": "batch"})),
    path("price-lists/<str:id>/products", PriceLists.as_view({"post": "link_products"})),
]
QUERIES = {
    **row_queries(PriceLists),
    "prices": ListField(
        resources.PRICES_OF_LISTS,
        "Prices, in price lists or not. For staff.",
        permission=PricesOfList.permissions["list"],
    ),
}
MUTATIONS = {
    **row_mutations(PriceLists),
    "update_price": row_mutations(PricesOfList)["update_price"],
    "batch_price_list_prices": Action(
        BatchSerializer,
        "Create, change and delete up to 500 prices of a price list: all of them, or none.",
        act=_batch,
        input=PricesOfList.inputs["batch"],
        by_id=True,
    ),
    "link_price_list_products": Change(
        resources.PRICE_LISTS,
        "Remove products from a price list, with all prices of their variants.",
        act=written_by(listed_prices.remove_products, "price_list_id"),
        permission=PriceLists.permissions["link_products"],
        viewing=PriceLists.permissions["retrieve"],
        input=ProductsInput,
    ),
}
