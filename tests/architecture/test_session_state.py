"""No product code leaves anything in a session of PostgreSQL, which a transaction pooler then gives to another caller.

Prepared statements are an exception (DATABASE_PREPARE). Source: docs/operators/services.md#behind-a-pooler.
"""

import re

from tests.packages import ROOT, sources

KEPT_BY_SESSIONS = re.compile(
    r"""
      pg_(?:try_)?advisory_(?:lock|unlock)\w*   # pg_advisory_xact_lock ends with its transaction
    | set_config\s*\([^()]*\bfalse\s*\)
    | ["']{1,3}\s*(?-i:SET|set)\s+(?:SESSION\b|(?!LOCAL\b|CONSTRAINTS\b)\w[\w.]*\s*(?:=|\bTO\b))
    | ["']{1,3}\s*(?-i:RESET|reset)\s+\w+
    | ["']{1,3}\s*(?:UN)?LISTEN\b
    | ["']{1,3}\s*(?:DECLARE\s+\w+\s.*WITH\s+HOLD|DISCARD\s+(?:ALL|TEMP|PLANS))
    | ["']{1,3}\s*CREATE\s+(?:LOCAL\s+)?TEMP(?:ORARY)?\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
DOCUMENTED = {"kit/database/pooler.py": ["set_config('application_name', %s, false)"]}
"""By its name, which poolers pass on, the shop finds the session that runs its transaction."""


def found(text: str) -> list[str]:
    return KEPT_BY_SESSIONS.findall(text)


def test_product_code_leaves_nothing_in_a_session() -> None:
    kept = {str(file.relative_to(ROOT)): found(file.read_text()) for file in sources()}
    assert len(kept) > 1000
    assert {file: texts for file, texts in kept.items() if texts} == DOCUMENTED


def test_the_search_sees_what_it_is_for() -> None:
    for statement in (
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_lock_shared(%s)",
        "SELECT set_config('lock_timeout', '1s', false)",
        "SELECT set_config('lock_timeout', %s, FALSE)",
        "SET lock_timeout = '1s'",
        "SET search_path TO shop",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        "set statement_timeout to 0",
        "RESET lock_timeout",
        "LISTEN orders",
        "CREATE TEMPORARY TABLE found (id text)",
        "DECLARE rows CURSOR WITH HOLD FOR SELECT 1",
    ):
        for quoted in (f'execute("{statement}")', f"execute('''\n    {statement}''')", f'f"{statement}"'):
            assert found(quoted), quoted
    for statement in (
        "SELECT pg_advisory_xact_lock(%s)",
        "SELECT set_config('catalog.search_is_paused', 'yes', true)",
        "SET LOCAL lock_timeout = '1s'",
        "SET CONSTRAINTS ALL DEFERRED",
        "UPDATE catalog_product SET title = %s",
    ):
        assert not found(f'execute("{statement}")'), statement
