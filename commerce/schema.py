"""The GraphQL schema: every app's own, joined."""

from apikeys.api import schema as apikeys
from catalog.api import schema as catalog
from commerce.auth.api import schema as auth
from commerce.graphql.schemas import join
from commerce.shop.api import schema as shop

SCHEMA = join(
    queries={**shop.QUERIES, **catalog.QUERIES, **apikeys.QUERIES}, mutations={**auth.MUTATIONS, **apikeys.MUTATIONS}
)
