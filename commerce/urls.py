"""Every route of the server."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from apikeys.api import urls as apikeys
from auth.api import urls as auth
from auth.api.viewsets import CloudSignIn
from carts.api import urls as carts
from catalog.api import urls as catalog
from commerce.admin_site import load_admin_site
from commerce.schema import SCHEMA
from customers.api import urls as customers
from fulfillment.api import urls as fulfillment
from giftcards.api import urls as giftcards
from kit.graphql.graphiql import graphiql
from kit.graphql.view import GraphQL
from kit.rest.openapi.pages import serve_document, serve_reference
from kit.rest.responses.errors import unknown_route
from orders.api import urls as orders
from payments.api import urls as payments
from pictures.api import urls as pictures
from pictures.serving import serve
from shop.api import urls as shop
from staff.api import urls as staff
from taxes.api import urls as taxes

load_admin_site()

handler400 = "kit.rest.responses.errors.bad_request"
handler403 = "kit.admin.pages.errors.permission_denied"
handler404 = "kit.admin.pages.errors.page_not_found"
handler500 = "kit.rest.responses.errors.server_error"

# One list: entering and leaving each app's own made every request of the last ones more expensive by half a statement.
STORE = [
    *catalog.urlpatterns,
    *carts.urlpatterns,
    *customers.urlpatterns,
    *giftcards.store,
    *fulfillment.urlpatterns,
    *payments.store,
    *orders.store,
    *shop.urlpatterns,
]
ADMIN = [
    *auth.admin,
    *staff.urlpatterns,
    *apikeys.urlpatterns,
    *carts.admin,
    *catalog.admin,
    *customers.admin,
    *shop.admin,
    *fulfillment.admin,
    *giftcards.admin,
    *payments.admin,
    *orders.admin,
    *pictures.admin,
    *taxes.admin,
]
urlpatterns = [
    path("store/", include(STORE)),
    path("hooks/", include([*payments.hooks, *orders.hooks])),
    path("auth/", include(auth.urlpatterns)),
    path("cloud/auth", CloudSignIn.as_view({"get": "retrieve"})),
    path("graphql", GraphQL.as_view({"post": "execute"}, graph=SCHEMA)),
    path("", include("commerce.operations.urls")),
    path("admin/", include(ADMIN)),
    # No page of the admin site can stand where SiteLayers would not protect it.
    re_path(f"^{settings.ADMIN_API_PATHS}", unknown_route),
    path("admin/invitation/", include("staff.invitation_urls")),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("", include(orders.pages)),
    *pictures.signed,
    path("media/<str:name>", serve),
    path("openapi.json", serve_document),
    *([] if settings.PRODUCTION else [path("graphiql", graphiql)]),
    path("docs", serve_reference),
]
