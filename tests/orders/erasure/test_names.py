"""The ids and email addresses found in requests and responses."""

import pytest

from orders.erasure.names import names_in

ULID = "01JH3V9S5ZK8Q4W2N7R6T1YXAB"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"/store/carts/cart_{ULID}/complete?", [f"cart_{ULID}"]),
        (f'{{"id":"order_{ULID}","cart_id":"cart_{ULID}"}}', [f"order_{ULID}", f"cart_{ULID}"]),
        (f"pay_col_{ULID} payses_{ULID} sc_acc_{ULID}", [f"pay_col_{ULID}", f"payses_{ULID}", f"sc_acc_{ULID}"]),
        (f"variant_{ULID} ordli_{ULID} xcus_{ULID} _{ULID} cus_{ULID[:-1]}", []),
        ('{"email":"Pia.O\'Neil+shop@mail.Example.co.uk"}', ["Pia.O'Neil+shop@mail.Example.co.uk"]),
        ('"@" a@b @example.com pia@ "c@d.e"', ["c@d.e"]),
        ("", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [name.decode() for name in names_in(text.encode())] == names
