"""Regions, sales channels, stores, currencies and locales."""

from shop.models import Currency, Store
from tests.contract.routes.examples import Example, maintained, reading
from tests.factories.mails import sent_mail
from tests.factories.shop import RegionFactory, SalesChannelFactory

EXAMPLES = {
    **reading("/store/regions", RegionFactory),
    **reading("/store/currencies", lambda: Currency.objects.get(pk="usd"), key="code"),
    "/store/locales": Example(lambda: "/store/locales"),
    **maintained("/admin/regions", RegionFactory, {"name": "Alps", "currency_code": "chf"}, {"name": "Alps"}),
    **maintained("/admin/sales-channels", SalesChannelFactory, {"name": "Market"}, {"name": "Market"}),
    "/admin/stores": Example(lambda: "/admin/stores"),
    "/admin/stores/<str:id>": Example(
        lambda: f"/admin/stores/{Store.objects.get().pk}", {"update": {"name": "Tea shop"}}
    ),
    **reading("/admin/currencies", lambda: Currency.objects.get(pk="usd"), key="code"),
    "/admin/layouts/configurations": Example(lambda: "/admin/layouts/configurations"),
    "/admin/layouts/<str:zone>/configuration": Example(lambda: "/admin/layouts/order.details/configuration"),
    "/admin/search-indexes": Example(lambda: "/admin/search-indexes"),
    "/admin/feature-flags": Example(lambda: "/admin/feature-flags"),
    "/admin/plugins": Example(lambda: "/admin/plugins"),
    **reading("/admin/notifications", sent_mail),
    "/admin/locales": Example(lambda: "/admin/locales"),
    "/admin/locales/<str:code>": Example(lambda: "/admin/locales/en"),
}
