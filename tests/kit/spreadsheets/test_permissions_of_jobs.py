"""Jobs of imports and exports have no more permissions than who started them, at that moment and now."""

from pathlib import Path
from typing import Any

import pytest

from apikeys.models import ApiKey
from catalog.models import Price, Product
from kit.errors import Forbidden
from kit.jobs.models import Job
from kit.spreadsheets import applying
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.jobs import OWNER, start_apply, start_export
from kit.spreadsheets.models import Import
from kit.values.timestamps import now
from staff.actors import staff_actor
from staff.models import User
from tests.catalog.spreadsheets.importing import lines, previewed
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

LIMIT = ["catalog.add_product", "catalog.change_product", "catalog.add_productvariant"]
FILE = lines("Product Handle,Product Title,Variant SKU,Variant Price EUR", "mug,Mug,MUG,12.50")


@pytest.fixture(autouse=True)
def _private_files(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


def _started(user: User) -> tuple[Import, ApiKey]:
    """An import that a key of the user with these permissions alone has confirmed."""
    key = secret_key(user, permissions=LIMIT).key
    actor = staff_actor(user, through=key.pk, within=frozenset(LIMIT))
    one = previewed(FILE, actor=actor)
    start_apply(one, actor=actor)
    return one, key


@pytest.mark.django_db(transaction=True)
def test_a_limited_key_writes_within_its_limit() -> None:
    one, _ = _started(UserFactory.create(is_superuser=True))

    run_bulk_worker()

    one.refresh_from_db()
    assert one.done == {"problem": 1}
    assert "permission" in one.results.get().text
    assert not Price.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_revoked_key_writes_nothing() -> None:
    _, key = _started(UserFactory.create(is_superuser=True))
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=now())

    run_bulk_worker()

    assert (Job.objects.get().status, Job.objects.get().message) == (
        "failed",
        "The API key that started this was revoked.",
    )
    assert not Product.objects.exists()


@pytest.mark.django_db
def test_an_export_keeps_its_key() -> None:
    user = UserFactory.create(is_superuser=True)
    key = secret_key(user, permissions=["catalog.view_product"]).key
    actor = staff_actor(user, through=key.pk, within=frozenset(key.permissions or ()))

    owner = OWNER.get()(start_export("products", actor=actor, format="csv"))

    assert (owner.through, owner.may("catalog.view_product"), owner.may("catalog.view_price")) == (key.pk, True, False)


@pytest.mark.django_db
def test_who_loses_the_permission_stops_at_the_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "_MOST", 8)
    monkeypatch.setattr(applying, "_LEAST", 2)
    user = UserFactory.create(
        permissions=["catalog.add_product", "catalog.change_product", "catalog.add_productvariant"]
    )
    rows = [f"thing-{number},Thing {number},T{number}" for number in range(1, 7)]
    one = previewed(lines("Product Handle,Product Title,Variant SKU", *rows))
    confirm(one)

    def deactivated(*_: Any) -> None:
        User.objects.update(is_active=False)

    with pytest.raises(Forbidden):
        apply(
            one,
            actor=staff_actor(user),
            present=lambda: staff_actor(User.objects.get(pk=user.pk)),
            keep=deactivated,
        )

    assert (one.position, Product.objects.count()) == (2, 2)
