"""The shop file's payment and fulfillment providers."""

from collections.abc import Iterator, Mapping

from kit.editing.changes import Row
from kit.shop_file.values import Text, Value
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.models import FulfillmentProvider, PaymentProvider
from shop.providers.provider_editing import FULFILLMENT_PROVIDERS, PAYMENT_PROVIDERS
from shop.shop_file.initial_rows import InitialRows


class Providers(InitialRows[Row]):
    """Providers with code, and providers that the file registers before their code is installed."""

    natural_key = "id"

    @classmethod
    def all_fields(cls) -> Mapping[str, Value]:
        return {**super().all_fields(), "id": Text(required=True, longest=64, may_be_blank=False)}

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        rows = cls.model._default_manager.filter(deleted_at=None).values("pk", "is_enabled", "created_at")
        for provider in sorted(rows, key=lambda row: row["pk"]):
            yield {
                "id": provider["pk"],
                "is_enabled": provider["is_enabled"],
                "created_at": isoformat(provider["created_at"]),
            }


class PaymentProviders(Providers[PaymentProvider]):
    """Every payment provider that is not deleted."""

    key = "payment_providers"
    verbs = PAYMENT_PROVIDERS


class FulfillmentProviders(Providers[FulfillmentProvider]):
    """Every fulfillment provider that is not deleted."""

    key = "fulfillment_providers"
    verbs = FULFILLMENT_PROVIDERS
