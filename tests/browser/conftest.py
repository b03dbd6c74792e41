"""A browser in which somebody has signed in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from commerce.staff.models import User
from tests.browser.chromium import Page, browsing
from tests.factories.staff import PASSWORD, UserFactory
from tests.plugins.browsers import find_chromium


@pytest.fixture
def user() -> User:
    return UserFactory(is_superuser=True)


@pytest.fixture
def page(live_server: LiveServer, tmp_path: Path, user: User) -> Iterator[Page]:
    """A page on which the user has signed in."""
    with browsing(find_chromium(), tmp_path) as page:
        page.open(f"{live_server.url}/admin/")
        page.fill(username=user.email, password=PASSWORD)
        page.follow("document.getElementById('login-form').requestSubmit()")
        assert "Overview" in page.text
        yield page
