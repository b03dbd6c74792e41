"""Whatever changes about a publishable key shows at the very next request, though a storefront has used it before."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apikeys import channel_scope, deletion, last_used, revocation
from apikeys.api.authentication import KEY_INVALID
from apikeys.issuance import IssuedKey
from apikeys.models import ApiKey
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.models import SalesChannel
from tests.contract.callers import Caller, refusal, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db

LIST = "/store/products"
QUERIES = ["", "fields=id", "limit=0", "offset=100", "handle=nobody", "q=tea", "q=nobody", "order=-created_at"]


@pytest.fixture
def channel() -> SalesChannel:
    return SalesChannelFactory()


@pytest.fixture
def issued(channel: SalesChannel) -> IssuedKey:
    return publishable_key(channel)


@pytest.fixture
def known(issued: IssuedKey, channel: SalesChannel) -> Caller:
    """A storefront that has used its key, and a product."""
    ProductFactory(title="Green tea", sales_channels=[channel])
    caller = storefront(issued)
    assert caller.get(LIST).json()["count"] == 1
    return caller


def revoke(key: ApiKey) -> None:
    revocation.revoke(actor=SYSTEM, key_id=key.pk)


def delete(key: ApiKey) -> None:
    revoke(key)
    deletion.delete(actor=SYSTEM, key_id=key.pk)


def end(key: ApiKey) -> None:
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=now() - timedelta(seconds=1))


@pytest.mark.parametrize("query", [*QUERIES, "nope=1", "limit=x"])
@pytest.mark.parametrize("close", [revoke, delete, end])
def test_a_key_that_has_ended_is_refused_before_anything_else(
    known: Caller, issued: IssuedKey, close: Callable[[ApiKey], None], query: str
) -> None:
    close(issued.key)
    assert refusal(known.get(LIST, query)) == (400, KEY_INVALID)


@pytest.mark.parametrize("query", QUERIES)
def test_a_changed_scope_counts_at_once(known: Caller, issued: IssuedKey, channel: SalesChannel, query: str) -> None:
    other = SalesChannelFactory()
    ProductFactory(title="Black tea", handle="black", sales_channels=[other])
    ProductFactory(title="Blue tea", handle="blue", sales_channels=[other])
    channel_scope.update_channels(actor=SYSTEM, key_id=issued.key.pk, add=[other.pk], remove=[channel.pk])
    fresh = storefront(publishable_key(other))
    assert known.get(LIST, query).json() == fresh.get(LIST, query).json()
    assert known.get(LIST).json()["count"] == 2


def test_a_disabled_channel_shows_nothing_any_more(known: Caller, channel: SalesChannel) -> None:
    SalesChannel.objects.filter(pk=channel.pk).update(is_disabled=True)
    assert known.get(LIST).json()["count"] == 0


@pytest.mark.parametrize("query", QUERIES)
def test_a_known_key_gets_what_an_unknown_one_gets(known: Caller, channel: SalesChannel, query: str) -> None:
    unknown = storefront(publishable_key(channel))
    assert known.get(LIST, query).json() == unknown.get(LIST, query).json()


def test_a_bad_query_of_a_valid_key_is_refused_as_ever(known: Caller) -> None:
    status, message = refusal(known.get(LIST, "nope=1"))
    assert (status, "nope" in message) == (400, True)


def test_a_use_is_recorded_only_of_a_valid_key(
    known: Caller, issued: IssuedKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []
    monkeypatch.setattr(last_used.publishable_keys, "record_use", used.append)
    known.get(LIST)
    assert used == [issued.key.pk]
    end(issued.key)
    known.get(LIST)
    assert used == [issued.key.pk]
