"""GET /graphiql, in development: the GraphQL explorer, to try documents and to read the schema.

The page loads nothing from other hosts.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kit.rest.read_only import read_only


@read_only
def graphiql(request: HttpRequest) -> HttpResponse:
    """The page; its script sends what is typed to /graphql."""
    return render(request, "graphiql.html")
