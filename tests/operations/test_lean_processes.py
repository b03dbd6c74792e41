"""What processes do not load: memory is what a small machine has least of, and commands start again and again."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.once

LOADED = """
import sys
import commerce.wsgi
from django.urls import get_resolver
get_resolver().url_patterns
heavy = {"PIL", "django.db.backends.sqlite3.base"} & set(sys.modules)
print(sorted(heavy), hasattr(sys.modules["text_unidecode"], "_replaces"))
from graphene_django.utils.str_converters import to_const
print(to_const("plain 1"), to_const("Käse"), to_const("Größe"))
"""


def test_on_postgresql_it_loads_neither_pillow_nor_sqlite_nor_the_table_of_text_unidecode() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@/nowhere"}  # nothing connects
    program = [sys.executable, "-c", LOADED]
    done = subprocess.run(program, env=environment, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines() == ["[] False", "PLAIN_1 KASE GROSSE"]


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
