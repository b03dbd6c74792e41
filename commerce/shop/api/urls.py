"""The shop's routes below /store."""

from django.urls import path

from commerce.kit.api.routes import reading
from commerce.shop.api import viewsets
from commerce.shop.api.locales import Locales

urlpatterns = [
    *reading("regions", viewsets.Regions),
    *reading("currencies", viewsets.Currencies, key="code"),
    path("locales", Locales.as_view({"get": "list"})),
]
