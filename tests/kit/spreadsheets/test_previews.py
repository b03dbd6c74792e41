"""What is confirmed is what a preview has shown."""

from pathlib import Path
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import NotAllowed
from kit.jobs.endings import cancel
from kit.jobs.models import Job
from kit.spreadsheets.applying import NotPreviewed, apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.files import FileGone, path_of
from kit.spreadsheets.jobs import start_preview
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.previews import preview
from kit.spreadsheets.records import header_of
from kit.spreadsheets.uploads import ImportStarted, change
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import lines, previewed, uploaded
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
FILE = lines("Product Handle,Product Title,Other", "mug,Mug,Cup")


@pytest.fixture(autouse=True)
def _private_files(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


def _again(one: Import) -> Import:
    return Import.objects.get(pk=one.pk)


@pytest.mark.parametrize(
    "choice",
    [{"mapping": ["handle", "", "title"]}, {"options": {"stock": "set"}}, {"reading": {"decimal_mark": "comma"}}],
)
def test_a_preview_is_refused_if_its_choices_changed(choice: dict[str, Any]) -> None:
    one = uploaded(FILE)

    def meanwhile(*_: int) -> None:
        change(_again(one), actor=SYSTEM, **choice)

    with pytest.raises(NotAllowed, match="Preview the file again"):
        preview(one, actor=SYSTEM, report=meanwhile)

    assert (_again(one).state, path_of(one.pk, "plan").exists()) == (ImportState.UPLOADED, False)
    with pytest.raises(NotPreviewed):
        confirm(_again(one))


def test_a_second_preview_leaves_the_plan_of_a_confirmed_import() -> None:
    one = previewed(FILE)
    plan = path_of(one.pk, "plan").stat().st_ino

    with pytest.raises(ImportStarted):
        preview(_again(one), actor=SYSTEM, report=lambda *_: confirm(_again(one)))

    assert path_of(one.pk, "plan").stat().st_ino == plan
    apply(_again(one), actor=SYSTEM)
    assert _again(one).done == {"new": 1}


def test_a_change_keeps_what_others_have_chosen() -> None:
    one = uploaded(FILE)
    change(_again(one), actor=SYSTEM, mapping=["handle", "", "title"])

    change(one, actor=SYSTEM, options={"stock": "set"})

    assert (_again(one).mapping, _again(one).options) == (["handle", "", "title"], {"stock": "set"})


def test_nothing_is_changed_while_a_preview_runs() -> None:
    actor = staff_actor(UserFactory.create(is_superuser=True))
    one = uploaded(FILE, actor=actor)
    start_preview(one, actor=actor)

    with pytest.raises(NotAllowed, match="A preview of the file is running"):
        change(one, actor=actor, options={"stock": "set"})

    cancel(Job.objects.get())
    change(one, actor=actor, options={"stock": "set"})
    assert _again(one).options == {"stock": "set"}


def test_a_deleted_import_is_gone() -> None:
    one = uploaded(FILE)
    Import.objects.all().delete()
    with pytest.raises(FileGone):
        change(one, actor=SYSTEM, options={})


def test_a_problem_names_its_column_as_the_file_does() -> None:
    one = uploaded(lines("Handle,Other,Variant SKU,Option1 Value", "mug,x,M,S"))

    assert [header_of(field, one, SPREADSHEETS.get()["products"]) for field in ("handle", "price:EUR", "")] == [
        "Handle",
        "Variant Price EUR",
        "",
    ]
