from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys import deletion, revocation
from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.tokens import digest, new_token
from apikeys.verification import Scope, publishable_scope, secret_key_owner
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.models import SalesChannel, Store
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

UNUSABLE = [
    "",
    *(prefix + text for prefix in ("pk_", "sk_") for text in ("", "0" * 64, "\0" * 64, "\ud800" * 64, "0" * 9999)),
]


def revoked_at(key: ApiKey, delay: timedelta) -> None:
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=now() + delay)


class TestPublishableScope:
    def test_the_key_opens_its_channels_in_the_order_of_their_ids(self):
        first, second, _other = (SalesChannelFactory() for _ in range(3))
        issued = publishable_key(second, first)
        assert publishable_scope(issued.token) == Scope(issued.key.pk, (first.pk, second.pk))

    def test_a_key_without_channels_opens_the_default_one(self):
        issued = publishable_key()
        assert publishable_scope(issued.token) == Scope(issued.key.pk, (Store.objects.get().default_sales_channel_id,))

    @pytest.mark.parametrize("closed", [{"is_disabled": True}, {"deleted_at": now()}])
    def test_a_closed_channel_is_no_scope_and_never_the_default_one_instead(self, closed):
        open_channel, closed_channel = SalesChannelFactory(), SalesChannelFactory()
        both, only = publishable_key(open_channel, closed_channel), publishable_key(closed_channel)
        SalesChannel.objects.filter(pk=closed_channel.pk).update(**closed)
        assert publishable_scope(both.token) == Scope(both.key.pk, (open_channel.pk,))
        assert publishable_scope(only.token) == Scope(only.key.pk, ())

    def test_a_disabled_default_channel_is_no_scope(self):
        issued = publishable_key()
        SalesChannel.objects.update(is_disabled=True)
        assert publishable_scope(issued.token) == Scope(issued.key.pk, ())

    @pytest.mark.parametrize("token", UNUSABLE)
    def test_what_is_no_token_of_a_key_opens_nothing(self, token):
        publishable_key()
        assert publishable_scope(token) is None

    def test_the_type_of_the_row_decides_and_not_the_tokens_prefix(self):
        secret, public = secret_key().key, publishable_key().key
        public_token, secret_token = new_token(KeyType.PUBLISHABLE), new_token(KeyType.SECRET)
        ApiKey.objects.filter(pk=secret.pk).update(digest=digest(public_token))
        ApiKey.objects.filter(pk=public.pk).update(digest=digest(secret_token), created_by=UserFactory())
        assert publishable_scope(public_token) is None
        assert secret_key_owner(secret_token) is None

    def test_a_secret_key_opens_no_store(self):
        issued = secret_key()
        assert publishable_scope(issued.token) is None
        assert publishable_scope("pk_" + issued.token[3:]) is None

    def test_revocation_holds_at_once(self):
        issued = publishable_key()
        revocation.revoke(actor=SYSTEM, key_id=issued.key.pk)
        assert publishable_scope(issued.token) is None
        deletion.delete(actor=SYSTEM, key_id=issued.key.pk)
        assert publishable_scope(issued.token) is None

    @pytest.mark.parametrize(("delay", "lives"), [(-1, False), (0, False), (5, True)])
    def test_a_revocation_in_the_future_has_not_happened(self, delay, lives):
        issued = publishable_key()
        revoked_at(issued.key, timedelta(seconds=delay))
        assert (publishable_scope(issued.token) is not None) is lives

    def test_a_deleted_key_opens_nothing_even_unrevoked(self):
        issued = publishable_key()
        ApiKey.objects.update(deleted_at=now())
        assert publishable_scope(issued.token) is None

    @pytest.mark.parametrize("channels", [0, 1, 5])
    def test_one_statement(self, channels):
        issued = publishable_key(*(SalesChannelFactory() for _ in range(channels)))
        with CaptureQueriesContext(connection) as captured:
            publishable_scope(issued.token)
        assert len(captured) == 1


class TestSecretKeyOwner:
    def test_the_key_acts_for_its_owner(self):
        owner = UserFactory()
        issued = secret_key(owner)
        secret_key()
        assert secret_key_owner(issued.token) == (issued.key, owner)

    @pytest.mark.parametrize("token", UNUSABLE)
    def test_what_is_no_token_of_a_key_has_no_owner(self, token):
        secret_key()
        assert secret_key_owner(token) is None

    def test_a_publishable_key_has_none(self):
        assert secret_key_owner(publishable_key().token) is None

    def test_the_digest_of_a_key_is_no_token(self):
        assert secret_key_owner(f"sk_{secret_key().key.digest}") is None

    def test_the_key_dies_with_its_owners_account(self):
        owner = UserFactory()
        issued = secret_key(owner)
        owner.is_active = False
        owner.save()
        assert secret_key_owner(issued.token) is None

    def test_revocation_holds_at_once(self):
        issued = secret_key()
        revocation.revoke(actor=SYSTEM, key_id=issued.key.pk)
        assert secret_key_owner(issued.token) is None

    def test_a_revocation_in_the_future_has_not_happened(self):
        issued = secret_key()
        revoked_at(issued.key, timedelta(seconds=5))
        assert secret_key_owner(issued.token) is not None

    def test_a_deleted_key_has_none(self):
        issued = secret_key()
        ApiKey.objects.update(deleted_at=now())
        assert secret_key_owner(issued.token) is None

    def test_one_statement(self):
        issued = secret_key()
        with CaptureQueriesContext(connection) as captured:
            secret_key_owner(issued.token)
        assert len(captured) == 1
