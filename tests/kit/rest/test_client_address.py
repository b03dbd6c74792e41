"""Whose address a request is counted by, with and without proxies of ours."""

import hmac
from types import SimpleNamespace

import pytest
from pytest_django import Settings
from structlog.testing import capture_logs

from kit.rest.requests import client_address as module
from kit.rest.requests.client_address import client_address, client_site


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


@pytest.mark.parametrize(
    ("peer", "site"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::1", "2001:db8:1::/48"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("", ""),
    ],
)
def test_turns_are_taken_by_the_network_of_a_tenant(peer: str, site: str) -> None:
    assert client_site({"REMOTE_ADDR": peer}) == site


SECRET = "storefront-secret-0123456789-abcdef"
NOON = 1_795_262_400
SIGNED = f"203.0.113.7;t={NOON}"
MAC = "5d9e50e18db1cbcb275d4b1561d2b7cd9c89f5fbc3166ba8ab78169319cca0a5"


class TestPassedOn:
    """A storefront that renders pages for its shoppers signs their addresses."""

    @pytest.fixture(autouse=True)
    def at_noon(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.CLIENT_ADDRESS_SECRET = SECRET
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: NOON))

    def counted(self, header: str, **meta: str) -> str:
        return client_address({"REMOTE_ADDR": "192.0.2.1", "HTTP_X_CLIENT_ADDRESS": header, **meta})

    def test_a_signed_address_counts(self) -> None:
        assert self.counted(f"{SIGNED};s={MAC}") == "203.0.113.7"

    @pytest.mark.parametrize(
        ("address", "client"),
        [("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("::ffff:203.0.113.7", "203.0.113.7"), ("10.0.0.1", "10.0.0.1")],
    )
    def test_it_is_read_as_every_other(self, address: str, client: str) -> None:
        assert self.counted(signed(address)) == client

    def test_it_wins_over_what_proxies_say(self, settings: Settings) -> None:
        settings.TRUSTED_PROXIES = 1
        assert self.counted(signed("203.0.113.7"), HTTP_X_FORWARDED_FOR="198.51.100.7") == "203.0.113.7"

    def test_without_the_secret_nobody_passes_an_address_on(self, settings: Settings) -> None:
        settings.CLIENT_ADDRESS_SECRET = ""
        assert self.counted(f"{SIGNED};s={MAC}") == "192.0.2.1"
        assert self.counted(signed("203.0.113.7", secret="")) == "192.0.2.1"

    @pytest.mark.parametrize("seconds", [-300, 300])
    def test_clocks_may_differ_by_five_minutes(self, seconds: int) -> None:
        assert self.counted(signed("203.0.113.7", time=NOON + seconds)) == "203.0.113.7"

    @pytest.mark.parametrize("seconds", [-301, 301, -(10**9), 10**10])
    def test_but_not_by_more(self, seconds: int) -> None:
        assert self.counted(signed("203.0.113.7", time=NOON + seconds)) == "192.0.2.1"

    @pytest.mark.parametrize(
        "header",
        [
            "",
            "203.0.113.7",
            SIGNED,
            f"{SIGNED};s=",
            f"{SIGNED};s={'0' * 64}",
            f"{SIGNED};s={MAC.upper()}",
            f"{SIGNED};s={MAC}0",
            f" {SIGNED};s={MAC}",
            f"{SIGNED};s={MAC}\n",
            f"{SIGNED};s={MAC},{SIGNED};s={MAC}",
            f"203.0.113.8;t={NOON};s={MAC}",
            f"203.0.113.7;t={NOON + 1};s={MAC}",
            f"203.0.113.7;t=1_795_262_400;s={MAC}",
            f"203.0.113.7;t=\N{ARABIC-INDIC DIGIT ONE};s={MAC}",
            f"203.0.113.7;t={'9' * 5000};s={MAC}",
            "\xff" * 64,
        ],
        ids=ascii,
    )
    def test_what_is_not_so_signed_counts_as_absent(self, header: str) -> None:
        assert self.counted(header) == "192.0.2.1"

    @pytest.mark.parametrize("address", ["203.0.113.999", "1:2:3", "..", "::::", "203.0.113.7:80"])
    def test_nor_does_a_signed_text_count_that_is_no_address(self, address: str) -> None:
        assert self.counted(signed(address)) == "192.0.2.1"

    @pytest.mark.parametrize(
        ("header", "problem"),
        [("nonsense", "malformed"), (f"{SIGNED};s={'0' * 64}", "wrongly signed")],
    )
    def test_the_log_says_why(self, header: str, problem: str) -> None:
        with capture_logs() as logged:
            self.counted(header)
            self.counted(signed("203.0.113.7", time=0))
        assert [entry["problem"] for entry in logged] == [problem, "not of this time"]

    def test_the_front_reads_it_without_a_word(self) -> None:
        """The application reads it again, and writes to the log."""
        with capture_logs() as logged:
            assert client_site({"REMOTE_ADDR": "192.0.2.1", "HTTP_X_CLIENT_ADDRESS": "nonsense"}) == "192.0.2.1"
            passed_on = signed("2001:db8:1:2:3::4")
            assert client_site({"REMOTE_ADDR": "192.0.2.1", "HTTP_X_CLIENT_ADDRESS": passed_on}) == "2001:db8:1::/48"
        assert logged == []


def signed(address: str, *, time: int = NOON, secret: str = SECRET) -> str:
    text = f"{address};t={time}"
    return f"{text};s={hmac.new(secret.encode(), text.encode(), 'sha256').hexdigest()}"
