from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apikeys import revocation
from apikeys.models import ApiKey
from apikeys.verification import publishable_scope, secret_key_owner
from kit.domain.actor import SYSTEM
from tests.factories.apikeys import publishable_key
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


class TestCreateApiKey:
    def test_prints_the_token_and_nothing_else_to_standard_output(self):
        web, app, _ = (SalesChannelFactory(name=name) for name in ("Web", "App", "Till"))
        token = run("create_api_key", "Shop", "--type=publishable", "--sales-channel=Web", "--sales-channel=App")
        scope = publishable_scope(token.removesuffix("\n"))
        assert scope is not None
        assert set(scope.sales_channel_ids) == {web.pk, app.pk}

    def test_a_secret_key_acts_for_the_named_user(self):
        user = UserFactory(email="ann@example.com")
        token = run("create_api_key", "Importer", "--type=secret", "--created-by=Ann@Example.com ")
        assert secret_key_owner(token.strip()) == (ApiKey.objects.get(), user)

    def test_a_secret_key_limited_to_permissions(self):
        UserFactory(email="ann@example.com", permissions=["orders.view_order", "payments.add_refund"])
        names = "--permissions=payments.add_refund, orders.view_order"
        run("create_api_key", "Books", "--type=secret", "--created-by=ann@example.com", names)
        assert ApiKey.objects.get().permissions == ["orders.view_order", "payments.add_refund"]

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (["--type=secret"], "'created_by' is required"),
            (["--type=publishable", "--permissions=orders.view_order"], "Only secret API keys"),
            (
                ["--type=secret", "--created-by=ann@example.com", "--permissions=orders.fly"],
                "no permission 'orders.fly'",
            ),
            (["--type=secret", "--created-by=ann@example.com", "--permissions=orders.view_order"], "does not have it"),
            (["--type=secret", "--created-by=nobody@example.com"], "email address nobody@example.com"),
            (["--type=publishable", "--sales-channel=Moon"], "named 'Moon'. Existing channels: Default Sales Channel"),
            (["--type=secret", "--created-by=ann@example.com", "--sales-channel=Default Sales Channel"], "publishable"),
        ],
    )
    def test_what_cannot_be_is_reported_and_nothing_is_made(self, arguments, problem):
        UserFactory(email="ann@example.com")
        with pytest.raises(CommandError, match=problem):
            run("create_api_key", "Key", *arguments)
        assert not ApiKey.objects.exists()

    def test_a_title_of_two_lines_is_refused(self):
        with pytest.raises(CommandError, match="field 'title' must not contain control characters"):
            run("create_api_key", "Key\nroot", "--type=publishable")


class TestRevokeApiKey:
    @pytest.mark.parametrize("name", ["pk", "title"])
    def test_by_id_or_title(self, name):
        key = publishable_key(title="Shop").key
        assert "ends at 20" in run("revoke_api_key", getattr(key, name))
        assert ApiKey.objects.get().state == "revoked"

    def test_with_notice(self):
        publishable_key(title="Shop")
        run("revoke_api_key", "Shop", "--in=60")
        assert ApiKey.objects.get().state == "active"
        assert ApiKey.objects.get().revoked_at is not None

    def test_a_title_of_several_keys_is_refused_with_their_ids(self):
        ids = [publishable_key(title="Shop").key.pk for _ in range(2)]
        with pytest.raises(CommandError, match=f"titled 'Shop': {ids[0]}, {ids[1]}"):
            run("revoke_api_key", "Shop")
        assert {key.state for key in ApiKey.objects.all()} == {"active"}

    def test_the_working_key_is_meant_before_revoked_ones_of_its_title(self):
        old = publishable_key(title="Shop").key
        revocation.revoke(actor=SYSTEM, key_id=old.pk)
        publishable_key(title="Shop")
        run("revoke_api_key", "Shop")
        assert {key.state for key in ApiKey.objects.all()} == {"revoked"}
        with pytest.raises(CommandError, match="is revoked and cannot become revoked"):
            run("revoke_api_key", old.pk)

    def test_an_unknown_key_is_reported(self):
        with pytest.raises(CommandError, match="No API key has the id or title 'Shop'"):
            run("revoke_api_key", "Shop")
