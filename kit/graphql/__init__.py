"""GraphQL made from the resources that REST's routes are made from."""

from types import ModuleType, SimpleNamespace

from django.core import signals

from kit.environment.lean_imports import UNUSED, imports_finding
from kit.graphql.types import lazy_unidecode

lazy_unidecode.install()  # before graphene-django is imported
_WITHOUT_TESTS = {
    "django.test": ModuleType("django.test"),
    "django.test.signals": signals,
    "graphene_django.utils.testing": SimpleNamespace(GraphQLTestCase=object),
}
"""graphene-django has helpers for tests, and takes a signal from Django's: that would load 4 MB."""

with imports_finding({**UNUSED, **_WITHOUT_TESTS}):
    import graphene_django  # noqa: F401
