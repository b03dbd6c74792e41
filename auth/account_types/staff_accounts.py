"""The accounts of staff: a password, and a one-time password for users with a confirmed device."""

from collections.abc import Sequence

from django.contrib.auth import authenticate
from django.db import connection, transaction
from django_otp import devices_for_user, user_has_device

from auth.account_types.accounts import Account
from auth.errors import WrongPassword
from auth.session_rows import is_open
from kit.database.raw_sql import Row
from kit.errors import Unauthorized
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.timestamps import now
from staff.actors import staff_actor
from staff.models import User, new_stamp

OTP_REQUIRED = "A one-time password is required, send it as 'otp'"
OTP_INVALID = "Invalid one-time password"


class StaffAccounts:
    """The accounts of actor type `user`."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        """Django's back end does the same work for an unknown email. Only a correct password reveals the device."""
        user = authenticate(username=email, password=password)
        if not isinstance(user, User):
            raise WrongPassword
        if user_has_device(user):
            _require_one_time_password(user, otp)
        return _account(user)

    def find(self, identity_id: str) -> Account | None:
        """Reads only the columns that an actor needs."""
        return _of_rows(_ACTIVE.read([identity_id]))

    def find_open(self, identity_id: str, session_key: str) -> Account | None:
        return _of_rows(_WITH_SESSION.read([identity_id], session_key))

    def find_by_email(self, email: str) -> Account | None:
        """Inactive users are not found, so they cannot reset their password."""
        user = User.objects.only(*_COLUMNS).filter(email=email, is_active=True).first()
        return None if user is None else _account(user)

    def change_password(self, account: Account, *, hashed: str) -> bool:
        """Devices are kept: a new password does not replace the second factor."""
        unchanged = User.objects.filter(pk=account.identity_id, stamp=account.stamp, is_active=True)
        return unchanged.update(password=hashed, stamp=new_stamp(), updated_at=now()) == 1


def _of_rows(rows: Sequence[Row]) -> Account | None:
    return next((_account(User.from_db(connection.alias, _COLUMNS, row)) for row in rows), None)


def _account(user: User) -> Account:
    return Account("user", user.pk, user.stamp, staff_actor(user), user.email)


def _require_one_time_password(user: User, otp: str | None) -> None:
    """Accept the one-time password of any device, once; the devices are locked meanwhile."""
    if not otp:
        raise Unauthorized(OTP_REQUIRED)
    with transaction.atomic():
        devices = list(devices_for_user(user, for_verify=True))
        accepted = any(device.verify_token(otp) for device in devices)
        if accepted:  # otherwise each login would count as a failure of the devices tried before, and lock them
            for device in devices:
                device.throttle_reset()
    if not accepted:
        raise Unauthorized(OTP_INVALID)


_COLUMNS = ("is_superuser", "id", "email", "is_active", "stamp")  # in the order of the model's fields
_ACTIVE = KeyedRows(lambda: User.objects.filter(is_active=True), key="id", columns=_COLUMNS)
_WITH_SESSION = KeyedRows(lambda key: User.objects.filter(is_open(key), is_active=True), key="id", columns=_COLUMNS)
