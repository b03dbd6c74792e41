"""The catalogue's routes below /store."""

from django.urls import path

from catalog.api.viewsets import ProductCategories

urlpatterns = [
    path("product-categories", ProductCategories.as_view({"get": "list"})),
    path("product-categories/<str:id>", ProductCategories.as_view({"get": "retrieve"})),
]
