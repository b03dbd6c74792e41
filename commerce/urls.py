"""Every route of the server."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from commerce.api.errors import unknown_route
from commerce.api.openapi import serve_document
from commerce.api.read_only import read_only
from commerce.graphql.graphiql import graphiql
from commerce.graphql.view import GraphQL
from commerce.schema import SCHEMA
from payments.api import urls as payments

handler400 = "commerce.api.errors.bad_request"
handler403 = "commerce.api.errors.permission_denied"
handler404 = "commerce.api.errors.page_not_found"
handler500 = "commerce.api.errors.server_error"

urlpatterns = [
    path("store/", include("catalog.api.urls")),
    path("store/", include("carts.api.urls")),
    path("store/", include("fulfillment.api.urls")),
    path("store/", include("giftcards.api.urls")),
    path("store/", include(payments.store)),
    path("hooks/", include(payments.hooks)),
    path("store/", include("commerce.shop.api.urls")),
    path("store/", include("customers.api.urls")),
    path("auth/", include("commerce.auth.api.urls")),
    path("graphql", GraphQL.as_view({"post": "execute"}, graph=SCHEMA)),
    path("", include("commerce.operations.urls")),
    path("admin/", include("apikeys.api.urls")),
    # No page of the admin site can stand where SiteLayers would not protect it.
    re_path(f"^{settings.ADMIN_API_PATHS}", unknown_route),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("openapi.json", serve_document),
    *([] if settings.PRODUCTION else [path("graphiql", graphiql)]),
    path("docs", read_only(SpectacularSwaggerSplitView.as_view(url="/openapi.json", authentication_classes=[]))),
]
