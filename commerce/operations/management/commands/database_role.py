"""`manage.py database_role`: prints what PostgreSQL must know of the shop's role behind a pooler."""

from django.core.management.base import CommandError

from commerce.kit.core.operator_command import OperatorCommand
from commerce.operations.pooled_role import statements


class Command(OperatorCommand):
    """Prints SQL. New sessions have the settings; a pooler's must be renewed (pgbouncer: RECONNECT)."""

    help = "Print the ALTER ROLE statements that DATABASE_POOLER needs: timeouts and settings of the planner."
    examples = ("database_role", "database_role | psql")

    def handle(self, **options: object) -> None:
        found = statements()
        if not found:
            raise CommandError("DATABASE_POOLER is not set: each connection sets this itself.")
        for statement in found:
            self.stdout.write(statement)
