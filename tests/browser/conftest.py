"""A browser in which somebody has signed in."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from staff.models import User
from tests.browser.chromium import Chromium, Page
from tests.factories.staff import UserFactory
from tests.plugins.browsers import find_chromium


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """One browser for all tests: to start it takes longer than to open a page."""
    program = find_chromium()
    assert program, "without Chromium, tests of it are skipped"
    browser = Chromium(program, tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.stop()


@pytest.fixture
def user() -> User:
    return UserFactory(is_superuser=True)


@pytest.fixture
def page(chromium: Chromium, live_server: LiveServer, user: User) -> Iterator[Page]:
    """A page on which the user has signed in."""
    visitor = Client()
    visitor.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    with chromium.page() as page:
        page.send("Network.setCookie", name=name, value=visitor.cookies[name].value, url=live_server.url)
        page.open(f"{live_server.url}/admin/")
        assert "Overview" in page.text
        yield page
