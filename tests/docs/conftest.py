import os

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from commerce.operations.management.commands.demo import KEY_TITLE, SHOP
from staff.models import User
from tests.factories.apikeys import publishable_key

EMAIL, PASSWORD = "reader@shop.example", "a password nobody else has"


@pytest.fixture
def environment(live_server: LiveServer) -> dict[str, str]:
    """The variables that a reader has set: of the demo shop on a real server."""
    call_command("load_shop", str(SHOP), verbosity=0)
    User.objects.create_superuser(EMAIL, PASSWORD)
    key = publishable_key(title=KEY_TITLE)
    given = {"SHOP": live_server.url, "KEY": key.token, "STAFF_EMAIL": EMAIL, "STAFF_PASSWORD": PASSWORD}
    return {**os.environ, **given}
