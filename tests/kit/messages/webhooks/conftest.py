from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.kit.messages.webhooks.receiver import Receiver, receiving


@pytest.fixture
def local(settings: Settings) -> None:
    """Webhooks may go to this machine."""
    settings.WEBHOOKS_TO_LOCAL_ADDRESSES = True


@pytest.fixture
def receiver(local: None) -> Iterator[Receiver]:
    with receiving() as made:
        yield made
