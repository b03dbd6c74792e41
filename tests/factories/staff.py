"""Staff users for tests."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import factory
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Permission

from staff.models import User

PASSWORD = "correct horse battery staple"


@cache
def hashed(password: str) -> str:
    """Hashing is slow on purpose; users of one password may share its hash."""
    return make_password(password)


class UserFactory(factory.django.DjangoModelFactory[User]):
    """An active user with PASSWORD and the permissions `<app>.<codename>` that a test names.

    `is_superuser=True` may everything.
    """

    email = factory.Sequence(lambda number: f"staff{number}@example.com")
    password = factory.LazyFunction(lambda: hashed(PASSWORD))

    class Meta:
        model = User
        skip_postgeneration_save = True

    @factory.post_generation
    def permissions(self: User, create: bool, names: Iterable[str] | None, **_: Any) -> None:
        if wanted := list(names or ()):
            alike = Permission.objects.filter(codename__in=[name.partition(".")[2] for name in wanted])
            rows = alike.values_list("content_type__app_label", "codename", "pk")
            ids = {f"{app}.{codename}": pk for app, codename, pk in rows}
            self.user_permissions.add(*[ids[name] for name in wanted])
