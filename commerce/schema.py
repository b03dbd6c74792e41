"""The GraphQL schema: every app's own, joined."""

from apikeys.api import schema as apikeys
from auth.api import schema as auth
from carts.api import schema as carts
from catalog.api import schema as catalog
from customers.api import schema as customers
from fulfillment.api import schema as fulfillment
from giftcards.api import schema as giftcards
from kit.graphql.schemas import join
from orders.api import schema as orders
from payments.api import schema as payments
from shop.api import schema as shop
from staff.api import schema as staff
from taxes.api import schema as taxes

SCHEMA = join(
    queries={
        **shop.QUERIES,
        **catalog.QUERIES,
        **carts.QUERIES,
        **fulfillment.QUERIES,
        **giftcards.QUERIES,
        **payments.QUERIES,
        **orders.QUERIES,
        **customers.QUERIES,
        **staff.QUERIES,
        **apikeys.QUERIES,
        **taxes.QUERIES,
    },
    mutations={
        **auth.MUTATIONS,
        **shop.MUTATIONS,
        **customers.MUTATIONS,
        **catalog.MUTATIONS,
        **carts.MUTATIONS,
        **fulfillment.MUTATIONS,
        **giftcards.MUTATIONS,
        **payments.MUTATIONS,
        **orders.MUTATIONS,
        **staff.MUTATIONS,
        **apikeys.MUTATIONS,
        **taxes.MUTATIONS,
    },
)
