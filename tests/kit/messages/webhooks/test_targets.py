"""Where webhooks may go."""

import pytest
from pytest_django import Settings

from kit.errors import InvalidData
from kit.messages.webhooks.endpoints.public_networks import is_public
from kit.messages.webhooks.endpoints.targets import Target, target_of

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        ("this network", "0.0.0.0"),  # noqa: S104 - an address to be refused
        ("this network", "0.1.2.3"),
        ("private", "10.0.0.1"),
        ("private", "172.16.0.1"),
        ("private", "172.31.255.255"),
        ("private", "192.168.1.1"),
        ("carrier-grade NAT", "100.64.0.1"),
        ("carrier-grade NAT", "100.127.255.255"),
        ("loopback", "127.0.0.1"),
        ("loopback", "127.255.255.254"),
        ("link-local, metadata of clouds", "169.254.169.254"),
        ("protocol assignments", "192.0.0.1"),
        ("documentation", "192.0.2.1"),
        ("documentation", "198.51.100.1"),
        ("documentation", "203.0.113.1"),
        ("6to4 relay", "192.88.99.1"),
        ("benchmarks", "198.18.0.1"),
        ("multicast", "224.0.0.1"),
        ("multicast", "239.255.255.255"),
        ("reserved", "240.0.0.1"),
        ("broadcast", "255.255.255.255"),
        ("unspecified", "::"),
        ("loopback", "::1"),
        ("IPv4-mapped", "::ffff:93.184.216.34"),
        ("IPv4-mapped loopback", "::ffff:127.0.0.1"),
        ("IPv4-compatible", "::93.184.216.34"),
        ("NAT64", "64:ff9b::5db8:d822"),
        ("NAT64 of a network", "64:ff9b:1::1"),
        ("6to4", "2002:5db8:d822::1"),
        ("6to4 of a private one", "2002:c0a8:101::1"),
        ("Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
        ("discard only", "100::1"),
        ("benchmarks", "2001:2::1"),
        ("documentation", "2001:db8::1"),
        ("documentation", "3fff::1"),
        ("segment routing", "5f00::1"),
        ("unique local", "fc00::1"),
        ("unique local", "fd12:3456::1"),
        ("link-local", "fe80::1"),
        ("link-local of an interface", "fe80::1%eth0"),
        ("public with an interface", "2606:2800:220:1::1%eth0"),
        ("site-local", "fec0::1"),
        ("multicast", "ff02::1"),
        ("not given out", "4000::1"),
    ],
)
def test_no_other_kind_of_address_is_public(kind: str, address: str) -> None:
    assert not is_public(address), kind


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "100.63.255.255", "100.128.0.1", "172.32.0.1", "2606:2800:220:1::1"]
)
def test_those_of_the_internet_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://erp.example/hooks?x=1", Target(True, "erp.example", 443, "erp.example", "/hooks?x=1")),
        ("https://erp.example", Target(True, "erp.example", 443, "erp.example", "/")),
        ("https://ERP.example:8443/a%20b", Target(True, "erp.example", 8443, "ERP.example:8443", "/a%20b")),
        ("https://93.184.216.34/", Target(True, "93.184.216.34", 443, "93.184.216.34", "/")),
        ("https://[2606:2800:220:1::1]/", Target(True, "2606:2800:220:1::1", 443, "[2606:2800:220:1::1]", "/")),
    ],
)
def test_a_url_is_taken_apart(url: str, target: Target) -> None:
    assert target_of(url) == target


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "must not be blank"),
        ("https://erp.example/" + "a" * 2000, "too long, expected at most: '2000' characters"),
        ("https://erp.example/\r\nx: y", "must not contain control characters"),
        ("https://erp.example/a b", "must be ASCII without spaces"),
        ("https://erp.example/é", "must be ASCII without spaces"),
        ("https://bücher.example/", "must be ASCII without spaces"),
        ("http://erp.example/", "must begin with https://"),
        ("ftp://erp.example/", "must begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("erp.example/hooks", "must begin with https://"),
        ("https://user:password@erp.example/", "must not have a user or password"),
        ("https://@erp.example/", "must not have a user or password"),
        ("https://erp.example/#a", "must not have a fragment"),
        ("https:///hooks", "must have a host"),
        ("https://erp.example:0/", "must have a host"),
        ("https://erp.example:99999/", "is not a URL"),
        ("https://erp.example:http/", "is not a URL"),
        ("https://[::1/", "is not a URL"),
        ("https://-/", "must have a host"),
        ("https://a%00b/", "must have a host"),
        ("https://127.0.0.1/", "must lead to a public address"),
        ("https://[::ffff:127.0.0.1]/", "must lead to a public address"),
    ],
)
def test_any_other_url_is_refused_with_the_reason(url: str, problem: str) -> None:
    with pytest.raises(InvalidData) as refused:
        target_of(url)
    assert refused.value.message.startswith(f"Value for field 'url' {problem}")


def test_http_and_this_machine_are_for_development(settings: Settings) -> None:
    settings.WEBHOOKS_TO_LOCAL_ADDRESSES = True
    assert target_of("http://127.0.0.1:9000/") == Target(False, "127.0.0.1", 9000, "127.0.0.1:9000", "/")
    with pytest.raises(InvalidData, match="must begin with https:// or http://"):
        target_of("ftp://127.0.0.1/")
