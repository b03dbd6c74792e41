"""The shop's routes below /store and /admin."""

from django.urls import path

from kit.rest.routes import reading
from shop.api import admin as staff
from shop.api import viewsets

urlpatterns = [
    *reading("regions", viewsets.Regions),
    *reading("currencies", viewsets.Currencies, key="code"),
    path("locales", viewsets.Locales.as_view({"get": "list"})),
]
admin = staff.urlpatterns
