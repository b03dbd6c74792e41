"""The shop behind nginx (docs/operators/server.md): deploy/nginx.conf, and `serve` with production's settings."""

import gzip
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import orjson
import pytest
from django.contrib.auth.hashers import make_password
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils.crypto import get_random_string
from PIL import Image

from auth.signing_in import known_networks
from tests.auth.conftest import token_of
from tests.deploy.nginx import HOST, PATIENCE, Nginx, in_front
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory
from tests.operations.server.test_serve import serving
from tests.ports import free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers("nginx")]
FORGED = "198.51.100.9"
PASSWORD = "a password that nobody guesses"
SETTINGS = {
    "COMMERCE_ENV": "production",
    "ALLOWED_HOSTS": HOST,
    "PUBLIC_URL": f"https://{HOST}",
    "TRUSTED_PROXIES": "1",
    "SECRET_KEY": "1-vT5xqLmZ2cKb8yRdWg9sPfAe4nHuJt7",
    "JWT_SECRET": "2-vT5xqLmZ2cKb8yRdWg9sPfAe4nHuJt7",
}


@pytest.fixture
def nginx(process_environment: dict[str, str], tmp_path: Path) -> Iterator[Nginx]:
    server, plain, port = free_port(), free_port(), free_port()
    home = tmp_path / "home"
    home.mkdir()
    with ExitStack() as stack:
        stack.enter_context(serving(server, {**process_environment, **SETTINGS, "COMMERCE_HOME": str(home)}))
        yield stack.enter_context(in_front(tmp_path / "nginx", server_port=server, plain_port=plain, port=port))


def test_the_shop_behind_nginx(nginx: Nginx, settings) -> None:
    """One test, since the two servers take long to start."""
    settings.SECRET_KEY, settings.JWT_SECRET = SETTINGS["SECRET_KEY"], SETTINGS["JWT_SECRET"]
    plain_is_redirected(nginx)
    health_and_headers(nginx)
    files_and_compression(nginx)
    a_post_with_the_real_address(nginx)
    large_bodies(nginx)
    an_upload(nginx)
    an_upload_on_the_page_of_a_product(nginx)
    the_log(nginx)
    the_challenge_of_a_certificate(nginx)


def plain_is_redirected(nginx: Nginx) -> None:
    answer = nginx.ask_plainly("/store/products?limit=1")
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/store/products?limit=1")


def health_and_headers(nginx: Nginx) -> None:
    """The server knows that it was asked by https, and for which host; a request's id is nginx's own."""
    answer = nginx.ask("GET", "/health/ready", X_Request_Id="forged")
    assert (answer.status, orjson.loads(answer.content)["status"]) == (200, "ok")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert len(answer.headers["X-Request-Id"]) == 32
    assert answer.headers["Server"] == "nginx"
    assert nginx.ask("GET", "/admin/", Host="other.example").status == 400


def files_and_compression(nginx: Nginx) -> None:
    icon = nginx.ask("GET", "/static/commerce/icon.svg", Accept_Encoding="gzip")
    assert (icon.status, icon.headers["Content-Encoding"]) == (200, "gzip")
    assert b"<svg" in gzip.decompress(icon.content)
    plain, packed = (nginx.ask("GET", "/openapi.json", Accept_Encoding=coding) for coding in ("identity", "gzip"))
    assert (plain.status, packed.headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(packed.content) == plain.content
    assert "Accept-Encoding" in packed.headers["Vary"]
    page = nginx.ask("GET", "/admin/login/", Accept_Encoding="gzip")
    assert (page.status, page.headers["Content-Encoding"]) == (200, "gzip")
    assert b"<html" in gzip.decompress(page.content)


def a_post_with_the_real_address(nginx: Nginx) -> None:
    """The address of a sign-in is that of the connection, whatever the client claims."""
    user = UserFactory(email="ann@example.com", password=make_password(PASSWORD))
    body = orjson.dumps({"email": user.email, "password": PASSWORD})
    sent = {"Content_Type": "application/json", "X_Forwarded_For": FORGED}
    assert nginx.ask("POST", "/auth/user/emailpass", body, **sent).status == 200
    account = f"user:{user.email}"
    assert not known_networks.is_known(account, FORGED)
    assert known_networks.is_known(account, "127.0.0.1")


def large_bodies(nginx: Nginx) -> None:
    """What the server would refuse, nginx does."""
    assert nginx.ask("POST", "/auth/user/emailpass", b" " * (1024**2 + 1)).status == 413


def noise() -> BytesIO:
    """A picture larger than the limit of other bodies."""
    file = BytesIO()
    Image.effect_noise((1300, 1300), 100).save(file, "PNG")
    assert len(file.getvalue()) > 1024**2
    file.name = "noise.png"
    file.seek(0)
    return file


def an_upload(nginx: Nginx) -> None:
    """The worker converts the picture."""
    body = encode_multipart(BOUNDARY, {"files": noise()})
    token = token_of(UserFactory(is_superuser=True))
    sent = {"Content_Type": MULTIPART_CONTENT, "Authorization": f"Bearer {token}"}
    answer = nginx.ask("POST", "/admin/uploads", body, **sent)
    assert answer.status == 200, answer.content
    (stored,) = orjson.loads(answer.content)["files"]
    path = stored["url"].removeprefix(f"https://{HOST}")
    deadline = time.monotonic() + PATIENCE
    while (picture := nginx.ask("GET", path)).status != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert picture.headers["Content-Type"] == "image/webp"


def an_upload_on_the_page_of_a_product(nginx: Nginx) -> None:
    """The form of the admin site that needs no scripts."""
    product, browser = ProductFactory(), Client()
    browser.force_login(UserFactory(is_superuser=True))
    token = get_random_string(CSRF_SECRET_LENGTH)
    browser.cookies["csrf"] = token
    body = encode_multipart(BOUNDARY, {"csrfmiddlewaretoken": token, "files": noise()})
    cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in browser.cookies.items())
    sent = {"Content_Type": MULTIPART_CONTENT, "Origin": f"https://{HOST}", "Cookie": cookies}
    answer = nginx.ask("POST", f"/admin/catalog/product/{product.pk}/pictures/", body, **sent)
    assert answer.status == 302, answer.content
    assert product.images.count() == 1


SECRETS = [
    "/store/carts/cart_secret",
    "/store/carts/cart_secret/line-items",
    "/store/shipping-options?cart_id=cart_secret",
    "/store/shipping-options?cart%5Fid=cart_secret",
    "/store%2Fcarts%2Fcart_secret",
    "/store//gift%2dcards/GIFT-SECR-ETSE-CRET",
    "/store/cards/gift-secr-etse-cret",
    "/store/gift-secr-etse-cret",
    "/store/payment-collections/pay_col_secret",
    "/store/orders/order_secret",
    "/store/orders/order_secret/transfer/accept",
    "/store/orders/lookup/secret",
    "/uploads/secret",
    "/orders/lookup/secret",
    "/orders/documents/secret",
    "/pay/secret",
    "/store/payment-links/secret",
    "/admin/carts/cart/cart_secret/change/",
    "/admin/invitation/secret/",
    "/reset-password?token=secret",
    "/cart_secret",
    "/static/%2e%2e/store/carts/cart_secret",
]
LOGGED = re.compile(
    r'127\.0\.0\.1 \[[-\dT:+]+\] "(.*)" (\d{3}) \d+ [\d.]+ (?:- - -|127\.0\.0\.1:\d+ \d{3} [\d.]+) [\da-f]{32}'
)


def written(nginx: Nginx) -> list[str]:
    """The log's lines, once it has that of a request made now: nginx writes each after its answer."""
    *_, last = nginx.ask("GET", "/health/live").headers.get_all("X-Request-Id", [])
    deadline = time.monotonic() + PATIENCE
    while not nginx.log.endswith(f" {last}\n"):
        assert time.monotonic() < deadline, nginx.log
        time.sleep(0.05)
    return nginx.log.splitlines()


def the_log(nginx: Nginx) -> None:
    """It never has a query, the Referer, or what follows the name of a resource: ids, codes and tokens give access."""
    before = len(written(nginx))
    for path in SECRETS:
        nginx.ask("GET", path, Referer=f"https://{HOST}/store/carts/cart_secret")
    nginx.ask_plainly("/store/carts/cart_secret")
    nginx.ask("POST", "/store/carts/cart_secret", b" " * (1024**2 + 1))  # nginx itself refuses it, and reports that
    nginx.ask("GET", "/static/commerce/icon.svg")
    nginx.ask("GET", "/store/regions/")
    lines = written(nginx)[before:]
    assert [match[1] if (match := LOGGED.fullmatch(line)) else line for line in lines] == [
        "GET /store/carts/*",
        "GET /store/carts/*",
        "GET /store/shipping-options",
        "GET /store/shipping-options",
        "GET /store/carts/*",
        "GET /store/gift-cards/*",
        "GET /store/cards/*",
        "GET /*",
        "GET /store/payment-collections/*",
        "GET /store/orders/*",
        "GET /store/orders/*",
        "GET /store/orders/*",
        "GET /*",
        "GET /*",
        "GET /*",
        "GET /*",
        "GET /store/payment-links/*",
        "GET /admin/carts/*",
        "GET /admin/invitation/*",
        "GET /*",
        "GET /*",
        "GET /store/carts/*",
        "GET /store/carts/*",
        "POST /store/carts/*",
        "GET /static/commerce/icon.svg",
        "GET /store/regions/",
        "GET /health/live",
    ]
    assert "secr" not in "".join(file.read_text().lower() for file in nginx.folder.glob("*.log"))


def the_challenge_of_a_certificate(nginx: Nginx) -> None:
    """A certificate is renewed by a file that certbot writes below /var/www/html, asked for by plain HTTP."""
    file = nginx.folder / "acme" / ".well-known" / "acme-challenge" / "token-1"
    file.parent.mkdir(parents=True)
    file.write_text("token-1.thumbprint")
    answer = nginx.ask_plainly("/.well-known/acme-challenge/token-1")
    assert (answer.status, answer.content) == (200, b"token-1.thumbprint")
    assert nginx.ask_plainly("/.well-known/acme-challenge/token-2").status == 404
