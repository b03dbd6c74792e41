import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction

from apikeys import channel_scope, deletion, renaming, revocation
from apikeys.errors import ApiKeyNotFound, OwnKeysOnly, PublishableOnly, SecretKeyNeedsOwner, UnknownSalesChannels
from apikeys.issuance import issue
from apikeys.models import ApiKey
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import Forbidden, InvalidData, NotAllowed
from kit.values.timestamps import now
from shop.models import SalesChannel
from tests.factories.actors import staff_actor
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2020, 2, 2, tzinfo=UTC)
BAD_TITLES = ["", "   ", "a\0b", "x" * 256, "\ud800", "a\rb", "a\nb", "a\tb", "a\x1bb", "a\x7fb", "a\x85b"]


def stored(key: ApiKey) -> ApiKey:
    return ApiKey.objects.get(pk=key.pk)


def channels_of(key: ApiKey) -> set[str]:
    return set(key.sales_channels.values_list("name", flat=True))


class TestIssue:
    def test_a_publishable_token_is_kept_in_clear(self):
        issued = issue(actor=SYSTEM, title="Web shop", type="publishable")
        key = stored(issued.key)
        assert re.fullmatch("pk_[0-9a-f]{64}", issued.token)
        assert key.pk.startswith("apk_")
        assert (key.title, key.type, key.token, key.created_by) == ("Web shop", "publishable", issued.token, None)
        assert (key.last_used_at, key.revoked_at, key.revoked_by, key.deleted_at) == (None, None, None, None)

    def test_a_secret_token_is_kept_as_its_digest_only(self):
        owner = UserFactory()
        issued = issue(actor=SYSTEM, title="Importer", type="secret", created_by=owner.pk)
        key = stored(issued.key)
        assert re.fullmatch("sk_[0-9a-f]{64}", issued.token)
        assert key.created_by == owner
        assert key.digest == sha256(issued.token.encode()).hexdigest()
        assert issued.token not in [str(value) for value in ApiKey.objects.values().get().values()]

    def test_the_masked_form_shows_six_characters_and_three(self):
        issued = publishable_key()
        assert issued.key.redacted == f"{issued.token[:6]}***{issued.token[-3:]}"
        assert len(issued.key.redacted) == 12

    def test_a_token_does_not_show_in_a_log(self):
        issued = secret_key()
        assert issued.token not in repr(issued)

    def test_no_two_keys_share_a_token(self):
        assert len({publishable_key().token for _ in range(20)}) == 20

    @pytest.mark.parametrize("type", ["publishable", "secret"])
    def test_a_staff_user_is_the_creator_of_their_keys(self, type):
        user = UserFactory()
        issued = issue(actor=staff_actor("apikeys.add_apikey", id=user.pk), title="Mine", type=type)
        assert stored(issued.key).created_by == user

    def test_a_staff_user_cannot_issue_a_key_that_acts_for_another(self):
        user, other = UserFactory(), UserFactory(is_superuser=True)
        actor = staff_actor("apikeys.add_apikey", id=user.pk)
        with pytest.raises(OwnKeysOnly):
            issue(actor=actor, title="Not mine", type="secret", created_by=other.pk)
        assert not ApiKey.objects.exists()

    def test_the_system_cannot_own_a_secret_key(self):
        with pytest.raises(SecretKeyNeedsOwner, match="'created_by' is required"):
            issue(actor=SYSTEM, title="Nobody's", type="secret")
        assert not ApiKey.objects.exists()

    @pytest.mark.parametrize("change", [{"token": "sk_clear"}, {"created_by": None}])
    def test_the_database_refuses_a_readable_or_ownerless_secret_key(self, change):
        secret_key()
        with pytest.raises(IntegrityError), transaction.atomic():
            ApiKey.objects.update(**change)

    @pytest.mark.parametrize("title", BAD_TITLES)
    def test_a_bad_title_is_refused(self, title):
        with pytest.raises(InvalidData, match="field 'title'"):
            issue(actor=SYSTEM, title=title, type="publishable")

    @pytest.mark.parametrize("type", ["", "public", "SECRET"])
    def test_an_unknown_type_is_refused(self, type):
        with pytest.raises(InvalidData, match="Expected: 'publishable, secret' for field 'type', but got"):
            issue(actor=SYSTEM, title="Web shop", type=type)


class TestRevoke:
    def test_at_once_and_by_whom(self):
        user, key = UserFactory(), publishable_key().key
        revocation.revoke(actor=staff_actor("apikeys.change_apikey", id=user.pk), key_id=key.pk)
        assert stored(key).state == "revoked"
        assert stored(key).revoked_by == user

    def test_by_the_system_means_by_nobody(self):
        key = publishable_key().key
        assert revocation.revoke(actor=SYSTEM, key_id=key.pk).revoked_by is None

    def test_with_notice_the_key_lives_until_then_and_its_end_may_be_set_again(self):
        key = publishable_key().key
        revocation.revoke(actor=SYSTEM, key_id=key.pk, revoke_in=3600)
        assert abs(stored(key).revoked_at - now() - timedelta(hours=1)) < timedelta(seconds=5)
        assert stored(key).state == "active"
        revocation.revoke(actor=SYSTEM, key_id=key.pk)
        assert stored(key).state == "revoked"

    @pytest.mark.parametrize("make", [publishable_key, secret_key])
    def test_twice_is_refused_and_keeps_the_first_date(self, make):
        key = make().key
        first = revocation.revoke(actor=SYSTEM, key_id=key.pk).revoked_at
        with pytest.raises(NotAllowed, match="is revoked and cannot become revoked"):
            revocation.revoke(actor=SYSTEM, key_id=key.pk, revoke_in=60)
        assert stored(key).revoked_at == first

    @pytest.mark.parametrize(("revoke_in", "problem"), [(-1, "too small"), (10**12, "too big")])
    def test_a_date_out_of_bounds_is_refused(self, revoke_in, problem):
        key = publishable_key().key
        with pytest.raises(InvalidData, match=f"'revoke_in' {problem}"):
            revocation.revoke(actor=SYSTEM, key_id=key.pk, revoke_in=revoke_in)
        assert stored(key).revoked_at is None


class TestDelete:
    def test_a_revoked_key(self):
        key = publishable_key().key
        revocation.revoke(actor=SYSTEM, key_id=key.pk)
        deletion.delete(actor=SYSTEM, key_id=key.pk)
        assert stored(key).state == "deleted"

    @pytest.mark.parametrize("revoke_in", [None, 3600])
    def test_a_key_that_still_works_is_refused(self, revoke_in):
        key = publishable_key().key
        if revoke_in:
            revocation.revoke(actor=SYSTEM, key_id=key.pk, revoke_in=revoke_in)
        with pytest.raises(NotAllowed, match="is active and cannot become deleted"):
            deletion.delete(actor=SYSTEM, key_id=key.pk)
        assert stored(key).deleted_at is None


class TestRename:
    def test_the_title_changes(self):
        key = publishable_key(title="Old").key
        renaming.rename(actor=SYSTEM, key_id=key.pk, title="New")
        assert stored(key).title == "New"

    def test_the_same_title_leaves_updated_at_alone(self):
        key = publishable_key(title="Same").key
        ApiKey.objects.update(updated_at=LONG_AGO)
        renaming.rename(actor=SYSTEM, key_id=key.pk, title="Same")
        assert stored(key).updated_at == LONG_AGO

    @pytest.mark.parametrize("title", BAD_TITLES)
    def test_a_bad_title_is_refused(self, title):
        key = publishable_key(title="Old").key
        with pytest.raises(InvalidData, match="field 'title'"):
            renaming.rename(actor=SYSTEM, key_id=key.pk, title=title)
        assert stored(key).title == "Old"


class TestRescope:
    @pytest.fixture
    def web(self) -> SalesChannel:
        return SalesChannelFactory(name="Web")

    @pytest.fixture
    def app(self) -> SalesChannel:
        return SalesChannelFactory(name="App")

    def test_channels_come_and_go(self, web, app):
        key = publishable_key(web).key
        ApiKey.objects.update(updated_at=LONG_AGO)
        channel_scope.update_channels(actor=SYSTEM, key_id=key.pk, add=[app.pk], remove=[web.pk])
        assert channels_of(key) == {"App"}
        assert stored(key).updated_at > LONG_AGO

    def test_what_is_so_already_changes_nothing(self, web, app):
        key = publishable_key(web).key
        ApiKey.objects.update(updated_at=LONG_AGO)
        channel_scope.update_channels(actor=SYSTEM, key_id=key.pk, add=[web.pk, web.pk], remove=[app.pk])
        assert channels_of(key) == {"Web"}
        assert stored(key).updated_at == LONG_AGO

    def test_unknown_channels_are_named_and_nothing_changes(self, web):
        key = publishable_key().key
        with pytest.raises(UnknownSalesChannels, match="Sales channel with id: sc_\0, sc_a, sc_b was not found"):
            channel_scope.update_channels(actor=SYSTEM, key_id=key.pk, add=["sc_b", web.pk, "sc_\0"], remove=["sc_a"])
        assert channels_of(key) == set()

    def test_a_deleted_channel_can_be_taken_away_but_not_added(self, web):
        key, other = publishable_key(web).key, publishable_key().key
        SalesChannel.objects.filter(pk=web.pk).update(deleted_at=now())
        with pytest.raises(UnknownSalesChannels):
            channel_scope.update_channels(actor=SYSTEM, key_id=other.pk, add=[web.pk])
        channel_scope.update_channels(actor=SYSTEM, key_id=key.pk, remove=[web.pk])
        assert channels_of(key) == set()

    def test_a_channel_in_both_lists_is_refused(self, web):
        key = publishable_key().key
        with pytest.raises(InvalidData, match=f"{web.pk} are both in 'add' and in 'remove'"):
            channel_scope.update_channels(actor=SYSTEM, key_id=key.pk, add=[web.pk], remove=[web.pk])

    def test_a_secret_key_has_no_scope(self, web):
        key = secret_key().key
        with pytest.raises(PublishableOnly):
            channel_scope.update_channels(actor=SYSTEM, key_id=key.pk, add=[web.pk])
        assert channels_of(key) == set()


VERBS: dict[str, tuple[str, Callable[[Actor, str], object]]] = {
    "revoke": ("change", lambda actor, id: revocation.revoke(actor=actor, key_id=id)),
    "rename": ("change", lambda actor, id: renaming.rename(actor=actor, key_id=id, title="Other")),
    "update_channels": ("change", lambda actor, id: channel_scope.update_channels(actor=actor, key_id=id)),
    "delete": ("delete", lambda actor, id: deletion.delete(actor=actor, key_id=id)),
    "issue": ("add", lambda actor, _: issue(actor=actor, title="Web", type="publishable")),
}


@pytest.mark.parametrize("verb", VERBS)
def test_the_permission_of_the_verb_is_demanded(verb):
    needed, call = VERBS[verb]
    others = {"add", "change", "delete", "view"} - {needed}
    key = publishable_key(title="Mine").key
    for actor in (ANONYMOUS, staff_actor(*(f"apikeys.{other}_apikey" for other in others))):
        with pytest.raises(Forbidden, match=f"'apikeys.{needed}_apikey' is required"):
            call(actor, key.pk)
    assert [(row.title, row.state) for row in ApiKey.objects.all()] == [("Mine", "active")]


@pytest.mark.parametrize("verb", sorted(VERBS.keys() - {"issue"}))
@pytest.mark.parametrize("key_id", ["apk_unknown", "apk_\0", ""])
def test_an_unknown_key_is_not_found(verb, key_id):
    with pytest.raises(ApiKeyNotFound):
        VERBS[verb][1](SYSTEM, key_id)


@pytest.mark.parametrize("verb", sorted(VERBS.keys() - {"issue"}))
def test_a_deleted_key_is_not_found(verb):
    key = publishable_key().key
    revocation.revoke(actor=SYSTEM, key_id=key.pk)
    deletion.delete(actor=SYSTEM, key_id=key.pk)
    with pytest.raises(ApiKeyNotFound):
        VERBS[verb][1](SYSTEM, key.pk)
