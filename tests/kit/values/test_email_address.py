"""Email addresses: one form for each, and none for what merely looks like one."""

import pytest

from kit.errors import InvalidData
from kit.values.email_address import checked


@pytest.mark.parametrize("written", ["eve@example.com", " Eve@EXAMPLE.com ", "EVE@example.COM\n"])
def test_letter_case_and_spaces_around_make_no_other_address(written: str) -> None:
    assert checked(written) == "eve@example.com"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        # By RFC 5891's examples and the registries of .de, .jp, .рф and .한국.
        ("info@müller.de", "info@xn--mller-kva.de"),
        ("Info@MÜLLER.de", "info@xn--mller-kva.de"),
        ("info@mu\u0308ller.de", "info@xn--mller-kva.de"),
        ("info@XN--MLLER-KVA.de", "info@xn--mller-kva.de"),
        ("a@straße.de", "a@xn--strae-oqa.de"),
        ("a@пример.рф", "a@xn--e1afmkfd.xn--p1ai"),
        ("a@日本語.jp", "a@xn--wgv71a119e.jp"),
        ("a@お名前.com", "a@xn--t8jx73hngb.com"),
        ("a@ラーメン.jp", "a@xn--4dkp5a8a.jp"),  # its ー belongs to both kana
        ("a@佐々木.jp", "a@xn--u6jy55gilq.jp"),
        ("a@hawai\u02bbi.us", "a@xn--hawaii-mjd.us"),
    ],
)
def test_a_domain_of_another_script_is_kept_in_ascii(written: str, kept: str) -> None:
    assert checked(written) == kept


@pytest.mark.parametrize(
    "written",
    [
        "\u212aim@example.com",  # the sign of kelvin, whose small letter is k
        "ev\u0435@example.com",  # a Cyrillic e
        "eve@ex\uff41mple.com",  # a wide a
        "eve@ex\u0430mple.com",  # a Cyrillic a among Latin letters
        "eve@xn--exmple-4nf.com",  # the same in ASCII
        "eve@пример.co\u043c",
        "\u0435ve@пример.рф",
        "eve@\u2603.com",  # IDNA 2008 has no snowman
        f"eve@{'ü' * 260}.de",
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
