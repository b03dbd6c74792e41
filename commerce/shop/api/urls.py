"""The shop's routes below /store."""

from commerce.kit.api.routes import reading
from commerce.shop.api import viewsets

urlpatterns = [
    *reading("regions", viewsets.Regions),
    *reading("currencies", viewsets.Currencies, key="code"),
]
