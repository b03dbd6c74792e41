"""Pictures of imported products: linked by default, or fetched by the job where the person has chosen so."""

from pathlib import Path

import pytest
from django.core.management import call_command

from catalog.models import Product
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from pictures.fetching import copies_of
from pictures.models import Picture
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, undo_file
from tests.catalog.spreadsheets.pictured import FAILED, HEADER, images, row, things
from tests.pictures.files import picture
from tests.pictures.host import Host

pytestmark = pytest.mark.django_db


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
    applied(undo_file(one))
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
        4: "\n".join(
            f"Row 4, Product {column}: {FAILED} The file is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected."
            for column in ("Thumbnail", "Image 1 Url")
        ),
        5: (
            f"Row 5, Product Image 1 Url: {FAILED} The host has an address that is not public.\n"
            f"Row 5, Product Image 2 Url: {FAILED} "
            "Its address must begin with http or https, be on a public host and contain no password."
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


def test_the_command_has_the_option(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "things.csv"
    path.write_text(lines(HEADER, *things(host, 1)))
    call_command("import_spreadsheet", "products", str(path), "--apply", "--pictures", "fetch", verbosity=0)
    assert (Picture.objects.count(), Picture.objects.first().created_by) == (2, None)
    assert all(url.startswith("/media/") for url in images()["thing-0"])


def test_addresses_with_spaces_are_fetched(host: Host) -> None:
    host.has("/my%20mug.png")
    addresses = [host.address("/my mug.png"), host.address("/no mug.png")]
    file = lines(HEADER, row(1, "", *addresses))
    one = applied(file, pictures="fetch")
    assert one.results.get().text == f"Row 2, Product Image 2 Url: {FAILED} Its host answered with status 404."
    host.has("/no%20mug.png")
    assert applied(file, pictures="fetch").done == {"new": 1}
    copies = copies_of(addresses)
    assert images()["thing-1"] == [copies[address] for address in addresses]
    assert applied(file, pictures="fetch").done == {"unchanged": 1}
