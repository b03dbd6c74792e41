"""The interface once more, as a whole: whatever its document names, asked of the running server and of GraphQL."""

from collections.abc import Callable

import pytest

from tests.concurrency.running_server import RunningServer
from tests.interface_walk import page
from tests.interface_walk import shop as shops
from tests.interface_walk.answer_walk import walk_answers
from tests.interface_walk.board import PRINTED, Board
from tests.interface_walk.body_walk import walk_bodies
from tests.interface_walk.callers import callers
from tests.interface_walk.credential_walk import walk_credentials
from tests.interface_walk.field_walk import walk_fields
from tests.interface_walk.injections import Injector
from tests.interface_walk.input_walk import walk_inputs
from tests.interface_walk.parameter_walk import walk_parameters

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db(transaction=True)]


def test_the_whole_interface_holds(
    server: RunningServer,
    provider_id: str,
    subtests: pytest.Subtests,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    shop = shops.build(provider_id=provider_id)
    who = callers(server, shop)
    board = Board(subtests)
    walk_fields(board, who, shop)
    walk_answers(board, who, shop)
    walk_parameters(board, who, shop)
    walk_inputs(board, who, shop)
    walk_credentials(board, who, shop)
    walk_bodies(board, who, shop, Injector(shop, monkeypatch))
    tables = board.tables()
    record_property(PRINTED, tables)
    assert page.shows(tables), "docs/interface-walk.md differs from the tables of this run; WRITE_DOCS=1 writes it"
