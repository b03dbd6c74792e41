"""The key routes below /admin."""

from django.urls import path

from apikeys.api.viewsets import ApiKeys

urlpatterns = [
    path("api-keys", ApiKeys.as_view({"get": "list", "post": "create"})),
    path("api-keys/<str:id>", ApiKeys.as_view({"get": "retrieve", "post": "rename", "delete": "destroy"})),
    path("api-keys/<str:id>/revoke", ApiKeys.as_view({"post": "revoke"})),
    path("api-keys/<str:id>/sales-channels", ApiKeys.as_view({"post": "set_channels"})),
]
