"""The shop behind nginx, as docs/operators.md says: deploy/nginx.conf, and `serve` with production's settings."""

import gzip
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import orjson
import pytest
from django.contrib.auth.hashers import make_password
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from PIL import Image

from commerce.auth import known_addresses
from tests.auth.conftest import token_of
from tests.deploy.nginx import HOST, PATIENCE, Nginx, in_front
from tests.factories.staff import UserFactory
from tests.operations.test_serve import serving

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
    server, plain, port = free_ports(3)
    home = tmp_path / "home"
    home.mkdir()
    with ExitStack() as stack:
        stack.enter_context(serving(server, {**process_environment, **SETTINGS, "COMMERCE_HOME": str(home)}))
        yield stack.enter_context(in_front(tmp_path / "nginx", server_port=server, plain_port=plain, port=port))


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]


def test_the_shop_behind_nginx(nginx: Nginx, settings) -> None:
    """One test, since the two servers take long to start."""
    settings.SECRET_KEY, settings.JWT_SECRET = SETTINGS["SECRET_KEY"], SETTINGS["JWT_SECRET"]
    plain_is_redirected(nginx)
    health_and_headers(nginx)
    files_and_compression(nginx)
    a_post_with_the_real_address(nginx)
    large_bodies(nginx)
    an_upload(nginx)
    the_log(nginx)


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
    assert not known_addresses.is_known(account, FORGED)
    assert known_addresses.is_known(account, "127.0.0.1")


def large_bodies(nginx: Nginx) -> None:
    """What the server would refuse, nginx does."""
    assert nginx.ask("POST", "/auth/user/emailpass", b" " * (1024**2 + 1)).status == 413


def an_upload(nginx: Nginx) -> None:
    """Of more than the limit of other bodies; the worker converts the picture."""
    file = BytesIO()
    Image.effect_noise((1300, 1300), 100).save(file, "PNG")
    content = file.getvalue()
    assert len(content) > 1024**2
    file.name = "noise.png"
    file.seek(0)
    body = encode_multipart(BOUNDARY, {"files": file})
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


def the_log(nginx: Nginx) -> None:
    nginx.ask("GET", "/store/carts/cart_secret")
    nginx.ask("GET", "/store/shipping-options?cart_id=cart_secret")
    nginx.ask_plainly("/store/carts/cart_secret")
    assert "cart_secret" not in nginx.log
    assert '"GET /health/ready HTTP/1.1" 200' in nginx.log
    assert '"GET /store/products?limit=1 HTTP/1.1" 301' in nginx.log
