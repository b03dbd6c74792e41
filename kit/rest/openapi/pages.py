"""The OpenAPI document and the page that shows it.

The first request of a process loads drf-spectacular, which also loads Django's test client: together 5 MB.
"""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from kit.rest.read_only import read_only


@read_only
def serve_document(request: HttpRequest) -> HttpResponse:
    """GET /openapi.json."""
    from kit.rest.openapi.openapi import document  # noqa: PLC0415

    return HttpResponse(document(), content_type="application/json")


@read_only
@csrf_exempt  # other methods are refused as such
def serve_reference(request: HttpRequest) -> HttpResponseBase:
    """GET /docs."""
    from drf_spectacular.views import SpectacularSwaggerSplitView  # noqa: PLC0415

    show = SpectacularSwaggerSplitView.as_view(url="/openapi.json", authentication_classes=[])
    return show(request)
