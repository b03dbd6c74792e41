"""Imports that fetch pictures: kills, refusals and permissions, and no lock meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from catalog.models import Product
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from kit.jobs.work import TurnLost
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.spreadsheets import applying
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.jobs import start_apply
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import change
from pictures.fetching import MOST_FAILURES, Fetching
from pictures.models import Picture, PictureSource
from tests.catalog.spreadsheets.importing import applied, lines, previewed, uploaded
from tests.catalog.spreadsheets.pictured import FAILED, HEADER, images, row, things
from tests.factories.actors import staff_actor
from tests.factories.products import VariantFactory
from tests.factories.staff import UserFactory
from tests.pictures.host import Host

pytestmark = pytest.mark.django_db
IMPORTING = ("catalog.add_product", "catalog.change_product")


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


def test_a_dead_host_is_not_asked_anew_after_a_refused_record(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.spreadsheets.products.refuse_taken", lambda planned: None)
    monkeypatch.setattr(applying, "_MOST", 1)
    monkeypatch.setattr(applying, "_LEAST", 1)
    VariantFactory.create(sku="T4")
    asked = []

    def dead(address: str) -> None:
        asked.append(address)
        raise DeliveryFailed("It does not answer")

    monkeypatch.setattr("pictures.fetching._received", dead)
    rows = [f"thing-{number},Thing,,{host.address(f'/{number}.png')},,T{number}" for number in range(8)]
    rows[4] = "thing-4,Thing,,,,T4"

    one = applied(lines(f"{HEADER},Variant SKU", *rows), pictures="fetch")

    assert one.done == {"problem": 8}
    assert len(asked) == MOST_FAILURES == 4


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
        with pytest.raises(Forbidden, match="add_picture"):
            apply(one, actor=may, present=lambda: next(present))
        assert (host.asked, Picture.objects.count()) == ([], 0)
