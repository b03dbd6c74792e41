"""The shop's routes below /store."""

from django.urls import path

from commerce.kit.api.routes import reading
from commerce.shop.api import viewsets

urlpatterns = [
    *reading("regions", viewsets.Regions),
    *reading("currencies", viewsets.Currencies, key="code"),
    path("locales", viewsets.Locales.as_view({"get": "list"})),
]
