"""The shop behind a real pgbouncer in transaction mode, with fewer sessions than threads.

`make test-pooler` sends the whole contract through one.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from kit.database.sql_names import table
from shop.models import Region
from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory
from tests.packages import ROOT
from tests.plugins.poolers import KEEPS_STATEMENTS, pgbouncer, version

Environment = dict[str, str]
pytestmark = [pytest.mark.postgresql, pytest.mark.servers("pgbouncer")]


@pytest.fixture
def direct(process_environment: Environment) -> Environment:
    """A shop whose pooler cannot be reached."""
    socket, url = process_environment["DATABASE_SOCKET"], process_environment["DATABASE_URL"]
    pooler = {"DATABASE_POOLER": "transaction", "DATABASE_DIRECT_URL": f"{url}?host={socket}"}
    return {**process_environment, **pooler, "DATABASE_SOCKET": "/nowhere"}


@pytest.fixture
def poolers(process_environment: Environment) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def pooled(direct: Environment, poolers: ExitStack, process_environment: Environment) -> Environment:
    """The shop behind a pooler whose sessions know no setting yet."""
    pooler = pgbouncer(process_environment["DATABASE_SOCKET"], sessions=2)
    poolers.callback(pooler.remove)
    return {**direct, "DATABASE_SOCKET": str(pooler.directory)}


@pytest.fixture
def with_role(direct: Environment) -> Iterator[None]:
    """The role has what `database_role` prints."""
    with connection.cursor() as cursor:
        cursor.execute(printed(direct))
        yield
        cursor.execute(sql.SQL("ALTER ROLE CURRENT_USER IN DATABASE {} RESET ALL").format(database()))


@pytest.fixture
def server(with_role: None, pooled: Environment, tmp_path: Path) -> Iterator[RunningServer]:
    environment = {**pooled, "REQUEST_DATABASE_TIME_MS": "300"}
    key = {"x-publishable-api-key": publishable_key().token}
    with running_server(environment, log=tmp_path / "log", headers=key, workers=2) as one:
        yield one


def name() -> str:
    return str(connection.settings_dict["NAME"])


def database() -> sql.Identifier:
    return sql.Identifier(name())


def command(environment: Environment, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def printed(environment: Environment) -> str:
    run = command(environment, "database_role")
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def test_forty_requests_on_two_sessions_get_their_own_rows(server: RunningServer) -> None:
    products = ProductFactory.create_batch(40)
    for _ in range(3):
        answers = server.at_once(lambda turn: Sent(f"/store/products/{products[turn].pk}", method="GET"), number=40)
        assert [answer.status for answer in answers] == [200] * 40
        assert [answer.body["product"]["id"] for answer in answers] == [product.pk for product in products]


def test_the_wait_for_a_lock_does_not_count_as_database_time(server: RunningServer) -> None:
    """It ends by the role's lock_timeout, 409; counted, it would be a 503 after 0.3 s."""
    with connection.cursor() as cursor:
        cursor.execute(f"BEGIN; LOCK TABLE {table(Region)} IN ACCESS EXCLUSIVE MODE")
        answer = server.send(Sent("/store/regions", method="GET"))
        cursor.execute("ROLLBACK")
    assert answer.status == 409
    assert server.send(Sent("/store/regions", method="GET")).status == 200


def test_a_pooler_that_keeps_statements_lets_the_shop_prepare_them(
    with_role: None, direct: Environment, poolers: ExitStack, process_environment: Environment, tmp_path: Path
) -> None:
    """Forty requests on two sessions run what others have prepared there, and a third round finds it prepared."""
    if version() < KEEPS_STATEMENTS:
        pytest.skip("pgbouncer keeps prepared statements from 1.21 on, and DATABASE_PREPARE=1 needs that")
    pooler = pgbouncer(process_environment["DATABASE_SOCKET"], sessions=2, statements=200)
    poolers.callback(pooler.remove)
    environment = {**direct, "DATABASE_SOCKET": str(pooler.directory), "DATABASE_PREPARE": "1"}
    assert command(environment, "check", "--deploy").returncode == 0
    products = ProductFactory.create_batch(40)
    key = {"x-publishable-api-key": publishable_key().token}
    with running_server(environment, log=tmp_path / "log", headers=key, workers=2) as one:
        for _ in range(4):
            answers = one.at_once(lambda turn: Sent(f"/store/products/{products[turn].pk}", method="GET"), number=40)
            assert [answer.status for answer in answers] == [200] * 40
            assert [answer.body["product"]["id"] for answer in answers] == [product.pk for product in products]
        with psycopg.connect(host=str(pooler.directory), dbname=name()) as client:
            ((kept,),) = client.execute("SELECT count(*) FROM pg_prepared_statements").fetchall()
    assert kept > 0


def test_commands_go_past_the_pooler(direct: Environment) -> None:
    assert command(direct, "migrate", "--check").returncode == 0


def test_the_role_must_have_the_settings(pooled: Environment) -> None:
    checked = command(pooled, "check", "--deploy")
    assert checked.returncode == 1
    assert "commerce.E005" in checked.stderr
    assert "other values for lock_timeout, statement_timeout, random_page_cost" in checked.stderr


def test_a_role_that_has_them_passes(with_role: None, pooled: Environment) -> None:
    assert "commerce.E00" not in command(pooled, "check", "--deploy").stderr


def test_a_pooler_that_does_not_answer_is_named(direct: Environment) -> None:
    assert "The pooler cannot be reached" in command(direct, "check", "--deploy").stderr


def test_the_settings_are_printed_before_there_is_a_pooler(
    process_environment: Environment, direct: Environment
) -> None:
    assert printed(process_environment) == printed(direct)


def test_sqlite_has_no_role(tmp_path: Path, process_environment: Environment) -> None:
    run = command({**process_environment, "DATABASE_URL": f"sqlite:///{tmp_path / 'shop'}"}, "database_role")
    assert (run.returncode, run.stderr.splitlines()[-1][:31]) == (1, "CommandError: Only PostgreSQL h")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"DATABASE_DIRECT_URL": ""}, "DATABASE_DIRECT_URL must begin with postgresql://"),
        ({"DATABASE_URL": "sqlite:////shop.sqlite3"}, "DATABASE_URL must begin with postgresql://"),
        ({"DATABASE_POOL": "4"}, "DATABASE_POOL has no effect with DATABASE_POOLER"),
        ({"DATABASE_POOLER": "session"}, "DATABASE_POOLER must be none or transaction, not 'session'."),
    ],
)
def test_settings_that_do_not_fit(direct: Environment, given: Environment, problem: str) -> None:
    run = command({**direct, **given}, "check")
    assert run.returncode == 1
    assert problem in run.stderr
