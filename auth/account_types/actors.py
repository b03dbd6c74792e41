"""The actor types that can sign in, and their accounts."""

from django.utils.crypto import constant_time_compare

from auth.account_types.accounts import Account, Accounts
from auth.account_types.customer_accounts import CustomerAccounts
from auth.account_types.staff_accounts import StaffAccounts

_accounts: dict[str, Accounts] = {"user": StaffAccounts(), "customer": CustomerAccounts()}


def is_known(actor_type: str) -> bool:
    """Whether there are accounts of that type."""
    return actor_type in _accounts


def accounts_of(actor_type: str) -> Accounts:
    """The accounts of a known type."""
    return _accounts[actor_type]


def resolve(actor_type: str, identity_id: str, stamp: str) -> Account | None:
    """The account of a token or session; None if it does not exist or has another stamp by now."""
    account = accounts_of(actor_type).find(identity_id) if is_known(actor_type) else None
    return _stamped(account, stamp)


def resolve_open(session_key: str, actor_type: str, identity_id: str, stamp: str) -> Account | None:
    """The same for a session, whose row the statement requires, too."""
    account = accounts_of(actor_type).find_open(identity_id, session_key) if is_known(actor_type) else None
    return _stamped(account, stamp)


def _stamped(account: Account | None, stamp: str) -> Account | None:
    return account if account is not None and constant_time_compare(account.stamp, stamp) else None
