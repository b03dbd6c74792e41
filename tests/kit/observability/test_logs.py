"""What the libraries say through the standard library's logging."""

import logging
from typing import Any

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
    ("path", "reported"),
    [
        ("/store/gift-cards/GIFT-AAAA-BBBB", "/store/gift-cards/…BBBB"),
        ("/store/gift-cards/GIFT-AAAA-BBBB/redeem", "/store/gift-cards/…BBBB/redeem"),
        ("/store/gift-cards/gift-aaaa%2Fbbbb/redeem", "/store/gift-cards/…bbbb/redeem"),
        ("/store/gift-cards/GIFT-AAAA-BBBB/", "/store/gift-cards/…BBB/"),
        ("/store/gift-cards/GIFT%0AAAA-BBBB", "/store/gift-cards/…BBBB"),
        ("/store/gift-cards/A-1", "/store/gift-cards/…"),
        ("/orders/lookup/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "/orders/lookup/…SuFU"),
        ("/orders/documents/gAAAAABrDXZYnO_eJfFvoWe5k4kA5moz7zi=", "/orders/documents/…7zi="),
        ("/store/orders/lookup/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "/store/orders/lookup/…SuFU"),
        ("/pay/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "/pay/…SuFU"),
        ("/store/payment-links/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "/store/payment-links/…SuFU"),
        ("/admin/invitation/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU/", "/admin/invitation/…SuFU/"),
        ("/store/gift-card/GIFT-AAAA-BBBB-CCCC/redeem", "/store/gift-card/…CCCC/redeem"),
        ("/store/Gift-Cards/TEA-FOR-MARA", "/store/Gift-Cards/…MARA"),
        ("/store/cards/gcard_01M7ZKPZ4EFTYPJ29MFYQ6R8D2", "/store/cards/…R8D2"),
        ("/store/cards/gift-aaaa-bbbb-cccc", "/store/cards/…cccc"),
    ],
)
def test_codes_of_gift_cards_stand_in_no_line(
    path: str, reported: str, stderr: logging.Handler, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("kit.rest.viewsets.StoreEndpoint.open_gate", fail)
    processors = structlog.get_config()["processors"][:-1]  # all but what writes the line
    with structlog.testing.capture_logs(processors=processors) as lines:
        Client(raise_request_exception=False).get(path)
    assert [line["path"] for line in lines] == [reported]
    written = [stderr.format(record) for record in caplog.records]
    assert all("AAAA" not in line and "aaaa" not in line for line in written)


CART, COLLECTION = "cart_01M7ZKPZ4EFTYPJ29MFYQ6R8D2", "pay_col_01M7ZKPZ4EFTYPJ29MFYQ6R8D3"
ORDER = "order_01M7ZKPZ4EFTYPJ29MFYQ6R8D4"


def lines_of(method: str, path: str, **options: Any) -> list[dict[str, Any]]:
    """What our own loggers write for a request, all but the last step."""
    processors = structlog.get_config()["processors"][:-1]
    with structlog.testing.capture_logs(processors=processors) as lines:
        Client(raise_request_exception=False).generic(method, path, **options)
    return list(map(dict, lines))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "reported", "route"),
    [
        ("GET", f"/store/carts/{CART}", "/store/carts/…R8D2", "store/carts/<str:id>"),
        ("POST", f"/store/carts/{CART}/line-items", "/store/carts/…R8D2/line-items", "store/carts/<str:id>/line-items"),
        ("PUT", f"/store/carts/{CART}", "/store/carts/…R8D2", "store/carts/<str:id>"),
        ("GET", "/store/carts/winter-fair-cart", "/store/carts/…cart", "store/carts/<str:id>"),
        ("GET", "/store/carts/cart-of-the-fair", "/store/carts/…fair", "store/carts/<str:id>"),
        ("GET", f"/store/orders/{ORDER}", "/store/orders/…R8D4", "store/orders/<str:id>"),
        ("GET", "/store/orders/order-of-the-fair", "/store/orders/…fair", "store/orders/<str:id>"),
        ("GET", "/admin/orders/order/", "/admin/orders/order/", "admin/orders/order/"),
        ("GET", f"/{ORDER.lower()}", "/…r8d4", None),
        ("GET", f"/store/cart/{CART}", "/store/cart/…R8D2", None),
        ("GET", f"/store/carts/{CART}/", "/store/carts/…R8D2/", None),
        ("GET", f"/store/carts/{CART.replace('_', '%255F')}", "/store/carts/…R8D2", "store/carts/<str:id>"),
        ("GET", f"/store//carts/%20{CART}%0A", "/store//carts/…8D2\n", None),
        ("GET", f"/{CART.lower()}", "/…r8d2", None),
        (
            "POST",
            f"/store/payment-collections/{COLLECTION}/payment-sessions",
            "/store/payment-collections/…R8D3/payment-sessions",
            "store/payment-collections/<str:id>/payment-sessions",
        ),
        ("GET", "/admin/carts/cart/cart_5F01M7ZKPZ4EFTYPJ29MFYQ6R8D2/change/", "/admin/carts/cart/…R8D2/change/", "*"),
        ("GET", "/admin/carts/cart/", "/admin/carts/cart/", "*"),
    ],
)
def test_ids_that_open_a_cart_stand_in_no_line_of_a_request(
    *,
    method: str,
    path: str,
    reported: str,
    route: str | None,
    stderr: logging.Handler,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (line,) = lines_of(method, f"{path}?cart_id={CART}", headers={"Referer": f"https://shop.example/{CART}"})
    assert line["path"] == reported
    assert (line["route"] or "") if route == "*" else line["route"] == route
    assert "ZKPZ4EFTYPJ" not in str([line, *map(stderr.format, caplog.records)])


@pytest.mark.parametrize(
    "secret",
    [
        CART,
        COLLECTION,
        "gcard_01M7ZKPZ4EFTYPJ29MFYQ6R8D2",
        "GIFT-AAAA-BBBB-CCCC-DDDD",
        "eyJhbGciOiJIUzI1NiJ9.eyJhY3RvciI6ImEifQ.c2lnbmF0dXJl-_",
        f"sk_{'0123456789abcdef' * 4}",
        "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH",
    ],
)
def test_no_secret_stands_in_a_message_a_value_or_a_traceback(secret: str, stderr: logging.Handler) -> None:
    text = f"Key (id)=({secret}) already exists."
    error = RuntimeError(text)
    record = logging.LogRecord("payments", logging.ERROR, "", 0, "failed: %s", (text,), (RuntimeError, error, None))
    written = stderr.format(record)
    processors = structlog.get_config()["processors"][:-1]
    with structlog.testing.capture_logs(processors=processors) as lines:
        structlog.get_logger().error(text, provider=text, data={"of": [text]}, exc_info=error)
    for line in (written, str(lines)):
        assert "RuntimeError" in line
        assert secret not in line
        assert f"…{secret[-4:]}" in line


def test_what_only_looks_alike_is_left_alone() -> None:
    words = "cart_id cart_changed pay_collection carts/cart.py /admin/carts/cart/ sk_short gift-cards"
    processors = structlog.get_config()["processors"][:-1]
    with structlog.testing.capture_logs(processors=processors) as lines:
        structlog.get_logger().info("looked", words=words, count=3, none=None)
    assert [(line["words"], line["count"], line["none"]) for line in lines] == [(words, 3, None)]


def test_control_characters_are_escaped(stderr: logging.Handler) -> None:
    line = stderr.format(
        logging.LogRecord("django.request", logging.WARNING, "", 0, "/a\x00b\x1b[31mred\x7f", (), None)
    )
    assert "/a\\x00b\\x1b[31mred\\x7f" in line
