"""Gift cards and store credit in GraphQL."""

from giftcards.api.schema import admin, store

QUERIES = {**store.QUERIES, **admin.QUERIES}
MUTATIONS = {**store.MUTATIONS, **admin.MUTATIONS}
