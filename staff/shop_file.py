"""The shop file's users: staff accounts, dumped only with credentials."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.contrib.auth.hashers import make_password
from django.db import models

from kit.safety.password_hash import hash_of
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Boolean, Entry, InvalidValue, Text, Value
from kit.values import email_address
from kit.values.json import JSONObject
from staff.models import User


@dataclass(frozen=True, kw_only=True)
class Email(Text):
    """An email address, stored in lower case."""

    longest: int | None = email_address.LONGEST

    def parse(self, raw: object) -> str:
        address = email_address.normalized(super().parse(raw))
        problem = email_address.fault(address)
        if problem:
            raise InvalidValue(f"'{address}' {problem}")
        return address


class Users(RowsSection[User]):
    """Every staff user. A password is used only for a new account; it is clear text, or a hash as dumped."""

    key = "users"
    prefix = "user"
    model = User
    natural_key = "email"
    fields: ClassVar[Mapping[str, Value]] = {
        "email": Email(required=True),
        "password": Text(may_be_blank=False),
        "first_name": Text(longest=150),
        "last_name": Text(longest=150),
        "is_superuser": Boolean(),
    }

    @classmethod
    def matchable(cls) -> models.QuerySet[User]:
        return User.objects.all()

    def values(self, entry: Entry, row: User | None) -> dict[str, object]:
        values = super().values(entry, row)
        password = values.pop("password", None)
        return (
            values
            if row
            else {**values, "password": hash_of(password) if password is not None else make_password(None)}
        )

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        """Active users, and only with credentials."""
        active = set(User.objects.filter(is_active=True).values_list("pk", flat=True)) if with_credentials else set()
        return (user for user in super().dump(with_credentials=True) if user["id"] in active) if active else iter(())
