"""The filters of users and invitations."""

from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import CodeFilter, SearchFilter, TextFilter


class UserFilters(RecordFilters):
    """Users, by email and names."""

    q = SearchFilter(columns=("email", "first_name", "last_name"))
    email = CodeFilter()
    first_name = TextFilter()
    last_name = TextFilter()


class InviteFilters(RecordFilters):
    """Invitations, by email."""

    q = SearchFilter(columns=("email",))
    email = CodeFilter()
