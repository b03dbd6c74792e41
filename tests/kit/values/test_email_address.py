"""Email addresses: one form for each, and none for what merely looks like one."""

import pytest

from kit.errors import InvalidData
from kit.values.email_address import checked


@pytest.mark.parametrize("written", ["eve@example.com", " Eve@EXAMPLE.com ", "EVE@example.COM\n"])
def test_letter_case_and_spaces_around_make_no_other_address(written: str) -> None:
    assert checked(written) == "eve@example.com"


@pytest.mark.parametrize(
    "written",
    [
        "\u212aim@example.com",  # the sign of kelvin, whose small letter is k
        "ev\u0435@example.com",  # a Cyrillic e
        "eve@ex\uff41mple.com",  # a wide a
        "eve@example.com\u0307",
        "eve\u200b@example.com",
        "eve@example.com.",
        "eve@example..com",
        ".eve@example.com",
        "eve@example.com\r\nBcc: all@example.com",
        "eve\n@example.com",
        "Eve <eve@example.com>",
        "eve@example.com,all@example.com",
        "eve@example.com\0",
        "\ud800@example.com",
        f"{'e' * 250}@example.com",
        "",
    ],
)
def test_what_looks_like_an_address_and_is_none_is_refused(written: str) -> None:
    with pytest.raises(InvalidData, match="email"):
        checked(written)
