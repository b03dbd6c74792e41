"""The products of sales channels, as programs maintain them."""

from catalog.products.product_editing.details import VERBS as PRODUCTS
from kit.editing.regrouping import Members
from kit.graphql.fields.rows import member_mutations
from kit.rest.row_endpoint import RowEndpoint, member_routes
from shop.api.resources import SALES_CHANNELS
from shop.stores.sales_channels import VERBS


class SalesChannelProducts(RowEndpoint):
    """The products that a sales channel sells."""

    resource = SALES_CHANNELS
    verbs = VERBS
    members = {"products": Members(PRODUCTS, "sales_channels", "Add products to a sales channel, and remove others.")}


urlpatterns = member_routes("sales-channels", SalesChannelProducts)
MUTATIONS = member_mutations(SalesChannelProducts)
