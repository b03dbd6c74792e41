"""What the page on architecture says that `explain_read` prints, it prints, in that order."""

import re
import shlex

import pytest
from django.core.management import call_command

from commerce.operations.management.commands.demo import KEY_TITLE, SHOP
from tests.docs.pages import DOCS, examples
from tests.factories.apikeys import publishable_key
from tests.operations.test_explain_read import explain

pytestmark = [pytest.mark.once, pytest.mark.django_db]
PAGE = DOCS / "architecture.md"


def plain(text: str) -> str:
    """Without line numbers, and with single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"(\.py):\d+", r"\1", text)).strip()


def test_the_explained_read_is_printed() -> None:
    call_command("load_shop", str(SHOP), verbosity=0)
    publishable_key(title=KEY_TITLE)
    (command,), (shown,) = examples(PAGE, "sh"), examples(PAGE, "text")
    *_, name, address = shlex.split(command)
    assert name == "explain_read"
    printed = plain(explain(address))
    for line in filter(None, map(plain, shown.splitlines())):
        _, found, printed = printed.partition(line.removesuffix("…").strip())
        assert found, line
