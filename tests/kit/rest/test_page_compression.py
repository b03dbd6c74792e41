"""Which responses the server compresses itself. tests/operations/server/test_static_files.py asks a running one."""

import gzip

import pytest
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.test import Client
from django.urls import include, path

TEXT = "<p>tea</p>" * 100


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(TEXT, headers={"ETag": '"1"', "Vary": "Cookie"})


def data(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"text": TEXT})


def export(request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse([TEXT], content_type="text/html")


urlpatterns = [
    path("", include("commerce.operations.urls")),
    path("admin/tea/", page),
    path("admin/tea/data/", data),
    path("admin/tea/export/", export),
    path("admin/", admin.site.urls),
    path("tea/", page),
    path("store/tea", page),
]
pytestmark = pytest.mark.urls(__name__)
PACKED = {"Accept-Encoding": "gzip, br"}


def test_a_page_of_the_admin_site_is_compressed() -> None:
    answer = Client().get("/admin/tea/", headers=PACKED)
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content).decode() == TEXT
    assert int(answer["Content-Length"]) == len(answer.content) < len(TEXT) / 4
    assert [word.strip() for word in answer["Vary"].split(",")] == ["Cookie", "Accept-Encoding", "origin"]
    assert answer["ETag"] == 'W/"1"'


def test_its_length_differs_from_time_to_time() -> None:
    """So that it does not reveal which guess of a secret compresses best (BREACH)."""
    client = Client()
    assert len({len(client.get("/admin/tea/", headers=PACKED).content) for _ in range(40)}) > 3


def test_a_client_without_gzip_gets_it_plain_and_caches_know() -> None:
    answer = Client().get("/admin/tea/", headers={"Accept-Encoding": "br"})
    assert answer.content.decode() == TEXT
    assert "Content-Encoding" not in answer
    assert "Accept-Encoding" in answer["Vary"]
    assert answer["ETag"] == '"1"'


@pytest.mark.parametrize("address", ["/admin/tea/data/", "/admin/tea/export/", "/tea/", "/store/tea"])
def test_other_responses_are_not_compressed(address: str) -> None:
    assert "Content-Encoding" not in Client().get(address, headers=PACKED)
