"""`manage.py setup_roles`: the roles of staff for each kind of work."""

from django.core.management.base import CommandError

from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.roles.roles import ROLES
from kit.commands.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Prints what each role has gained or lost; of a new one only how many permissions it has."""

    help = "Create or update the roles of staff. The permissions of single users are not changed."
    examples = ("setup_roles",)

    def handle(self, **options: object) -> None:
        try:
            changed = set_up_roles()
        except KeyError as missing:
            raise CommandError(f"The permission {missing} does not exist: run `manage.py migrate` first.") from missing
        for name, (added, removed) in changed.items():
            if len(added) == len(ROLES[name]) and not removed:
                self.stdout.write(f"{name}: created, {len(added)} permissions")
                continue
            self.stdout.write(f"{name}: {len(added)} added, {len(removed)} removed")
            for sign, permissions in (("+", added), ("-", removed)):
                for permission in permissions:
                    self.stdout.write(f"  {sign} {permission}")
        self.stdout.write(f"{len(ROLES)} roles, {len(changed)} changed")
