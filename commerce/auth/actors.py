"""Which actor types can sign in. Staff are entered here; a higher app enters its own type in AppConfig.ready()."""

from django.utils.crypto import constant_time_compare

from commerce.auth.accounts import Account, Accounts
from commerce.auth.staff_accounts import StaffAccounts

_accounts: dict[str, Accounts] = {"user": StaffAccounts()}


def enter(actor_type: str, accounts: Accounts) -> None:
    """Let accounts of that type sign in at /auth/{actor_type}/emailpass."""
    _accounts[actor_type] = accounts


def is_known(actor_type: str) -> bool:
    """Whether accounts of that type exist at all."""
    return actor_type in _accounts


def accounts_of(actor_type: str) -> Accounts:
    """The accounts of a known type."""
    return _accounts[actor_type]


def resolve(actor_type: str, identity_id: str, stamp: str) -> Account | None:
    """The account that a token or session names; None when it is gone, or its stamp is not the present one."""
    account = accounts_of(actor_type).find(identity_id) if is_known(actor_type) else None
    return account if account is not None and constant_time_compare(account.stamp, stamp) else None
