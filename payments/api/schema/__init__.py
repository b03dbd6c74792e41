"""Payments in GraphQL."""

from payments.api.schema import admin, store

QUERIES = {**store.QUERIES, **admin.QUERIES}
MUTATIONS = {**store.MUTATIONS, **admin.MUTATIONS}
