"""The shop without one of its guards, so that proofs are seen to fail."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from django.db import connection, models

from giftcards import triggers
from tests.concurrency.running_server import RunningServer, running_server
from tests.factories.apikeys import publishable_key

Serve = Callable[[str], AbstractContextManager[RunningServer]]


def unguarded_servers(application: str, environment: Mapping[str, str], directory: Path) -> Serve:
    """By the guard's name, a server of one worker without it. application: the module that takes it away."""

    @contextmanager
    def unguarded(guard: str) -> Iterator[RunningServer]:
        with running_server(
            {**environment, "WITHOUT": guard},
            log=directory / "server.log",
            headers={"x-publishable-api-key": publishable_key().token},
            workers=1,
            application=f"{application}:application",
        ) as running:
            yield running

    return unguarded


@contextmanager
def without_triggers() -> Iterator[None]:
    with connection.schema_editor() as editor:
        triggers.remove(editor)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            triggers.install(editor)


@contextmanager
def without_constraints(
    names: dict[type[models.Model], list[str]], *, emptied: Sequence[type[models.Model]]
) -> Iterator[None]:
    """emptied: what was written in the meantime goes, since no such constraint could be laid upon it again."""
    declared = {model: model._meta.constraints for model in names}
    gone = {model: [each for each in declared[model] if each.name in names[model]] for model in names}
    assert {model: [each.name for each in gone[model]] for model in names} == names
    for model in names:
        model._meta.constraints = [each for each in declared[model] if each not in gone[model]]
    _change_constraints("remove_constraint", gone)
    try:
        yield
    finally:
        with without_triggers():
            for model in emptied:
                model._default_manager.all().delete()
        for model in names:
            model._meta.constraints = declared[model]
        _change_constraints("add_constraint", gone)


def _change_constraints(change: str, constraints: dict[type[models.Model], list[models.BaseConstraint]]) -> None:
    """SQLite makes a table again, with the constraints that its model has now; its triggers are lost."""
    with connection.schema_editor() as editor:
        triggers.remove(editor)
        for model, of_model in constraints.items():
            for constraint in of_model:
                getattr(editor, change)(model, constraint)
        triggers.install(editor)
