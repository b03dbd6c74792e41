"""What the libraries say through the standard library's logging."""

import logging

import pytest
import structlog
from django.core.exceptions import SuspiciousOperation
from django.test import Client


@pytest.fixture
def stderr() -> logging.Handler:
    """Where all lines go."""
    (ours,) = (handler for handler in logging.getLogger().handlers if handler.name == "stderr")
    return ours


def record(name: str) -> logging.LogRecord:
    error = SuspiciousOperation("the shelf fell down")
    return logging.LogRecord(name, logging.ERROR, "", 0, "refused", (), (type(error), error, None))


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/store/product-categories"])
def test_a_foreign_host_is_one_warning_without_a_traceback(
    stderr: logging.Handler, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    answer = Client(raise_request_exception=False).get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 400
    (warning,) = (record for record in caplog.records if record.name == "django.security.DisallowedHost")
    line = stderr.format(warning)
    assert warning.levelname == "WARNING"
    assert "evil.example" in line
    assert "warning" in line
    assert "Traceback" not in line
    assert "\n" not in line


def test_where_only_errors_are_logged_a_refusal_is_not(
    stderr: logging.Handler, caplog: pytest.LogCaptureFixture
) -> None:
    assert stderr.filter(record("django.security.DisallowedHost"))
    caplog.set_level(logging.ERROR)
    assert not stderr.filter(record("django.security.DisallowedHost"))


@pytest.mark.parametrize("name", ["django.request", "django.security_of_another"])
def test_another_error_keeps_its_level_and_traceback(stderr: logging.Handler, name: str) -> None:
    other = record(name)
    assert stderr.filter(other)
    assert other.levelname == "ERROR"
    assert "the shelf fell down" in stderr.format(other)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/store/gift-cards/GIFT-AAAA-BBBB", "/store/gift-cards/…BBBB"),
        ("/store/gift-cards/GIFT-AAAA-BBBB/redeem", "/store/gift-cards/…BBBB/redeem"),
        ("/store/gift-cards/gift-aaaa%2Fbbbb/redeem", "/store/gift-cards/…bbbb/redeem"),
        ("/store/gift-cards/GIFT-AAAA-BBBB/", "/store/gift-cards/…BBB/"),
        ("/store/gift-cards/GIFT%0AAAA-BBBB", "/store/gift-cards/…BBBB"),
        ("/store/carts/cart_1/gift-cards", "/store/carts/cart_1/gift-cards"),
        ("/store/gift-card/GIFT-AAAA-BBBB-CCCC/redeem", "/store/gift-card/…CCCC/redeem"),
        ("/store/Gift-Cards/TEA-FOR-MARA", "/store/Gift-Cards/…MARA"),
        ("/store/cards/gcard_01M7ZKPZ4EFTYPJ29MFYQ6R8D2", "/store/cards/…R8D2"),
        ("/store/cards/gift-aaaa-bbbb-cccc", "/store/cards/…cccc"),
    ],
)
def test_codes_of_gift_cards_stand_in_no_line(
    path: str, told: str, stderr: logging.Handler, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("commerce.api.viewsets.StoreEndpoint.open_gate", fail)
    processors = structlog.get_config()["processors"][:-1]  # all but what writes the line
    with structlog.testing.capture_logs(processors=processors) as lines:
        Client(raise_request_exception=False).get(path)
    assert [line["path"] for line in lines] == [told]
    written = [stderr.format(record) for record in caplog.records]
    assert all("AAAA" not in line and "aaaa" not in line for line in written)
