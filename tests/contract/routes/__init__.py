"""The routes of the interface, and an example of each that the generic tests need, in the module of its app."""

from tests.contract.routes.customers import shopper
from tests.contract.routes.examples import Example
from tests.contract.routes.requests import EXAMPLES, GoodRequest, good_request, send
from tests.contract.routes.urls import ADMIN, FILES, RAW, ROUTES, Route, of, routes

__all__ = [
    "ADMIN",
    "EXAMPLES",
    "FILES",
    "RAW",
    "ROUTES",
    "Example",
    "GoodRequest",
    "Route",
    "good_request",
    "of",
    "routes",
    "send",
    "shopper",
]
