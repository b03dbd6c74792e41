"""Pictures of imported products: linked by default, or fetched by the job where the person has chosen so."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from catalog.models import Product, ProductImage
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from kit.jobs.work import TurnLost
from kit.spreadsheets import applying
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.jobs import start_apply
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import change
from pictures.fetching import Fetching, copies_of
from pictures.models import Picture, PictureSource
from tests.catalog.spreadsheets.importing import applied, before, exported, lines, previewed, uploaded
from tests.factories.actors import staff_actor
from tests.factories.products import VariantFactory
from tests.factories.staff import UserFactory
from tests.pictures.files import picture
from tests.pictures.host import NAME, Host
from tests.pictures.host import host as host

pytestmark = pytest.mark.django_db
HEADER = "Product Handle,Product Title,Product Thumbnail,Product Image 1 Url,Product Image 2 Url"
IMPORTING = ("catalog.add_product", "catalog.change_product")
FAILED = "The picture could not be fetched."


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Path) -> Path:
    settings.UPLOAD_DIR, settings.MEDIA_ROOT = str(tmp_path / "uploads"), str(tmp_path / "media")
    return tmp_path


def row(number: int, *addresses: str) -> str:
    return f"thing-{number},Thing {number},{','.join(addresses)}"


def things(host: Host, count: int) -> list[str]:
    """Rows of products with a thumbnail and two images each, the first of which is the thumbnail, too."""
    found = []
    for number in range(count):
        first, second = host.has(f"/{number}-1.png", f"/{number}-2.png")
        found.append(row(number, first, first, second))
    return found


def images() -> dict[str, list[str]]:
    """The addresses of images by the handle of their product."""
    found: dict[str, list[str]] = {}
    rows = ProductImage.objects.not_deleted().order_by("product", "rank")
    for handle, url in rows.values_list("product__handle", "url"):
        found.setdefault(handle, []).append(url)
    return found


def test_links_are_stored_by_default_and_nobody_is_asked(host: Host) -> None:
    (address,) = host.has("/a.png")
    for options in ({}, {"pictures": "link"}):
        applied(lines(HEADER, row(1, address, address, "")), **options)
    assert (images(), Product.objects.get().thumbnail, host.connected) == ({"thing-1": [address]}, address, [])


def test_fetched_ones_are_stored_as_uploads_and_the_preview_fetches_nothing(host: Host) -> None:
    file = lines(HEADER, *things(host, 3))
    one = previewed(file, pictures="fetch")
    assert (one.counts, host.connected, Picture.objects.count()) == ({"new": 3, "rows": 3}, [], 0)

    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"new": 3}
    copies = copies_of([host.address(path) for path in host.answers])
    assert sorted(host.asked) == sorted(host.answers)
    assert images() == {
        f"thing-{number}": [copies[host.address(f"/{number}-{place}.png")] for place in (1, 2)] for number in range(3)
    }
    assert [product.thumbnail == images()[product.handle][0] for product in Product.objects.all()] == [True] * 3


def test_an_unchanged_file_changes_no_row_and_fetches_nothing(host: Host) -> None:
    file = lines(HEADER, *things(host, 3))
    applied(file, pictures="fetch")
    moments, asked = [*Product.objects.order_by("pk").values_list("updated_at", flat=True)], [*host.asked]

    for again in (file, exported()):
        one = applied(again, pictures="fetch")
        assert one.done == {"unchanged": 3}

    assert [*Product.objects.order_by("pk").values_list("updated_at", flat=True)] == moments
    assert (host.asked, Picture.objects.count()) == (asked, 6)


def test_links_that_are_stored_become_copies_and_the_undo_file_takes_it_back(host: Host) -> None:
    file = lines(HEADER, *things(host, 1))
    applied(file)
    links = images()

    one = previewed(file, pictures="fetch")
    assert one.counts == {"changed": 1, "rows": 1}
    confirm(one)
    apply(one, actor=SYSTEM)

    assert all(url.startswith("/media/") for url in images()["thing-0"])
    applied(before(one))
    assert images() == links


def test_a_picture_that_cannot_be_fetched_is_a_problem_of_its_row_and_column(host: Host) -> None:
    rows = things(host, 4)
    host.names["internal.example"] = ["10.0.0.7"]
    host.answers |= {"/1-2.png": 404, "/2-1.png": b"<html>Login</html>"}
    rows[3] = row(3, "", "http://internal.example/a.png", "http://127.0.0.1/a.png")

    one = applied(lines(HEADER, *rows), pictures="fetch")

    assert one.done == {"new": 1, "problem": 3}
    assert {result.row: result.text for result in one.results.filter(action="problem")} == {
        3: f"Row 3, Product Image 2 Url: {FAILED} Its host answered with status 404.",
        4: f"Row 4, Product Thumbnail: {FAILED} The file is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected.",
        5: (
            f"Row 5, Product Image 1 Url: {FAILED} The host has an address that is not public.\n"
            f"Row 5, Product Image 2 Url: {FAILED} "
            "Its address is not one of http or https on a public host, without a password."
        ),
    }
    assert [*images()] == ["thing-0"]


def test_rows_of_further_pictures_are_named_too(host: Host) -> None:
    header = "Handle,Title,Image Src,Image Position"
    first, other = host.has("/1.png", "/2.png")
    one = applied(lines(header, f"a,A,{first},1", f"a,,{host.address('/none')},2", f"b,B,{other},1"), pictures="fetch")
    assert one.done == {"problem": 1, "new": 1}
    refused = one.results.get(action="problem")
    assert refused.text == f"Row 3, Image Src: {FAILED} Its host answered with status 404."
    assert [*images()] == ["b"]


def test_one_file_at_two_addresses_of_a_product(host: Host) -> None:
    host.answers = {"/1.png": picture(), "/2.png": picture()}
    first, second = (host.address(path) for path in host.answers)
    file = lines(HEADER, row(1, first, first, second))
    assert applied(file, pictures="fetch").done == {"new": 1}
    assert applied(file, pictures="fetch").done == {"unchanged": 1}


def test_records_with_problems_are_not_fetched_for(host: Host) -> None:
    (address,) = host.has("/a.png")
    one = applied(lines(HEADER, f"thing,,{address},,"), pictures="fetch")
    assert (one.done, host.connected) == ({"problem": 1}, [])


def _stopping(*, at: int) -> Callable[..., None]:
    calls: list[None] = []

    def stop(*_: Any) -> None:
        calls.append(None)
        if len(calls) == at:
            raise TurnLost

    return stop


@pytest.mark.parametrize("kill", [{"keep": 1}, {"keep": 2}, {"report": 2}, {"report": 4}])
def test_after_a_kill_nothing_is_fetched_twice(host: Host, monkeypatch: pytest.MonkeyPatch, kill: Any) -> None:
    """In a transaction, and between fetches."""
    monkeypatch.setattr(applying, "_MOST", 8)
    monkeypatch.setattr(applying, "_LEAST", 2)
    one = previewed(lines(HEADER, *things(host, 6)), pictures="fetch")
    confirm(one)
    with pytest.raises(TurnLost):
        apply(one, actor=SYSTEM, **{name: _stopping(at=at) for name, at in kill.items()})

    apply(Import.objects.get(pk=one.pk), actor=SYSTEM)

    assert sorted(host.asked) == sorted(host.answers)
    assert (Picture.objects.count(), PictureSource.objects.count(), len(images())) == (12, 12, 6)


def test_a_refused_record_halves_its_batch_and_nothing_is_fetched_again(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catalog.spreadsheets.products.refuse_taken", lambda planned: None)
    VariantFactory.create(sku="T1")
    rows = [f"{line},T{number}" for number, line in enumerate(things(host, 5))]
    host.answers["/3-2.png"] = 404

    one = applied(lines(f"{HEADER},Variant SKU", *rows), pictures="fetch")

    assert one.done == {"new": 3, "problem": 2}
    assert sorted(host.asked) == sorted(host.answers)
    assert one.results.get(row=5).text == f"Row 5, Product Image 2 Url: {FAILED} Its host answered with status 404."


def test_what_was_pruned_before_it_was_used_is_refused(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    one = previewed(lines(HEADER, *things(host, 1)), pictures="fetch")
    confirm(one)
    fetch = Fetching.fetch

    def lose(self: Fetching, *given: Any) -> dict[str, str]:
        refused = fetch(self, *given)
        Picture.objects.all().delete()
        return refused

    monkeypatch.setattr(Fetching, "fetch", lose)
    apply(one, actor=SYSTEM)
    assert one.results.get().text == "Its pictures were not fetched. Import the file again."
    assert not Product.objects.filter(handle="thing-0").exists()


@pytest.mark.django_db(transaction=True)
def test_no_row_is_locked_meanwhile(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another connection writes the product that is being changed, while the host answers."""
    applied(lines(HEADER, *things(host, 1)))
    content, seen = host.answers["/0-2.png"], []
    fetch = Fetching.fetch

    def outside(self: Fetching, *given: Any) -> dict[str, str]:
        assert not connection.in_atomic_block
        return fetch(self, *given)

    def answer(handler: Any) -> None:
        try:
            with transaction.atomic():
                found = Product.objects.select_for_update(nowait=connection.features.has_select_for_update_nowait)
                seen.append(found.get().handle)
                Product.objects.update(external_id="written meanwhile")
        finally:
            connection.close()
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n" + content)

    monkeypatch.setattr(Fetching, "fetch", outside)
    host.answers["/0-2.png"] = answer
    one = applied(lines(HEADER, row(0, *(host.address(f"/0-{place}.png") for place in (1, 1, 2)))), pictures="fetch")
    assert (seen, one.done) == (["thing-0"], {"changed": 1})


class TestPermissions:
    @pytest.fixture
    def may_not(self) -> Actor:
        return staff_actor(*IMPORTING, id=UserFactory.create().pk)

    @pytest.fixture
    def file(self, host: Host) -> str:
        return lines(HEADER, *things(host, 1))

    def test_it_is_refused_before_the_job(self, file: str, may_not: Actor) -> None:
        refused = "The permission 'pictures.add_picture' is required"
        with pytest.raises(Forbidden, match=refused):
            uploaded(file, actor=may_not, pictures="fetch")
        assert not Import.objects.exists()
        one = uploaded(file, actor=may_not)
        with pytest.raises(Forbidden, match=refused):
            change(one, actor=may_not, options={"pictures": "fetch"})
        change(one, actor=may_not, options={"pictures": "link"})
        one = uploaded(file, pictures="fetch")
        with pytest.raises(Forbidden, match=refused):
            preview(one, actor=may_not)
        preview(one, actor=SYSTEM)
        with pytest.raises(Forbidden, match=refused):
            start_apply(one, actor=may_not)
        assert Import.objects.get(pk=one.pk).state == ImportState.PREVIEWED

    def test_the_job_asks_again_between_fetches(self, file: str, may_not: Actor, host: Host) -> None:
        one = previewed(file, pictures="fetch")
        confirm(one)
        may = staff_actor(*IMPORTING, "pictures.add_picture")
        present = iter([may_not])
        with pytest.raises(Forbidden, match="pictures.add_picture"):
            apply(one, actor=may, present=lambda: next(present))
        assert (host.asked, Picture.objects.count()) == ([], 0)


def test_the_command_has_the_option(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "things.csv"
    path.write_text(lines(HEADER, *things(host, 1)))
    call_command("import_products", str(path), "--apply", "--pictures", "fetch", verbosity=0)
    assert (Picture.objects.count(), Picture.objects.first().created_by) == (2, None)
    assert all(url.startswith("/media/") for url in images()["thing-0"])


def test_the_host_is_the_one_of_the_file(host: Host) -> None:
    applied(lines(HEADER, *things(host, 1)), pictures="fetch")
    assert {request.headers["host"] for request in host.requests} == {NAME}
