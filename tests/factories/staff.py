"""Staff users for tests."""

import factory

from commerce.staff.models import User


class UserFactory(factory.django.DjangoModelFactory[User]):
    """An active user without permissions and without a password; `is_superuser=True` may everything."""

    email = factory.Sequence(lambda number: f"staff{number}@example.com")

    class Meta:
        model = User
