"""Whose address a request is counted by, with and without proxies of ours."""

import pytest
from pytest_django import Settings

from commerce.api.client_address import client_address


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "client"),
    [
        (0, "192.0.2.1", None, "192.0.2.1"),
        (0, "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        (1, "192.0.2.1", "198.51.100.7", "198.51.100.7"),
        (1, "192.0.2.1", "10.6.6.6, 198.51.100.7", "198.51.100.7"),
        (1, "192.0.2.1", "10.6.6.6 ,198.51.100.7 ", "198.51.100.7"),
        (2, "192.0.2.1", "10.6.6.6, 198.51.100.7, 192.0.2.2", "198.51.100.7"),
        (2, "192.0.2.1", "198.51.100.7", "198.51.100.7"),
        (1, "192.0.2.1", None, "192.0.2.1"),
        (1, "192.0.2.1", "", "192.0.2.1"),
        (1, "192.0.2.1", "unknown", "192.0.2.1"),
        (1, "192.0.2.1", "198.51.100.7, nonsense", "192.0.2.1"),
        (0, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::/64"),
        (0, "2001:db8:1:2:ffff::1", None, "2001:db8:1:2::/64"),
        (0, "::ffff:192.0.2.1", None, "192.0.2.1"),
        (1, "192.0.2.1", "2001:DB8::7", "2001:db8::/64"),
        (0, "", None, ""),
    ],
)
def test_an_address_is_believed_as_far_as_our_proxies_reach(
    settings: Settings, proxies: int, peer: str, forwarded: str | None, client: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    meta = {"REMOTE_ADDR": peer} | ({} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded})
    assert client_address(meta) == client
