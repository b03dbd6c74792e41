"""What a restoration removes from a PostgreSQL database."""

import pytest
from django.db import connection

from commerce.operations.backups.postgresql import FUNCTIONS

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_a_function_is_ours_even_if_an_object_of_an_extension_has_the_same_number() -> None:
    """PostgreSQL numbers functions, tables and types separately."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE FUNCTION ours() RETURNS int LANGUAGE sql AS 'SELECT 1'")
        cursor.execute("SET LOCAL allow_system_table_mods = on")
        cursor.execute(
            """
            INSERT INTO pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
            SELECT 'pg_type'::regclass, 'ours'::regproc, 0, 'pg_extension'::regclass, oid, 0, 'e'
            FROM pg_extension WHERE extname = 'plpgsql'
            """
        )
        cursor.execute(FUNCTIONS)
        assert ("ours()",) in cursor.fetchall()
