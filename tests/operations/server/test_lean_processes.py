"""What processes do not load: memory is what a small machine has least of, and commands start again and again."""

import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.every(3), pytest.mark.once]

LOADED = """
import sys
import commerce.wsgi
from django.urls import get_resolver
get_resolver().url_patterns
heavy = {
    "PIL", "django.contrib.postgres.fields", "django.db.backends.sqlite3.base", "django.test",
    "drf_spectacular.openapi", "openpyxl", "psycopg", "unittest", "yaml",
}
print(sorted(heavy & set(sys.modules)), hasattr(sys.modules["text_unidecode"], "_replaces"))
from graphene_django.utils.str_converters import to_const
print(to_const("plain 1"), to_const("Käse"), to_const("Größe"))
"""


@pytest.mark.parametrize(
    ("url", "driver"),
    [("postgresql://nobody@/nowhere", "psycopg"), ("sqlite://:memory:", "django.db.backends.sqlite3.base")],
)
def test_a_web_process_loads_one_driver_and_nothing_that_no_request_needs(url: str, driver: str) -> None:
    environment = {**os.environ, "DATABASE_URL": url}  # nothing connects
    program = [sys.executable, "-c", LOADED]
    done = subprocess.run(program, env=environment, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines() == [f"['{driver}'] False", "PLAIN_1 KASE GROSSE"]


RUN = """
import sys
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "recount_products", "--verbosity", "0"])
print("commerce.urls" in sys.modules)
"""


def test_a_command_loads_no_route(process_environment: dict[str, str]) -> None:
    environment = {**process_environment, "DJANGO_SETTINGS_MODULE": "commerce.settings"}
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, check=True, text=True)
    assert done.stdout.split()[-1] == "False"


BACKGROUND = """
import sys
import django
django.setup()
import commerce.operations.management.commands.work, commerce.operations.management.commands.work_jobs
from commerce.operations.tasks.background_workers import background_work
from commerce.operations.tasks.scheduled_commands import chores
background_work("background"), chores()
unused = {"commerce.admin_site", "commerce.urls", "graphene", "orders.admin", "psycopg", "unfold.admin", "yaml"}
print(sorted(unused & set(sys.modules)))
"""


def test_the_background_process_loads_no_screen_and_no_route() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "commerce.settings", "DATABASE_URL": "sqlite://:memory:"}
    program = [sys.executable, "-c", BACKGROUND]
    done = subprocess.run(program, env=environment, capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"


CHECK = """
import django
django.setup()
from django.contrib.admin import site
from django.core.checks import run_checks
from orders.admin.orders import OrderAdmin
OrderAdmin.list_display = ["nothing"]
print("admin.E108" in {found.id for found in run_checks(tags=["admin"])}, len(site._registry) > 20)
"""


def test_checks_of_the_admin_site_load_all_screens() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "commerce.settings", "DATABASE_URL": "sqlite://:memory:"}
    done = subprocess.run([sys.executable, "-c", CHECK], env=environment, capture_output=True, check=True, text=True)
    assert done.stdout == "True True\n"
