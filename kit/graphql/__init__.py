"""GraphQL made from the resources that REST's routes are made from."""

from kit.graphql.types import lazy_unidecode

lazy_unidecode.install()  # before graphene-django is imported
