"""The customers' routes below /store and /admin."""

from django.urls import path

from customers.api import admin as staff
from customers.api.viewsets import Addresses, Customers, Me

urlpatterns = [
    path("customers", Customers.as_view({"post": "create"})),
    path("customers/me", Me.as_view({"get": "retrieve", "post": "update"})),
    path("customers/me/addresses", Addresses.as_view({"get": "list", "post": "create"})),
    path(
        "customers/me/addresses/<str:address_id>",
        Addresses.as_view({"get": "retrieve", "post": "update", "delete": "destroy"}),
    ),
]
admin = staff.urlpatterns
