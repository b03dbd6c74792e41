"""`manage.py database_role`: prints what PostgreSQL must know of the shop's role behind a pooler."""

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from commerce.operations.checks.pooled_role import statements
from kit.commands.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Prints SQL, also without DATABASE_POOLER. A pooler's sessions must be renewed then (pgbouncer: RECONNECT)."""

    help = "Print the ALTER ROLE statements that DATABASE_POOLER needs: timeouts and settings of the planner."
    examples = ("database_role",)

    def handle(self, **options: object) -> None:
        config = settings.POOLED_DATABASE or connection.settings_dict
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles, and poolers: DATABASE_URL names SQLite.")
        for statement in statements(config):
            self.stdout.write(statement)
