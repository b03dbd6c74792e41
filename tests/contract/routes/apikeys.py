"""API keys."""

from collections.abc import Callable

from tests.contract.routes.examples import Example
from tests.factories.apikeys import publishable_key


def _key_path(suffix: str = "") -> Callable[[], str]:
    return lambda: f"/admin/api-keys/{publishable_key().key.pk}{suffix}"


EXAMPLES = {
    "/admin/api-keys": Example(lambda: "/admin/api-keys", {"create": {"title": "Web shop", "type": "publishable"}}),
    "/admin/api-keys/<str:id>": Example(_key_path(), {"rename": {"title": "Web shop"}}),
    "/admin/api-keys/<str:id>/revoke": Example(_key_path("/revoke"), {"revoke": {}}),
    "/admin/api-keys/<str:id>/sales-channels": Example(_key_path("/sales-channels"), {"set_channels": {}}),
}
