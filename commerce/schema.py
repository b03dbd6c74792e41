"""The GraphQL schema: every app's own, joined."""

from catalog.api import schema as catalog
from commerce.graphql.schemas import join

SCHEMA = join(queries=catalog.QUERIES, mutations={})
