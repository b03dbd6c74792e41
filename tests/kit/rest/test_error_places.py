"""Which of our own lines the log names when a stranger's request takes too much of the database's time."""

from types import FunctionType

import pytest
from django.conf import settings

from kit.rest.responses.errors import _place

pytestmark = pytest.mark.once


def function_in(path: str, text: str, **names: object) -> FunctionType:
    """A function of one line, as if it stood in that file."""
    return FunctionType(compile(text, str(settings.BASE_DIR / path), "exec"), {**names})


@pytest.mark.parametrize(
    "carrier",
    [
        "kit/database/raw_sql.py",
        "kit/derived/recounting.py",
        "kit/domain/hooks.py",
        "kit/search/terms.py",
        "kit/writes/raw_rows.py",
    ],
)
def test_it_is_that_of_the_verb_and_not_of_what_carries_its_statement(carrier: str) -> None:
    refused = function_in("kit/database/raw_sql.py", "1 / 0")
    verb = function_in("orders/completion/numbers.py", "call()", call=function_in(carrier, "call()", call=refused))
    with pytest.raises(ZeroDivisionError) as raised:
        verb()
    assert _place(raised.value) == "orders/completion/numbers.py:1"
